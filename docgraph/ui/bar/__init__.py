"""The bar above every page: the workspace, the places, and what this session may write."""

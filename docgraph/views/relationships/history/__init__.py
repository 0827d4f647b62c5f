"""The history of relationships in words."""

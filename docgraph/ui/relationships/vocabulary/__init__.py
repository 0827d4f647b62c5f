"""The section of relation types, and merging them."""

"""A conversation as cards and words."""

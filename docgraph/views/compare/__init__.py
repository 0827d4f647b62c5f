"""A comparison as rows, charts and words."""

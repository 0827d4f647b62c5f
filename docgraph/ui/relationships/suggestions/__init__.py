"""The section of relationships that nobody stated yet."""

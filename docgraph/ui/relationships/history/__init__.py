"""The section of what was changed, and how it is taken back."""

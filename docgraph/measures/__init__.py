"""Measures of what two rankings have in common: one file each, found by name."""

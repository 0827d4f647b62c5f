"""Checks of relationship data: one file each, found by name."""

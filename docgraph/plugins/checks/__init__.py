"""Checks of relationship data: one file each, in rooms by what they are about, found by name."""

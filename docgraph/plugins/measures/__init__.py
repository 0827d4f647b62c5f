"""Measures of what two rankings have in common, and of how good one is by judgments: one file each, found by name."""

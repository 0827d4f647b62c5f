"""Imports on whatever page: their source, progress and report, and what they left in the workspace."""

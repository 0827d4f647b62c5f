"""Imports on whatever page: their source, progress and report."""

"""Relationships as rows, links, effects and a focus graph."""

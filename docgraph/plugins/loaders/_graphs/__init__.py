"""Graphs that exist already: what each format says, as documents and relationships."""

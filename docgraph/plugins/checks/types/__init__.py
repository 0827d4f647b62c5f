"""Relation types: their names, their directions, and what they say together."""

"""Corrections for authors: what people decided, written into the texts of the files that state relationships."""

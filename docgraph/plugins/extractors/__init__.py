"""Finders of relationships in documents; every file is one option."""

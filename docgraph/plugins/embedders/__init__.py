"""Embedders; every file is one option."""

"""Readers of file formats; every file is one option."""

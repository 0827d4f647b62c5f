"""Makers of document summaries; every file is one option."""

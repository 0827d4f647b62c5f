"""Curation: what is wrong with the relationships, and how it is put right."""

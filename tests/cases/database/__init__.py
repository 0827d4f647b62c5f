"""Servers that were set up by somebody else: a pooler before them, and pgvector in a schema of its own."""

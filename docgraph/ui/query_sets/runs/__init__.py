"""A saved version of a question, one module a part of it."""

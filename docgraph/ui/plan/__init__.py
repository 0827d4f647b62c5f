"""The Plan page, one module a part of it."""

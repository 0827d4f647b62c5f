"""The Home page, one module a part of it."""

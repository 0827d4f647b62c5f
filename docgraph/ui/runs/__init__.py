"""The Runs page, one module a part of it."""

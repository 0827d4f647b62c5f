"""A database in one file and back, and everything in it held against what is recorded."""

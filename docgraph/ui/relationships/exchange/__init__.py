"""The section for files of relationships: out, in, and what a file would do."""

"""The report of a saved run: its content once, and a writer for each format."""

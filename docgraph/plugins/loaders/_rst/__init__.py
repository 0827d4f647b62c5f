"""The parts of a reStructuredText file: its header, its headings."""

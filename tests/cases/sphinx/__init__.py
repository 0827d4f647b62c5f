"""Cases of texts written for Sphinx: labels, roles, tables of contents, in reStructuredText and in MyST."""

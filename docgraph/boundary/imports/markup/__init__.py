"""What texts written for Sphinx define and refer to, in reStructuredText and in MyST Markdown."""

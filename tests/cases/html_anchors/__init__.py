"""Links that are written in HTML inside Markdown, as on GitHub."""

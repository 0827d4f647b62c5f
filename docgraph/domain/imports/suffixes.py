"""Endings of files, as every part of an import knows them."""

from __future__ import annotations

MARKDOWN = (
    *(".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mkdown", ".markdn", ".mdwn", ".mdtxt", ".mdtext"),
    *(".mdx", ".qmd", ".rmd", ".mdc"),
)
"""Markdown and what is made of it: with components (MDX, MDC), with code that runs (Quarto, R Markdown)."""
MEDIA = (
    *(".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".avif", ".ico", ".tif", ".tiff", ".heic"),
    *(".mp3", ".wav", ".m4a", ".ogg", ".flac", ".mp4", ".webm", ".ogv", ".mov", ".mkv", ".3gp"),
)
"""Pictures, sounds and films, which pages show and nobody reads."""

"""Endings of files, as every part of an import knows them."""

from __future__ import annotations

MARKDOWN = (
    *(".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mkdown", ".markdn", ".mdwn", ".mdtxt", ".mdtext"),
    *(".mdx", ".qmd", ".rmd", ".mdc"),
)
"""Markdown and what is made of it: with components (MDX, MDC), with code that runs (Quarto, R Markdown)."""

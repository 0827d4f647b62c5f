"""Sphinx: roles (``:doc:``, ``:ref:``), tables of contents and labels in reStructuredText."""

from __future__ import annotations

import re

from docgraph.ports import Dialect

_MARKED = re.compile(
    r":(?:doc|ref|any|term|numref|need|download):`|^[ \t]*\.\. (?:toctree|glossary|automodule|versionadded)::",
    re.MULTILINE,
)


class Sphinx(Dialect):
    """Pages below a ``conf.py``, else those with roles or directives that only Sphinx knows."""

    name = "sphinx"
    title = "Sphinx"
    signs = ("conf.py",)
    suffixes = (".rst", ".rest")

    def marks(self, text: str, source: str) -> bool:
        """Whether a role or a directive of Sphinx stands in the text."""
        return bool(_MARKED.search(text))


build = Sphinx

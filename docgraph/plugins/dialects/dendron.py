"""Dendron: a note ``a.b`` lies in the file ``a.b.md``; ``[[label|a.b]]`` says first what a reader sees."""

from __future__ import annotations

import re

from docgraph.ports import Dialect

_DOTTED = re.compile(r"(?:.*/)?[a-z][\w-]{0,60}(?:\.[\w-]{1,60}){1,8}\.md")


class Dendron(Dialect):
    """Its names with dots are paths as they are; a label in front is read wherever it stands."""

    name = "dendron"
    title = "Dendron"
    signs = ("dendron.yml", "root.schema.yml", "root.schema.yaml")
    suffixes = (".md",)

    def marks(self, text: str, source: str) -> bool:
        """Whether its name has dots, as a note's path, and a wiki link stands in it."""
        return "[[" in text and bool(_DOTTED.fullmatch(source))


build = Dendron

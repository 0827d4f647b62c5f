"""Dendron: a note ``a.b`` lies in the file ``a.b.md``; ``[[label|a.b]]`` says first what a reader sees."""

from __future__ import annotations

import re

from docgraph.ports import Dialect

_MARKED = re.compile(r"\[\[(?:[^\[\]\n|]{1,200}\|)?[a-z][\w-]{0,60}(?:\.[\w-]{1,60}){1,8}(?:#[^\[\]\n]{0,200})?\]\]")


class Dendron(Dialect):
    """Its names with dots are paths as they are; a label in front is read wherever it stands."""

    name = "dendron"
    title = "Dendron"
    signs = ("dendron.yml", "root.schema.yml", "root.schema.yaml")
    suffixes = (".md",)

    def marks(self, text: str, source: str) -> bool:
        """Whether a link to a name with dots stands in the text."""
        return "[[" in text and bool(_MARKED.search(text))


def build() -> Dendron:
    """The dialect; it has no options."""
    return Dendron()

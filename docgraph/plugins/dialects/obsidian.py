"""Obsidian, Foam and other vaults of notes: ``[[note]]``, ``%% comments %%``, callouts."""

from __future__ import annotations

import re

from docgraph.plugins._code import blanked
from docgraph.ports import Dialect

_COMMENT = re.compile(r"(?<!\S)%%(?!%)(?:[^%]|%(?!%)){1,20000}+%%(?!\S)")
_MARKED = re.compile(r"(?<!#)\[\[[^\[\]\n]{1,300}\]\](?!\()")


class Obsidian(Dialect):
    """What stands between ``%%`` is no text."""

    name = "obsidian"
    title = "Notes with [[links]]"
    suffixes = (".md", ".markdown")

    def marks(self, text: str, source: str) -> bool:
        """Whether a wiki link stands in the text."""
        return "[[" in text and bool(_MARKED.search(text))

    def readable(self, text: str, source: str) -> str:
        """Without comments."""
        if "%%" not in text or not source.lower().endswith(self.suffixes):
            return text
        return blanked(text, _COMMENT, source)


build = Obsidian

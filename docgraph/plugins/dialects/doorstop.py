"""Doorstop: one YAML file an item, its name the item's id, with links to the items that it was derived from."""

from __future__ import annotations

import re

from docgraph.ports import Dialect

_FIELD = re.compile(r"^(active|derived|level|links|normative|reviewed|ref):", re.MULTILINE)
_ENOUGH = 3


class Doorstop(Dialect):
    """YAML files with the fields that every item has."""

    name = "doorstop"
    title = "Doorstop"
    signs = (".doorstop.yml",)
    suffixes = (".yml", ".yaml")

    def marks(self, text: str, source: str) -> bool:
        """Whether a file has at least three fields of an item, and a text."""
        return len(set(_FIELD.findall(text))) >= _ENOUGH and "\ntext:" in f"\n{text}"


def build() -> Doorstop:
    """The dialect; it has no options."""
    return Doorstop()

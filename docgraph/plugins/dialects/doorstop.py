"""Doorstop: one YAML file an item, its name the item's id, with links to the items that it was derived from."""

from __future__ import annotations

import re

from docgraph.ports import Dialect

_FIELD = re.compile(r"^(active|derived|level|links|normative|reviewed|ref):", re.MULTILINE)
_NAME = re.compile(r"(?:^|/)[A-Za-z][\w.-]{0,60}?[-_.]?\d{2,9}\.ya?ml$")
_DESCRIPTION = re.compile(r"^[\w-]{1,60}:(?:[ \t]|$)", re.MULTILINE)
_ENOUGH = 3


class Doorstop(Dialect):
    """YAML files with the fields that every item has."""

    name = "doorstop"
    title = "Doorstop"
    signs = (".doorstop.yml",)
    suffixes = (".yml", ".yaml")

    def marks(self, text: str, source: str) -> bool:
        """Whether a file has at least three fields of an item, or is a text that was read of one."""
        if len(set(_FIELD.findall(text))) >= _ENOUGH and "\ntext:" in f"\n{text}":
            return True
        return bool(_NAME.search(source)) and not _DESCRIPTION.search(text)


build = Doorstop

"""Logseq: a page ``a/b`` lies in the file ``a___b.md``, and outlines keep properties in their first lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from docgraph.ports import Dialect

_PAGE = re.compile(r"(?:.*/)?([^/]+)\.(?:md|org)")
_MARKED = re.compile(r"^[ \t]*(?:- )?(?:id:: [0-9a-f-]{36}|collapsed:: |title:: |alias:: |type:: )", re.MULTILINE)


class Logseq(Dialect):
    """``___`` and ``%2F`` in the name of a file stand for ``/``."""

    name = "logseq"
    title = "Logseq"
    signs = ("config.edn",)
    suffixes = (".md", ".org")

    def marks(self, text: str, source: str) -> bool:
        """Whether a property of a page or of a block stands in the text."""
        return ":: " in text and bool(_MARKED.search(text))

    def names(self, source: str) -> Iterator[str]:
        """The page's name with ``/`` between the parts of its namespace."""
        found = _PAGE.fullmatch(source.replace("\\", "/"))
        if found is not None and ("___" in found[1] or "%2F" in found[1]):
            yield unquote(found[1].replace("___", "/")).strip("/") or found[1]


build = Logseq

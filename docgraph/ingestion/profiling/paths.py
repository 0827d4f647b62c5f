"""Where documents lie: paths, with or without suffix and in whatever case, to the names of their files."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from urllib.parse import unquote

from docgraph.ingestion.names import suffix_of

PAGES = ("readme", "index", "_index")
"""Files that stand for their folder, in this order."""


class PathIndex:
    """The documents of a folder by path, and whatever else lies in it."""

    def __init__(self, documents: Iterable[str], files: Iterable[str] = ()) -> None:
        self._documents: dict[str, str] = {}
        self._there: set[str] = set()
        self.folders: set[str] = set()
        for name in sorted(documents):
            self._add(name)
            self._documents.setdefault(name.casefold(), name)
            self._documents.setdefault(without_suffix(name).casefold(), name)
        for name in files:
            self._add(name)

    def _add(self, name: str) -> None:
        self._there.add(name.casefold())
        folder = posixpath.dirname(name).casefold()
        while folder and folder not in self.folders:
            self.folders.add(folder)
            folder = posixpath.dirname(folder)

    def document(self, path: str) -> str | None:
        """The document at a normalised path (``normal``): the file, the file without its suffix, a folder's page."""
        key = path.casefold()
        if found := self._documents.get(key):
            return found
        if suffix_of(key) in (".html", ".htm", ".md", ".rst") and (found := self._documents.get(without_suffix(key))):
            return found
        return next((d for page in PAGES if (d := self._documents.get(f"{key}/{page}" if key else page))), None)

    def holds(self, path: str) -> bool:
        """Whether any file or folder lies there."""
        key = path.casefold()
        return key in self._there or key in self.folders


def normal(folder: str, path: str) -> str | None:
    """``path`` seen from ``folder``, without anchor, query and mark-up for spaces; None where it leaves the top."""
    clean = unquote(path).replace("\\", "/").strip()
    whole = posixpath.normpath(clean.lstrip("/") or "." if clean.startswith("/") else posixpath.join(folder, clean))
    if whole == ".." or whole.startswith("../"):
        return None
    return "" if whole == "." else whole


def above(folder: str, path: str) -> str | None:
    """A path that leaves the top, seen from it (``../other/page.md``); None where it stays inside."""
    clean = unquote(path).replace("\\", "/").strip()
    whole = posixpath.normpath(posixpath.join(folder, clean))
    return whole if whole.startswith("../") else None


def without_suffix(name: str) -> str:
    """A file's path without its suffix."""
    suffix = suffix_of(name)
    return name[: -len(suffix)] if suffix else name


def bare(address: str) -> str:
    """An address or path without what stands behind ``#`` or ``?``."""
    return address.partition("#")[0].partition("?")[0]

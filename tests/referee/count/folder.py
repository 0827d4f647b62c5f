"""The files of a folder, and paths between them."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

Pairs = frozenset[tuple[str, str]]
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_HIDDEN = ("node_modules",)


@dataclass(frozen=True)
class Folder:
    """Names of all files from the root, with ``/``; hidden ones and those behind links are not there."""

    root: Path
    names: frozenset[str]

    @classmethod
    def at(cls, root: Path) -> Folder:
        """The files under a folder."""
        found = []
        for at, folders, files in os.walk(root):
            here = Path(at)
            folders[:] = [each for each in folders if not each.startswith(".") and each not in _HIDDEN]
            folders[:] = [each for each in folders if not (here / each).is_symlink()]
            found += [
                (here / each).relative_to(root).as_posix()
                for each in files
                if not each.startswith(".") and not (here / each).is_symlink()
            ]
        return cls(root, frozenset(found))

    def named(self, *suffixes: str) -> list[str]:
        """Files with one of the suffixes, sorted."""
        return sorted(name for name in self.names if name.lower().endswith(suffixes))

    def text(self, name: str) -> str:
        """A file as text; no byte order mark."""
        return (self.root / name).read_text(encoding="utf-8-sig", errors="replace").replace("\r\n", "\n")

    def data(self, name: str) -> bytes:
        """A file as it is."""
        return (self.root / name).read_bytes()


def local(destination: str) -> str:
    """The path of a link without fragment and query; empty for other hosts and for the page itself."""
    destination = destination.strip()
    if _SCHEME.match(destination):
        return ""
    return unquote(re.split(r"[?#]", destination, maxsplit=1)[0])


def joined(base: str, path: str) -> str | None:
    """A path from the root: ``path`` from the folder ``base``; None where it leads out."""
    whole = posixpath.normpath(path.lstrip("/") or "." if path.startswith("/") else posixpath.join(base, path))
    return None if whole == ".." or whole.startswith("../") else whole


def pairs_of(found: Iterable[tuple[str, str | None]]) -> Pairs:
    """Without links that lead to nothing and to the document itself."""
    return frozenset((source, target) for source, target in found if target is not None and target != source)

"""Counts pairs (source, target) of documents of a folder, by dialect. Shares no code with docgraph."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.referee.count import notes, pages, requirements, rest, sites
from tests.referee.count.folder import Folder, Pairs

DIALECTS: dict[str, Callable[[Folder], Pairs]] = {
    "antora": sites.antora,
    "docusaurus": sites.docusaurus,
    "doorstop": requirements.doorstop,
    "github": sites.github,
    "html": pages.html,
    "mdbook": sites.mdbook,
    "mkdocs": sites.mkdocs,
    "obsidian": notes.obsidian,
    "sphinx": rest.sphinx,
    "strictdoc": requirements.strictdoc,
}


def counted(root: Path, *dialects: str) -> Pairs:
    """Every (source, target) that the files under ``root`` state, in one of ``dialects`` at least.

    Ends are paths from the root, or ids where a file holds many documents. Both ends are there, and differ.
    """
    folder = Folder.at(root)
    return frozenset().union(*(DIALECTS[each](folder) for each in dialects))

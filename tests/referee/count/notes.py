"""Vaults of notes: ``[[links]]`` by name or path (help.obsidian.md, Internal links)."""

from __future__ import annotations

import posixpath
import re
import unicodedata

from tests.referee.count import markdown
from tests.referee.count.folder import Folder, Pairs, joined, local, pairs_of

_WIKI = re.compile(r"!?\[\[([^\[\]\n]+?)\]\]")
_COMMENT = re.compile(r"%%.*?%%", re.DOTALL)


def obsidian(folder: Folder) -> Pairs:
    """A path from the vault's root, else the nearest note of that name; Markdown links from the note or the root."""
    notes = folder.named(".md")
    found: list[tuple[str, str | None]] = []
    for name in notes:
        tree = markdown.parsed(_COMMENT.sub("", folder.text(name)))
        for destination in markdown.links(tree):
            if path := local(destination):
                asked = [joined(posixpath.dirname(name), path), joined("", path)]
                found.append((name, next((each for p in asked if p for each in (p, f"{p}.md") if each in notes), None)))
        for written in _WIKI.findall(tree.text_content()):
            target = re.split(r"[|#^]", written.replace("\\|", "|"), maxsplit=1)[0].strip()
            if target:
                found.append((name, _nearest(name, target, notes)))
    return pairs_of(found)


def _nearest(source: str, target: str, notes: list[str]) -> str | None:
    wanted = _plain(target.removesuffix(".md")) + ".md"
    if target.startswith(("./", "../")):
        at = joined(posixpath.dirname(source), target.removesuffix(".md"))
        return next((each for each in notes if at is not None and _plain(each) == _plain(at) + ".md"), None)
    exact = [each for each in notes if _plain(each) == wanted]
    ends = [each for each in notes if _plain(each).endswith("/" + wanted)]
    candidates = exact or ends
    if not candidates:
        return None
    steps = sorted((_steps(source, each), each) for each in candidates)
    return steps[0][1] if len(steps) == 1 or steps[0][0] < steps[1][0] else None


def _steps(source: str, target: str) -> int:
    a, b = source.split("/")[:-1], target.split("/")[:-1]
    shared = len(posixpath.commonprefix([a, b]))
    return len(a) + len(b) - 2 * shared


def _plain(name: str) -> str:
    return unicodedata.normalize("NFC", name).lower()

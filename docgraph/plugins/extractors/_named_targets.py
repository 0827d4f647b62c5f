"""Reads the values of front matter and header fields: which documents they name, in every usual way of writing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from docgraph.domain.anchors import anchor_of
from docgraph.domain.graph import Document
from docgraph.domain.imports.fields import MARKDOWN, TARGET_KEYS
from docgraph.plugins.extractors._edges import tidy
from docgraph.plugins.extractors._targets import Targets, dangling_path, folder_of, numbered_id, series_of

MAX_NAMES = 1_000
MAX_NAME = 500
MAX_MARKED = 20_000
_WIKI = re.compile(r"!?\[\[([^\[\]|#]{1,500})(?:#[^\[\]|]{0,500})?(?:\|[^\[\]]{0,500})?\]\]")
_LINK = re.compile(r"\[[^\[\]]{0,500}\]\(<?([^()<>\s]{1,500})>?(?:\s+\"[^\"]{0,200}\")?\)")
_ROLE = re.compile(r":(\w{1,20}):`(?:[^`<>]{0,300}<)?([^`<>]{1,300})>?`")
_MARKED = re.compile(f"{_WIKI.pattern}|{_LINK.pattern}|{_ROLE.pattern}")
_NUMBER = re.compile(r"(?:([A-Za-z]{2,12})[-_ ]?)?#?0*(\d{1,9})")
_ANSWERS = frozenset(("yes", "no", "on", "off", "true", "false"))
"""Answers rather than names, unless a document is called so."""

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://|mailto:", re.IGNORECASE)
_SUFFIX = re.compile(
    rf"(?:{'|'.join(map(re.escape, MARKDOWN))}|\.(?:rst|rest|txt|html?|pdf|adoc|asciidoc|docx|ipynb|odt|pptx))$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Named:
    """A target as a field names it: the document's id (that it would have, when there is none) and a note."""

    document_id: str
    raw: str
    note: str = ""

    @property
    def anchor(self) -> str:
        """The section that a link names beside the document; empty for another name, or none."""
        if _WIKI.fullmatch(self.raw):
            return anchor_of(self.raw.strip("![]").partition("|")[0])
        link = _LINK.fullmatch(self.raw)
        return anchor_of(link[1]) if link else ""


def named_targets(value: Any, document: Document, targets: Targets, *, field: str = "metadata") -> Iterator[Named]:
    """The documents that ``value`` names, in order.

    A value is an id, number, title, path, link, list, comma list, or mappings like ``{to: …, note: …}``. Web
    addresses, booleans and empty values name no document. A name that nothing fits gives a dangling target. ``field``
    is where the value stands.
    """
    for count, (name, note) in enumerate(_names(value, 0)):
        if count >= MAX_NAMES:
            return
        for part in _parts(name, document, targets):
            if found := _resolve(part, document, targets, field):
                yield Named(found, part, note)


def _names(value: Any, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, bool) or value is None or depth > 4:
        return
    if isinstance(value, (str, int, float)):
        yield tidy(str(value)), ""
    elif isinstance(value, dict):
        note = tidy(str(value.get("note") or ""))[:1_000]
        key = next((key for key in TARGET_KEYS if value.get(key) not in (None, "")), None)
        for name, inner in _names(value[key], depth + 1) if key else ():
            yield name, inner or note
    elif isinstance(value, list):
        for item in value:
            # YAML reads an unquoted [[name]] as a list in a list: a wiki link after all.
            yield from _names(item, depth + 1)


def _parts(name: str, document: Document, targets: Targets) -> Iterator[str]:
    """The names in a comma list; a name that exists with its commas (a title) is left whole.

    Beside links only numbers and names that exist are names: the rest is the prose around them.
    """
    start = 0
    for link in _MARKED.finditer(name[:MAX_MARKED]):
        yield from _beside_links(name[start : link.start()], document, targets)
        yield link[0]
        start = link.end()
    if start:
        yield from _beside_links(name[start:], document, targets)
    elif "," not in name or targets.resolve(name, document):
        yield name
    else:
        yield from (part.strip() for part in name.split(",") if part.strip())


def _beside_links(words: str, document: Document, targets: Targets) -> Iterator[str]:
    for part in words.split(","):
        name = part.strip()
        if name and (_NUMBER.fullmatch(name) or targets.resolve(name, document)):
            yield name


def _resolve(name: str, document: Document, targets: Targets, field: str) -> str | None:
    kind, bare = _bare(name)
    bare = bare.strip()
    if targets.reading is not None and bare and len(bare) <= MAX_NAME and not kind:
        read = targets.reading.target(bare, document, lambda each: targets.resolve(each, document), field=field)
        if read.document_id is not None or read.names_none:
            return read.document_id
        bare = read.name
    if not bare or len(bare) > MAX_NAME or _ADDRESS.match(bare):
        return None
    found = targets.resolve(bare, document)
    if found:
        return found
    if bare.casefold() in _ANSWERS:
        return None
    number = _NUMBER.fullmatch(bare)
    if number:
        kind = kind or (number[1] or "").casefold() or series_of(document.document_id)
        near = document.document_id.rpartition("/")[0]
        digits = int(number[2])
        return targets.by_number(kind, digits, near=near) or numbered_id(document.document_id, kind, digits)
    return dangling_path(bare, folder_of(document)) if _SUFFIX.search(bare) else bare


def _bare(name: str) -> tuple[str, str]:
    """(series that a role names, the name without its mark-up)."""
    if role := _ROLE.fullmatch(name):
        plain = role[2].partition("#")[0]
        return (role[1].casefold() if plain.isdigit() else ""), plain
    if wiki := _WIKI.fullmatch(name):
        return "", wiki[1]
    if link := _LINK.fullmatch(name):
        return "", link[1].partition("#")[0]
    return "", name.strip("\"'")

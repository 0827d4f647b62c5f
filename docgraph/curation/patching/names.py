"""Names of documents as texts write them: in comma lists, with nothing in them, and by analogy with others."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

LIST_FIELD = "relations"
MAX_SPELLINGS = 24
_NOTHING = frozenset(("", "~", "null", "none", "n/a", "na", "-", "tbd", "[]"))
_SUFFIX = re.compile(r"\.(?:md|markdown|mdown|mkd|rst|rest|txt|html?|xhtml|pdf)$", re.IGNORECASE)
_PAGES = ("index", "readme")
_NUMBER = re.compile(r"(?:^|[^0-9])0*(\d{1,9})(?!\d)")
_LINK = re.compile(r"\[([^\[\]]{0,500})\]\(([^()\s]{1,500})\)")


@dataclass(frozen=True)
class Named:
    """What a document can be named by; ``source`` and ``title`` are empty where nothing is known."""

    document_id: str
    title: str = ""
    source: str = ""


def is_nothing(value: object) -> bool:
    """Whether a value names no document: empty, *none*, *n/a*."""
    return str(value).strip().casefold() in _NOTHING


def parts_of(text: str) -> list[tuple[int, int]]:
    """The stretches between the commas of a list, without the space and quotes around them."""
    found, start = [], 0
    for piece in text.split(","):
        bare = piece.strip(" \t\r\n'\"[]")
        if bare:
            begin = start + piece.index(bare)
            found.append((begin, begin + len(bare)))
        start += len(piece) + 1
    return found


def without_part(text: str, part: tuple[int, int]) -> str | None:
    """A comma list without one of its parts, with what stands around it kept; None = nothing is left."""
    parts = parts_of(text)
    if len(parts) < 2 or part not in parts:
        return None
    place = parts.index(part)
    if place:
        return text[: parts[place - 1][1]] + text[part[1] :]
    return text[: part[0]] + text[parts[1][0] :]


def spellings(
    target: Named, start: Named, examples: Iterable[tuple[str, Named]], *, fallback: bool = True
) -> tuple[str, ...]:
    """Ways to write ``target`` in ``start``: first as the ``examples`` (text, the document it means) are written.

    Nothing is known of how a corpus is read: who asks tries one after the other.
    """
    found: dict[str, None] = {}
    for raw, meant in examples:
        for spelled in _alike(raw, meant, target, start):
            found.setdefault(spelled)
        if len(found) >= MAX_SPELLINGS // 2:
            break
    if fallback:
        number = _number(target.document_id)
        own, other = _series(start.document_id), _series(target.document_id)
        if number is not None and own == other:
            found.setdefault(str(number))
        for each in (_relative(target, start), _rooted(target.source), target.document_id, target.title):
            if each:
                found.setdefault(each)
    return tuple(each for each in found if each and "\n" not in each)[:MAX_SPELLINGS]


def href_like(old: str, target: Named, start: Named) -> Iterator[str]:
    """Addresses of ``target`` written like the address ``old``: its ``./``, its ``/``, its suffix or none."""
    if not target.source:
        return
    folder = posixpath.dirname(start.source)
    source = target.source
    stem = posixpath.basename(_SUFFIX.sub("", source)).casefold()
    path = old.partition("#")[0].partition("?")[0]
    if not _SUFFIX.search(path):
        source = posixpath.dirname(source) if stem in _PAGES else _SUFFIX.sub("", source)
    if path.startswith("/"):
        yield f"/{source}"
    relative = posixpath.relpath(source, folder or ".")
    dotted = relative if relative.startswith(".") else f"./{relative}"
    yield from (dotted, relative) if path.startswith("./") else (relative, dotted)
    yield f"/{source}"


def _alike(raw: str, meant: Named, target: Named, start: Named) -> Iterator[str]:
    """``target`` written as ``raw`` writes ``meant``."""
    link = _LINK.fullmatch(raw)
    if link:
        label = next(_alike(link[1], meant, target, start), target.title or link[1])
        for href in href_like(link[2], target, start):
            yield f"[{label}]({href})"
        return
    for mine, theirs in zip(_forms(meant, start), _forms(target, start), strict=True):
        if mine and theirs and mine in raw:
            yield raw.replace(mine, theirs, 1)
            return
    number, other = _number(meant.document_id), _number(target.document_id)
    if number is None or other is None:
        return
    for found in re.finditer(r"(?<!\d)(0*)(\d{1,9})(?!\d)", raw):
        if int(found[2]) == number:
            width = len(found[0]) if found[1] else 0
            yield f"{raw[: found.start()]}{other:0{width}d}{raw[found.end() :]}"
            return


def _forms(named: Named, start: Named) -> Sequence[str]:
    bare = _SUFFIX.sub("", named.source)
    folder = posixpath.dirname(bare) if posixpath.basename(bare).casefold() in _PAGES else ""
    relative = _relative(named, start)
    return (
        named.source,
        bare,
        relative,
        _SUFFIX.sub("", relative),
        folder,
        posixpath.basename(folder),
        named.document_id,
        named.title if len(named.title) > 3 else "",
        posixpath.basename(named.source) if not folder else "",
        posixpath.basename(bare) if not folder else "",
    )


def _relative(named: Named, start: Named) -> str:
    if not named.source:
        return ""
    return posixpath.relpath(named.source, posixpath.dirname(start.source) or ".")


def _rooted(source: str) -> str:
    return f"/{source}" if source else ""


def _number(document_id: str) -> int | None:
    found = _NUMBER.search(document_id.rpartition("/")[2])
    return int(found[1]) if found else None


def _series(document_id: str) -> str:
    found = re.match(r"[A-Za-z]*", document_id.rpartition("/")[2])
    return found[0].casefold() if found else ""

"""Files that hold the metadata of the document beside them: found among names, matched, merged into documents."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docgraph.boundary.imports.front_matter import read_sidecar
from docgraph.boundary.imports.header_lines import Told
from docgraph.boundary.limits import MAX_FRONT_MATTER
from docgraph.domain.graph import MAX_TITLE, Document
from docgraph.domain.imports.fields import SIDECAR_SUFFIXES, field_key
from docgraph.domain.imports.profile import NAME
from docgraph.ingestion.names import suffix_of
from docgraph.ingestion.profiling.paths import PAGES, without_suffix

SIDECAR = "sidecar"
"""Field of a document's metadata that names the file its other fields came from; a list where there are several."""
_FEW = 2
_SHARE = 0.5
_DESCRIBES = ("title", "status", "id", "summary", "description")
MAX_SIDECARS = 50_000


@dataclass(frozen=True)
class Beside:
    """A sidecar and the document that it belongs to, both by name; ``rank`` = place of its pattern in the profile."""

    sidecar: str
    document: str
    rank: int = 0


def beside(names: Iterable[str], documents: Collection[str], patterns: Sequence[str]) -> list[Beside]:
    """Which files of ``names`` are sidecars by ``patterns``, of which documents; those of the first pattern go first.

    A document may have several: what the first says counts.
    """
    by_folder = _by_folder(documents)
    pages = {folder: _page_of(here) for folder, here in by_folder.items()}
    called = {folder: _called(here) for folder, here in by_folder.items()} if any(NAME in p for p in patterns) else {}
    plain = {pattern.casefold(): rank for rank, pattern in enumerate(patterns) if NAME not in pattern}
    named = [(rank, pattern.split(NAME, 1)) for rank, pattern in enumerate(patterns) if NAME in pattern]
    found = []
    for name in names:
        folder, base = posixpath.split(name)
        rank = plain.get(base.casefold(), -1)
        owner = pages.get(folder) if rank >= 0 else None
        for place, (before, after) in named:
            if owner is None and (owner := _named(called.get(folder, {}), base, before, after)):
                rank = place
        if owner and owner != name:
            found.append(Beside(name, owner, rank))
    return sorted(found, key=lambda each: each.rank)


def described(readable: Sequence[str]) -> list[str]:
    """Of the files that a loader reads those that data may describe; where there are data alone, they are documents."""
    return [name for name in readable if suffix_of(name) not in SIDECAR_SUFFIXES] or list(readable)


def _by_folder(documents: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in sorted(documents):
        found.setdefault(posixpath.dirname(name), []).append(name)
    return found


def _called(here: Sequence[str]) -> dict[str, str]:
    """File name, with and without suffix, → document; the first one where several are called so."""
    found: dict[str, str] = {}
    for name in here:
        base = posixpath.basename(name)
        found.setdefault(base, name)
        found.setdefault(without_suffix(base), name)
    return found


def _page_of(here: Sequence[str]) -> str | None:
    """The page of a folder, or the only document in it."""
    stems = {without_suffix(posixpath.basename(name)).casefold(): name for name in reversed(here)}
    page = next((stems[page] for page in PAGES if page in stems), None)
    return page or (here[0] if len(here) == 1 else None)


def _named(here: Mapping[str, str], base: str, before: str, after: str) -> str | None:
    """The document of a folder whose file name, with or without suffix, stands between ``before`` and ``after``."""
    inner = base[len(before) : len(base) - len(after)]
    return here.get(inner) if inner and base == f"{before}{inner}{after}" else None


def likely(names: Sequence[str], documents: Collection[str]) -> list[tuple[str, list[Beside]]]:
    """(pattern, its sidecars) by the names alone, the most frequent first: what is worth reading."""
    there = set(documents)
    others = [name for name in names if suffix_of(name) in SIDECAR_SUFFIXES and name not in there]
    counted = Counter(posixpath.basename(name) for name in others)
    patterns = [name for name, n in counted.most_common(10) if n >= _FEW]
    patterns += [f"{NAME}{after}" for suffix in SIDECAR_SUFFIXES for after in (suffix, f".meta{suffix}")]
    found: list[tuple[str, list[Beside]]] = []
    taken: set[str] = set()
    for pattern in patterns:
        pairs = [pair for pair in beside(others, documents, [pattern]) if pair.sidecar not in taken]
        if len(pairs) >= _FEW:
            found.append((pattern, pairs))
            taken |= {pair.sidecar for pair in pairs}
    return found


def describes(fields: Mapping[str, Any], related: Collection[str]) -> bool:
    """Whether fields say something of a document: a title, a status, or what it is related to."""
    keys = {field_key(name) for name in fields}
    return bool(keys & {*_DESCRIBES, *related})


def is_worth_it(read: Sequence[Mapping[str, Any]], related: Collection[str]) -> bool:
    """Whether most files of a pattern describe a document."""
    return bool(read) and sum(describes(fields, related) for fields in read) >= _SHARE * len(read)


def read_fields(name: str, read: Callable[[], bytes]) -> tuple[dict[str, Any], tuple[Told, ...]]:
    """The fields of a sidecar, and what of it is told. Raises ValueError with one line, and OSError."""
    data = read()
    if len(data) > 4 * MAX_FRONT_MATTER:
        raise ValueError(f"it has {len(data):,} bytes; at most {MAX_FRONT_MATTER:,} characters are read: shorten it")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not UTF-8 (byte {error.start:,}): save it as UTF-8") from None
    return read_sidecar(text.replace("\r\n", "\n"), toml=suffix_of(name) == ".toml")


def merged(document: Document, fields: Mapping[str, Any], sidecar: str) -> Document:
    """The document with a sidecar's fields as its front matter; what the text itself says counts first."""
    own = {field_key(name) for name, value in document.metadata.items() if value not in (None, "", [])}
    metadata = {**{n: v for n, v in fields.items() if field_key(n) not in own}, **document.metadata, SIDECAR: sidecar}
    title = "" if "title" in own else _line(fields.get("title"))
    summary = document.summary or next((t for n in ("summary", "description") if (t := _line(fields.get(n)))), "")
    return document.model_copy(
        update={
            "metadata": metadata,
            "title": title[:MAX_TITLE] or document.title,
            "summary": summary[:4_000],
            "doc_type": document.doc_type or _line(fields.get("type") or fields.get("doc_type"))[:100],
        }
    )


def _line(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return " ".join(value.split()) if isinstance(value, str) else ""

"""Recognises files that were renamed or moved: one is gone, and exactly one new one has its title and text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from docgraph.domain.graph import Document, ImportHashes, StoredDocument
from docgraph.ingestion.differences import text_hash


@dataclass(frozen=True)
class New:
    """A document that is not stored: where it stands, and the hash of its title and text."""

    document_id: str
    source: str
    text: str


def new_among(documents: Iterable[Document]) -> list[New]:
    """Documents as far as moves are told by them; each is let go of."""
    return [New(each.document_id, each.source, text_hash(each)) for each in documents]


def moves_among(
    gone: Sequence[StoredDocument], came: Iterable[New], hashes: Mapping[str, ImportHashes], *, sources: Iterable[str]
) -> dict[str, str]:
    """Old id → new id, by the old one.

    ``gone`` = stored documents that this import should hold and does not, ``came`` = documents of it that are not
    stored, ``hashes`` = those of documents that are gone, by id, as far as they are known, ``sources`` = where
    the stored documents stand. A text that several of either have says nothing, and neither does an id that changed in
    a file that stands where it stood.
    """
    stood = set(sources)
    new = [each for each in came if each.source and each.source not in stood]
    there = _by_text((each.text, each.document_id) for each in new)
    here = {each.source for each in new}
    left = _by_text((_text(hashes.get(each.document_id)), each.document_id) for each in gone if each.source)
    places = {each.document_id: each.source for each in gone}
    pairs = ((left[text], there[text]) for text in left.keys() & there.keys() if text)
    found = {old[0]: now[0] for old, now in pairs if len(old) == len(now) == 1 and places[old[0]] not in here}
    return {old: found[old] for old in sorted(found)}


def _text(hashes: ImportHashes | None) -> str:
    return "" if hashes is None else hashes.text


def _by_text(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for text, document_id in pairs:
        found.setdefault(text, []).append(document_id)
    return found

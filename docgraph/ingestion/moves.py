"""Recognises files that were renamed or moved: one is gone, and exactly one new one has its title and text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from docgraph.domain.graph import StoredDocument
from docgraph.ingestion.preparing import Draft


def moves_among(
    gone: Sequence[StoredDocument], drafts: Iterable[Draft], text_hashes: Mapping[str, str], *, sources: Iterable[str]
) -> dict[str, str]:
    """Old id → new id, by the old one.

    ``gone`` = stored documents that this import should hold and does not, ``drafts`` = documents of it that are not
    stored, ``text_hashes`` = hash of title and text of those that are gone, by id ("" = not known), ``sources`` = where
    the stored documents stand. A text that several of either have says nothing, and neither does an id that changed in
    a file that stands where it stood.
    """
    stood = set(sources)
    new = [draft for draft in drafts if draft.document.source and draft.document.source not in stood]
    came = _by_text((draft.hashes.text, draft.document.document_id) for draft in new)
    here = {draft.document.source for draft in new}
    left = _by_text((text_hashes.get(each.document_id, ""), each.document_id) for each in gone if each.source)
    places = {each.document_id: each.source for each in gone}
    pairs = ((left[text], came[text]) for text in left.keys() & came.keys() if text)
    found = {old[0]: now[0] for old, now in pairs if len(old) == len(now) == 1 and places[old[0]] not in here}
    return {old: found[old] for old in sorted(found)}


def _by_text(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for text, document_id in pairs:
        found.setdefault(text, []).append(document_id)
    return found

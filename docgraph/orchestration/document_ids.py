"""Looks documents up by what a person typed: by id, else by the one id that is the same but for its case."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from docgraph.boundary.records import as_key
from docgraph.domain.graph import Relationship
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import UserError
from docgraph.ports import ALL, Snapshot

if TYPE_CHECKING:
    from docgraph.domain.edit import Edit

FEW = 3
"""Ids up to which each is looked for by itself; for more, the ids of all documents are read once."""
SHOWN = 5
"""Documents that a message names."""


def stored_id(snapshot: Snapshot, document_id: str) -> str:
    """The id as it is stored: exactly this one, else the one that is equal without case, else ``document_id`` itself.

    Raises UserError when several are equal to it without case, naming them.
    """
    return stored_ids(snapshot, [document_id])[document_id]


def stored_ids(snapshot: Snapshot, document_ids: Iterable[str]) -> dict[str, str]:
    """Each id → what ``stored_id`` says of it. Raises UserError for the first that means several documents."""
    alike = candidates(snapshot, document_ids)
    for given, ids in alike.items():
        if len(ids) > 1:
            raise UserError(several_words(given, ids), hint="give the id as it is written, with its capitals")
    return {given: ids[0] if ids else given for given, ids in alike.items()}


def candidates(snapshot: Snapshot, document_ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Each id → the stored ids that it may mean, in order: itself alone where there is one, () for an unknown one."""
    wanted = list(dict.fromkeys(document_ids))
    there = snapshot.documents_by_id(wanted)
    missing = {each: each.strip().casefold() for each in wanted if each not in there}
    alike: dict[str, set[str]] = {folded: set() for folded in missing.values() if folded}
    few = len(alike) <= FEW and all(folded.isascii() for folded in alike)
    for text in alike if few else (None,) if alike else ():
        for document in snapshot.documents(text=text):
            if (found := alike.get(document.document_id.casefold())) is not None:
                found.add(document.document_id)
    return {each: (each,) if each in there else tuple(sorted(alike.get(missing[each], ()))) for each in wanted}


def several_words(document_id: str, ids: Sequence[str]) -> str:
    """Which documents an id means that is written as none of them. Holds ids: hostile data."""
    more = f" and {len(ids) - SHOWN:,} more" if len(ids) > SHOWN else ""
    return f"{document_id[:80]!r} means {len(ids)} documents: {', '.join(repr(i[:80]) for i in ids[:SHOWN])}{more}"


def stored_end(snapshot: Snapshot, document_id: str) -> str:
    """``stored_id``, but an id that relationships point at, though no document has it, means itself."""
    if snapshot.documents_by_id([document_id]) or any(snapshot.relationships(document_id=document_id)):
        return document_id
    return stored_id(snapshot, document_id)


def stored_keys(snapshot: Snapshot, keys: Iterable[EdgeKey]) -> dict[EdgeKey, EdgeKey]:
    """Each relationship's key → the one it is stored under: exactly this one, else with the stored ids of its ends.

    A target that no document has keeps the text given. Raises UserError as ``stored_id`` does, and for what is no key.
    """
    wanted = list(dict.fromkeys(map(as_key, keys)))
    if not wanted:
        return {}
    found = {key: key for key in _stored_of(snapshot, wanted)}
    starts = stored_ids(snapshot, (key[0] for key in wanted if key not in found))
    begun = {key: (starts[key[0]], key[1], key[2]) for key in wanted if key not in found}
    there = _stored_of(snapshot, begun.values())
    ends = stored_ids(snapshot, (key[2] for key in begun.values() if key not in there))
    found |= {given: key if key in there else (key[0], key[1], ends[key[2]]) for given, key in begun.items()}
    return {key: found[key] for key in wanted}


def _stored_of(snapshot: Snapshot, keys: Collection[EdgeKey]) -> set[EdgeKey]:
    """Those of the keys that a relationship has, exactly as they are written."""
    starts, types = sorted({key[0] for key in keys}), sorted({key[1] for key in keys})
    there = snapshot.outgoing(starts, relation_types=types, limit=ALL) if starts else ()
    return {edge.key for edge in there} & set(keys)


def with_stored_ends(snapshot: Snapshot, edits: Sequence[Edit]) -> list[Edit]:
    """The edits with every document that they name under its stored id."""
    keys = stored_keys(snapshot, (edit.key for edit in edits))
    targets = stored_ids(snapshot, (edit.to_document_id for edit in edits if edit.to_document_id is not None))
    return [
        edit.model_copy(
            update={
                "key": keys[edit.key],
                "to_document_id": None if edit.to_document_id is None else targets[edit.to_document_id],
            }
        )
        for edit in edits
    ]


def at_stored_ends(snapshot: Snapshot, relationship: Relationship) -> Relationship:
    """The relationship between the stored ids of its ends."""
    start, _, end = stored_keys(snapshot, [relationship.key])[relationship.key]
    return relationship.model_copy(update={"from_document_id": start, "to_document_id": end})


def with_stored_ids(request: RetrievalRequest, snapshot: Snapshot) -> RetrievalRequest:
    """The request with every document that it names under its stored id; the same object when nothing changes."""
    given = request.overrides
    named = (request.seed_document_ids, given.added_seed_ids, given.dropped_seed_ids)
    if not any(named) and not given.without_edges:
        return request
    ids = stored_ids(snapshot, (each for those in named for each in those))
    seeds, added, dropped = (tuple(dict.fromkeys(ids[each] for each in those)) for those in named)
    edges = tuple(stored_keys(snapshot, given.without_edges).values())
    if (seeds, added, dropped, edges) == (*named, given.without_edges):
        return request
    overrides = {"added_seed_ids": added, "dropped_seed_ids": dropped, "without_edges": edges}
    fields = request.model_dump() | {"seed_document_ids": seeds}
    fields["overrides"] = given.model_dump() | overrides
    return RetrievalRequest.model_validate(fields)

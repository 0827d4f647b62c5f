"""What people decided about documents that stand under other ids now: the changes that make it follow them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docgraph.domain.decisions import REVIEW, decisions, is_reviewed, takes_away
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Relationship
from docgraph.plugins.stores._rows.writing import is_manual
from docgraph.ports import EdgeChange

if TYPE_CHECKING:
    from docgraph.domain.history import HistoryEntry
    from docgraph.domain.overrides import EdgeKey


@dataclass(frozen=True)
class Following:
    """``cleared`` and ``put`` first, without a word in the history; then ``changes``, each with its entry.

    What is cleared is an imported relationship whose place a decided one takes. What is put is one that a person
    removed: it is removed again, so that the history says so under its new ends.
    """

    cleared: tuple[EdgeKey, ...]
    put: tuple[Relationship, ...]
    changes: tuple[EdgeChange, ...]


def following(
    moves: Mapping[str, str],
    edges: Iterable[Relationship],
    entries: Iterable[HistoryEntry],
    *,
    content_hashes: Mapping[str, str],
) -> Following:
    """What decisions about the old ids (keys of ``moves``) mean for the new ones.

    ``edges`` = all stored relationships at either of them, ``entries`` = the history of the old ones,
    ``content_hashes`` = document → hash, of those of their ends that are stored. Relationships that a person made or
    accepted follow; one that was decided about at its new place already stays as it is there, and so does the old one.
    """
    there = {edge.key: edge for edge in edges}
    cleared: list[EdgeKey] = []
    changes: dict[EdgeKey, EdgeChange] = {}
    for key in sorted(there):
        edge, target = there[key], _moved(key, moves)
        taken = there.get(target)
        if target == key or not _is_decided(edge) or (taken is not None and _is_decided(taken)) or target in changes:
            continue
        if taken is not None:
            cleared.append(target)
        after = _at(target, edge, taken, moves=moves, content_hashes=content_hashes)
        changes[target] = EdgeChange(Edit(action="restate", key=key), edge, after, reason=_reason(key, moves))
    put: list[Relationship] = []
    for key, entry in sorted(decisions(entries).items(), key=lambda pair: pair[0]):
        target = _moved(key, moves)
        taken = there.get(target)
        if target == key or not takes_away(entry, key) or key in there or target in changes:
            continue
        if target[0] not in content_hashes or (taken is not None and _is_decided(taken)):
            continue
        if taken is None:
            put.append(taken := _between(target, _stated(entry, key)))
        changes[target] = EdgeChange(Edit(action="remove", key=target), taken, None, reason=_reason(key, moves))
    return Following(tuple(cleared), tuple(put), tuple(changes.values()))


def starts_of(moves: Mapping[str, str], entries: Collection[HistoryEntry]) -> set[str]:
    """Documents that decided relationships start at under their new ids, and those that moved."""
    ends = {key[0] for entry in entries for key in entry.keys}
    return {*moves, *moves.values(), *(moves.get(each, each) for each in ends)}


def _moved(key: EdgeKey, moves: Mapping[str, str]) -> EdgeKey:
    return (moves.get(key[0], key[0]), key[1], moves.get(key[2], key[2]))


def _is_decided(edge: Relationship) -> bool:
    return is_manual(edge) or is_reviewed(edge)


def _at(
    key: EdgeKey,
    edge: Relationship,
    stated: Relationship | None,
    *,
    moves: Mapping[str, str],
    content_hashes: Mapping[str, str],
) -> Relationship:
    """The decided relationship at its new key; where the import states it there, with what the import says of it."""
    said = dict((edge if stated is None or is_manual(edge) else stated).relationship_metadata)
    review = edge.relationship_metadata.get(REVIEW)
    if isinstance(review, dict):
        said[REVIEW] = {**review, "content_hashes": _hashes(review, edge, moves, content_hashes)}
    return _between(key, said)


def _hashes(
    review: Mapping[str, object], edge: Relationship, moves: Mapping[str, str], content_hashes: Mapping[str, str]
) -> object:
    """The hashes that were judged by; a moved document's own is that of its new place, for its text is the same."""
    then = review.get("content_hashes")
    ends = (edge.from_document_id, edge.to_document_id)
    if not isinstance(then, list | tuple) or len(then) != len(ends):
        return then
    same = (end in moves and content_hashes.get(end) == was for end, was in zip(ends, then, strict=True))
    news = (content_hashes.get(moves.get(end, end), "") for end in ends)
    return [new if is_same else was for is_same, new, was in zip(same, news, then, strict=True)]


def _stated(entry: HistoryEntry, key: EdgeKey) -> Mapping[str, object]:
    """What was said of the relationship that a decision took away."""
    found = next((edge for edge in (entry.before, entry.after) if edge is not None and edge.key == key), None)
    return {} if found is None else found.relationship_metadata


def _between(key: EdgeKey, metadata: Mapping[str, object]) -> Relationship:
    return Relationship(
        from_document_id=key[0], relation_type=key[1], to_document_id=key[2], relationship_metadata=dict(metadata)
    )


def _reason(key: EdgeKey, moves: Mapping[str, str]) -> str:
    """``moved: old → new`` for each end that did."""
    return "; ".join(f"moved: {end} → {moves[end]}" for end in dict.fromkeys((key[0], key[2])) if end in moves)[:2_000]

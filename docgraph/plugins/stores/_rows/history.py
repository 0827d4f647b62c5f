"""What stores of the history share: changes as they can be kept, what they collide with, and the entries they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from docgraph.domain.edit import edge_words
from docgraph.domain.history import HistoryEntry
from docgraph.domain.revision import same_content
from docgraph.errors import ConflictError, NotFoundError
from docgraph.plugins.stores._rows.writing import clean_relationship, cleaned
from docgraph.ports import EdgeChange

if TYPE_CHECKING:
    from docgraph.domain.graph import Relationship
    from docgraph.domain.overrides import EdgeKey

_LOOK = "look at it as it is now, then decide again: docgraph history"


def ready_changes(changes: Sequence[EdgeChange]) -> tuple[EdgeChange, ...]:
    """The changes with relationships that a database can hold. Raises IngestionError."""
    return tuple(
        EdgeChange(
            change.edit,
            change.before and clean_relationship(change.before),
            change.after and clean_relationship(change.after),
            change.undoes,
            change.reason,
        )
        for change in changes
    )


def entries_of(changes: Sequence[EdgeChange], *, first: int, at: str, by: str, reason: str) -> tuple[HistoryEntry, ...]:
    """The entries that the changes make, numbered from ``first``."""
    return tuple(
        HistoryEntry(
            entry_id=first + place,
            at=cleaned(at),
            by=cleaned(by),
            reason=cleaned(change.reason or reason),
            edit=change.edit,
            before=change.before,
            after=change.after,
            undoes=change.undoes,
            act=str(first),
        )
        for place, change in enumerate(changes)
    )


def check_unchanged(before: Relationship, now: Relationship | None) -> None:
    """Raises ConflictError, saying what is there now, unless ``now`` says what ``before`` said, metadata included.

    An import that found it on another line changed nothing of it.
    """
    if now is None:
        raise ConflictError(f"somebody removed {edge_words(before.key)} meanwhile, or made another of it", hint=_LOOK)
    if same_content(now, before):
        return
    other = _differing(before.relationship_metadata, now.relationship_metadata)
    raise ConflictError(
        f"somebody changed {edge_words(before.key)} meanwhile: it has another {', '.join(other) or 'content'} now"
        f"{_by_whom(now)}",
        hint=_LOOK,
    )


def already_there(key: EdgeKey) -> ConflictError:
    """What to raise when a change would make a relationship that exists."""
    return ConflictError(f"there is {edge_words(key)} already", hint=_LOOK)


def no_start(document_id: str) -> NotFoundError:
    """What to raise when a relationship would start at nothing."""
    return NotFoundError(
        f"there is no document {document_id!r} to start a relationship at",
        hint="a relationship may point at a missing document, but it must start at a stored one",
    )


def check_undoes(entry_id: int, there: Mapping[int, int | None]) -> None:
    """``there`` = entry_id → the entry that undid it. Raises NotFoundError, and ConflictError when it was undone."""
    if entry_id not in there:
        raise NotFoundError(f"the history has no entry {entry_id}", hint="list them: docgraph history")
    if there[entry_id] is not None:
        raise ConflictError(f"entry {entry_id} was already undone by entry {there[entry_id]}", hint=_LOOK)


def _differing(was: Mapping[str, Any], is_now: Mapping[str, Any]) -> list[str]:
    there = {*was, *is_now}
    return sorted(name for name in there if not (name in was and name in is_now and was[name] == is_now[name]))


def _by_whom(now: Relationship) -> str:
    """`` (accepted by Ann)`` when the relationship says so."""
    metadata = now.relationship_metadata
    for name, field, word in (("review", "reviewed_by", "accepted"), ("edited", "by", "changed")):
        note = metadata.get(name)
        if isinstance(note, dict) and isinstance(note.get(field), str) and note[field]:
            return f" ({word} by {note[field]})"
    return ""

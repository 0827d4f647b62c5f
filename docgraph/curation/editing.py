"""Plans edits of relationships and their undo against a snapshot, before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from docgraph.domain.decisions import EDITED, REVIEW
from docgraph.domain.edit import Edit, edge_words
from docgraph.domain.graph import SECTIONS, Relationship
from docgraph.domain.history import HistoryEntry
from docgraph.domain.overrides import EdgeKey
from docgraph.errors import ConflictError, NotFoundError, UserError
from docgraph.ports import EdgeChange

SUGGESTED = "suggested"
"""Where the metadata keep that it was suggested first: ``suggestion`` (its id), ``accepted_by`` and ``accepted_at``."""


def apply_edit(
    edit: Edit,
    relationship: Relationship | None,
    *,
    by: str = "",
    at: str = "",
    document_hashes: Mapping[str, str] | None = None,
) -> EdgeChange:
    """What ``edit`` makes of ``relationship``, the one at its key (None: there is none).

    ``accept`` keeps everything and records who looked, when, and the content hashes of both ends ("" = not stored).
    Every other edit makes the relationship one that a person stated, and forgets an earlier review: that judged another
    statement. ``document_hashes`` = document_id → content hash of all stored documents; None asks for no documents.
    Raises NotFoundError for a relationship or a start that is not there, ConflictError when there is one to be added,
    and UserError for an edit that changes nothing.
    """
    _check_fits(edit, relationship)
    key = edit.result
    if key is None:
        return EdgeChange(edit, relationship, None)
    if document_hashes is not None and key[0] not in document_hashes:
        raise NotFoundError(
            f"there is no document {key[0]!r} to start a relationship at",
            hint="a relationship can lead to a missing document, but it must start at a stored one",
        )
    metadata = dict(relationship.relationship_metadata) if relationship else {}
    if edit.action == "accept":
        hashes = document_hashes or {}
        ends = [hashes.get(key[0], ""), hashes.get(key[2], "")]
        metadata[REVIEW] = {"reviewed_by": by, "reviewed_at": at, "content_hashes": ends}
    else:
        metadata = _by_hand(metadata, action=edit.action, by=by, at=at)
        if edit.action == "reanchor" and relationship is not None:
            metadata[SECTIONS] = _reanchored(edit, relationship)
        if edit.action == "add" and edit.suggested:
            metadata[SUGGESTED] = {"suggestion": edit.suggested, "accepted_by": by, "accepted_at": at}
    return EdgeChange(edit, relationship, _relationship(key, metadata))


def changes_of(
    relationships: Iterable[Relationship],
    edits: Sequence[Edit],
    *,
    by: str = "",
    at: str = "",
    document_hashes: Mapping[str, str] | None = None,
) -> tuple[EdgeChange, ...]:
    """What ``edits`` do one after the other, each on what the ones before it left.

    ``relationships`` must hold every one that the edits name or make. Raises what ``apply_edit`` raises, and
    ConflictError for an edit whose result is there already.
    """
    return _applied({edge.key: edge for edge in relationships}, edits, by=by, at=at, document_hashes=document_hashes)


def edited(
    relationships: Iterable[Relationship],
    edits: Sequence[Edit],
    *,
    by: str = "",
    at: str = "",
    document_hashes: Mapping[str, str] | None = None,
) -> tuple[Relationship, ...]:
    """The relationships after ``edits``, by key. Raises what ``changes_of`` raises."""
    there = {edge.key: edge for edge in relationships}
    _applied(there, edits, by=by, at=at, document_hashes=document_hashes)
    return tuple(there[key] for key in sorted(there))


def moving(before: EdgeKey, after: EdgeKey) -> tuple[Edit, ...]:
    """The edits that put a relationship ``after`` in the place of ``before``: one where one says it, else two."""
    (start, via, end), (other_start, other_via, other_end) = before, after
    if (start, end) == (other_start, other_end):
        return (Edit(action="retype", key=before, relation_type=other_via),)
    if (start, via) == (other_start, other_via):
        return (Edit(action="retarget", key=before, to_document_id=other_end),)
    if (start, end) == (other_end, other_start):
        return (Edit(action="flip", key=before, relation_type=None if via == other_via else other_via),)
    return (Edit(action="remove", key=before), Edit(action="add", key=after))


def restating(before: Relationship, after: Relationship) -> tuple[EdgeChange, ...]:
    """The changes that put ``after`` in the place of ``before``, ``restate`` when only the metadata differ."""
    if before == after:
        return ()
    if before.key == after.key:
        return (EdgeChange(Edit(action="restate", key=before.key), before, after),)
    first, *second = moving(before.key, after.key)
    if not second:
        return (EdgeChange(first, before, after),)
    return (EdgeChange(first, before, None), EdgeChange(second[0], None, after))


def by_hand(relationship: Relationship) -> Relationship:
    """The relationship as one that a person stated, unless it names its extractor."""
    metadata = {"extractor": "manual", **relationship.relationship_metadata}
    return relationship.model_copy(update={"relationship_metadata": metadata})


def reviewed(relationships: Iterable[Relationship]) -> dict[EdgeKey, tuple[str, str]]:
    """Relationship → the content hashes of both ends when somebody accepted it; another shape is no review."""
    found: dict[EdgeKey, tuple[str, str]] = {}
    for edge in relationships:
        review = edge.relationship_metadata.get(REVIEW)
        hashes = review.get("content_hashes") if isinstance(review, dict) else None
        if isinstance(hashes, list | tuple) and len(hashes) == 2 and all(isinstance(each, str) for each in hashes):
            found[edge.key] = (hashes[0], hashes[1])
    return found


def _check_fits(edit: Edit, relationship: Relationship | None) -> None:
    """Raises what ``apply_edit`` says about an edit and what it finds."""
    if edit.action == "add":
        if relationship is not None:
            raise ConflictError(f"{edge_words(edit.key)} already exists", hint="accept it, or change it")
    elif relationship is None:
        raise NotFoundError(
            f"there is no relationship {edge_words(edit.key)}",
            hint="list them: docgraph relationships; somebody may have changed it: docgraph history",
        )
    elif edit.action == "restate":
        raise UserError(
            f"restate does not say which metadata {edge_words(edit.key)} gets", hint="use update_relationship"
        )
    elif edit.action == "reanchor":
        if edit.anchor not in {each.anchor for each in relationship.sections}:
            raise ConflictError(
                f"{edge_words(edit.key)} does not point to #{edit.anchor}",
                hint="somebody may have changed it: docgraph history; run the checks again",
            )
        if edit.anchor == edit.to_anchor:
            raise UserError(f"reanchor does not change {edge_words(edit.key)}", hint="name another anchor")
    elif edit.action != "accept" and edit.result == edit.key:
        raise UserError(
            f"{edit.action} does not change {edge_words(edit.key)}", hint="accept it, or name another type or target"
        )


def _reanchored(edit: Edit, relationship: Relationship) -> list[dict[str, Any]]:
    """The sections with one that is named otherwise, each anchor once."""
    found: dict[str, dict[str, Any]] = {}
    for each in relationship.sections:
        said = each.model_dump()
        if each.anchor == edit.anchor:
            said = {"anchor": edit.to_anchor, "heading": edit.heading}
        found.setdefault(said["anchor"], said)
    return list(found.values())


def _applied(
    there: dict[EdgeKey, Relationship],
    edits: Sequence[Edit],
    *,
    by: str,
    at: str,
    document_hashes: Mapping[str, str] | None,
) -> tuple[EdgeChange, ...]:
    """Changes ``there`` and says how."""
    changes = []
    for edit in edits:
        change = apply_edit(edit, there.get(edit.key), by=by, at=at, document_hashes=document_hashes)
        there.pop(edit.key, None)
        if change.after is not None:
            if change.after.key in there:
                raise ConflictError(
                    f"{edit.action} of {edge_words(edit.key)}: {edge_words(change.after.key)} already exists",
                    hint="remove one of the two",
                )
            there[change.after.key] = change.after
        changes.append(change)
    return tuple(changes)


def _by_hand(metadata: Mapping[str, Any], *, action: str, by: str, at: str) -> dict[str, Any]:
    elsewhere = (SECTIONS,) if action in ("flip", "retarget") else ()  # sections of what was the target
    kept = {name: value for name, value in metadata.items() if name not in (REVIEW, *elsewhere)}
    note: dict[str, Any] = {"action": action, "by": by, "at": at}
    earlier = kept.get(EDITED)
    found_by = earlier.get("extractor") if isinstance(earlier, dict) else kept.get("extractor")
    if found_by is not None:
        note["extractor"] = found_by
    return {**kept, "extractor": "manual", EDITED: note}


def _relationship(key: EdgeKey, metadata: dict[str, Any]) -> Relationship:
    return Relationship(
        from_document_id=key[0], relation_type=key[1], to_document_id=key[2], relationship_metadata=metadata
    )


MAX_NAMED = 5


def undoing(entry: HistoryEntry, later: Iterable[HistoryEntry]) -> EdgeChange:
    """The change that takes ``entry`` back; ``later`` = entries after it on its relationships, in any order.

    Raises ConflictError when it was already undone, and when later entries depend on it, naming them.
    """
    if entry.undone_by is not None:
        raise ConflictError(
            f"entry {entry.entry_id} was already undone by entry {entry.undone_by}",
            hint=f"to restore it, undo entry {entry.undone_by}",
        )
    if standing := blocking(entry, later):
        named = ", ".join(f"{each.entry_id} ({_said(each)})" for each in standing[:MAX_NAMED])
        more = f" and {len(standing) - MAX_NAMED} more" if len(standing) > MAX_NAMED else ""
        raise ConflictError(
            f"entry {entry.entry_id} cannot be undone: later changes depend on it: {named}{more}",
            hint=f"undo entry {standing[0].entry_id} first",
        )
    return EdgeChange(_reverse(entry), entry.after, entry.before, undoes=entry.entry_id)


def blocking(entry: HistoryEntry, later: Iterable[HistoryEntry]) -> tuple[HistoryEntry, ...]:
    """Entries that touched the same relationships after ``entry`` and still stand, newest first.

    An entry and the one that undid it cancel each other when both came later.
    """
    standing: dict[int, HistoryEntry] = {}
    once = {each.entry_id: each for each in later}  # one that touched two keys may be given twice
    for each in sorted(once.values(), key=lambda e: e.entry_id):
        if each.entry_id <= entry.entry_id or not each.keys & entry.keys:
            continue
        if each.undoes is None or standing.pop(each.undoes, None) is None:
            standing[each.entry_id] = each
    return tuple(standing[entry_id] for entry_id in sorted(standing, reverse=True))


def _reverse(entry: HistoryEntry) -> Edit:
    """The edit that says what the undo does; taking back an acceptance has no name of its own."""
    before, after = entry.before, entry.after
    if after is None:
        return entry.edit if before is None else Edit(action="add", key=before.key)
    if before is None:
        return Edit(action="remove", key=after.key)
    if before.key == after.key:
        return entry.edit
    if before.from_document_id != after.from_document_id:
        return Edit(action="flip", key=after.key, relation_type=before.relation_type)
    if before.to_document_id != after.to_document_id:
        return Edit(action="retarget", key=after.key, to_document_id=before.to_document_id)
    return Edit(action="retype", key=after.key, relation_type=before.relation_type)


def _said(entry: HistoryEntry) -> str:
    what = "undo of " + str(entry.undoes) if entry.undoes is not None else entry.edit.action
    return f"{what}, {edge_words(entry.edit.key)}"

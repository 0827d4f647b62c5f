"""Export of relationships and decisions to a file for spreadsheets and scripts, and its import with a preview."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from docgraph.boundary.limits import MAX_EXCHANGE_BYTES
from docgraph.boundary.signatures import checked_reason
from docgraph.curation.exchange.diff import Stored, compared, needed, other_texts
from docgraph.curation.exchange.reading import Sheet, read_sheet
from docgraph.curation.exchange.writing import End, csv_lines, ends_of, history_lines, json_lines
from docgraph.domain.edit import edge_words
from docgraph.domain.exchange import RelationshipDiff
from docgraph.domain.graph import Relationship
from docgraph.domain.history import HistoryEntry
from docgraph.domain.overrides import EdgeKey
from docgraph.errors import ConflictError, UserError
from docgraph.orchestration.document_ids import stored_end
from docgraph.orchestration.relationships.editing import (
    changes_on,
    known_types,
    newest,
    vocabulary_of_rules,
    written,
)
from docgraph.orchestration.relationships.editing import (
    history as history_of,
)
from docgraph.orchestration.session import HasSession, Session
from docgraph.ports import Snapshot

ExchangeKind = Literal["csv", "jsonl"]
KINDS: tuple[ExchangeKind, ...] = ("csv", "jsonl")
PAGE = 1_000
MAX_FILE = MAX_EXCHANGE_BYTES
"""Bytes of the largest file that is read."""


def export(
    self: HasSession,
    kind: ExchangeKind = "csv",
    *,
    document_id: str | None = None,
    relation_type: str | None = None,
    history: bool = False,
) -> Iterator[bytes]:
    """The relationships as a file, by key, in pieces: equal data give equal bytes. Raises UserError.

    ``csv`` is for spreadsheets. ``jsonl`` has all metadata and, without a filter, ignored and rejected ones and the
    triage of decisions; with ``history`` also the history, newest first, which an import skips.
    """
    if kind not in KINDS:
        raise UserError(f"{str(kind)[:40]!r} is not an export format", hint=f"there are: {', '.join(KINDS)}")
    if history and kind != "jsonl":
        raise UserError("a CSV cannot hold the history", hint="export it as jsonl")
    return _exported(self, kind, document_id=document_id, relation_type=relation_type, history=history)


def read_file(
    self: HasSession, data: bytes, *, name: str = "", new_types: bool = False, remove_missing: bool = False
) -> RelationshipDiff:
    """Preview the import of a file of relationships; read-only, and no content of the file raises an error.

    A CSV (commas, semicolons or tabs) or JSON Lines, as exported and edited. A row without ``edge`` adds a
    relationship; another ``from``, ``type`` or ``to`` changes the one it was exported from; ``decision`` accepts or
    removes it. Relationships missing in the file stay, unless ``remove_missing`` is given and the file is a complete
    export of the current data. ``new_types`` as for ``edit``.
    """
    sheet = read_sheet(data)
    decided = {each.subject_id: each for each in self.session.store().dismissals()} if sheet.dismissals else {}
    named = vocabulary_of_rules(self.session)
    with self.session.reading() as snapshot:
        types = None if new_types else known_types(snapshot, named)
        stored = _held_against(self.session, sheet, snapshot, types=types, remove_missing=remove_missing)
    stored = replace(stored, dismissals=decided, triage=self.session.store().triage() if sheet.triage else ())
    return compared(sheet, stored, name=name, remove_missing=remove_missing)


def import_file(
    self: HasSession,
    source: RelationshipDiff | bytes,
    *,
    by: str,
    reason: str = "",
    dry_run: bool = False,
    name: str = "",
    new_types: bool = False,
    remove_missing: bool = False,
) -> tuple[HistoryEntry, ...]:
    """Import a file of relationships, all rows or none except those in conflict; returns the entries in order.

    ``source`` = the result of ``read_file``, or the file itself (``name`` and the later parameters belong to it).
    ``reason`` = for rows without one. Raises UserError without a name, and for a file with errors; ConflictError when a
    relationship was changed since the file was read.
    """
    who, now = self.session.signed(by), self.session.now()
    if isinstance(source, bytes):
        source = read_file(self, source, name=name, new_types=new_types, remove_missing=remove_missing)
    diff = source
    _check_importable(diff, self.session.workspace)
    changes = changes_on(
        self.session, diff.edits, by=who, at=now, expected=dict(diff.expected), new_types=new_types or diff.new_types
    )
    if (key := other_texts(changes, dict(diff.texts))) is not None:
        raise ConflictError(
            f"a text at an end of {edge_words(key)} changed since the file was read",
            hint="nothing was written: read both texts as they are now, then decide again",
        )
    own = [replace(change, reason=why) for change, why in zip(changes, diff.reasons, strict=True)]
    if diff.dismissals and not dry_run:
        _check_undecided(self, diff)
    entries = written(self.session, own, by=who, reason=checked_reason(reason), at=now, dry_run=dry_run)
    if diff.dismissals and not dry_run:
        self.session.store().dismiss(diff.dismissals)
    if diff.triage and not dry_run:
        self.session.store().say_triage(diff.triage)
    return entries


def _exported(
    self: HasSession, kind: ExchangeKind, *, document_id: str | None, relation_type: str | None, history: bool
) -> Iterator[bytes]:
    whole = document_id is None and relation_type is None
    store = self.session.store() if whole and kind == "jsonl" else None
    with self.session.reading() as snapshot:
        document_id = None if document_id is None else stored_end(snapshot, document_id)
        edges = snapshot.relationships(document_id=document_id, relation_type=relation_type)
        revision, documents = snapshot.workspace.revision, snapshot.documents_by_id
        if kind == "csv":
            yield from csv_lines(edges, documents, revision=revision, whole=whole)
        else:
            dismissals, triage = ((), ()) if store is None else (store.dismissals(), store.triage())
            yield from json_lines(
                edges, documents, revision=revision, whole=whole, dismissals=dismissals, triage=triage
            )
    if history:
        yield from history_lines(_entries(self, document_id, relation_type))


def _entries(self: HasSession, document_id: str | None, relation_type: str | None) -> Iterator[HistoryEntry]:
    """The history, newest first, read in pages."""
    before: int | None = None
    while page := history_of(self, document_id=document_id, limit=PAGE, before=before):
        for entry in page:
            if relation_type is None or any(key[1] == relation_type for key in entry.keys):
                yield entry
        before = page[-1].entry_id


def _held_against(
    session: Session, sheet: Sheet, snapshot: Snapshot, *, types: frozenset[str] | None, remove_missing: bool
) -> Stored:
    keys, ids = needed(sheet)
    there: dict[EdgeKey, Relationship] = {}
    missing: list[Relationship] = []
    n_missing = 0
    for edge in snapshot.relationships():
        if edge.key in keys:
            there[edge.key] = edge
        if edge.key not in sheet.edges:
            n_missing += 1
            if remove_missing:
                missing.append(edge)
    there |= {edge.key: edge for edge in missing}
    ids |= {document_id for edge in missing for document_id in (edge.from_document_id, edge.to_document_id)}
    return Stored(
        workspace=session.workspace,
        revision=snapshot.workspace.revision,
        relationships=there,
        ends=_ends(snapshot, sorted(ids)),
        types=types,
        newest=partial(newest, session),
        missing=missing,
        n_missing=n_missing,
    )


def _check_undecided(self: HasSession, diff: RelationshipDiff) -> None:
    """Raises ConflictError when one of the decisions was made here since the file was read."""
    asked = {each.subject_id for each in diff.dismissals}
    if there := next((each for each in self.session.store().dismissals() if each.subject_id in asked), None):
        raise ConflictError(
            f"{there.by} decided about {there.sentence or there.subject_id} meanwhile, at {there.at}",
            hint="nothing was written: read the file again",
        )


def _ends(snapshot: Snapshot, document_ids: Sequence[str]) -> dict[str, End]:
    """document_id → what a file says of it, for those that are stored."""
    ends: dict[str, End] = {}
    for start in range(0, len(document_ids), PAGE):
        ends |= ends_of(snapshot.documents_by_id(document_ids[start : start + PAGE]))
    return ends


def _check_importable(diff: RelationshipDiff, workspace: str) -> None:
    """Raises UserError for a file with errors, and for one that was read for another workspace."""
    if diff.errors:
        first = diff.errors[0]
        where = (
            f"line {first.line}" + (f", column {first.column}" if first.column else "") if first.line else "the file"
        )
        more = f" (and {diff.n_errors - 1:,} more)" if diff.n_errors > 1 else ""
        value = f" {first.value!r}" if first.value else ""
        raise UserError(f"{where}:{value} {first.message}{more}; nothing was written", hint=first.hint)
    if diff.workspace != workspace:
        raise UserError(
            f"the file was compared with workspace {diff.workspace!r}, not with {workspace!r}", hint="read it again"
        )

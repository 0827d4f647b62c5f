"""Relationships changed by people: every change with its reason in a history, and each of them can be taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from docgraph.boundary.records import as_key, as_record, as_records
from docgraph.boundary.signatures import checked_reason
from docgraph.curation.editing import blocking as blocking_entries
from docgraph.curation.editing import by_hand, changes_of, restating, undoing
from docgraph.curation.locking import check_expected, check_types
from docgraph.domain.edit import Edit, edge_words
from docgraph.domain.graph import Relationship
from docgraph.domain.history import HistoryEntry
from docgraph.domain.overrides import EdgeKey
from docgraph.errors import NotFoundError
from docgraph.orchestration.document_ids import at_stored_ends, stored_id, stored_keys, with_stored_ends
from docgraph.orchestration.session import HasSession, Session
from docgraph.ports import EdgeChange, Snapshot, Store

PAGE = 200
ALL = 1_000_000


def edit(
    self: HasSession,
    edits: Sequence[Edit | Mapping[str, Any]],
    *,
    by: str,
    reason: str = "",
    dry_run: bool = False,
    expected: Mapping[EdgeKey, str] | None = None,
    new_types: bool = False,
) -> tuple[HistoryEntry, ...]:
    """Apply ``edits`` in order, all or none, and log each in the history; returns the entries in order.

    Document ids ignore case; a target that is not stored keeps the given text. ``expected`` = relationship → its
    ``history.edge_state`` as seen before the first edit ("" = absent); another state raises ConflictError with who
    changed what. ``new_types`` allows types that neither a relationship nor the rules have. A ``dry_run`` checks
    everything and returns the entries it would write, with entry_id 0. Raises UserError without a name, for an unknown
    type, and for an edit that changes nothing; NotFoundError for a missing relationship or source; ConflictError also
    when the result exists already, or a relationship was changed concurrently.
    """
    who, why, now = self.session.signed(by), checked_reason(reason), self.session.now()
    asked, seen = as_records(edits, Edit), expected or {}
    with self.session.reading() as snapshot:
        asked, keys = with_stored_ends(snapshot, asked), stored_keys(snapshot, seen)
    changes = changes_on(
        self.session,
        asked,
        by=who,
        at=now,
        expected={keys[key]: state for key, state in seen.items()},
        new_types=new_types,
    )
    return written(self.session, changes, by=who, reason=why, at=now, dry_run=dry_run)


def add(
    self: HasSession, relationship: Relationship | Mapping[str, Any], *, by: str = "python", reason: str = ""
) -> None:
    """Add a relationship. Raises ConflictError when it exists, NotFoundError when its source does not."""
    given = as_record(relationship, Relationship)
    with self.session.reading() as snapshot:
        made = by_hand(at_stored_ends(snapshot, given))
    change = EdgeChange(Edit(action="add", key=made.key), None, made)
    written(self.session, [change], by=self.session.signed(by), reason=checked_reason(reason))


def update(
    self: HasSession,
    key: EdgeKey,
    relationship: Relationship | Mapping[str, Any],
    *,
    by: str = "python",
    reason: str = "",
) -> None:
    """Replace the relationship at ``key``; another key moves it, an equal relationship changes nothing.

    Raises NotFoundError, and ConflictError when there is one at the new key already.
    """
    who, why, store = self.session.signed(by), checked_reason(reason), self.session.store()
    given = as_record(relationship, Relationship)
    with store.reading() as snapshot:
        before, after = _at(snapshot, key), by_hand(at_stored_ends(snapshot, given))
    store.change_relationships(
        restating(before, after),
        at=self.session.now(),
        by=who,
        reason=why,
    )


def remove(self: HasSession, key: EdgeKey, *, by: str = "python", reason: str = "") -> Relationship:
    """Delete the relationship at (from, type, to) and return it. Raises NotFoundError."""
    who, why, store = self.session.signed(by), checked_reason(reason), self.session.store()
    with store.reading() as snapshot:
        gone = _at(snapshot, key)
    change = EdgeChange(Edit(action="remove", key=gone.key), gone, None)
    store.change_relationships([change], at=self.session.now(), by=who, reason=why)
    return gone


def history(
    self: HasSession,
    *,
    key: EdgeKey | None = None,
    document_id: str | None = None,
    limit: int = 200,
    before: int | None = None,
) -> tuple[HistoryEntry, ...]:
    """Edits of relationships, newest first; ``before`` = only entries with a smaller id.

    ``key`` = entries of this relationship, ``document_id`` = of relationships at this document; both ignore case,
    unless the history has them exactly. Imports leave no entry.
    """
    wanted = None if key is None else as_key(key)
    store = self.session.store()
    if wanted is not None and not store.history(key=wanted, limit=1):
        with store.reading() as snapshot:
            wanted = stored_keys(snapshot, [wanted])[wanted]
    if document_id is not None and not store.history(document_id=document_id, limit=1):
        with store.reading() as snapshot:
            document_id = stored_id(snapshot, document_id)
    return store.history(key=wanted, document_id=document_id, limit=max(0, limit), before=before)


def undo(
    self: HasSession,
    entry_id: int,
    *,
    by: str,
    reason: str = "",
    expected: Mapping[EdgeKey, str] | None = None,
    dry_run: bool = False,
) -> HistoryEntry:
    """Undo one entry of the history; returns the new entry, which names it: a history is append-only.

    ``expected`` and ``dry_run`` as for ``edit``. Raises NotFoundError for an unknown entry, and ConflictError when it
    was already undone, when later entries depend on it (they are named), or when the relationship was changed
    otherwise.
    """
    who, why, store = self.session.signed(by), checked_reason(reason), self.session.store()
    entry = _entry(store, entry_id)
    if expected:
        with store.reading() as snapshot:
            keys = stored_keys(snapshot, expected)
            there = _stored(snapshot, list(keys.values()))
        seen = {keys[key]: state for key, state in expected.items()}
        check_expected(seen, there, partial(newest, self.session))
    change = undoing(entry, _later(store, entry))
    return written(self.session, [change], by=who, reason=why, dry_run=dry_run)[0]


def blocking(self: HasSession, entry_id: int) -> tuple[HistoryEntry, ...]:
    """Entries to undo before this one can be undone, newest first. Raises NotFoundError."""
    store = self.session.store()
    entry = _entry(store, entry_id)
    return blocking_entries(entry, _later(store, entry))


def undo_act(
    self: HasSession, act: str, *, by: str, reason: str = "", dry_run: bool = False
) -> tuple[HistoryEntry, ...]:
    """Undo every entry of one call that is not undone yet, last first, all or none; returns the new entries in order.

    ``act`` as the entries name it. A ``dry_run`` returns what it would write, with entry_id 0. Raises NotFoundError for
    an unknown or undone act, and ConflictError when later entries of other acts depend on it (they are named).
    """
    who, why, store = self.session.signed(by), checked_reason(reason), self.session.store()
    first = int(act) if act.isascii() and act.isdigit() and len(act) < 20 else 0  # longer than any that is there
    since = _since(store, first) if first else []
    taken = [entry for entry in since if entry.act == act and entry.undone_by is None]
    if not taken:
        raise NotFoundError(f"the history has nothing left to undo of act {act[:40]!r}", hint="docgraph history")
    back, later = {entry.entry_id for entry in taken}, _by_key(since)
    changes = [
        undoing(entry, [e for key in entry.keys for e in later[key] if e.entry_id not in back]) for entry in taken
    ]
    return written(self.session, changes, by=who, reason=why, dry_run=dry_run)


def changes_on(
    session: Session, edits: Sequence[Edit], *, by: str, at: str, expected: Mapping[EdgeKey, str], new_types: bool
) -> tuple[EdgeChange, ...]:
    """What the edits do to the relationships of one snapshot, once they hold what they must."""
    keys = [key for edit in edits for key in (edit.key, edit.result) if key is not None]
    named = () if new_types else vocabulary_of_rules(session)
    with session.reading() as snapshot:
        there = _stored(snapshot, [*keys, *expected])
        ends = snapshot.documents_by_id(sorted({document_id for key in keys for document_id in (key[0], key[2])}))
        known = frozenset[str]() if new_types else known_types(snapshot, named)
    check_expected(expected, there, partial(newest, session))
    if not new_types:
        check_types(edits, known)
    hashes = {document_id: document.content_hash for document_id, document in ends.items()}
    return changes_of(there.values(), edits, by=by, at=at, document_hashes=hashes)


def written(
    session: Session, changes: Sequence[EdgeChange], *, by: str, reason: str, at: str = "", dry_run: bool = False
) -> tuple[HistoryEntry, ...]:
    """The entries of the changes, written unless it is a dry run."""
    now = at or session.now()
    if not dry_run:
        return session.store().change_relationships(changes, at=now, by=by, reason=reason)
    return tuple(
        HistoryEntry(
            entry_id=0,
            at=now,
            by=by,
            reason=c.reason or reason,
            edit=c.edit,
            before=c.before,
            after=c.after,
            undoes=c.undoes,
        )
        for c in changes
    )


def vocabulary_of_rules(session: Session) -> tuple[str, ...]:
    """Types that the rules name; read before a snapshot is opened, so that no thread holds one connection and waits."""
    rule = session.store().rules().get("unknown_type")
    named = rule.parameters.get("vocabulary", ()) if rule is not None else ()
    return tuple(name for name in named if isinstance(name, str))


def newest(session: Session, key: EdgeKey) -> HistoryEntry | None:
    """The last edit of a relationship."""
    return next(iter(session.store().history(key=key, limit=1)), None)


def known_types(snapshot: Snapshot, named: Sequence[str]) -> frozenset[str]:
    """Types that relationships have, that plans leave out, and those that are ``named``."""
    return frozenset((*snapshot.relation_types(), *snapshot.workspace.off_relation_types, *named))


def _stored(snapshot: Snapshot, keys: Sequence[EdgeKey]) -> dict[EdgeKey, Relationship]:
    """Those of the relationships that are there, by key."""
    wanted = {(key[0], key[1], key[2]) for key in keys}
    if not wanted:
        return {}
    starts, types = sorted({key[0] for key in wanted}), sorted({key[1] for key in wanted})
    found = snapshot.outgoing(starts, relation_types=types, limit=ALL)
    return {edge.key: edge for edge in found if edge.key in wanted}


def _at(snapshot: Snapshot, key: EdgeKey) -> Relationship:
    """The relationship that a key means. Raises NotFoundError."""
    (meant,) = stored_keys(snapshot, [key]).values()
    if (found := _stored(snapshot, [meant]).get(meant)) is None:
        raise NotFoundError(f"there is no relationship {edge_words(key)}", hint="list them: docgraph relationships")
    return found


def _entry(store: Store, entry_id: int) -> HistoryEntry:
    found = next(iter(store.history(before=entry_id + 1, limit=1)), None)
    if found is None or found.entry_id != entry_id:
        raise NotFoundError(f"the history has no entry {entry_id}", hint="list them: docgraph history")
    return found


def _later(store: Store, entry: HistoryEntry) -> list[HistoryEntry]:
    """The entries after ``entry`` on the relationships that it touched; one may stand there twice."""
    found: list[HistoryEntry] = []
    for key in sorted(entry.keys):
        before: int | None = None
        while page := store.history(key=key, limit=PAGE, before=before):
            found += (each for each in page if each.entry_id > entry.entry_id)
            before = page[-1].entry_id
            if before <= entry.entry_id:
                break
    return found


def _since(store: Store, first: int) -> list[HistoryEntry]:
    """All entries from ``first`` on, newest first."""
    found: list[HistoryEntry] = []
    before: int | None = None
    while page := store.history(limit=PAGE, before=before):
        found += (each for each in page if each.entry_id >= first)
        before = page[-1].entry_id
        if before <= first:
            break
    return found


def _by_key(entries: Sequence[HistoryEntry]) -> dict[EdgeKey, list[HistoryEntry]]:
    """Relationship → the entries that found or left it."""
    found: dict[EdgeKey, list[HistoryEntry]] = {}
    for entry in entries:
        for key in entry.keys:
            found.setdefault(key, []).append(entry)
    return found

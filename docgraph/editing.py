"""Relationships changed by people: every change with its reason in a history, and each of them can be taken back."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.curation.editing import changes_of
from docgraph.curation.undoing import undoing
from docgraph.decoding import clean, one_line
from docgraph.domain.edit import Edit
from docgraph.domain.history import MAX_BY, MAX_REASON, HistoryEntry
from docgraph.domain.overrides import EdgeKey
from docgraph.errors import NotFoundError, UserError
from docgraph.holdings import Holdings
from docgraph.ports import EdgeChange, Store

PAGE = 200
ALL = 1_000_000


class Editing(Holdings):
    """What a curator does: edits with a name and a reason, their history, and undo of one entry."""

    def edit(
        self, edits: Sequence[Edit], *, by: str, reason: str = "", dry_run: bool = False
    ) -> tuple[HistoryEntry, ...]:  # fmt: skip
        """Apply ``edits`` one after the other, all or none, and write each into the history; the entries, in order.

        A ``dry_run`` checks everything and returns what would be written, with entry_id 0. Raises UserError when nobody
        says who, and for an edit that changes nothing; NotFoundError for a relationship or a start that is not there;
        ConflictError when the result is there already, or when somebody else changed a relationship at the same time.
        """
        who, why, now = _who(by), _why(reason), self._adapters.now()
        changes = self._changes(edits, by=who, at=now)
        if dry_run:
            return tuple(
                HistoryEntry(entry_id=0, at=now, by=who, reason=why, edit=c.edit, before=c.before, after=c.after)
                for c in changes
            )
        return self._store().change_relationships(changes, at=now, by=who, reason=why)

    def history(
        self, *, key: EdgeKey | None = None, document_id: str | None = None, limit: int = 200, before: int | None = None
    ) -> tuple[HistoryEntry, ...]:  # fmt: skip
        """Edits of relationships, newest first; ``before`` = only entries with a smaller id.

        ``key`` = those that found or left this relationship; ``document_id`` = one with this document at either end.
        Changes by an import, and by the methods that take a whole relationship, leave no entry.
        """
        wanted = None if key is None else (key[0], key[1], key[2])
        return self._store().history(key=wanted, document_id=document_id, limit=max(0, limit), before=before)

    def undo(self, entry_id: int, *, by: str, reason: str = "") -> HistoryEntry:
        """Take back one entry of the history; the new entry, which names it: nothing is ever deleted from a history.

        Raises NotFoundError for an unknown entry, and ConflictError when it was undone already, when later entries
        depend on it (they are named), or when the relationship was changed by other means since.
        """
        who, why, store = _who(by), _why(reason), self._store()
        entry = next(iter(store.history(before=entry_id + 1, limit=1)), None)
        if entry is None or entry.entry_id != entry_id:
            raise NotFoundError(f"the history has no entry {entry_id}", hint="list them: docgraph history")
        change = undoing(entry, _later(store, entry))
        return store.change_relationships([change], at=self._adapters.now(), by=who, reason=why)[0]

    def _changes(self, edits: Sequence[Edit], *, by: str, at: str) -> tuple[EdgeChange, ...]:
        """What the edits do to the relationships of one snapshot."""
        keys = [key for edit in edits for key in (edit.key, edit.result) if key is not None]
        starts, types = sorted({key[0] for key in keys}), sorted({key[1] for key in keys})
        with self._reading() as snapshot:
            edges = snapshot.outgoing(starts, relation_types=types, limit=ALL)
            ends = snapshot.documents_by_id(sorted({document_id for key in keys for document_id in (key[0], key[2])}))
        hashes = {document_id: document.content_hash for document_id, document in ends.items()}
        return changes_of(edges, edits, by=by, at=at, document_hashes=hashes)


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


def _who(by: str) -> str:
    name = one_line(by, MAX_BY)
    if not name:
        raise UserError("a change of relationships needs a name", hint="say who: by=…, or --by NAME")
    return name


def _why(reason: str) -> str:
    text = clean(reason).strip()
    if len(text) > MAX_REASON:
        raise UserError(
            f"the reason has {len(text):,} characters; at most {MAX_REASON:,} are kept", hint="say it shorter"
        )
    return text

"""What changed in the data between two states of a corpus, seen from one saved run."""

from __future__ import annotations

from collections.abc import Collection

from docgraph.domain.run import Run
from docgraph.domain.saved_run import CorpusChanges, CorpusState, DataChange, DocumentEdit, RelationshipEdit


def changes(before: CorpusState, now: CorpusState, run: Run) -> CorpusChanges:
    """Documents and relationships that came, went or changed; those that touch the run first, then by id.

    When either state is not complete, only what both of them hold can be compared: the documents of the run.
    """
    inside = set(run.plan.document_ids)
    complete = before.complete and now.complete
    ids = {*before.documents, *now.documents} if complete else inside
    edits = [edit for i in ids if (edit := _document(i, before, now, inside=inside)) is not None]
    keys = set(before.relationships) ^ set(now.relationships)
    there = set(now.relationships)
    edges = [
        RelationshipEdit(
            key=key,
            change="added" if key in there else "removed",
            in_run=bool(inside & {key[0], key[2]}),
            from_title=_title(key[0], now, before),
            to_title=_title(key[2], now, before),
        )
        for key in keys
        if complete or inside & {key[0], key[2]}
    ]
    return CorpusChanges(
        revision_before=before.revision,
        revision_now=now.revision,
        complete=complete,
        documents=tuple(sorted(edits, key=lambda e: (not e.in_run, e.document_id))),
        relationships=tuple(sorted(edges, key=lambda e: (not e.in_run, e.key))),
        types_switched=tuple(sorted({name for name, _ in _roles(before) ^ _roles(now)})),
    )


def _roles(state: CorpusState) -> set[tuple[str, str]]:
    """Types that add no document by default, with what they do instead."""
    return {(name, "off") for name in state.off_relation_types} | {
        (name, "reasons") for name in state.reasons_only_types
    }


def _title(document_id: str, *states: CorpusState) -> str:
    """The title in the first state that holds the document."""
    titles = (state.documents[document_id][0] for state in states if document_id in state.documents)
    return next(titles, "") or document_id


def _document(
    document_id: str, before: CorpusState, now: CorpusState, *, inside: Collection[str]
) -> DocumentEdit | None:
    then, current = before.documents.get(document_id), now.documents.get(document_id)
    if then == current:
        return None
    change: DataChange = "changed"
    if then is None or current is None:
        change = "added" if then is None else "removed"
    elif then[0] != current[0]:
        change = "renamed"
    title = (current or then or ("", ""))[0]
    return DocumentEdit(
        document_id=document_id,
        title=title,
        change=change,
        in_run=document_id in inside,
        title_before=then[0] if change == "renamed" and then else "",
    )

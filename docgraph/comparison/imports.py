"""What is different after one import from what was there after another; a pure function over the two states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from docgraph.domain.imports.record import (
    ImportDiff,
    ImportedDocument,
    ImportState,
    ImportSummary,
    QuestionChange,
    Withdrawn,
)
from docgraph.domain.imports.status import INACTIVE
from docgraph.domain.saved_run import DataChange, DocumentEdit, RelationshipEdit


def import_diff(before: ImportSummary, then: ImportState, after: ImportSummary, now: ImportState) -> ImportDiff:
    """From ``then``, the state after the import ``before``, to ``now``, that after ``after``."""
    old, new = set(then.relationships), set(now.relationships)
    titles = {i: document.title for state in (then, now) for i, document in state.documents.items()}
    edges = tuple(
        RelationshipEdit(
            key=key,
            change="added" if key in new else "removed",
            from_title=titles.get(key[0]) or key[0],
            to_title=titles.get(key[2]) or key[2],
        )
        for key in sorted(old ^ new)
    )
    gone = then.documents.keys() - now.documents.keys()
    asked = {each.run_id: each for each in then.questions}
    both = [(asked[each.run_id], each) for each in now.questions if each.run_id in asked]
    return ImportDiff(
        before=before,
        after=after,
        documents=tuple(_documents(then.documents, now.documents)),
        relationships=edges,
        withdrawn=tuple(_withdrawn(then, now)),
        missing=tuple(sorted(key for key in new if key[2] in gone)),
        questions=tuple(
            QuestionChange(run_id=b.run_id, query=b.query, before=a.documents, after=b.documents)
            for a, b in both
            if a.documents != b.documents
        ),
        n_questions=len(both),
    )


def _documents(then: Mapping[str, ImportedDocument], now: Mapping[str, ImportedDocument]) -> Iterator[DocumentEdit]:
    for document_id in sorted(then.keys() | now.keys()):
        a, b = then.get(document_id), now.get(document_id)
        if a is not None and b is not None and (a.title, a.content_hash) == (b.title, b.content_hash):
            continue
        change: DataChange = "changed"
        if a is None or b is None:
            change = "added" if a is None else "removed"
        elif a.title != b.title:
            change = "renamed"
        there = b or a
        yield DocumentEdit(
            document_id=document_id,
            title=(there.title if there else "") or document_id,
            change=change,
            title_before=a.title if a is not None and change == "renamed" else "",
        )


def _withdrawn(then: ImportState, now: ImportState) -> Iterator[Withdrawn]:
    pointed_at = Counter(key[2] for key in now.relationships)
    for document_id, document in sorted(now.documents.items()):
        was = then.documents.get(document_id)
        if document.status in INACTIVE and (was is None or was.status not in INACTIVE):
            yield Withdrawn(
                document_id=document_id,
                title=document.title or document_id,
                status=document.status,
                n_relationships=pointed_at[document_id],
            )

"""What is different after one import from what was there after another; a pure function over the two states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Set

from docgraph.domain.imports.fields import MOVED
from docgraph.domain.imports.record import (
    ImportDiff,
    ImportedDocument,
    ImportState,
    ImportSummary,
    QuestionChange,
    Redirected,
    Withdrawn,
)
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.saved_run import DataChange, DocumentEdit, RelationshipEdit
from docgraph.domain.standing import INACTIVE


def import_diff(before: ImportSummary, then: ImportState, after: ImportSummary, now: ImportState) -> ImportDiff:
    """From ``then``, the state after the import ``before``, to ``now``, that after ``after``."""
    gone_edges, new_edges = set(then.relationships), set(now.relationships)
    gone_edges, new_edges = gone_edges - new_edges, new_edges - gone_edges
    titles = {i: document.title for state in (then, now) for i, document in state.documents.items()}
    others = _pairs(gone_edges, new_edges, of=(0, 1))
    others |= _pairs(gone_edges - others.keys(), new_edges - set(others.values()), of=(0, 2))
    edges = tuple(
        RelationshipEdit(
            key=key,
            change="added" if key in new_edges else "removed",
            from_title=titles.get(key[0]) or key[0],
            to_title=titles.get(key[2]) or key[2],
        )
        for key in sorted((gone_edges | new_edges) - others.keys() - set(others.values()))
    )
    gone = then.documents.keys() - now.documents.keys()
    asked = {each.run_id: each for each in then.questions}
    both = [(asked[each.run_id], each) for each in now.questions if each.run_id in asked]
    return ImportDiff(
        before=before,
        after=after,
        documents=tuple(_documents(then.documents, now.documents)),
        relationships=edges,
        redirected=tuple(_redirected(a, others[a], titles) for a in sorted(others)),
        withdrawn=tuple(_with_status(then, now, INACTIVE)),
        moved=tuple(_with_status(then, now, MOVED)),
        missing=tuple(sorted(key for key in now.relationships if key[2] in gone)),
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


def _pairs(gone: Set[EdgeKey], new: Set[EdgeKey], *, of: tuple[int, int]) -> dict[EdgeKey, EdgeKey]:
    """The one that went → the one that came, where these parts of a key are those of just one of each."""
    sides: list[dict[tuple[str, ...], list[EdgeKey]]] = [{}, {}]
    for side, keys in zip(sides, (gone, new), strict=True):
        for key in keys:
            side.setdefault(tuple(key[part] for part in of), []).append(key)
    went, came = sides
    return {a[0]: came[same][0] for same, a in went.items() if len(a) == 1 and len(came.get(same, ())) == 1}


def _redirected(before: EdgeKey, after: EdgeKey, titles: Mapping[str, str]) -> Redirected:
    return Redirected(
        before=before,
        after=after,
        from_title=titles.get(before[0]) or before[0],
        title_before=titles.get(before[2]) or before[2],
        title_after=titles.get(after[2]) or after[2],
    )


def _with_status(then: ImportState, now: ImportState, words: Collection[str]) -> Iterator[Withdrawn]:
    """Documents whose status is one of these words since then."""
    pointed_at = Counter(key[2] for key in now.relationships)
    for document_id, document in sorted(now.documents.items()):
        was = then.documents.get(document_id)
        if document.status in words and (was is None or was.status not in words):
            yield Withdrawn(
                document_id=document_id,
                title=document.title or document_id,
                status=document.status,
                n_relationships=pointed_at[document_id],
            )

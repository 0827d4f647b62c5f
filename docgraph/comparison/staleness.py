"""What changed in the data between two states of a corpus, seen from one saved run."""

from __future__ import annotations

from collections.abc import Collection

from docgraph.comparison.overlap import Indexed
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


MAX_NAMED = 3
"""Fields of a request that are named; further ones are counted."""


def why_identical(a: Run, b: Run) -> str:
    """One sentence that says why nothing differs between two runs in which nothing does."""
    if not a.plan.document_ids and not b.plan.document_ids:
        return "Both are empty: neither run found a document."
    if a.plan.plan_id == b.plan.plan_id:
        return "Both runs made the same plan on the same data, so they read the same passages with the same scores."
    if a.plan.query != b.plan.query:
        return "The questions differ, but both read the same passages in the same order."
    if a.plan.corpus_revision != b.plan.corpus_revision:
        return "The data changed between the two runs, but nothing of what these runs read."
    related = next((run for run in (b, a) if run.plan.constraints.use_relationships), None)
    other = a if related is b else b
    if related is not None and not related.plan.expanded_documents and not other.plan.constraints.use_relationships:
        return _nothing_expanded(related, other)
    return _differing_fields(a, b)


def _nothing_expanded(run: Run, other: Run) -> str:
    n, flat = len(run.plan.consulted), "plain vector search"
    so = f"so the result is the same as {flat if Indexed(other).is_flat else 'without relationships'}."
    if run.plan.constraints.max_expanded == 0:
        return f"The limits allow no related document, {so}"
    if n == 0:
        return f"The limits follow no match, {so}"
    top = "The top match links" if n == 1 else f"The top {n} matches link"
    allowed = " through the relationship types in use" if _restricted(run) else ""
    return f"{top} to no other document{allowed}, {so}"


def _restricted(run: Run) -> bool:
    """Whether some relationships are not followed."""
    overrides = run.request.overrides
    return run.plan.constraints.relation_types is not None or bool(overrides.without_types or overrides.without_edges)


def _differing_fields(a: Run, b: Run) -> str:
    """``The requests differ in max_documents and mode, but that does not change what is read.``"""
    x, y = a.request, b.request
    names = [name for name in type(x).model_fields if getattr(x, name) != getattr(y, name)]
    if not names:
        return "The plans differ in their records only, not in what is read."
    named = (
        names if len(names) <= MAX_NAMED else [*names[: MAX_NAMED - 1], f"{len(names) - MAX_NAMED + 1} other fields"]
    )
    listed = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
    return f"The requests differ in {listed}, but that does not change what is read."

"""Random corpora with edits that are possible on them, and the corpora in which those edits were really made."""

from __future__ import annotations

from hypothesis import strategies as st

from docgraph.domain.edit import Action, Edit
from docgraph.domain.graph import PreparedDocument, Relationship
from docgraph.domain.overrides import EdgeKey
from tests.corpora import TYPES, Corpus, corpora

NEW_TYPES = (*TYPES, "a_first", "zz_last")
ACTIONS: tuple[Action, ...] = ("add", "remove", "retype", "flip", "retarget", "accept")
World = tuple[Corpus, list[Edit], Corpus]
"""A corpus, edits, and the corpus afterwards."""


def made(there: set[EdgeKey], edit: Edit) -> set[EdgeKey] | None:
    """The keys after an edit, written down once more and as plainly as can be; None = the edit is refused."""
    start, via, end = edit.key
    others = there - {edit.key}
    if (edit.action == "add") == (edit.key in there):
        return None
    new = {
        "add": (start, via, end),
        "accept": (start, via, end),
        "remove": None,
        "retype": (start, edit.relation_type, end),
        "retarget": (start, via, edit.to_document_id),
        "flip": (end, edit.relation_type or via, start),
    }[edit.action]
    if new is None:
        return others
    unchanged = edit.action not in ("add", "accept") and new == edit.key
    return None if unchanged or new in others or new[0].startswith("gone") else {*others, new}  # type: ignore[arg-type]


@st.composite
def edited_corpora(draw: st.DrawFn) -> World:
    """A corpus, edits that are possible on it one after the other, and the corpus in which they were really made."""
    before = draw(corpora())
    ids = [d.document.document_id for d in before.documents]
    ends = [*ids, "gone-1", "gone-3"]
    keys = {edge.key for d in before.documents for edge in d.relationships}
    edits: list[Edit] = []
    for _ in range(draw(st.integers(0, 5))):
        free = st.tuples(st.sampled_from(ids), st.sampled_from(NEW_TYPES), st.sampled_from(ends))
        action = draw(st.sampled_from(ACTIONS))
        key = draw(free if action == "add" or not keys else st.sampled_from(sorted(keys)))
        edit = Edit(
            action=action,
            key=key,
            to_document_id=draw(st.sampled_from(ends)),
            relation_type=draw(st.sampled_from(NEW_TYPES)),
        )
        after = made(keys, edit)
        if after is not None:
            keys, edits = after, [*edits, edit]
    return before, edits, Corpus(tuple(_with(d, keys) for d in before.documents))


def _with(document: PreparedDocument, keys: set[EdgeKey]) -> PreparedDocument:
    start = document.document.document_id
    edges = tuple(
        Relationship(from_document_id=s, relation_type=via, to_document_id=end)
        for s, via, end in sorted(keys)
        if s == start
    )
    return PreparedDocument(document.document, document.vector, document.chunks, document.chunk_vectors, edges)

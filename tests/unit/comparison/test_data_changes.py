"""What changed in the data since a run: documents and relationships, those of the run first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from docgraph.comparison.staleness import changes
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.saved_run import CorpusState
from tests.corpora import corpus
from tests.unit.comparison.side_runs import laws, opened

MIRRORED = {"added": "removed", "removed": "added", "changed": "changed", "renamed": "renamed"}
IDS = ("a", "b", "c", "x")


def run() -> Run:
    """A run whose plan holds ``a`` and ``b``."""
    of = corpus(("a", ["queue"], []), ("b", ["queue hold"], []))
    with opened(of) as dg:
        return dg.run(RetrievalRequest(query="queue"))


RUN = run()


def state(
    documents: Mapping[str, tuple[str, str]], edges: tuple[tuple[str, str, str], ...] = (), **fields: Any
) -> CorpusState:
    return CorpusState(workspace="laws", documents=dict(documents), relationships=edges, **{"revision": "r1", **fields})


@st.composite
def states(draw: st.DrawFn) -> CorpusState:
    version = st.tuples(st.sampled_from(("T", "U")), st.sampled_from(("1", "2")))
    edges = st.sets(st.tuples(st.sampled_from(IDS), st.just("explains"), st.sampled_from(IDS)), max_size=5)
    return state(
        draw(st.dictionaries(st.sampled_from(IDS), version)),
        tuple(sorted(draw(edges))),
        revision=draw(st.sampled_from(("r1", "r2"))),
        complete=draw(st.booleans()),
        off_relation_types=draw(st.sampled_from(((), ("explains",)))),
    )


@laws
@given(states())
def test_nothing_changed_between_a_state_and_itself(one: CorpusState) -> None:
    found = changes(one, one, RUN)
    assert not found.stale
    assert (found.documents, found.relationships, found.types_switched) == ((), (), ())


@laws
@given(states(), states())
def test_backwards_everything_that_came_went(before: CorpusState, now: CorpusState) -> None:
    there, back = changes(before, now, RUN), changes(now, before, RUN)
    assert [(d.document_id, MIRRORED[d.change]) for d in there.documents] == [
        (d.document_id, d.change) for d in back.documents
    ]
    assert [(e.key, MIRRORED[e.change]) for e in there.relationships] == [(e.key, e.change) for e in back.relationships]
    assert there.stale == back.stale


@laws
@given(states(), states())
def test_what_touches_the_run_comes_first_then_by_id(before: CorpusState, now: CorpusState) -> None:
    found = changes(before, now, RUN)
    order = [(not d.in_run, d.document_id) for d in found.documents]
    assert order == sorted(order)
    assert all(d.in_run == (d.document_id in ("a", "b")) for d in found.documents)
    assert all(e.in_run == bool({"a", "b"} & {e.key[0], e.key[2]}) for e in found.relationships)
    if not found.complete:
        assert all(row.in_run for row in (*found.documents, *found.relationships))


def test_each_kind_of_change_is_named_with_both_titles_of_a_renamed_document() -> None:
    before = state({"a": ("Old", "1"), "b": ("B", "1"), "c": ("C", "1")}, (("a", "explains", "b"),))
    now = state(
        {"a": ("New", "2"), "b": ("B", "2"), "x": ("X", "1")},
        (("b", "explains", "a"),),
        revision="r2",
        off_relation_types=("explains",),
    )
    found = changes(before, now, RUN)
    assert [(d.document_id, d.change, d.title, d.title_before) for d in found.documents] == [
        ("a", "renamed", "New", "Old"),
        ("b", "changed", "B", ""),
        ("c", "removed", "C", ""),
        ("x", "added", "X", ""),
    ]
    assert [(e.key, e.change) for e in found.relationships] == [
        (("a", "explains", "b"), "removed"),
        (("b", "explains", "a"), "added"),
    ]
    assert found.types_switched == ("explains",)
    assert found.stale

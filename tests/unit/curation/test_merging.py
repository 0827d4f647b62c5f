"""``merge_edits``: all relationships of some types under one name, doubles removed, and an exact way back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.domain.overrides import EdgeKey
from docgraph.errors import UserError
from docgraph.orchestration.docgraph import Docgraph
from tests.unit.curation.workspaces import documents, edges, workspace

IDS = ("a", "b", "c")
TYPES = ("explains", "explain", "Explains")
KEYS = st.lists(
    st.tuples(st.sampled_from(IDS), st.sampled_from(TYPES), st.sampled_from((*IDS, "gone"))), min_size=1, unique=True
)


def _world(*keys: EdgeKey) -> Docgraph:
    return workspace(documents(*IDS), edges(*keys))


def _export(dg: Docgraph) -> str:
    return json.dumps([edge.model_dump(mode="json") for edge in dg.relationships.list()], sort_keys=True)


def test_relationships_get_the_type_and_one_that_is_there_under_it_goes() -> None:
    dg = _world(("a", "explain", "b"), ("a", "explain", "c"), ("a", "explains", "b"))
    found = [
        (edit.action, edit.key, edit.relation_type) for edit in dg.relationships.merge_edits(["explain"], "explains")
    ]
    assert found == [("remove", ("a", "explain", "b"), None), ("retype", ("a", "explain", "c"), "explains")]


def test_of_two_merged_types_between_the_same_documents_one_stays() -> None:
    dg = _world(("a", "Explains", "b"), ("a", "explain", "b"))
    assert [edit.action for edit in dg.relationships.merge_edits(["explain", "Explains"], "clarifies")] == [
        "retype",
        "remove",
    ]
    dg.relationships.edit(dg.relationships.merge_edits(["explain", "Explains"], "clarifies"), by="me", new_types=True)
    assert [edge.key for edge in dg.relationships.list()] == [("a", "clarifies", "b")]


@pytest.mark.parametrize(
    ("types", "into", "said"),
    [
        ([], "explains", "no relationship type"),
        (["explain"], "explains", "no relationship has the type 'explain'"),
        (["explains"], "explains", "into itself"),
        (["explains"], "", "cannot be a relation type"),
        (["explains"], "x\x00", "cannot be a relation type"),
        (["explains"], "x" * 101, "cannot be a relation type"),
    ],
)
def test_what_cannot_be_merged_is_refused_with_a_hint(types: list[str], into: str, said: str) -> None:
    with pytest.raises(UserError, match=said) as refused:
        _world(("a", "explains", "b")).relationships.merge_edits(types, into)
    assert refused.value.hint


@given(KEYS, st.sampled_from((*TYPES, "clarifies")), st.sets(st.sampled_from(TYPES)))
@settings(max_examples=40, deadline=None)
def test_merging_leaves_each_related_pair_related_and_is_taken_back_exactly(
    keys: list[EdgeKey], into: str, wanted: set[str]
) -> None:
    dg = _world(*keys)
    types = sorted((wanted - {into}) & {via for _, via, _ in keys})
    if not types:
        return
    before = _export(dg)
    entries = dg.relationships.edit(dg.relationships.merge_edits(types, into), by="me", new_types=True)
    after = {edge.key for edge in dg.relationships.list()}
    assert after == {(start, into if via in types else via, end) for start, via, end in keys}
    for entry in reversed(entries):
        dg.relationships.undo(entry.entry_id, by="me")
    assert _export(dg) == before

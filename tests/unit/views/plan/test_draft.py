"""A draft in words and marks: what it changes, who leaves and why, and that nobody else moves."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.comparison.compare import compare
from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.overrides import Overrides
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.views.lanes.layout import edge_id, node_id
from docgraph.views.plan.draft import steps
from docgraph.views.plan.draft.changes import chips, counts_sentence, draft_parts, off_by
from docgraph.views.plan.draft.evidence import draft_cards
from docgraph.views.plan.draft.marks import draft_marks
from docgraph.views.plan.graph import GraphOptions, arrangement_of, plan_graph
from docgraph.views.plan.selection import first_change, leaving_document, leaving_edge, leaving_ids, moves, off_reasons
from docgraph.views.plan.settings import input_facts
from docgraph.views.plan.tables import document_table, edge_table
from docgraph.views.words.address import PACKED, WORKSPACE, inputs_of, packed, request_at, request_of, text_of, unpacked

TYPES = ("decision_for", "explains", "references")
EDGES = [("a", "explains", "x"), ("a", "explains", "y"), ("b", "references", "z"), ("b", "decision_for", "x")]
OFF = ("b", "references", "z")


def _asking(run: Run, **changes: Any) -> Run:
    return run.model_copy(update={"request": run.request.model_copy(update=changes)})


def _compared(a: Run, b: Run) -> Comparison:
    return compare(Side(name="a", label="A", run=a), Side(name="b", label="B", run=b), ())


@pytest.fixture
def without_z(make_run: Any) -> Comparison:
    """The base reads x, y and z; the draft switches the only edge to z off, and reads w instead."""
    base = make_run(["a", "b"], ["x", "y", "z"], EDGES)
    rest = [e for e in EDGES if e != OFF]
    draft = make_run(["a", "b"], ["x", "y", "w"], [*rest, ("b", "explains", "w")], chunks={"x": 2})
    return _compared(base, _asking(draft, overrides=Overrides(without_edges=(OFF,))))


# ---------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, ""),
        ({"relation_types": ("decision_for", "explains")}, "references off"),
        ({"relation_types": ()}, "3 types off"),
        ({"relation_types": (*TYPES, "supersedes")}, "supersedes on"),
        ({"overrides": Overrides(without_types=("explains",))}, "explains off"),
        ({"overrides": Overrides(without_edges=(OFF,))}, "1 relationship off"),
        (
            {"overrides": Overrides(added_seed_ids=("x",), dropped_seed_ids=("a", "b"))},
            "1 match added, 2 matches removed",
        ),
        ({"mode": "fast", "max_documents": 7}, "documents 6 → 7, mode accurate → fast"),
        (
            {"max_chunks": 1500 // 3, "evidence_rule": "similarity"},
            "passages auto → 500, evidence passages → similarity",
        ),
        ({"seed_document_ids": ("a",)}, "1 named match"),
        ({"use_relationships": False}, "relationships off"),
    ],
)
def test_a_draft_says_what_it_changes(make_run: Any, changes: dict[str, Any], words: str) -> None:
    run = make_run(["a", "b"], ["x"], EDGES[:1])
    parts = draft_parts(run, _asking(run, **changes), TYPES)
    said = ", ".join(part.text for part in parts)
    assert said.startswith(words)
    assert bool(said) == bool(words)


@pytest.mark.parametrize(
    ("limits", "changes", "words"),
    [
        ({"max_expanded": 9}, {"max_expanded": 9}, "related documents auto → 9"),
        ({"max_seeds": 9}, {"max_seeds": 9}, "matches auto → 9"),
        (
            {"max_seeds": 9, "max_expanded": 9},
            {"max_seeds": 9, "max_expanded": 9},
            "matches auto → 9, related documents auto → 9",
        ),
        ({}, {"max_expanded": 1}, ""),
        (
            {},
            {"find_names": False, "max_linked_percent": 50},
            "names in the question on → off, hub limit 25 → 50",
        ),
    ],
)
def test_seeds_and_related_places_are_two_inputs_and_said_where_the_plan_follows_them(
    make_run: Any, limits: dict[str, Any], changes: dict[str, Any], words: str
) -> None:
    draft = make_run(["a", "b"], ["x"], EDGES[:1], **limits)
    parts = draft_parts(make_run(["a", "b"], ["x"], EDGES[:1]), _asking(draft, **changes), TYPES)
    assert ", ".join(part.text for part in parts) == words


def test_what_the_bar_only_counts_is_named_in_its_detail(without_z: Comparison) -> None:
    (part,) = draft_parts(without_z.a.run, without_z.b.run, TYPES)
    assert part.detail == "Title b —references→ Title z"


def test_the_bar_counts_what_leaves_what_enters_and_the_tokens(without_z: Comparison) -> None:
    assert [(chip.sign, chip.text) for chip in chips(without_z)] == [
        ("left", "1 document"),
        ("added", "1 document"),
        ("left", "1 passage"),
        ("added", "2 passages"),
        ("", "67 tokens, +7"),
    ]
    assert counts_sentence(without_z) == "4 unchanged, 1 removed, 2 added"


# ---------------------------------------------------------------- the picture


def _drawn(comparison: Comparison) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Nodes of the base, nodes of the draft, lines of the draft, by id."""
    where = arrangement_of(comparison.a.run)
    data = plan_graph(comparison.b.run, GraphOptions(draft=draft_marks(comparison, where, TYPES))).data
    base = {n["id"]: n for n in plan_graph(comparison.a.run).data["nodes"]}
    return base, {n["id"]: n for n in data["nodes"]}, {e["id"]: e for e in data["edges"]}


def test_who_leaves_stays_in_its_row_with_the_reason_and_its_edge_is_struck(without_z: Comparison) -> None:
    base, nodes, lines = _drawn(without_z)
    ghost = nodes[node_id("z")]
    assert (ghost["change"], ghost["y"]) == ("left", base[node_id("z")]["y"])
    assert ghost["meta"] == ("removed: its only relationship is off", "−12 tok")
    assert lines[edge_id(OFF)]["change"] == "off"
    assert (nodes[node_id("w")]["change"], nodes[node_id("w")]["badge"]) == ("added", "added")
    assert lines[edge_id(("b", "explains", "w"))]["change"] == "added"
    assert "change" not in nodes[node_id("x")]


def test_a_list_says_which_relationships_a_draft_switches_off_or_brings(without_z: Comparison) -> None:
    marks = draft_marks(without_z, arrangement_of(without_z.a.run), TYPES)
    changes = {
        lead["id"]: lead.get("change") for lead in plan_graph(without_z.b.run, GraphOptions(draft=marks)).data["leads"]
    }
    assert changes[edge_id(OFF)] == "off"
    assert changes[edge_id(("b", "explains", "w"))] == "added"
    assert changes[edge_id(EDGES[0])] is None


def test_an_off_edge_of_a_document_that_stays_keeps_its_line(make_run: Any) -> None:
    base = make_run(["a", "b"], ["x", "y"], [EDGES[0], EDGES[1], EDGES[3]])
    draft = make_run(["a", "b"], ["x", "y"], EDGES[:2])
    comparison = _compared(base, _asking(draft, overrides=Overrides(without_edges=(EDGES[3],))))
    before = {e["id"]: e["route"] for e in plan_graph(base).data["edges"] if e["kind"] == "edge"}
    _, _, lines = _drawn(comparison)
    assert {i: line["route"] for i, line in lines.items() if line["kind"] == "edge"} == before
    (reason,) = off_reasons(comparison, "x", {}, TYPES)
    assert (reason.off, reason.via) == ("edge", "decision_for")


def test_a_document_that_changes_lane_says_where_it_was(make_run: Any) -> None:
    base = make_run(["a", "b"], ["x"], [EDGES[0]])
    draft = _asking(make_run(["x", "a"], ["y"], [EDGES[1]]), overrides=Overrides(added_seed_ids=("x",)))
    _, nodes, _ = _drawn(_compared(base, draft))
    assert nodes[node_id("x")]["badge"] == "was related"
    assert nodes[node_id("b")]["change"] == "left"


@given(st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1), st.sets(st.sampled_from("abcdefghij")))
@settings(max_examples=60, deadline=None)
def test_whoever_is_in_both_pictures_stands_at_the_same_place(make_run: Any, before: list[str], out: set[str]) -> None:
    after = [i for i in before if i not in out] + sorted(out - set(before))
    edges = [("s", "explains", i) for i in "abcdefghij"]
    base, nodes, _ = _drawn(_compared(make_run(["s"], before, edges), make_run(["s"], after, edges)))
    assert set(base) <= set(nodes)
    assert all(nodes[i]["y"] == base[i]["y"] for i in base)
    assert len({(n["x"], n["y"]) for n in nodes.values()}) == len(nodes), "nobody stands on another one"


# ---------------------------------------------------------------- inspector, evidence, tables


def test_the_panel_says_why_a_document_leaves_and_what_moves(without_z: Comparison) -> None:
    found = leaving_document(without_z, node_id("z"), {}, TYPES)
    assert found is not None
    assert found.why == "Removed: 1 of 1 reason is off"
    assert found.facts == "Base: related, position 5 of 5, 1 passage, 12 tokens. Draft: not in the plan"
    assert [m.sign for m in found.moves] == ["left", "added", "added", "kept"]
    assert found.moves == moves(without_z, "z")
    assert leaving_document(without_z, node_id("x"), {}, TYPES) is None
    assert first_change(without_z) == node_id("z")
    assert set(leaving_ids(without_z)) == {node_id("z"), edge_id(OFF)}


def test_an_edge_that_is_off_says_so_and_that_nothing_is_written(without_z: Comparison) -> None:
    found = leaving_edge(without_z, edge_id(OFF), {}, TYPES)
    assert found is not None
    assert found.note == (
        "Switched off in this draft. Its target drops out of the plan. The stored relationship is unchanged."
    )


def test_only_changes_shows_changed_chunks_and_counts_the_kept_ones(without_z: Comparison) -> None:
    cards = {card.document_id: card for card in draft_cards(without_z, only_changes=True)}
    assert list(cards) == ["z", "x", "w"]
    assert (cards["z"].change, [line.change for line in cards["z"].lines]) == ("left", ["left"])
    assert ([line.change for line in cards["x"].lines], cards["x"].hidden) == (
        ["added"],
        "1 of 2 passages is unchanged and hidden",
    )
    assert cards["w"].note == "Added by this draft"
    everything = draft_cards(without_z, only_changes=False)
    assert [card.document_id for card in everything] == ["z", "a", "b", "x", "y", "w"]


def test_the_tables_of_a_draft_hold_what_leaves(without_z: Comparison) -> None:
    documents, edges = document_table(without_z.b.run, without_z), edge_table(without_z.b.run, without_z)
    assert [row["change"] for row in documents.rows] == ["unchanged"] * 4 + ["+ added", "− removed"]
    assert documents.rows[-1]["position"] is None
    assert edges.rows[-1]["effect"] == "not followed"
    assert {*documents.ids, *edges.ids} >= set(leaving_ids(without_z))


# ---------------------------------------------------------------- steps and addresses


def test_every_step_of_a_what_if_can_be_taken_back() -> None:
    plain = RetrievalRequest(query="q")
    off = steps.without_edge(plain, OFF)
    assert off is not None
    assert off_by(off, OFF, TYPES) == "edge"
    assert steps.with_edge(off, OFF, TYPES) == plain
    by_type = plain.model_copy(update={"relation_types": ("decision_for", "explains")})
    assert steps.with_edge(by_type, OFF, TYPES) == plain
    added = steps.add_seed(plain, "x")
    assert added is not None
    assert steps.drop_seed(added, "x") == plain
    dropped = steps.drop_seed(plain, "a")
    assert dropped is not None
    assert steps.keep_seed(dropped, "a") == plain
    assert steps.without_edge(off, OFF) is None, "it is off already"


def test_a_remedy_that_names_seeds_adds_one_and_replaces_none() -> None:
    step = steps.as_step(RetrievalRequest(query="q"), {"seed_document_ids": ["a", "x"]})
    assert step is not None
    assert (step.overrides.added_seed_ids, step.seed_document_ids) == (("x",), ())


@given(
    st.builds(
        RetrievalRequest,
        query=st.just("why?"),
        max_documents=st.none() | st.integers(1, 100),
        relation_types=st.none() | st.lists(st.sampled_from(TYPES), unique=True).map(tuple),
        overrides=st.builds(
            Overrides, without_edges=st.lists(st.tuples(*[st.sampled_from(["a|b", "x%7C", "ä &=?"])] * 3)).map(tuple)
        ),
    )
)
@settings(max_examples=60, deadline=None)
def test_a_request_survives_as_the_name_of_a_base_and_packed_in_a_link(request_: RetrievalRequest) -> None:
    assert request_at(text_of(request_), "why?") == request_
    link = packed(inputs_of(request_), "harbor")
    assert set(link) == {PACKED, WORKSPACE}
    assert request_of(unpacked(link)) == request_


def test_types_that_overrides_hide_are_written_as_a_choice_of_types() -> None:
    hidden = RetrievalRequest(query="q", overrides=Overrides(without_types=("explains",)))
    assert steps.with_types_named(hidden, TYPES).relation_types == ("decision_for", "references")
    assert not steps.with_types_named(hidden, TYPES).overrides


def test_the_facts_of_a_frozen_run_name_its_what_ifs() -> None:
    asked = RetrievalRequest(query="q", max_fan_out=9, overrides=Overrides(without_edges=(OFF,)))
    facts = dict(input_facts(asked))
    assert (facts["Documents in total"], facts["Related per match"], facts["Draft"]) == (
        "6",
        "9",
        "1 relationship off",
    )

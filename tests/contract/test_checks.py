"""Every check keeps the promises of the shipped suite, and the suite notices one that does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest

from docgraph import plugins
from docgraph.domain.edit import Edit
from docgraph.domain.finding import Finding, Severity
from docgraph.ports import Outcome, RelationshipGraph
from docgraph.testing.examples.checks import graph_of
from docgraph.testing.suites.checks import apply, check_check, edited

CHAIN = graph_of(
    {(f"d-{i}", "supersedes", f"d-{i + 1}") for i in range(40)}
    | {("d-40", "supersedes", "d-0")}
    | {("d-1", "references", f"d-{i}") for i in range(40)}
)


@pytest.mark.parametrize("name", plugins.available("checks"))
def test_every_check_keeps_every_promise(name: str) -> None:
    check_check(plugins.build("checks", name), graphs=(CHAIN,))


@pytest.mark.parametrize("name", plugins.available("checks"))
def test_a_check_is_called_as_its_file(name: str) -> None:
    assert plugins.build("checks", name).check_id == name


Find = Callable[[RelationshipGraph], Outcome]


@dataclass(frozen=True)
class Broken:
    look: Find
    check_id: str = "broken"
    title: str = "Broken"
    severity: Severity = "error"
    why: str = "It is broken."
    unit: str = "relationships"
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        return self.look(graph)


def _selves(graph: RelationshipGraph, **fields: Any) -> list[Finding]:
    return [
        Finding.about("broken", "error", "It points at itself.", relationships=(edge.key,), **fields)
        for edge in graph.relationships
        if edge.from_document_id == edge.to_document_id
    ]


def _all(graph: RelationshipGraph, findings: list[Finding]) -> Outcome:
    return Outcome(len(graph.relationships), findings)


def _one(graph: RelationshipGraph, **fields: Any) -> Outcome:
    about = {"relationships": tuple(edge.key for edge in graph.relationships[:1])} | fields
    return _all(graph, [Finding.about("broken", "error", "Said.", **about)] if graph.relationships else [])


def _fixed(action: Any, **fields: Any) -> Find:
    def look(graph: RelationshipGraph) -> Outcome:
        found = _selves(graph)
        return _all(
            graph,
            [f.model_copy(update={"fix": (Edit(action=action, key=f.relationships[0], **fields),)}) for f in found],
        )

    return look


_ticks = count()

BROKEN: list[tuple[Broken, str]] = [
    (Broken(lambda g: Outcome(1)), "empty graph was counted"),
    (Broken(lambda g: _all(g, _selves(g) * 2)), "two findings have one id"),
    (Broken(lambda g: Outcome(0, _selves(g))), "findings of 0"),
    (Broken(lambda g: Outcome(10 * len(g.relationships))), "were looked at"),
    (Broken(lambda g: Outcome(0)), "no word why"),
    (Broken(lambda g: Outcome(len(g.relationships), skipped="no")), "skipped, and yet"),
    (Broken(lambda g: _one(g, evidence=str(next(_ticks)))), "equal input, other output"),
    (Broken(_one), "order of the input"),
    (Broken(lambda g: _one(g, relationships=(("a", "b", "c"),))), "relationships that are not there"),
    (Broken(lambda g: _one(g, relationships=(), document_ids=("nobody",))), "documents that nothing names"),
    (Broken(lambda g: _one(g, relationships=())), "about nothing"),
    (Broken(lambda g: _all(g, _selves(g)), check_id="other"), "not of 'other'"),
    (Broken(lambda g: _one(g, relationships=(), relation_types=(f"t{len(g.documents)}",))), "a stranger changes"),
    (Broken(_fixed("accept")), "not settled"),
    (Broken(_fixed("retarget", to_document_id="nobody")), "not stored"),
    (Broken(_fixed("add")), "there already"),
    (Broken(_fixed("flip")), "there already"),
    (Broken(lambda g: Outcome(0), severity="bad"), "severity 'bad'"),  # type: ignore[arg-type]
    (Broken(lambda g: Outcome(0), why="two\nlines"), "one line"),
    (Broken(lambda g: Outcome(0), parameters={"a b": 1}), "is no name"),
    (Broken(lambda g: Outcome(0), parameters={"a": None}), "no default"),
]


@pytest.mark.parametrize(("check", "promise"), BROKEN, ids=[promise for _, promise in BROKEN])
def test_a_check_that_breaks_a_promise_is_told_which(check: Broken, promise: str) -> None:
    with pytest.raises(AssertionError, match=promise):
        check_check(check)


def test_a_check_that_keeps_them_passes() -> None:
    check_check(Broken(_fixed("remove")))


def test_edits_are_applied_in_their_order() -> None:
    graph = graph_of([("a", "explains", "b"), ("c", "explains", "d")])
    edits = (
        Edit(action="flip", key=("a", "explains", "b")),
        Edit(action="retype", key=("b", "explains", "a"), relation_type="references"),
        Edit(action="retarget", key=("b", "references", "a"), to_document_id="d"),
        Edit(action="add", key=("a", "explains", "d")),
        Edit(action="remove", key=("c", "explains", "d")),
        Edit(action="accept", key=("a", "explains", "d")),
    )
    after = edited(graph, edits)
    assert [edge.key for edge in after.relationships] == [("a", "explains", "d"), ("b", "references", "d")]
    assert after.reviewed == {("a", "explains", "d"): ("hash-a", "hash-d")}
    assert [edge.key for edge in graph.relationships] == [("a", "explains", "b"), ("c", "explains", "d")]


def test_an_edit_of_what_is_not_there_is_refused() -> None:
    with pytest.raises(AssertionError, match="not there"):
        apply((), [Edit(action="remove", key=("a", "b", "c"))])

"""How many saved questions depend on a finding, the order of the queue, and findings that somebody ignored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.curation.checking import check_graph
from docgraph.curation.effect import Effect
from docgraph.domain.curation import Dismissal
from docgraph.domain.edit import Edit
from docgraph.domain.finding import SEVERITIES, CheckReport, Finding, Severity
from docgraph.domain.workspace import EmbedderInfo, Workspace
from docgraph.ports import Outcome, Reach, RelationshipGraph
from docgraph.testing.examples.checks import graph_of, stored

HERE = Workspace(name="here", embedder=EmbedderInfo(name="letters", dimension=4), revision="r1")
IDS = ("a", "b", "c", "d")
KEYS = tuple((start, via, end) for start in IDS for via in ("explains", "cites") for end in (*IDS, "gone"))
AB, AC = ("a", "explains", "b"), ("a", "explains", "c")


def about(*keys: tuple[str, str, str], severity: Severity = "info", fix: Sequence[Edit] = ()) -> Finding:
    return Finding.about("given", severity, "There.", relationships=keys, fix=tuple(fix))


def asked(*reach: Reach) -> RelationshipGraph:
    return graph_of([AB, AC], documents=IDS, reach=reach)


SEES_B = Reach(consulted=frozenset("a"), planned=frozenset("ab"), fired=frozenset([AB]))
SEES_NOTHING = Reach(consulted=frozenset("a"), planned=frozenset("a"))
ELSEWHERE = Reach(consulted=frozenset("d"), planned=frozenset("d"))


@pytest.mark.parametrize(
    ("finding", "n"),
    [
        (about(AB), 1),
        (about(AC), 0),
        (about(AB, AC), 1),
        (about(), 0),
        (about(AC, fix=[Edit(action="remove", key=AC)]), 0),
        (about(AC, fix=[Edit(action="accept", key=AC)]), 0),
        (about(AC, fix=[Edit(action="retype", key=AC, relation_type="cites")]), 2),
        (about(AC, fix=[Edit(action="retarget", key=AC, to_document_id="b")]), 1),
        (about(AC, fix=[Edit(action="retarget", key=AC, to_document_id="gone")]), 0),
        (about(AC, fix=[Edit(action="flip", key=AC)]), 0),
        (about(AB, fix=[Edit(action="remove", key=AB), Edit(action="add", key=("d", "cites", "b"))]), 2),
        (about(AB, fix=[Edit(action="retype", key=AB, relation_type="cites")]), 2),
    ],
)
def test_a_question_counts_once_where_a_relationship_fires_or_one_that_the_fix_makes_could(
    finding: Finding, n: int
) -> None:
    assert Effect(asked(SEES_B, SEES_NOTHING, ELSEWHERE)).n_questions(finding) == n


def by_hand(finding: Finding, graph: RelationshipGraph) -> int:
    """The same, question by question, without an index."""
    made = [e.result for e in finding.fix if e.action != "accept" and e.result is not None]
    return sum(
        any(key in q.fired for key in finding.relationships)
        or any(k[0] in q.consulted and k[2] in graph.documents and k[2] not in q.planned for k in made)
        for q in graph.reach
    )


keys = st.sampled_from(KEYS)
edits = st.one_of(
    st.builds(lambda key, action: Edit(action=action, key=key), keys, st.sampled_from(["add", "remove", "flip"])),
    st.builds(lambda key, end: Edit(action="retarget", key=key, to_document_id=end), keys, st.sampled_from(IDS)),
)
findings = st.builds(
    lambda there, severity, fix: about(*there, severity=severity, fix=fix),
    st.lists(keys, max_size=3, unique=True),
    st.sampled_from(SEVERITIES),
    st.lists(edits, max_size=3),
)
ids = st.frozensets(st.sampled_from(IDS))
reaches = st.lists(st.builds(Reach, consulted=ids, planned=ids, fired=st.frozensets(keys, max_size=6)), max_size=5)


@dataclass(frozen=True)
class Given:
    found: Sequence[Finding]
    check_id: str = "given"
    severity: Severity = "warning"
    title: str = "Given"
    why: str = "It is there."
    unit: str = "relationships"
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        return Outcome(len(self.found), self.found)


def report(graph: RelationshipGraph, found: Sequence[Finding], *dismissals: Dismissal) -> CheckReport:
    return check_graph(graph, [Given(found)], {}, workspace=HERE, dismissals=dismissals)


@given(st.lists(findings, max_size=8, unique_by=lambda f: f.finding_id), reaches)
def test_the_queue_goes_by_effect_then_by_severity_and_loses_nothing(found: list[Finding], reach: list[Reach]) -> None:
    graph = asked(*reach)
    queue = report(graph, found).queue
    assert {f.finding_id: f.n_questions for f in queue} == {f.finding_id: by_hand(f, graph) for f in found}
    ranks = [(-f.n_questions, SEVERITIES.index(f.severity)) for f in queue]
    assert ranks == sorted(ranks)
    assert queue == report(graph, found[::-1]).queue


# ---------------------------------------------------------------- ignored


def ignored(finding: Finding, **hashes: str) -> Dismissal:
    return Dismissal(
        subject_id=finding.finding_id,
        kind="finding",
        source=finding.check_id,
        sentence=finding.sentence,
        relationships=finding.relationships,
        content_hashes=hashes,
        by="Ann",
        at="2026-01-01T00:00:00Z",
        reason="Fine.",
    )


def test_an_ignored_finding_is_put_aside_and_counts_no_more() -> None:
    here = about(AB, severity="error")
    dismissal = ignored(here, a="hash-a", b="hash-b")
    seen = report(asked(SEES_B), [here, about(AC)], dismissal)
    assert [f.relationships for f in seen.queue] == [(AC,)]
    assert (seen.count("error"), seen.results[0].n_checked) == (0, 2)
    assert [(i.finding.finding_id, i.finding.n_questions, i.dismissal) for i in seen.ignored] == [
        (here.finding_id, 1, dismissal)
    ]


@pytest.mark.parametrize("changed", ["a", "b", "c"])
def test_it_is_open_again_when_one_of_its_texts_changes_and_stays_aside_when_another_does(changed: str) -> None:
    here = about(AB)
    graph = asked()
    texts = {**graph.documents, changed: stored(changed, content_hash="another")}
    seen = report(replace(graph, documents=texts), [here], ignored(here, a="hash-a", b="hash-b"))
    if changed == "c":
        assert (seen.findings, len(seen.ignored)) == ((), 1)
        return
    [again] = seen.queue
    assert (again.dismissal is not None, [d.title for d in again.texts_changed]) == (True, [changed.title()])
    assert seen.ignored == ()


def test_a_document_that_is_deleted_or_comes_back_changes_the_text_too() -> None:
    dangling = about(("a", "explains", "gone"))
    dismissal = ignored(dangling, a="hash-a", gone="")
    assert report(asked(), [dangling], dismissal).ignored
    back = {**asked().documents, "gone": stored("gone", title="Back")}
    [again] = report(replace(asked(), documents=back), [dangling], dismissal).queue
    assert [d.title for d in again.texts_changed] == ["Back"]
    assert report(asked(), [about(AB)], ignored(about(AB), zz="hash")).queue[0].texts_changed[0].title == "zz"


def test_a_rejected_suggestion_of_the_same_id_puts_no_finding_aside() -> None:
    here = about(AB)
    assert report(asked(), [here], ignored(here).model_copy(update={"kind": "suggestion"})).queue == (here,)

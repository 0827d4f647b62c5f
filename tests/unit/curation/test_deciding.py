"""Findings by cause: each in exactly one decision, the same whatever their order, counted once, settled at once."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph import plugins
from docgraph.curation.checking import check_graph
from docgraph.curation.deciding import decide
from docgraph.domain.curation import Dismissal
from docgraph.domain.finding import Cause, CheckReport
from docgraph.domain.imports.fields import owner_of
from docgraph.domain.workspace import EmbedderInfo, Workspace
from docgraph.plugins.checks.ends.missing_endpoint import build
from docgraph.ports import Check, RelationshipGraph
from docgraph.testing.examples.checks import faulty_graph, graph_of
from docgraph.testing.suites.checks import edited

HERE = Workspace(name="w", embedder=EmbedderInfo(name="e", dimension=1), revision="r", n_documents=1)


def report_on(graph: RelationshipGraph, *checks: Check, **how: Any) -> CheckReport:
    return check_graph(graph, checks or (build(),), {}, workspace=HERE, **how)


def lost(*starts: str, target: str = "gone", via: str = "links_to") -> RelationshipGraph:
    return graph_of([(each, via, target) for each in starts], documents=[*starts, "there"])


def every_check() -> list[Check]:
    return [plugins.build("checks", name) for name in plugins.available("checks")]


def test_one_missing_target_is_one_decision_with_all_its_findings() -> None:
    report = report_on(lost("a", "b", "c"))
    (decision,) = report.decisions
    assert (decision.cause, decision.n_findings, decision.label) == ("target", 3, "3 × gone")
    assert {f.finding_id for f in report.findings_of(decision)} == {f.finding_id for f in report.findings}
    assert [edit.key[0] for edit in report.fix_of(decision)] == ["a", "b", "c"]


def test_a_finding_alone_is_decided_alone_under_its_own_id() -> None:
    report = report_on(lost("a"))
    (decision,) = report.decisions
    assert (decision.cause, decision.decision_id) == ("finding", report.findings[0].finding_id)


def test_every_finding_of_a_graph_full_of_faults_is_in_exactly_one_decision() -> None:
    report = report_on(faulty_graph(), *every_check())
    assert len(report.findings) > 30
    ids = [each for decision in report.decisions for each in decision.finding_ids]
    assert sorted(ids) == sorted(f.finding_id for f in report.findings)
    assert len({d.decision_id for d in report.decisions}) == len(report.decisions) < len(ids)
    for decision in report.decisions:
        assert {(f.check_id, f.severity) for f in report.findings_of(decision)} == {
            (decision.check_id, decision.severity)
        }


@given(st.randoms())
def test_the_order_of_findings_and_results_changes_nothing(shuffled: Any) -> None:
    graph = faulty_graph()
    results = list(report_on(graph, *every_check()).results)
    causes: dict[str, tuple[Cause, ...]] = {r.check_id: ("target", "types") for r in results}
    straight = decide(results, graph, causes=causes)
    turned = []
    for result in results:
        findings = list(result.findings)
        shuffled.shuffle(findings)
        turned.append(result.model_copy(update={"findings": tuple(findings)}))
    shuffled.shuffle(turned)
    assert decide(turned, graph, causes=causes) == straight


def test_the_fix_of_a_decision_can_be_applied_whole_and_settles_it() -> None:
    graph = faulty_graph()
    report = report_on(graph, *every_check())
    fixed = [d for d in report.decisions if d.cause != "finding" and report.fix_of(d)]
    assert fixed
    for decision in fixed:
        later = report_on(edited(graph, report.fix_of(decision)), *every_check())
        assert not set(decision.finding_ids) & {f.finding_id for f in later.findings}, decision


def test_a_relationship_is_edited_once_and_none_is_made_twice() -> None:
    keys = [("a", "links_to", "ADR_1"), ("a", "links_to", "Adr-1")]
    report = report_on(graph_of(keys, documents=["a", "adr-1"]))
    (decision,) = report.decisions
    assert decision.cause == "repair"
    first, second = report.fix_of(decision)
    assert (first.action, first.result) == ("retarget", ("a", "links_to", "adr-1"))
    assert (second.action, {first.key, second.key}) == ("remove", set(keys))


def test_a_new_finding_of_an_ignored_cause_is_a_new_decision() -> None:
    before = report_on(lost("a", "b"))
    dismissals = [
        Dismissal(
            subject_id=f.finding_id,
            kind="finding",
            content_hashes={f.document_ids[0]: f"hash-{f.document_ids[0]}"},
            by="Ann",
            at="2026-11-22T00:00:00Z",
            reason="known",
        )
        for f in before.findings_of(before.decisions[0])
    ]
    assert not report_on(lost("a", "b"), dismissals=dismissals).decisions
    (new,) = report_on(lost("a", "b", "c"), dismissals=dismissals).decisions
    assert (new.cause, new.n_findings) == ("finding", 1)


def test_a_question_that_depends_on_two_findings_counts_once() -> None:
    keys = [("a", "links_to", "gone"), ("b", "links_to", "gone")]
    graph = graph_of(keys, documents=["a", "b"], n_questions=3, fired={keys[0]: 3, keys[1]: 2})
    (decision,) = report_on(graph).decisions
    assert decision.n_questions == 3


def test_an_id_stays_while_its_class_grows_and_texts_of_others_change() -> None:
    small, large = (report_on(lost(*starts)).decisions[0] for starts in ("ab", "abcd"))
    assert small.decision_id == large.decision_id


def test_a_folder_of_which_nothing_is_stored_is_one_decision_and_no_error() -> None:
    graph = graph_of(
        [("docs/a", "links_to", "assets/x"), ("docs/b", "links_to", "assets/y"), ("docs/b", "links_to", "docs/z")],
        documents=["docs/a", "docs/b"],
    )
    report = report_on(graph)
    assert [(d.cause, d.severity, d.n_findings) for d in report.decisions] == [
        ("finding", "error", 1),
        ("folder", "info", 2),
    ]


def test_only_and_without_keep_findings_and_decisions_together() -> None:
    report = report_on(lost("a", "b", "c"))
    rest = report.without({report.findings[0].finding_id})
    assert [d.n_findings for d in rest.decisions] == [2] == [len(rest.findings)]
    assert not report.without({f.finding_id for f in report.findings}).decisions
    assert not report.only(()).decisions
    assert report.only(["missing_endpoint"]).decisions == report.decisions


@pytest.mark.parametrize(
    ("metadata", "owner"),
    [
        ({"author": "Ann"}, "Ann"),
        ({"authors": ["@a", "@b"]}, "@a"),
        ({"header": {"Author": "Guido"}}, "Guido"),
        ({"owning-sig": "sig-node"}, "sig-node"),
        ({"author": 7}, ""),
        ({}, ""),
    ],
)
def test_an_owner_is_read_from_the_metadata_or_the_header(metadata: dict[str, Any], owner: str) -> None:
    assert owner_of(metadata) == owner


def navigation(*, n: int = 40, links: int = 5) -> list[tuple[str, str, str]]:
    """Pages that all link to the first ones of them; every second one has a licence besides."""
    pages = [f"page-{number:02}" for number in range(n)]
    keys = [(page, "links_to", target) for page in pages for target in pages[:links] if page != target]
    return keys + [(page, "links_to", "licence") for page in pages[::2]]


def test_a_navigation_that_every_page_repeats_is_one_decision_and_a_licence_another() -> None:
    """A manual of 63 pages gave 63 decisions, one for each page that its navigation leads to."""
    graph = graph_of(navigation())
    report = report_on(graph, plugins.build("checks", "boilerplate_target"))
    assert {(d.cause, d.label) for d in report.decisions} == {
        ("block", "195 × Page 00 and 4 more"),
        ("target", "20 × Licence"),
    }
    block = next(d for d in report.decisions if d.cause == "block")
    fix = report.fix_of(block)
    assert {(edit.action, edit.key[2]) for edit in fix} == {("remove", f"page-0{n}") for n in range(5)}
    left = report_on(edited(graph, fix), plugins.build("checks", "boilerplate_target"))
    assert [d.cause for d in left.decisions] == ["target"]


def test_a_navigation_with_a_page_more_is_the_same_decision() -> None:
    check = plugins.build("checks", "boilerplate_target")
    ids = [
        {d.decision_id for d in report_on(graph_of(navigation(n=n, links=links)), check).decisions}
        for n, links in ((40, 5), (41, 5), (41, 6))
    ]
    assert ids[0] == ids[1] == ids[2]

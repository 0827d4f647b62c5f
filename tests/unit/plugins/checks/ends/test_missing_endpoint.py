"""Relationships to what is not stored, and of a document with itself."""

from __future__ import annotations

import pytest

from docgraph import plugins
from docgraph.domain.finding import Finding
from docgraph.testing.examples.checks import graph_of, stored
from docgraph.testing.suites.checks import found

MISSING, SELF = (plugins.build("checks", name) for name in ("missing_endpoint", "self_link"))


def _towards(target: str, *documents: str, title: str | None = None, keys: tuple[str, ...] = ()) -> Finding:
    """What is found about a relationship from ``start`` to ``target`` beside ``documents``."""
    there = [stored(each, title=title or each) for each in documents]
    edges = [("start", "explains", each) for each in (target, *keys)]
    [finding] = found(MISSING, graph_of(edges, documents=["start", *there])).findings
    return finding


def test_a_relationship_to_a_stored_document_misses_nothing() -> None:
    outcome = found(MISSING, graph_of([("a", "explains", "b")]))
    assert (outcome.n_checked, outcome.findings) == (1, ())


def test_a_target_like_no_other_is_proposed_to_be_removed() -> None:
    finding = _towards("runbook-worker-restart", "runbook-queue-depth", "adr-1")
    assert finding.sentence == "Start —explains→ runbook-worker-restart: there is no document runbook-worker-restart"
    assert (finding.severity, finding.document_ids, finding.fix[0].action) == ("error", ("start",), "remove")


@pytest.mark.parametrize(
    ("target", "meant"),
    [
        ("api-terminal-manifest-v2", "api-terminal-manifests-v2"),  # a letter is missing
        ("api-terminal-manfiests-v2", "api-terminal-manifests-v2"),  # two are exchanged
        ("ADR_013", "adr-013"),  # case and separators
        ("adr-13", "adr-013"),  # leading zeros
        ("adr-013-terminal-pull", "adr-013"),  # renamed behind its number
        ("adr-013", "adr-013-terminal-pull"),
        ("old/place/retry-budget.md", "new/place/retry-budget"),  # moved
    ],
)
def test_a_target_that_is_close_to_one_stored_document_is_pointed_there(target: str, meant: str) -> None:
    finding = _towards(target, meant, "adr-014-other", "api-other-v2")
    [fix] = finding.fix
    assert (fix.action, fix.to_document_id) == ("retarget", meant)
    assert f"most likely {meant} ({meant}) is meant" in finding.sentence


def test_a_title_is_as_good_as_an_id() -> None:
    assert _towards("Queue depth alarm", "rb-7", title="Queue Depth Alarm").fix[0].to_document_id == "rb-7"


@pytest.mark.parametrize(
    ("target", "documents"),
    [
        ("adr-015", ("adr-014", "adr-016")),  # other numbers are other documents
        ("api-v3", ("api-v2",)),
        ("queue-depth-alarms", ("queue-depth-alarm-", "queue-depth-alarm_")),  # two are as close
        ("postmortem-2026-04", ("postmortem-2026-03-storm",)),  # a year is no number of a document
        ("a/index.md", ("b/index.md",)),  # every folder has one
        ("ab", ("abc",)),
    ],
)
def test_without_one_close_document_nothing_is_guessed(target: str, documents: tuple[str, ...]) -> None:
    assert _towards(target, *documents).fix[0].action == "remove"


def test_where_the_right_relationship_is_there_already_the_wrong_one_goes() -> None:
    finding = _towards("adr-013-old-name", "adr-013", keys=("adr-013",))
    assert finding.fix[0].action == "remove"
    assert "that relationship is there already" in finding.sentence


def test_a_start_that_is_not_stored_is_found_too() -> None:
    [finding] = found(MISSING, graph_of([("gone", "explains", "b")], documents=["b"])).findings
    assert (finding.document_ids, finding.fix[0].action) == (("b",), "remove")


def test_a_name_in_running_text_alone_is_only_an_info() -> None:
    [finding] = found(MISSING, graph_of([("a", "mentions", "pep-9876")], documents=["a"])).findings
    assert finding.severity == "info"


@pytest.mark.parametrize(
    ("via", "target", "is_found"),
    [
        ("mentions", "pep-0007", True),
        ("mentions", "pep-9876", False),
        ("mentions", "pep-0000", False),
        ("mentions", "rfc-9876", True),
        ("requires", "pep-9876", True),
    ],
)
def test_a_number_in_running_text_outside_of_its_series_names_no_document(
    via: str, target: str, is_found: bool
) -> None:
    graph = graph_of([("a", via, target)], documents=["a", "pep-0001", "pep-0008", "pep-0020"])
    assert len(found(MISSING, graph).findings) == is_found


def test_the_text_that_names_the_target_is_the_evidence() -> None:
    graph = graph_of([("a", "explains", "gone")], documents=["a"], texts={"explains": "as <b>gone</b> says"})
    assert found(MISSING, graph).findings[0].evidence == "as <b>gone</b> says"


def test_a_document_that_points_at_itself_is_found_and_removed() -> None:
    outcome = found(SELF, graph_of([("a", "explains", "a"), ("a", "explains", "b")]))
    [finding] = outcome.findings
    assert (outcome.n_checked, finding.relationships) == (2, (("a", "explains", "a"),))
    assert [edit.action for edit in finding.fix] == ["remove"]


def test_two_documents_are_no_self_link() -> None:
    assert not found(SELF, graph_of([("a", "explains", "b"), ("b", "explains", "a")])).findings

"""What stands of a decision follows from what was said of it, also after its class has changed."""

from __future__ import annotations

import pytest

from docgraph.boundary.signatures import checked_day
from docgraph.domain.curation import TriageEntry, n_decided, triage_of
from docgraph.domain.finding import CheckReport, Decision
from docgraph.errors import UserError


def decision(name: str, *findings: str, owners: tuple[str, ...] = ()) -> Decision:
    return Decision(
        decision_id=name, check_id="hub", severity="info", label=name, finding_ids=findings or (name,), owners=owners
    )


def said(n: int, about: str, kind: str, text: str = "", *, findings: tuple[str, ...] = ()) -> TriageEntry:
    return TriageEntry.model_validate(
        {"entry_id": n, "decision_id": about, "kind": kind, "text": text, "finding_ids": findings, "by": "A", "at": "t"}
    )


def test_the_last_word_stands_and_comments_add_up() -> None:
    entries = [
        said(5, "d", "due", "2026-11-30"),
        said(1, "d", "assigned", "Ann"),
        said(3, "d", "assigned", "Ben"),
        said(2, "d", "comment", "first"),
        said(4, "d", "comment", "second"),
        said(6, "other", "assigned", "Eve"),
    ]
    found = triage_of([decision("d")], entries)
    assert found.keys() == {"d"}
    triage = found["d"]
    assert (triage.assignee, triage.due, [each.text for each in triage.comments]) == (
        "Ben",
        "2026-11-30",
        ["first", "second"],
    )
    assert [each.entry_id for each in triage.entries] == [1, 2, 3, 4, 5]
    assert triage_of([decision("d")], [*entries, said(7, "d", "assigned")])["d"].assignee == "", "taken from everybody"


def test_what_was_said_of_a_class_follows_its_last_finding_and_the_other_way_round() -> None:
    of_class = said(1, "class", "assigned", "Ann", findings=("x", "y"))
    assert triage_of([decision("y")], [of_class])["y"].assignee == "Ann", "x is settled"
    of_one = said(1, "x", "assigned", "Ann", findings=("x",))
    assert triage_of([decision("class", "x", "y")], [of_one])["class"].assignee == "Ann", "y came to it"
    assert triage_of([decision("class", "x", "y"), decision("x")], [of_one]).keys() == {"x"}, "its own is open"
    assert triage_of([decision("z")], [of_class]) == {}


def test_decided_counts_what_is_not_open_again() -> None:
    entries = [said(1, "a", "decided"), said(2, "a", "decided"), said(3, "b", "decided"), said(4, "c", "comment", "x")]
    assert n_decided([decision("c")], entries) == 2
    assert n_decided([decision("a")], entries) == 1, "somebody took it back"
    assert triage_of([decision("class", "a", "b")], entries) == {}, "what came to it was not decided"


def test_who_has_a_decision_is_the_assignee_else_its_owners() -> None:
    report = CheckReport(
        workspace="w",
        corpus_revision="r",
        n_documents=0,
        n_relationships=0,
        decisions=(decision("mine", owners=("Ann Lee (@ann)",)), decision("given", owners=("Ann Lee (@ann)",))),
    )
    triaged = report.triaged([said(1, "given", "assigned", "Ben"), said(2, "mine", "due", "2026-11-30")])
    assert [each.decision_id for each in triaged.of_assignee("@ann").decisions] == ["mine"]
    assert [each.decision_id for each in triaged.of_assignee("ben").decisions] == ["given"]
    assert len(triaged.of_owner("ann lee").decisions) == 2
    assert [each.decision_id for each in triaged.due_by("2026-11-30").decisions] == ["mine"]
    assert not triaged.due_by("2026-11-29").decisions
    assert triaged.triaged([]) == report


@pytest.mark.parametrize(("given", "kept"), [("2026-11-30", "2026-11-30"), (" 20261130 ", "2026-11-30"), (" ", "")])
def test_a_day_is_kept_in_one_form(given: str, kept: str) -> None:
    assert checked_day(given) == kept


@pytest.mark.parametrize("given", ["2026-02-30", "30.11.2026", "soon", "\x00", "2026-11-30T10:00"])
def test_no_day_is_refused_with_its_value(given: str) -> None:
    with pytest.raises(UserError) as refused:
        checked_day(given)
    assert repr(given) in str(refused.value)

"""The checks on real data: the sample's deliberate faults and what there is beyond, PEPs, decisions, a vault of notes.

``pytest -rP`` prints the figures of docs/checks.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from docgraph import RetrievalRequest
from docgraph.domain.finding import CheckReport, CheckResult, Rule
from docgraph.domain.overrides import EdgeKey
from tests.integration.question_sets import Library

pytestmark = pytest.mark.timeout(900)
Checked = Callable[[str], CheckReport]

FAULTS: dict[str, set[tuple[str, ...]]] = {
    "missing_endpoint": {
        ("runbook-queue-depth-alarm", "references", "runbook-worker-restart"),
        ("design-port-terminal-sync", "implements", "adr-013-terminal-pull"),
        ("postmortem-2026-03-manifest-gap", "references", "api-terminal-manifest-v2"),
    },
    "look_alike_types": {("explain", "explains"), ("dependson", "depends_on")},
    "duplicate_pair": {
        ("service-gateway", "depends_on", "api-reservations-v3"),
        ("service-gateway", "implements", "api-reservations-v3"),
    },
    "opposite_directions": {
        ("design-hold-lifecycle", "depends_on", "design-fare-quotes"),
        ("design-fare-quotes", "depends_on", "design-hold-lifecycle"),
    },
    "self_link": {("glossary-queue-words", "references", "glossary-queue-words")},
    "ordering_cycle": {("adr-002", "supersedes", "adr-006"), ("adr-006", "supersedes", "adr-002")},
    "unusual_pair": {("adr-012", "explains", "design-payment-reconciliation")},
    "superseded_target": {
        ("guide-client-retries", "references", "api-reservations-v2"),
        ("runbook-hold-leak", "references", "adr-009"),
    },
    "mention_without_edge": {("guide-load-testing", "mentions", "runbook-storm-day")},
    "orphan": {("policy-data-retention",), ("guide-writing-decisions",)},
    "hub": {("guide-on-call-first-week",)},
}
"""Check → what it is to find: the list in docs/sample-data.md, as keys, pairs of types, or ids of documents."""

BEYOND: dict[str, set[tuple[str, ...]]] = {
    "hub": {
        ("design-booking-queue-back-pressure",),
        ("design-sailing-cancellation",),
        ("runbook-payment-webhook-backlog",),
        ("service-booking-queue",),
        ("service-gateway",),
    },
    "edge_without_mention": {("guide-client-retries", "explain", "adr-014")},
}
"""Found and not on that list: five documents that point at four where three are followed, and the look-alike."""


@pytest.fixture(scope="module")
def checked(library: Library) -> Checked:
    known: dict[str, CheckReport] = {}

    def check(name: str) -> CheckReport:
        if name not in known:
            known[name] = library(name).linked.check()
            for each in known[name].results:
                print(f"{name}: {each.check_id}: {len(each.findings)} of {each.n_checked} {each.unit} {each.skipped}")
        return known[name]

    return check


def of(report: CheckReport, check_id: str) -> CheckResult:
    return next(result for result in report.results if result.check_id == check_id)


def subjects(result: CheckResult) -> set[tuple[str, ...]]:
    """What the findings are about: keys of relationships, else pairs of types, else ids of documents."""
    found: set[tuple[str, ...]] = set()
    for finding in result.findings:
        types = {finding.relation_types} if len(finding.relation_types) == 2 and not finding.relationships else set()
        found |= {*finding.relationships} or types or {(each,) for each in finding.document_ids}
    return found


def listed(folder: Path, *types: str) -> list[EdgeKey]:
    lines = (folder / "relations.jsonl").read_text(encoding="utf-8").splitlines()
    return [(r["from"], r["type"], r["to"]) for r in map(json.loads, lines) if r["type"] in types]


# ---------------------------------------------------------------- the sample corpus


@pytest.mark.parametrize("check_id", sorted(FAULTS))
def test_every_deliberate_fault_of_the_sample_is_found(checked: Checked, check_id: str) -> None:
    assert FAULTS[check_id] <= subjects(of(checked("harbor"), check_id))


def test_beyond_the_deliberate_faults_the_sample_has_only_what_is_known(checked: Checked) -> None:
    report = checked("harbor")
    beyond = {r.check_id: subjects(r) - FAULTS.get(r.check_id, set()) for r in report.results}
    assert {check_id: found for check_id, found in beyond.items() if found} == BEYOND


def test_fixes_of_the_sample_are_what_its_authors_meant(checked: Checked) -> None:
    report = checked("harbor")
    findings = (*of(report, "look_alike_types").findings, *of(report, "superseded_target").findings)
    assert sorted(edit.result or () for finding in findings for edit in finding.fix) == [
        ("guide-client-retries", "explains", "adr-014"),
        ("guide-client-retries", "references", "api-reservations-v3"),
        ("runbook-hold-leak", "references", "adr-016"),
        ("service-notifier", "depends_on", "service-sailing-planner"),
    ]


def test_saved_questions_tell_which_relationships_bring_nothing_in(library: Library) -> None:
    corpus = library("harbor")
    opened, saved = corpus.linked, []
    fired: set[EdgeKey] = set()
    try:
        for question in corpus.questions:
            run = opened.run(RetrievalRequest(query=question["query"]))
            saved.append(opened.runs.save(run, name=question["id"]).run_id)
            fired |= {
                (r.from_document_id, r.via, d.document_id) for d in run.plan.expanded_documents for r in d.reasons
            }
        shy = of(opened.check(), "never_fires")
        few = Rule(parameters={"min_fired": 0.1})
        result = of(opened.check({"never_fires": few}), "never_fires")
    finally:
        for run_id in saved:
            opened.runs.delete(run_id, forever=True)
    silent = subjects(result)
    print(f"harbor: never_fires: {len(silent)} of {result.n_checked} over {len(saved)} questions")
    assert shy.skipped == f"the {len(saved)} saved questions reach only {len(fired)} of 128", "too few to judge by"
    assert len(fired) >= 30
    assert not silent & fired
    assert len(silent) + len(fired) == result.n_checked == 128, "132 declared, 3 of them dangling, 1 to itself"
    assert of(opened.check(), "never_fires").skipped == "there are no saved questions, and 10 are needed"


# ---------------------------------------------------------------- PEPs


def test_peps_whose_replaces_and_superseded_by_disagree_are_those_of_their_headers(
    checked: Checked, test_data: Path
) -> None:
    ahead = {(new, old) for new, _, old in listed(test_data / "peps", "replaces")}
    back = {(new, old) for old, _, new in listed(test_data / "peps", "superseded_by")}
    one_sided = {(new, "replaces", old) for new, old in ahead - back}
    one_sided |= {(old, "superseded_by", new) for new, old in back - ahead}
    result = of(checked("peps-small"), "inverse_missing")
    assert subjects(result) == one_sided
    assert (len(ahead), len(back), len(ahead & back), len(one_sided)) == (42, 32, 27, 20)
    assert (len(result.findings), result.n_checked) == (20, 74)


def test_of_the_peps_twenty_point_at_what_no_longer_holds_and_which_kind_replaces_which_is_no_custom(
    checked: Checked,
) -> None:
    report = checked("peps-small")
    assert not of(report, "unusual_pair").findings, "one replaces goes the other way between its kinds, as time has it"
    outdated = of(report, "superseded_target")
    assert (len(outdated.findings), outdated.n_checked) == (20, 236)
    assert {key[1] for key in subjects(outdated)} == {"references"}, "no PEP requires one that no longer holds"
    targets = [edit.to_document_id for finding in outdated.findings for edit in finding.fix]
    assert "pep-0387" in targets
    assert not of(report, "look_alike_types").findings


# ---------------------------------------------------------------- notes and decisions


def test_exactly_the_30_dangling_links_of_the_vault_are_found(checked: Checked, test_data: Path) -> None:
    folder = test_data / "foam-docs"
    lines = (folder / "docs.jsonl").read_text(encoding="utf-8").splitlines()
    notes = {json.loads(line)["id"] for line in lines}
    gone = {(a, via, " ".join(b.split())) for a, via, b in listed(folder, "links_to") if b not in notes}
    result = of(checked("foam-docs"), "missing_endpoint")
    assert subjects(result) == gone
    assert (len(gone), len(result.findings), result.n_checked) == (30, 30, 214)


def test_the_amended_and_superseded_decisions_are_read_as_what_they_are(checked: Checked, test_data: Path) -> None:
    pairs = listed(test_data / "govuk-adrs", "amends", "amended_by", "superseded_by", "supersedes")
    assert sorted(pairs) == [
        ("adr-0004", "superseded_by", "adr-0015"),
        ("adr-0010", "amended_by", "adr-0017"),
        ("adr-0017", "amends", "adr-0010"),
    ]
    report = checked("govuk-adrs")
    found = {result.check_id for result in report.results if result.findings}
    assert found == {"ambiguous_title", "duplicate_pair", "fields_disagree"}
    assert subjects(of(report, "ambiguous_title")) == {("adr-0003",), ("adr-0033",)}
    assert subjects(of(report, "fields_disagree")) == {("adr-0033",), ("adr-0035",)}, "their titles begin with 3."
    assert subjects(of(report, "duplicate_pair")) == {
        ("adr-0017", "amends", "adr-0010"),
        ("adr-0017", "references", "adr-0010"),
    }
    assert "inverse" in of(report, "inverse_missing").skipped, "two pairs are no custom: the one-sided one is no fault"
    assert of(report, "superseded_target").n_checked == 5

"""The sample corpus is what docs/sample-data.md says it is: well-formed, consistent, and wrong only where planned."""

from __future__ import annotations

import datetime
import json
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from docgraph.domain.passages.evidence import Evidence, ReadPassage, given_evidence, holds
from docgraph.plugins.extractors.front_matter import DEFAULT_FIELDS
from tests import ROOT

HARBOR = ROOT / "sample_data" / "harbor"
GUIDE = ROOT / "docs" / "sample-data.md"
FOLDERS = {
    "decisions": "decision",
    "designs": "design",
    "runbooks": "runbook",
    "postmortems": "postmortem",
    "api": "api",
    "services": "service",
    "glossary": "glossary",
    "guides": "guide",
    "policies": "policy",
    "examples": "example",
}
RELATION_FIELDS = (
    "explains",
    "implements",
    "decision_for",
    "derived_from",
    "example_of",
    "supersedes",
    "superseded_by",
    "depends_on",
    "references",
)
PLAIN_FIELDS = {"id", "title", "type", "status", "date", "owner", "summary", "relations"}
EFFECTS = {
    "evidence_added",
    "found_anyway",
    "document_displaced",
    "document_lost",
    "nothing_to_expand",
    "cap_cut",
    "conflict_superseded",
}
Edge = tuple[str, str, str]

DANGLING: set[Edge] = {
    ("runbook-queue-depth-alarm", "references", "runbook-worker-restart"),
    ("design-port-terminal-sync", "implements", "adr-013-terminal-pull"),
    ("postmortem-2026-03-manifest-gap", "references", "api-terminal-manifest-v2"),
}
LOOK_ALIKE: set[Edge] = {
    ("guide-client-retries", "explain", "adr-014"),
    ("service-notifier", "dependson", "service-sailing-planner"),
}
TWO_TYPES = {("service-gateway", "api-reservations-v3")}
BOTH_WAYS = {
    ("design-fare-quotes", "depends_on", "design-hold-lifecycle"),
    ("design-hold-lifecycle", "depends_on", "design-fare-quotes"),
    ("adr-002", "supersedes", "adr-006"),
    ("adr-006", "supersedes", "adr-002"),
}
SELF_LINKS = {("glossary-queue-words", "references", "glossary-queue-words")}
FLIPPED = {("adr-012", "explains", "design-payment-reconciliation")}
POINTED_TO_THOUGH_SUPERSEDED = {
    ("guide-client-retries", "references", "api-reservations-v2"),
    ("runbook-hold-leak", "references", "adr-009"),
}
ORPHANS = {"policy-data-retention", "guide-writing-decisions"}
HUB = "guide-on-call-first-week"
MENTION_WITHOUT_EDGE = {("guide-load-testing", "runbook-storm-day")}
WITHOUT_PASSAGE = {"policies-on-data", "legal-rules"}
"""Questions about whole policies: no passage answers them."""

MOST_PASSAGES = 4
"""Paragraphs of the corpus that may hold one evidence: what more of them hold tells nothing apart."""


@cache
def documents() -> dict[str, tuple[Path, dict[str, Any], str]]:
    """id → (file, front matter, text)."""
    found: dict[str, tuple[Path, dict[str, Any], str]] = {}
    for path in sorted(HARBOR.rglob("*.md")):
        _, header, content = path.read_text(encoding="utf-8").split("---\n", 2)
        fields = yaml.safe_load(header)
        assert fields["id"] not in found, f"{path} repeats the id {fields['id']}"
        found[str(fields["id"])] = (path, fields, content.strip())
    return found


@cache
def edges() -> frozenset[Edge]:
    found: list[Edge] = []
    for document_id, (_, fields, _) in documents().items():
        found += [(document_id, name, target) for name in RELATION_FIELDS for target in fields.get(name, [])]
        found += [(document_id, r["type"], r["to"]) for r in fields.get("relations", [])]
    assert len(set(found)) == len(found), "an edge is declared twice"
    return frozenset(found)


@cache
def queries() -> tuple[dict[str, Any], ...]:
    lines = (ROOT / "sample_data" / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


def doc_type(document_id: str) -> str:
    return str(documents()[document_id][1]["type"])


def test_the_counts_are_those_that_the_guide_and_the_readme_state() -> None:
    assert len(documents()) == 56
    assert len(edges()) == 132
    assert len(queries()) == 32
    for text in (GUIDE.read_text(encoding="utf-8"), (ROOT / "sample_data/README.md").read_text(encoding="utf-8")):
        for count in ("56", "132", "32"):
            assert re.search(rf"\b{count}\b", text)


@pytest.mark.parametrize("document_id", documents())
def test_a_document_has_complete_front_matter_and_lies_in_the_folder_of_its_type(document_id: str) -> None:
    path, fields, text = documents()[document_id]
    assert set(fields) <= PLAIN_FIELDS | set(RELATION_FIELDS)
    assert fields["type"] == FOLDERS[path.parent.name]
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", document_id)
    assert isinstance(fields["date"], datetime.date)
    assert all(fields[name].strip() for name in ("title", "status", "owner"))
    assert re.fullmatch(r"[A-Z][^\n]{40,220}\.", fields["summary"]), "one good sentence"
    assert not re.search(r"^# ", text, re.MULTILINE), "the title stands in the front matter"


@pytest.mark.parametrize("document_id", documents())
def test_a_document_is_long_enough_for_several_chunks_and_short_enough_to_be_read(document_id: str) -> None:
    words = len(documents()[document_id][2].split())
    low = 200 if doc_type(document_id) == "glossary" else 450
    assert low <= words <= 1_400


def test_no_paragraph_stands_in_two_documents() -> None:
    paragraphs = Counter(
        paragraph for _, _, text in documents().values() for paragraph in text.split("\n\n") if len(paragraph) > 80
    )
    assert [paragraph for paragraph, count in paragraphs.items() if count > 1] == []


def test_every_document_states_the_same_limit_of_bookings_per_route() -> None:
    stated = {
        number for _, _, text in documents().values() for number in re.findall(r"(\d[\d,]*) bookings per route", text)
    }
    assert stated == {"400"}


def test_relation_types_are_known_to_the_front_matter_extractor_but_for_the_look_alikes() -> None:
    assert {e for e in edges() if e[1] not in DEFAULT_FIELDS} == LOOK_ALIKE


def test_every_target_exists_but_for_the_three_dangling_ones() -> None:
    assert {e for e in edges() if e[2] not in documents()} == DANGLING


def test_one_pair_has_two_types_and_one_document_points_to_itself() -> None:
    pairs = Counter((source, target) for source, _, target in edges())
    assert {pair for pair, count in pairs.items() if count > 1} == TWO_TYPES
    assert {e for e in edges() if e[0] == e[2]} == SELF_LINKS


def test_opposite_edges_of_one_type_are_only_those_planned() -> None:
    assert {e for e in edges() if e[0] != e[2] and (e[2], e[1], e[0]) in edges()} == BOTH_WAYS


def test_only_one_decision_explains_anything_and_all_others_are_explained() -> None:
    explaining = [e for e in edges() if e[1] == "explains"]
    assert {e for e in explaining if doc_type(e[0]) == "decision"} == FLIPPED
    assert len(explaining) >= 6


def test_superseded_documents_name_their_successors_and_only_the_planned_ones_are_still_referred_to() -> None:
    superseded = {i for i, (_, fields, _) in documents().items() if fields["status"] == "superseded"}
    assert superseded == {"adr-002", "adr-009", "adr-013", "api-reservations-v2"}
    for old in superseded - {"adr-002"}:
        successors = {target for source, via, target in edges() if source == old and via == "superseded_by"}
        assert len(successors) == 1
        assert (successors.pop(), "supersedes", old) in edges()
    live_references = {e for e in edges() if e[2] in superseded and e[1] == "references" and e[0] not in superseded}
    assert live_references == POINTED_TO_THOUGH_SUPERSEDED


def test_two_documents_are_orphans_and_one_is_a_hub() -> None:
    touched = {end for source, _, target in edges() for end in (source, target)}
    assert set(documents()) - touched == ORPHANS
    outgoing = Counter(source for source, _, _ in edges())
    assert {i for i, count in outgoing.items() if count > 8} == {HUB}


def test_a_full_title_in_a_text_has_a_relationship_but_for_the_planned_one() -> None:
    titles = {str(fields["title"]): i for i, (_, fields, _) in documents().items()}
    pairs = {(source, target) for source, _, target in edges()}
    bare = {
        (i, target)
        for i, (_, _, text) in documents().items()
        for title, target in titles.items()
        if title in text and target != i
    } - pairs
    assert bare == MENTION_WITHOUT_EDGE


def test_every_deliberate_fault_is_listed_in_the_guide() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    faults = DANGLING | LOOK_ALIKE | SELF_LINKS | FLIPPED | POINTED_TO_THOUGH_SUPERSEDED
    for source, via, target in faults:
        assert f"`{source}` —{via}→ `{target}`" in text
    named = ORPHANS | {HUB} | {i for pair in TWO_TYPES | MENTION_WITHOUT_EDGE for i in pair} | {e[0] for e in BOTH_WAYS}
    assert all(f"`{i}`" in text for i in named)


@pytest.mark.parametrize("question", queries(), ids=[q["id"] for q in queries()])
def test_a_question_is_labelled_with_existing_documents_a_known_effect_and_a_sentence(
    question: dict[str, Any],
) -> None:
    assert set(question) - {"sample", "evidence"} == {"id", "query", "relevant", "effect", "note"}
    assert question["relevant"]
    assert set(question["relevant"]) <= set(documents())
    assert len(set(question["relevant"])) == len(question["relevant"])
    assert question["effect"] in EFFECTS
    assert re.fullmatch(r"[A-Z][^\n]{40,200}\.", question["note"])


def paragraphs(document_ids: Iterable[str]) -> list[ReadPassage]:
    return [
        ReadPassage(document_id, f"{document_id}#{n}", paragraph)
        for document_id in document_ids
        for n, paragraph in enumerate(documents()[document_id][2].split("\n\n"))
    ]


def alternatives(evidence: Evidence) -> list[Evidence]:
    return [evidence.model_copy(update={"pattern": each}) for each in evidence.pattern.split("|")]


@pytest.mark.parametrize("question", queries(), ids=[q["id"] for q in queries()])
def test_the_evidence_of_a_question_stands_in_its_relevant_documents_and_nowhere_else(question: dict[str, Any]) -> None:
    evidence = given_evidence(question.get("evidence"))
    assert bool(evidence) == (question["id"] not in WITHOUT_PASSAGE)
    for each in evidence:
        assert not each.document_id or each.document_id in question["relevant"]
        for part in alternatives(each):
            assert [p for p in paragraphs(question["relevant"]) if holds(part, p, question["relevant"])], part.pattern
        anywhere = each.model_copy(update={"document_id": ""})
        found = [passage for passage in paragraphs(documents()) if holds(anywhere, passage, ())]
        assert len(found) <= MOST_PASSAGES
        assert {passage.document_id for passage in found} <= {each.document_id or i for i in question["relevant"]}


def test_no_evidence_is_a_question_word_for_word_or_stands_in_its_title() -> None:
    """A passage would be found by its question alone, and the measure would say nothing."""
    titles = [str(fields["title"]) for _, fields, _ in documents().values()]
    for question in queries():
        for each in given_evidence(question.get("evidence")):
            said = [ReadPassage("", "", text) for text in (question["query"], *titles)]
            assert not any(holds(each.model_copy(update={"document_id": ""}), text, ()) for text in said)


def test_question_ids_and_texts_are_unique_and_the_guide_counts_them_by_effect() -> None:
    assert len({q["id"] for q in queries()}) == len({q["query"] for q in queries()}) == len(queries())
    text = GUIDE.read_text(encoding="utf-8")
    for effect, count in Counter(q["effect"] for q in queries()).items():
        assert re.search(rf"^\| `{effect}` \|.*\| {count} \|$", text, re.MULTILINE)


def test_home_has_a_sample_for_every_effect_but_one_and_they_stand_first() -> None:
    """What is found anyway changes nothing that is read: a loss tells more."""
    samples = [q for q in queries() if q.get("sample")]
    assert len(samples) == 6
    assert {q["effect"] for q in samples} == EFFECTS - {"found_anyway"}
    assert list(queries()[:6]) == samples

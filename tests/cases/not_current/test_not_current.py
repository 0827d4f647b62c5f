"""What is superseded or rejected says so wherever it is read, and a request can ask for what holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.importing import PROFILES, Profile, imported

INPUT = Path(__file__).parent / "superseded" / "input"
SUPERSEDED = "superseded by ADR-0002 (2. Push instead of polling)"
QUESTION = "how do clients of the public API get booking updates"


@pytest.mark.parametrize("profile", PROFILES)
def test_the_text_for_a_model_says_of_every_document_whether_it_holds(profile: Profile) -> None:
    with imported(INPUT, profile=profile) as case:
        run = case.dg.run(QUESTION)
        said = {d.document.title: d.document.standing_words for d in run.context.documents}
        assert len(said) == 3
        assert [said[title] for title in sorted(said)] == [SUPERSEDED, "", "rejected"]
        text = run.assembled.text
    assert SUPERSEDED in text
    assert "rejected" in text


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("where", ["status=accepted", "date>=2023", "date>=2023-06-01"])
def test_a_request_can_ask_for_what_holds(profile: Profile, where: str) -> None:
    with imported(INPUT, profile=profile) as case:
        everything = case.dg.run(QUESTION)
        field, _, value = where.partition(">=") if ">=" in where else where.partition("=")
        operator = ">=" if ">=" in where else "="
        conditions = [{"field": field, "operator": operator, "values": [value]}]
        found = case.dg.run({"query": QUESTION, "where": {"conditions": conditions}})
    (kept,) = found.context.documents
    assert "Push" in kept.document.title
    before = {chunk.chunk_id: chunk.score for d in everything.context.documents for chunk in d.chunks}
    assert all(before[chunk.chunk_id] == chunk.score for chunk in kept.chunks), "a filter moves no score"

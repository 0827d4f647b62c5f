"""Follow-ups as people type them, over the sample corpus: what is asked reads as a question, and the answer comes.

A line of ``tests/golden/follow_ups.jsonl`` is one: what was said ``before``, what is ``said``, what is ``asked`` then
(each read by a person: none is nonsense), and the ``documents`` of which one answers. Forty were written with the rules
at hand, the others afterwards, without a look at them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache

import pytest

from docgraph.bootstrap import connect
from docgraph.domain.conversation import Turn
from tests import ROOT

ROWS = [json.loads(line) for line in (ROOT / "tests" / "golden" / "follow_ups.jsonl").read_text("utf-8").splitlines()]
LEAST = {"written with the rules": 38, "written afterwards": 23}
"""Of forty and of twenty-four."""


@pytest.fixture(scope="module")
def turns() -> list[Turn]:
    """The last turn of each line's conversation; those that begin alike share their beginning."""
    docgraph = connect(store="memory", workspace="harbor")
    docgraph.ingest(ROOT / "sample_data" / "harbor")

    @cache
    def last(*texts: str) -> Turn:
        return docgraph.converse(last(*texts[:-1]).state if texts[1:] else None, texts[-1])

    return [last(*row["before"], row["said"]) for row in ROWS]


def test_every_follow_up_is_asked_as_somebody_judged_it_to_be_sensible(turns: list[Turn]) -> None:
    asked = {row["said"]: (row["asked"], turn.understanding.query) for row, turn in zip(ROWS, turns, strict=True)}
    assert {said: got for said, (wanted, got) in asked.items() if wanted != got} == {}


def test_a_document_that_answers_is_among_what_is_found(turns: list[Turn]) -> None:
    held: dict[str, list[bool]] = defaultdict(list)
    for row, turn in zip(ROWS, turns, strict=True):
        packet = turn.response.context_packet if turn.response else None
        found = {each.metadata.get("document_id") for each in packet.candidates} if packet else set()
        held[row["set"]].append(not found.isdisjoint(row["documents"]))
    assert {name: len(each) for name, each in held.items()} == {"written with the rules": 40, "written afterwards": 24}
    assert {name: sum(each) for name, each in held.items() if sum(each) < LEAST[name]} == {}

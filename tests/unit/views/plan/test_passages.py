"""Why a passage is read: its similarity, the question's words as a figure of their own, and which of them it holds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import docgraph
from docgraph import Docgraph
from docgraph.domain.graph import Document
from docgraph.views.plan.evidence import evidence_cards

FILLER = (
    "Nothing of interest stands in this sentence at all, it only goes on and on for a while and then it ends here. "
)
QUESTION = "The harbour is busy. Why is the booking queue limited?"


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    with docgraph.connect(store="memory", workspace="harbor") as opened:
        text = FILLER * 20 + "The queue is limited to 400 bookings <b>per route</b>. " + FILLER * 20
        opened.ingest_records([Document(document_id="a", title="Limits", text=text)])
        yield opened


def test_a_passage_says_how_far_it_holds_the_words_of_the_question_and_which(dg: Docgraph) -> None:
    [card] = evidence_cards(dg.run({"query": QUESTION, "token_budget": 200}))
    best = min(card.lines, key=lambda line: line.rank)
    assert 0 < float(best.words) <= 1
    assert [word.casefold() for word in best.found] == ["queue", "limited", "bookings"]
    shown = "".join(part for part, _ in best.text)
    assert "…" in shown
    assert "400 bookings" in shown
    assert best.tokens <= 200


def test_by_similarity_alone_no_figure_of_words_is_shown(dg: Docgraph) -> None:
    [card] = evidence_cards(dg.run({"query": QUESTION, "evidence_rule": "similarity"}))
    assert {line.words for line in card.lines} == {""}

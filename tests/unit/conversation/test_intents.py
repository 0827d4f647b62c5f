"""Intents follow from phrases and words; meaning only ends ties."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from docgraph.conversation.intents import PROTOTYPES, RULES, classify
from docgraph.domain.graph import Vectors
from tests.conversations import nowhere


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("Who owns the queue?", "lookup"),
        ("How long is a key kept?", "lookup"),
        ("When was it decided?", "lookup"),
        ("idempotency key", "lookup"),
        ("Which rules does Legal own?", "lookup"),
        ("Why do bookings get rejected when the queue is full?", "explain"),
        ("Explain back-pressure", "explain"),
        ("How does shedding work?", "explain"),
        ("What happens if a payment is late?", "explain"),
        ("Tell me about fencing tokens", "explain"),
        ("What is the difference between a slot and a seat?", "compare"),
        ("slots vs. seats", "compare"),
        ("Are slots better than seats?", "compare"),
        ("Should we raise the limit?", "decide"),
        ("Is it worth writing down?", "decide"),
        ("May I repeat a call with the same key?", "decide"),
        ("Do we need to tell Legal?", "decide"),
        ("What should I do when the queue depth alarm rings?", "troubleshoot"),
        ("It is broken", "troubleshoot"),
        ("Payments don't arrive", "troubleshoot"),
        ("webhook error, stuck", "troubleshoot"),
    ],
)
def test_the_words_tell_the_intent(text: str, intent: str) -> None:
    classified = classify(text, nowhere)
    assert classified.intent == intent
    assert classified.why


def test_meaning_is_asked_only_where_rules_end_in_a_tie() -> None:
    asked: list[Sequence[str]] = []

    def embed(texts: Sequence[str]) -> Vectors:
        asked.append(texts)
        return np.eye(len(texts), 8, dtype=np.float32)

    classify("Why is the queue bounded?", embed)
    classify("nothing in particular", embed)
    assert not asked
    classify("Why, and who?", embed)
    assert [set(texts[1:]) for texts in asked] == [{*PROTOTYPES["explain"], *PROTOTYPES["lookup"]}]


def test_a_tie_goes_to_the_nearest_prototype_and_to_the_first_of_the_table_without_one() -> None:
    def towards(sentence: str) -> object:
        def embed(texts: Sequence[str]) -> Vectors:
            rows = [[1.0, 0.0] if text in (texts[0], sentence) else [0.0, 1.0] for text in texts]
            return np.asarray(rows, dtype=np.float32)

        return embed

    for intent in ("explain", "lookup"):
        sentence = PROTOTYPES[intent][0]  # type: ignore[index]
        found = classify("Why, and who?", towards(sentence))  # type: ignore[arg-type]
        assert found.intent == intent
        assert sentence in found.why
    assert classify("Why, and who?", nowhere).intent == "explain"
    assert (
        classify("Why, and who?", lambda texts: np.full((len(texts), 2), np.nan, dtype=np.float32)).intent == "explain"
    )


def test_every_intent_but_smalltalk_has_rules_and_prototypes() -> None:
    assert set(RULES) == set(PROTOTYPES) == {"lookup", "explain", "compare", "decide", "troubleshoot"}

"""Limits as pictures and words: where today stands, one scale for the small ones, what is said of a suggestion."""

from __future__ import annotations

import re

from docgraph.domain.evaluation import Difference
from docgraph.domain.scoreboard import CapPressure, HalfEvidence, LimitChange, LimitPoint, LimitSweep
from docgraph.views.query_sets.pressure import caption, large_html, small_html
from docgraph.views.words.evaluation import (
    proof_words,
    settings_to_copy,
    suggestion_reason,
    suggestion_title,
    tokens_words,
)

DOCUMENTS = LimitSweep(
    field="max_documents",
    today=2,
    points=tuple(LimitPoint(value=n, documents=n, tokens=600.0 * n, mean=0.1 * n, n=4, found=n) for n in (1, 2, 4)),
    without=tuple(LimitPoint(value=n, documents=n, tokens=600.0 * n, mean=0.1, n=4, found=1) for n in (1, 2, 4)),
)
FAN_OUT = LimitSweep(
    field="max_fan_out", today=3, points=tuple(LimitPoint(value=n, tokens=5.0, n=4, found=2) for n in (1, 3))
)


def evidence(half: str, mean: float | None, **fields: object) -> HalfEvidence:
    difference = Difference.model_validate({"a": "today", "b": "it", "measure": "recall@100", "mean": mean, **fields})
    return HalfEvidence.model_validate(
        {"half": half, "found": (3, 5), "n_relevant": 6, "difference": difference, "tokens": 30.0}
    )


def pressure(*changes: LimitChange, n_judged: int = 4) -> CapPressure:
    return CapPressure(
        name="s",
        workspace="w",
        measure="recall@100",
        fields={"max_chunks": 4},
        n=4,
        n_judged=n_judged,
        n_relevant=7,
        sweeps=(DOCUMENTS, FAN_OUT),
        changes=changes,
    )


def change(*, holds: bool, mean: float | None = 0.2) -> LimitChange:
    known = {} if mean is None else {"low": 0.1, "high": 0.3, "n": 2}
    tune, held_out = evidence("tune", 0.25, n=2), evidence("hold_out", mean, **known)
    return LimitChange(field="max_documents", before=2, after=4, tune=tune, hold_out=held_out, holds=holds)


def test_the_mark_stands_at_todays_value_and_every_value_has_its_place() -> None:
    html = large_html(pressure(), DOCUMENTS)
    assert re.findall(r'qp-today" style="left:([\d.]+)%', html) == ["50.00"]
    assert re.findall(r'<li(?: class="qp-set")? style="left:([\d.]+)%">(\d+)<small>([\d.,k]+)', html) == [
        ("0.00", "1", "600"),
        ("50.00", "2", "1.2k"),
        ("100.00", "4", "2.4k"),
    ]
    assert "1: 1 relevant found, 1.0 documents, 600 tokens" in html
    assert "<svg" not in html, "a line is a mask: the style sheet colours it"


def test_a_flat_limit_is_flat_and_the_small_pictures_share_a_scale() -> None:
    html = small_html(pressure(), [DOCUMENTS, FAN_OUT])
    tops = re.findall(r'qp-point" style="left:[\d.]+%;top:([\d.]+)px', html)
    assert tops[3] == tops[4], "flat"
    assert tops[1] == tops[3], "two relevant documents are as high in both"


def test_of_an_unjudged_set_tokens_are_drawn_and_it_says_so() -> None:
    found = pressure(n_judged=0)
    assert caption(found).startswith("relevant documents found: --")
    assert ">2.4k<" in large_html(found, DOCUMENTS)
    assert suggestion_title(found) == "Keep today's settings"
    assert "No question is judged" in suggestion_reason(found)


def test_a_suggestion_says_what_to_set_and_how_sure_it_is() -> None:
    found = pressure(change(holds=True))
    assert found.suggested is not None
    assert suggestion_title(found) == "Suggested: 2 → 4 documents per plan"
    assert proof_words(found.suggested, "recall@100") == "3 → 5 of 6 read, recall +0.20, 95 % +0.10 to +0.30: it holds"
    assert tokens_words(found.suggested) == "+30 tokens a question"
    assert settings_to_copy(found, found.suggested) == {"max_chunks": 4, "max_documents": 4}


def test_what_does_not_hold_is_said_as_plainly() -> None:
    found = pressure(change(holds=False))
    assert suggestion_title(found) == "Keep today's settings"
    assert "not settled on the hold-out half" in suggestion_reason(found)
    assert proof_words(change(holds=False), "recall@100").endswith("not settled")
    assert proof_words(change(holds=False, mean=-0.1), "recall@100").endswith("no gain")
    assert proof_words(change(holds=False, mean=None), "recall@100") == "--, no judged question is held out"
    assert "no judged question is held out" in suggestion_reason(pressure(change(holds=False, mean=None)))
    assert "No value of any limit" in suggestion_reason(pressure())

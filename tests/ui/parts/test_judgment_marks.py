"""Marks of judgments: a sign and a word each, and hostile names and titles stay text."""

from __future__ import annotations

import pytest

from docgraph.domain.graph import DocumentRef
from docgraph.domain.impact import Gains, QuestionImpact
from docgraph.domain.judgment import Judgment
from docgraph.ui.parts.judgments.marks import mark, moves_html

HOSTILE = '"><b>Bee</b>'


@pytest.mark.parametrize(("relevant", "sign", "word"), [(True, "check", "relevant"), (False, "cross", "not relevant")])
def test_a_mark_is_never_colour_alone(relevant: bool, sign: str, word: str) -> None:
    said = mark(Judgment(query="q", document_id="a", relevant=relevant, by=HOSTILE, at=""))
    assert f'dg-glyph-{sign}" aria-hidden="true"></span>{word}<span class="jg-unseen">, judged {word} by' in said
    assert "<b>" not in said
    assert mark(None) == ""


def test_what_an_edit_gains_of_the_judged_is_a_sign_a_count_and_titles_as_text() -> None:
    ref = (DocumentRef(document_id="b", title=HOSTILE),)
    gained = Gains(n_documents=1, documents=ref, n_relevant=1, relevant=ref)
    said = moves_html(QuestionImpact(run_id="r", name="q", query="q", gained=gained, sentence="More."))
    assert "gains <span class" in said
    assert "<b>1 judged relevant</b>: &quot;&gt;&lt;b&gt;Bee" in said
    assert "loses" not in said

"""Judgments as HTML: a drawn sign and a word, green or red, with who and when behind it; what an edit does to them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from docgraph.domain.impact import QuestionImpact
from docgraph.domain.judgment import Judgment
from docgraph.ui import escape, frame
from docgraph.views.effect_words import judged_moves
from docgraph.views.judgment_words import signature_words, verdict_words

STYLE = Path(__file__).with_name("judging.css")


def style() -> None:
    """Put judging.css on the page."""
    st.html(f"<style>{STYLE.read_text(encoding='utf-8')}</style>")


def sign(relevant: bool, title: str = "") -> str:
    """The drawn sign alone, in its colour; ``title`` is what a screen reader says."""
    glyph = frame.glyph("check" if relevant else "cross", title)
    return f'<span class="jg-sign jg-{"yes" if relevant else "no"}">{glyph}</span>'


def mark(judgment: Judgment | None) -> str:
    """``✓ relevant`` or ``✕ not relevant``; nothing for a document that nobody judged."""
    if judgment is None:
        return ""
    kind = "yes" if judgment.relevant else "no"
    said = escape.html(signature_words(judgment))
    return (
        f'<span class="jg-mark jg-{kind}" title="{said}">{frame.glyph("check" if judgment.relevant else "cross")}'
        f'{verdict_words(judgment)}<span class="jg-unseen">, {said}</span></span>'
    )


def moves_html(question: QuestionImpact) -> str:
    """``gains 1 judged relevant: ADR-009``, a line each for what comes in and what goes out; empty for nothing."""
    return "".join(
        f'<span class="jg-move">{frame.glyph("added" if move.verb == "gains" else "left")}{move.verb} {sign(True)}'
        f"<b>{move.n:,} judged relevant</b>: {escape.html(escape.shorten(move.titles, 200))}</span>"
        for move in judged_moves(question)
    )

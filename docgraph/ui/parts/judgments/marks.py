"""Judgments as HTML: a drawn sign and a word, green or red, with who and when behind it; what an edit does to them."""

from __future__ import annotations

import re

from docgraph.domain.impact import QuestionImpact
from docgraph.domain.judgment import Judgment
from docgraph.ui.frame import assets, escape, layout
from docgraph.views.relationships.effects import judged_moves
from docgraph.views.words.judgments import signature_words, verdict_words

_NO_WORD = re.compile(r"[\W_]+")


def style() -> None:
    """Put style.css on the page."""
    assets.style(__file__, "style.css")


def card_style() -> None:
    """Put the style sheet of cards with buttons on the page."""
    assets.style(__file__, "cards.css")


def spoken(title: str) -> str:
    """A title for a label that is only read aloud: its words, without any mark that could mean something."""
    return " ".join(_NO_WORD.sub(" ", escape.plain(title)).split())[:120] or "this document"


def sign(relevant: bool, title: str = "") -> str:
    """The drawn sign alone, in its colour; ``title`` is what a screen reader says."""
    glyph = layout.glyph("check" if relevant else "cross", title)
    return f'<span class="jg-sign jg-{"yes" if relevant else "no"}">{glyph}</span>'


def mark(judgment: Judgment | None) -> str:
    """``✓ relevant`` or ``✕ not relevant``; nothing for a document that nobody judged."""
    if judgment is None:
        return ""
    kind = "yes" if judgment.relevant else "no"
    said = escape.html(signature_words(judgment))
    return (
        f'<span class="jg-mark jg-{kind}" title="{said}">{layout.glyph("check" if judgment.relevant else "cross")}'
        f'{verdict_words(judgment)}<span class="jg-unseen">, {said}</span></span>'
    )


def moves_html(question: QuestionImpact) -> str:
    """``gains 1 judged relevant: ADR-009``, a line each for what comes in and what goes out; empty for nothing."""
    return "".join(
        f'<span class="jg-move">{layout.glyph("added" if move.verb == "gains" else "left")}{move.verb} {sign(True)}'
        f"<b>{move.n:,} judged relevant</b>: {escape.html(escape.shorten(move.titles, 200))}</span>"
        for move in judged_moves(question)
    )

"""The verdict card: counted sentences whose numbers link to their rows, a remedy for a judged loss, and chips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from docgraph.domain.comparison import Comparison, Part, Phrase, Rows
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import DocgraphError
from docgraph.ui.compare.state import CHIPS, filtered, order, use_filter, wanted
from docgraph.ui.frame import escape, layout, navigation, resources
from docgraph.ui.parts.comparison import beside
from docgraph.views.compare.figures import FigureRow, figure_rows, judged_rows
from docgraph.views.compare.remedies import bring_back, outcome
from docgraph.views.relationships.edges.edit_link import EDITS
from docgraph.views.words.address import inputs_of
from docgraph.views.words.changes import Filter, filter_of, filter_text

_LAYERS = {"conceptual": "Summaries", "evidence": "Passages", "frame": "Headings", "total": "Whole context"}
_TAILS = {"": "", ";": "-semicolon", ".": "-stop", ",": "-comma", ":": "-colon"}
_TONES: dict[Rows, str] = {
    "documents_added": "added",
    "documents_left": "cut",
    "relevant_gained": "gained",
    "relevant_lost": "lost",
}
_BASE: tuple[Filter, ...] = ("all", "documents_added", "documents_left", "documents_kept")


@dataclass(frozen=True)
class WayBack:
    """One what-if that brings a lost document back: ``then`` = what is read with it, and what leaves."""

    label: str
    request: RetrievalRequest
    then: str


def verdict_card(comparison: Comparison, *, workspace: str) -> None:
    """Draw what was judged first, then documents; a judged loss reverses the order and adds its remedy."""
    lost = bool(comparison.lost)
    ways = _ways_back(comparison, workspace) if lost else ()
    # Where both runs are named the sentence is longer: it is written smaller, and stays on one line.
    name = "cp_verdict-lost" if lost else "cp_verdict" if comparison.by_relationships else "cp_verdict-named"
    with st.container(key=name, gap=None):
        with st.container(key="cp_said", horizontal=True, vertical_alignment="center", gap="small"):
            _sentence(comparison, ("lost",) if lost else ("value", "change"), key="cp_sentence", sign=True)
            if ways:
                _way(ways[0], workspace, primary=True)
        if lost:
            with st.container(key="cp_secondrow", horizontal=True, vertical_alignment="center", gap="small"):
                _sentence(comparison, ("value", "change"), key="cp_second")
                if ways:
                    st.html(f'<span class="dg-note">{escape.html(ways[0].then)}</span>')
        with st.container(key="cp_chiprow", horizontal=True, vertical_alignment="center", gap="small"):
            _chips(comparison)
            if len(ways) > 1:
                _way(ways[1], workspace, primary=False)
            else:
                _sentence(comparison, ("detail",), key="cp_detail", whole=True)


def _sentence(
    comparison: Comparison, parts: Sequence[Part], *, key: str, sign: bool = False, whole: bool = False
) -> None:
    phrases = [(i, p) for i, p in enumerate(comparison.verdict) if p.part in parts and p.text.strip()]
    with st.container(key=key, horizontal=True, vertical_alignment="center", gap=None):
        if sign and comparison.relevant:
            n = len(comparison.gained) - len(comparison.lost)
            glyph: layout.Glyph = "down" if comparison.lost else "up" if n > 0 else "check"
            st.html(f'<span class="cp-sign cp-tag-{_value_tone(comparison)}">{layout.glyph(glyph)}</span>')
        for at, (phrase, tail) in enumerate(_items([p for _, p in phrases], whole=whole)):
            tone = _TONES.get(phrase.rows) or (_value_tone(comparison) if phrase.rows == "relevant" else "plain")
            _item(phrase, comparison, f"cp-number-{key}-{at}-{tone}{_TAILS[tail]}", tail=tail)


def _value_tone(comparison: Comparison) -> str:
    if comparison.lost:
        return "lost"
    return "gained" if comparison.gained else "plain"


def _items(verdict: Sequence[Phrase], *, whole: bool) -> list[tuple[Phrase, str]]:
    """The sentence as numbers and single words, each with the mark behind it, so that lines break between them.

    ``whole``: what is no number stays in one piece.
    """
    items: list[tuple[Phrase, str]] = []
    for phrase in verdict:
        text = phrase.text
        if not phrase.rows and text[:1] in (";", ".", ",", ":") and items:
            items[-1] = (items[-1][0], text[0])
            text = text[1:]
        words = [text.strip()] if whole else text.split()
        items += [(phrase, "")] if phrase.rows else [(Phrase(text=word), "") for word in words if word]
    return items


def _item(phrase: Phrase, comparison: Comparison, key: str, *, tail: str) -> None:
    target = filter_of(phrase.rows) if phrase.rows else None
    if phrase.rows == "tokens":
        with st.popover(escape.label(phrase.text), key=key, type="tertiary", width="content"):
            st.html(tokens_html(comparison))
    elif target is not None:
        st.button(
            escape.label(phrase.text),
            key=key,
            type="tertiary",
            on_click=use_filter,
            args=(comparison, target),
            help="Show these rows",
        )
    else:
        st.html(f'<span class="cp-word">{escape.html(phrase.text + tail)}</span>')


def _ways_back(comparison: Comparison, workspace: str) -> tuple[WayBack, ...]:
    """What brings a lost document back with what that costs; nothing where it cannot be said now."""
    if EDITS in st.query_params:
        return ()
    try:
        return tuple(
            WayBack(label, request, outcome(beside(comparison.b.run, resources.run(request, workspace))))
            for label, request in bring_back(comparison)
        )
    except DocgraphError:
        return ()


def _way(way: WayBack, workspace: str, *, primary: bool) -> None:
    """The one button, or the other way as a link with its price."""
    name = "cp_way-first" if primary else "cp_way-other"
    with st.container(key=name, horizontal=True, vertical_alignment="center", gap="xsmall", width="content"):
        label = f"Bring it back: {way.label}" if primary else f"or {way.label}"
        navigation.link("compare", label, query=inputs_of(way.request, workspace))
        if not primary:
            st.html(f'<span class="dg-note">{escape.html(way.then)}</span>')


def _chips(comparison: Comparison) -> None:
    now = wanted()
    options = _BASE if now in _BASE else (*_BASE, now)
    st.session_state[CHIPS] = now
    st.pills(
        "Rows",
        options,
        required=True,
        key=CHIPS,
        label_visibility="collapsed",
        format_func=lambda name: filter_text(comparison, name, order()),
        on_change=filtered,
        args=(comparison,),
        kwargs={"opens": True},
    )


def figures_html(comparison: Comparison) -> str:
    """Every figure with its formula and paper."""
    rows = "".join(_figure_html(row) for row in (*figure_rows(comparison), *judged_rows(comparison)))
    head = "<thead><tr><th>Measure</th><th>Passages</th><th>Documents</th><th>How</th></tr></thead>"
    return (
        f'<div class="cp-how" tabindex="0"><table>{head}<tbody>{rows}</tbody></table><p class="dg-note">'
        "Passages are ranked by score, documents in plan order. n counts what was compared: all items for an overlap, "
        "the shared ones for a correlation. Scores are the same in both runs. Judged measures are A → B.</p>"
        "</div>"
    )


def _figure_html(row: FigureRow) -> str:
    how = escape.html(row.needs) or (
        f"<code>{escape.html(row.formula)}</code><small>{escape.html(row.source)}</small>"
        f"{f'<small>{escape.html(row.note)}</small>' if row.note else ''}"
    )
    values = f"<td>{escape.html(row.chunks)}</td><td>{escape.html(row.documents)}</td>"
    return f"<tr><th>{escape.html(row.title)}</th>{values}<td>{how}</td></tr>"


def tokens_html(comparison: Comparison) -> str:
    """Tokens by layer on both sides, with the difference."""
    rows = "".join(
        f"<tr><th>{_LAYERS[t.layer]}</th><td>{t.a:,}</td><td>{t.b:,}</td><td>{signed(t.difference)}</td></tr>"
        for t in comparison.tokens
    )
    a, b = escape.html(comparison.a.label), escape.html(comparison.b.label)
    head = f"<thead><tr><th>Tokens</th><th>A {a}</th><th>B {b}</th><th>B − A</th></tr></thead>"
    return f'<div class="cp-how"><table class="cp-tokens">{head}<tbody>{rows}</tbody></table></div>'


def signed(difference: int) -> str:
    """``+12``, ``−4``, ``0``."""
    return f"{difference:+,}".replace("-", "−") if difference else "0"

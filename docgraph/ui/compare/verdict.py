"""The verdict card: one counted sentence whose numbers lead to their rows, chips that filter, four figures."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from docgraph.domain.comparison import Comparison, Phrase
from docgraph.ui.compare.judged import judged_tile
from docgraph.ui.compare.state import CHIPS, filtered, order, use_filter, wanted
from docgraph.ui.frame import escape
from docgraph.views.compare.figures import FigureRow, figure_rows, numbers
from docgraph.views.compare.judged import judged_rows
from docgraph.views.words.changes import MOVEMENTS, Filter, filter_of, filter_text
from docgraph.views.words.judgments import Judged

_LAYERS = {"conceptual": "Summaries", "evidence": "Chunks", "frame": "Frame", "total": "Whole context"}
_TAILS = {"": "", ";": "-semicolon", ".": "-stop", ",": "-comma"}
_BASE: tuple[Filter, ...] = ("all", *MOVEMENTS)


def verdict_card(comparison: Comparison, judged: Judged | None) -> None:
    """Sentence, cause, chips; the figures on the right, the judged one last."""
    with st.container(key="cp_verdict", horizontal=True, vertical_alignment="center", gap="medium"):
        with st.container(key="cp_said", gap=None):
            with st.container(key="cp_sentence", horizontal=True, vertical_alignment="center", gap=None):
                for i, (phrase, tail) in enumerate(_items(comparison.verdict)):
                    _item(phrase, comparison, f"cp-number-{i}{_TAILS[tail]}", tail=tail)
            _chips(comparison)
        with st.container(key="cp_figures", gap=None, width="content"):
            with st.container(key="cp_tiles", horizontal=True, gap=None):
                st.html(_numbers_html(comparison))
                judged_tile(comparison, judged)
            with st.popover("How these are computed", key="cp_how", type="tertiary", width="content"):
                st.html(_figures_html(comparison))


def _items(verdict: Sequence[Phrase]) -> list[tuple[Phrase, str]]:
    """The sentence as numbers and single words, each with the mark behind it, so that lines break between them."""
    items: list[tuple[Phrase, str]] = []
    for phrase in verdict:
        text = phrase.text
        if not phrase.rows and text[:1] in (";", ".", ",") and items:
            items[-1] = (items[-1][0], text[0])
            text = text[1:]
        items += [(phrase, "")] if phrase.rows else [(Phrase(text=word), "") for word in text.split()]
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
    )


def _numbers_html(comparison: Comparison) -> str:
    cells = "".join(
        f"<div><dt>{escape.html(n.title)}</dt><dd><b>{escape.html(n.value)}</b><span>{escape.html(n.note)}</span></dd></div>"
        for n in numbers(comparison)
    )
    return f'<dl class="cp-numbers">{cells}</dl>'


def _figures_html(comparison: Comparison) -> str:
    rows = "".join(_figure_html(row) for row in (*figure_rows(comparison), *judged_rows(comparison)))
    head = "<thead><tr><th>Measure</th><th>Chunks</th><th>Documents</th><th>How</th></tr></thead>"
    return (
        f'<div class="cp-how" tabindex="0"><table>{head}<tbody>{rows}</tbody></table><p class="dg-note">'
        "Chunks are ranked by score, documents in plan order. n = items compared: the union for an overlap, the common "
        "part for a correlation. Scores never change between the two runs, so a correlation over chunks says how "
        "limits cut, not how they rank. Judged measures are A → B, over the documents in the order they are read.</p>"
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

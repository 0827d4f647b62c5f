"""What two runs have in common and what differs: drawn from the frozen comparison, as one fragment."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.run import ContractCheck
from docgraph.ui.compare.helps import asked_first, helps, said_now
from docgraph.ui.compare.lanes import lanes_panel
from docgraph.ui.compare.places import places_panel
from docgraph.ui.compare.slope import slope_panel
from docgraph.ui.compare.state import FOLD, fold
from docgraph.ui.compare.tables import chunk_rows, document_rows, texts
from docgraph.ui.compare.verdict import figures_html, tokens_html, verdict_card
from docgraph.ui.frame import escape, layout
from docgraph.views.words.judgments import Judged
from docgraph.views.words.sides import side_name


def contracts(comparison: Comparison) -> None:
    """Counts of both sides, score drift between them, then every promise of B; A's stand behind a click."""
    drift = "".join(_check(check) for check in comparison.checks)
    a, b = comparison.a, comparison.b
    broken = any(not c.passed for c in (*comparison.checks, *a.run.contract, *b.run.contract))
    rows = "".join(
        f'<p class="cp-checks"><b>{letter} {escape.html(side.label)}</b>{"".join(_check(c) for c in side.run.contract)}'
        "</p>"
        for letter, side in (("A", a), ("B", b))
    )
    st.html(
        f'<details class="cp-contract{" cp-broken" if broken else ""}"{" open" if broken else ""}><summary>'
        f"{_counted(a, b)}{drift}"
        f'<span class="cp-more">All checks</span></summary>{rows}</details>'
    )


def _counted(a: Side, b: Side) -> str:
    """``Checks passed: 9 of 9``: of both runs where they keep alike, else of each."""
    said = []
    for letter, side in (("A", a), ("B", b)):
        checks = side.run.contract
        passed = sum(check.passed for check in checks)
        said.append((letter, f"{passed} of {len(checks)}" if checks else "--", bool(checks) and passed == len(checks)))
    if said[0][1:] == said[1][1:]:
        said = [("", *said[0][1:])]
    return "".join(
        f"<span{'' if kept else ' class=cp-failed'}>{layout.glyph('check' if kept else 'cross')}"
        f"<b>{f'{letter} Checks passed: {text}'.strip()}</b></span>"
        for letter, text, kept in said
    )


def _check(check: ContractCheck) -> str:
    state = "" if check.passed else ' class="cp-failed"'
    sign = layout.glyph("check", "kept") if check.passed else layout.glyph("cross", "broken")
    detail = f" <em>{escape.html(check.detail)}</em>" if check.detail and not check.passed else ""
    return f'<span{state} title="{escape.html(check.detail)}">{sign}{escape.html(check.title)}{detail}</span>'


def folds(comparison: Comparison) -> None:
    """One row of names, each with its count; the one that is chosen opens below."""
    names = {
        "documents": f"Documents {len(comparison.documents):,}",
        "chunks": f"Passages {len(comparison.chunks):,}",
        "texts": "Both texts",
        "figures": "Figures and formulas",
    }
    st.html('<span class="dg-note cp-astables">As tables</span>')
    st.pills("Opened below", list(names), key=FOLD, format_func=names.__getitem__, label_visibility="collapsed")


def opened(comparison: Comparison, judged: Judged | None) -> None:
    """What was chosen."""
    chosen = fold()
    if not chosen:
        return
    with st.container(key="cp_opened", border=True, gap="small"):
        if chosen == "documents":
            document_rows(comparison, judged)
        elif chosen == "chunks":
            slope_panel(comparison)
            chunk_rows(comparison)
        elif chosen == "texts":
            texts(comparison)
        else:
            st.html(figures_html(comparison))
            st.html(tokens_html(comparison))


@st.fragment(key="compare_body")
def body(comparison: Comparison, workspace: str, *, baseline: str, judged: Judged | None) -> None:
    """Everything under the switch; a click reruns only this, and asks the database for no run again.

    ``judged`` = the judgments of the question, None when they are not known.
    """
    if said_now():
        st.rerun(scope="app")
    first = not comparison.identical and asked_first(comparison, workspace)
    with layout.guarded(key="docgraph.retry.compare"):
        for label in comparison.labels:
            st.html(f'<p class="cp-label">{layout.glyph("finding")}{escape.html(label[:1].upper() + label[1:])}.</p>')
        if comparison.identical:
            _identical(comparison)
        else:
            verdict_card(comparison, workspace=workspace)
            if first:
                helps(comparison, workspace, judged)
            with st.container(key="cp_panels", horizontal=True, gap="small"):
                lanes_panel(comparison)
                places_panel(comparison, workspace, baseline=baseline, judged=judged)
        with st.container(key="cp_foot", horizontal=True, vertical_alignment="center", gap="small"):
            folds(comparison)
            contracts(comparison)
        if not comparison.identical and not first:
            helps(comparison, workspace, judged)
        opened(comparison, judged)


def _identical(comparison: Comparison) -> None:
    """No difference is a result: said large, with its reason."""
    n, m = len(comparison.documents), len(comparison.chunks)
    counted = (
        f"{m:,} passages of {n:,} documents, same scores, same order, same tokens." if m else "Both sides are empty."
    )
    read = ""
    if comparison.relevant:
        value = "".join(phrase.text for phrase in comparison.verdict if phrase.part == "value")
        read = f'<p class="cp-why">{escape.html(value.strip())}</p>'
    st.html(
        f'<section class="cp-identical" role="status"><div class="cp-samesign">{layout.glyph("kept")}</div><div>'
        f"<h2>No difference, and why</h2><p class='cp-why'>{escape.html(comparison.why_identical)}</p>{read}"
        f'<p class="dg-note">{escape.html(side_name(comparison.a))} and {escape.html(side_name(comparison.b))}: '
        f"{escape.html(counted)}</p></div></section>"
    )

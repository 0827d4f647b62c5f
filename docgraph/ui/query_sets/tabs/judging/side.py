"""Beside the passage: coverage, how far another judge agrees, and how this pile was made."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.judging import Pile, Pool
from docgraph.ui.frame import escape
from docgraph.ui.query_sets.desk import Desk
from docgraph.ui.query_sets.tabs.judging.hand import SEED
from docgraph.ui.query_sets.tabs.judging.markup import agreement_html, coverage_html, differing_html

_OTHER = "qj-other"


def side(desk: Desk, pool: Pool, pile: Pile, here: tuple[int, int] | None) -> None:
    """Draw it; ``here`` = judged and shown of the question on the screen."""
    with st.container(key="qj-side", gap="small"):
        st.html(coverage_html(pile.coverage, here))
        _agreement(desk, pool)
        made = escape.html(_made_words(desk, pool))
        st.html(f'<div class="qj-box qj-made"><b>How these passages were chosen</b><p>{made}</p></div>')


def _agreement(desk: Desk, pool: Pool) -> None:
    """With the one who judged most of the others, or whoever is chosen; nothing before somebody else judged."""
    others = [name for name in desk.docgraph.query_sets.judges(pool) if name != desk.who]
    with st.container(key="qj-agreement", gap=None):
        with st.container(key="qj-agreement-head", horizontal=True, vertical_alignment="center"):
            st.html("<h2>Agreement</h2>")
            if len(others) > 1:
                st.selectbox("Second judge", others, key=_OTHER, label_visibility="collapsed", width=150)
        if not others:
            st.html('<p class="qj-muted">Nobody else has judged this set yet.</p>')
            return
        chosen = st.session_state.get(_OTHER)
        found = desk.docgraph.query_sets.agreement(pool, desk.who, chosen if chosen in others else others[0])
        st.html(agreement_html(found))
        if found.differing:
            with st.popover(f"Show the {len(found.differing):,}", key="qj-differing", type="tertiary", width="content"):
                st.html(differing_html(found))


def _made_words(desk: Desk, pool: Pool) -> str:
    """From which evaluations, in which order, and what is left out."""
    assert desk.chosen is not None
    runs = {each.evaluation_id: each for each in desk.docgraph.query_sets.runs(desk.chosen.name)}
    used = [runs[each] for each in pool.evaluations if each in runs]
    labels = ", ".join(dict.fromkeys(each.label for run in used for each in run.configurations))
    n = len(used)
    words = f"Pooled from {n:,} {'evaluation' if n == 1 else 'evaluations'} ({escape.shorten(labels, 160)}), "
    words += f"shuffled with seed {SEED}. Grades are saved with name and time."
    if pool.n_without_passages:
        words += f" {pool.n_without_passages:,} documents without a passage are left out."
    if pool.n_gone:
        words += f" {pool.n_gone:,} passages that no longer exist are left out."
    return words

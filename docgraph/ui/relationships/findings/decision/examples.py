"""The findings of a class: one of them as the example, the ways to the next, and the list of all."""

from __future__ import annotations

import streamlit as st

from docgraph.ui.frame import escape
from docgraph.ui.relationships.findings.decision.data import documents
from docgraph.ui.relationships.findings.decision.draft import show_example
from docgraph.ui.relationships.findings.decision.facts import facts_html
from docgraph.ui.relationships.findings.decision.view import View
from docgraph.views.relationships.findings.queue import ids_in, subject_words, types_words

KEY = "docgraph.example"
MOST = 1_000
"""Findings that the list holds."""


def pager(view: View) -> None:
    """``Example 1 of 551``, previous, next, what is known of it, and the list of all."""
    n, at = len(view.findings), view.place
    with st.container(key="rl-example", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<p class="rl-examplen" role="status">Example {at + 1:,} of {n:,}</p>')
        for name, label, to in (("previous", "Previous example", at - 1), ("next", "Next example", at + 1)):
            st.button(
                label,
                key=f"{KEY}.{name}",
                icon=f":material/chevron_{'left' if name == 'previous' else 'right'}:",
                on_click=show_example,
                args=(view.decision_id, to % n),
                help=label,
            )
        if view.evidence is not None:
            st.html(facts_html(view, view.evidence))
        else:
            st.html(f'<p class="rl-facts"><span>{escape.html(view.finding.sentence)}</span></p>')
        _all(view)


def _all(view: View) -> None:
    n = len(view.findings)
    with st.popover(f"List all {n:,}", key=f"{KEY}.all", type="tertiary", width="content", on_change="rerun") as opened:
        if opened.open:
            st.html(_list(view))


def _list(view: View) -> str:
    shown = view.findings[:MOST]
    ids = {document_id for finding in shown for document_id in ids_in(finding)}
    there = documents(view.workspace, ids, revision=view.revision)

    def titled(document_id: str) -> str:
        return (there[document_id].title if document_id in there else "") or document_id

    rows = "".join(
        f"<li>{escape.html(subject_words(finding, titled=titled))} <code>{escape.html(types_words((finding,)))}</code>"
        "</li>"
        for finding in shown
    )
    more = f'<p class="dg-note">{MOST:,} of {len(view.findings):,} shown</p>' if len(view.findings) > MOST else ""
    return f'<div class="rl-alllist" tabindex="0" role="region" aria-label="All findings"><ol>{rows}</ol></div>{more}'

"""The facts over the two passages, how the relationship is stated, its history, and the examples of a class."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.edge_evidence import EdgeEvidence
from docgraph.domain.history import HistoryEntry
from docgraph.ui.frame import escape, navigation
from docgraph.ui.relationships.findings.decision.draft import show_example
from docgraph.ui.relationships.findings.decision.view import View, documents
from docgraph.views.relationships.findings.queue import ids_in, subject_words, types_words
from docgraph.views.relationships.findings.words import naming_words
from docgraph.views.relationships.history.words import change_text
from docgraph.views.words.counts import plural, score
from docgraph.views.words.moments import moment, person
from docgraph.views.words.provenance import provenance_quote, provenance_words, review_words

LISTED = 20


def facts(view: View) -> None:
    """Draw the line: similarity, where it comes from, the last review, how often the texts name each other."""
    if view.evidence is None:
        return
    with st.container(key="rl-facts", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(facts_html(view, view.evidence))
        _same(view)


def facts_html(view: View, evidence: EdgeEvidence) -> str:
    """The line of facts on what is between the two; of no relationship it is not said where it comes from."""
    edge = view.relationship
    cells = [
        (
            f"similarity {_similarity(evidence)}",
            "Cosine of the two summaries; the rank of B among the documents near A",
        ),
        *(((provenance_words(edge), _source(view)), (review_words(edge), "")) if edge else ()),
        (f"A mentions B: {naming_words(evidence.a, evidence.b)}", ""),
        (f"B mentions A: {naming_words(evidence.b, evidence.a)}", ""),
    ]
    body = "".join(f'<span title="{escape.html(more)}">{escape.html(said)}</span>' for said, more in cells)
    return f'<p class="rl-facts">{body}</p>'


def stated(view: View) -> None:
    """Draw the words that state the relationship and, folded, the history of what is between the two."""
    edge = view.relationship
    quote = (provenance_quote(edge) if edge else "") or view.finding.evidence
    if quote:
        st.html(f'<p class="rl-quote"><span>Stated as</span> {escape.html(escape.shorten(quote, 300))}</p>')
    _history(view.evidence.history if view.evidence else (), view)


def _similarity(evidence: EdgeEvidence) -> str:
    rank = f", rank {evidence.rank:,} of {evidence.n_ranked:,}" if evidence.rank else ""
    return f"{score(evidence.similarity)}{rank}"


def _source(view: View) -> str:
    if view.relationship is None:
        return ""
    document = view.documents.get(view.relationship.from_document_id)
    return document.source if document else ""


def _same(view: View) -> None:
    """How many more decisions of this check there are, and the way to them."""
    rest = sum(each.check_id == view.decision.check_id for each in view.report.decisions) - 1
    if rest > 0:
        query = {"tab": "review", "check": view.finding.check_id, "finding": view.decision_id}
        navigation.link("relationships", f"{rest:,} more of this kind", query=query)


def _history(entries: tuple[HistoryEntry, ...], view: View) -> None:
    if not entries:
        return
    with st.expander(f"History: {plural(len(entries), 'change')} between the two", key="docgraph.finding.history"):
        items = "".join(_entry(entry, change_text(entry, named=view.titled)) for entry in entries[:LISTED])
        more = f'<p class="dg-note">{LISTED:,} of {len(entries):,} shown</p>' if len(entries) > LISTED else ""
        st.html(f'<ol class="rl-history">{items}</ol>{more}')


def _entry(entry: HistoryEntry, said: str) -> str:
    undone = f" (undone by {entry.undone_by})" if entry.undone_by is not None else ""
    reason = f" <q>{escape.html(entry.reason)}</q>" if entry.reason else ""
    return (
        f"<li><span>{entry.entry_id}</span><b>{escape.html(person(entry.by))}</b> {escape.html(said)}{undone}{reason} "
        f"<small>{escape.html(moment(entry.at))}</small></li>"
    )


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

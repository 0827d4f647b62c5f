"""One line of facts over the two passages, and under them how it is stated and what was done to it before."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.edge_evidence import EdgeEvidence
from docgraph.domain.history import HistoryEntry
from docgraph.ui.frame import escape, navigation
from docgraph.ui.relationships.findings.decision.view import View
from docgraph.views.relationships.findings.words import naming_words
from docgraph.views.relationships.history.words import change_text
from docgraph.views.words.counts import UNKNOWN, plural, score
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
    """The line of facts on what is between the two."""
    edge = view.relationship
    cells = [
        (
            f"similarity {_similarity(evidence)}",
            "Cosine of the two summaries; the rank of B among the documents near A",
        ),
        (provenance_words(edge) if edge else UNKNOWN, _source(view)),
        (review_words(edge) if edge else UNKNOWN, ""),
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

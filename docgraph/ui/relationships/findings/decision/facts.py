"""Six facts under the two passages, and what was done to the relationship before."""

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
    """Draw the row of facts and, folded, the history of the relationships between the two."""
    evidence = view.evidence
    if evidence is None:
        return
    edge = view.relationship
    cells = [
        ("A names B", naming_words(evidence.a, evidence.b), ""),
        ("B names A", naming_words(evidence.b, evidence.a), ""),
        ("Similarity", _similarity(evidence), "Cosine of the two summaries; the rank of B among all documents near A"),
        ("Comes from", provenance_words(edge) if edge else UNKNOWN, _source(view)),
        ("Last review", review_words(edge) if edge else UNKNOWN, ""),
    ]
    body = "".join(
        f'<div title="{escape.html(more)}"><dt>{name}</dt><dd>{escape.html(value)}</dd></div>'
        for name, value, more in cells
    )
    with st.container(key="rl-facts", horizontal=True, gap="small"):
        st.html(f'<dl class="rl-facts">{body}</dl>')
        _same(view)
    quote = (provenance_quote(edge) if edge else "") or view.finding.evidence
    if quote:
        st.html(f'<p class="rl-quote"><span>Stated as</span> {escape.html(escape.shorten(quote, 300))}</p>')
    _history(evidence.history, view)


def _similarity(evidence: EdgeEvidence) -> str:
    rank = f", rank {evidence.rank:,} of {evidence.n_ranked:,}" if evidence.rank else ""
    return f"{score(evidence.similarity)}{rank}"


def _source(view: View) -> str:
    if view.relationship is None:
        return ""
    document = view.documents.get(view.relationship.from_document_id)
    return document.source if document else ""


def _same(view: View) -> None:
    """How many more findings of this check there are, and the way to them."""
    rest = len(view.result.findings) - 1 if view.result else 0
    with st.container(key="rl-same", gap=None):
        st.html('<p class="rl-samehead">Same finding</p>')
        if rest > 0:
            query = {"tab": "findings", "check": view.finding.check_id, "finding": view.finding.finding_id}
            navigation.link("relationships", f"{rest:,} more", query=query)
        else:
            st.html('<p class="rl-sameonly">only this one</p>')


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

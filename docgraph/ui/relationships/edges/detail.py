"""The relationship that is open: both ends, what is known of it, what can be done, its history."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from docgraph.domain.graph import Relationship, StoredDocument
from docgraph.domain.history import HistoryEntry
from docgraph.domain.overrides import EdgeKey, edge_text
from docgraph.ui.frame import escape, layout, navigation, resources
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.data import checked, edges, naming, titled
from docgraph.ui.relationships.edges.change import Show, change, follow
from docgraph.views.relationships.history.words import entry_text
from docgraph.views.words.counts import UNKNOWN, plural
from docgraph.views.words.provenance import provenance_quote, provenance_words, review_words
from docgraph.views.words.sections import pointed_sections

HISTORY_SHOWN, FINDINGS_SHOWN = 10, 8


def detail(workspace: str, key: EdgeKey, *, show: Show, close: Callable[[], None]) -> None:
    """Draw it; a relationship that no longer exists says who removed it and what it became."""
    edge = edges(workspace).get(key)
    entries = resources.docgraph(workspace).relationships.history(key=key, limit=HISTORY_SHOWN + 1)
    if edge is None:
        _gone(workspace, key, entries, show=show, close=close)
        return
    ends = resources.docgraph(workspace).documents.by_id(sorted({key[0], key[2]}))
    with st.container(key="re-top", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<h2 class="dg-h2">{escape.html(key[1])}</h2>')
        st.button("Close", key="docgraph.edges.close", on_click=close, type="tertiary")
    _ends(key, ends)
    _facts(workspace, edge)
    change(workspace, edge, show=show, close=close)
    _history(workspace, key, entries)


def _ends(key: EdgeKey, ends: dict[str, StoredDocument]) -> None:
    with st.container(key="re-ends", gap="xsmall"):
        for letter, document_id in (("A", key[0]), ("B", key[2])):
            document = ends.get(document_id)
            with st.container(key=f"re-end-{letter}", horizontal=True, vertical_alignment="center", gap="small"):
                st.html(f'<div class="re-end"><b>{letter}</b><p>{_end_html(document, document_id)}</p></div>')
                if document is not None:
                    navigation.link("library", "Open", query={"document": document_id})
                    navigation.link("relationships", "Its relationships", query={"tab": "all", "at": document_id})


def _end_html(document: StoredDocument | None, document_id: str) -> str:
    if document is None:
        return f"{layout.glyph('finding', 'missing')} {escape.html(document_id)}<small>not stored</small>"
    kind = f"{document.doc_type or 'no type'}, {plural(document.n_chunks, 'passage')}"
    return f"{escape.html(document.title or document_id)}<small>{escape.html(kind)}</small>"


def _facts(workspace: str, edge: Relationship) -> None:
    quote = provenance_quote(edge)
    facts = [("Comes from", provenance_words(edge)), ("Review", review_words(edge))]
    if section := pointed_sections(edge):
        facts.insert(0, ("Section", section))
    if quote:
        facts.insert(1, ("Sentence", f"“{quote}”"))
    report = state.report(workspace) if checked(workspace) else None
    n = next((use.n_questions for use in report.fired if use.key == edge.key), 0) if report else None
    used = UNKNOWN if n is None or report is None else f"{n:,} of {plural(report.n_questions, 'saved question')}"
    facts.append(("Adds a document for", used))
    layout.facts(facts)
    found = [each for each in report.findings if edge.key in each.relationships] if report else []
    for finding in found[:FINDINGS_SHOWN]:
        label = escape.label(finding.sentence, limit=110)
        navigation.link("relationships", label, query={"tab": "review", "finding": finding.finding_id})
    if len(found) > FINDINGS_SHOWN:
        st.html(f'<p class="dg-note">{FINDINGS_SHOWN} of {len(found):,} findings about it</p>')


def _history(workspace: str, key: EdgeKey, entries: tuple[HistoryEntry, ...]) -> None:
    shown = entries[:HISTORY_SHOWN]
    more = len(entries) > HISTORY_SHOWN
    layout.section("History", f"the newest {HISTORY_SHOWN}" if more else "" if shown else "nobody changed it by hand")
    if not shown:
        return
    items = "".join(f"<li>{_entry_html(workspace, entry)}</li>" for entry in shown)
    st.html(f'<ul class="re-history">{items}</ul>')
    navigation.link("relationships", "Open in History", query={"tab": "history", "edge": edge_text(key)})


def _entry_html(workspace: str, entry: HistoryEntry) -> str:
    said = escape.html(entry_text(entry, named=naming(workspace)))
    return f"<s>{said}</s> undone by {entry.undone_by}" if entry.undone_by is not None else said


def _gone(
    workspace: str, key: EdgeKey, entries: tuple[HistoryEntry, ...], *, show: Show, close: Callable[[], None]
) -> None:
    """It was removed, or became another one: who did it, and the way to what is there now."""
    state.show_problem()
    newest = next(iter(entries), None)
    said = entry_text(newest, named=naming(workspace)) if newest else "An import removed it."
    layout.empty(f"{titled(workspace, key)} no longer exists", said)
    with st.container(horizontal=True, gap="small"):
        after = newest.after if newest is not None else None
        now = edges(workspace).get(after.key) if after is not None else None
        if now is not None:
            st.button(
                "Open what it became",
                key="docgraph.edge.follow",
                type="primary",
                on_click=follow,
                args=(now.key, now, show),
            )
        navigation.link("relationships", "Open its history", query={"tab": "history", "edge": edge_text(key)})
        st.button("Close", key="docgraph.edges.close", on_click=close)

"""The judging pane: what is decided, the passages that speak for an example, and the acts with their effects."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from docgraph.domain.finding import CheckReport, Decision
from docgraph.domain.overrides import EdgeKey
from docgraph.ui.frame import escape, layout, navigation, resources
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.findings.checks import severity_sign
from docgraph.ui.relationships.findings.decision.act_row import act_row
from docgraph.ui.relationships.findings.decision.actions import foot, keys, reading_foot, reading_keys, saving
from docgraph.ui.relationships.findings.decision.draft import hand
from docgraph.ui.relationships.findings.decision.facts import facts, pager, stated
from docgraph.ui.relationships.findings.decision.rule import rule_popover
from docgraph.ui.relationships.findings.decision.triage import triage_popover
from docgraph.ui.relationships.findings.decision.view import View, around, documents, type_counts, view_of
from docgraph.ui.relationships.findings.effects import EffectsPlace
from docgraph.ui.relationships.passages import document_card, passages
from docgraph.views.relationships.findings.queue import class_words, denominator
from docgraph.views.relationships.findings.words import dismissal_words
from docgraph.views.words.counts import plural

LISTED = 12


def judging(workspace: str, report: CheckReport, decision: Decision) -> EffectsPlace | None:
    """Draw the pane; returns where the effect on the saved questions goes once it is known.

    None where everything is only read: nothing is offered then that would have to be kept.
    """
    view = view_of(workspace, report, decision)
    drafted = hand().drafts.get(decision.decision_id, "")
    with st.container(
        key="rl-top", gap=None
    ):  # one place, whatever is said in it: nothing under it is drawn anew for it
        _title(view)
        _notices(view)
        if view.alone and len(view.subject.edges) > 1:
            _choose(view)
    if resources.only_reads():
        _to_be_read(view)
        return None
    _example(view)
    with st.container(key="rl-decide", gap=None):
        rows = act_row(view, drafted)
        under = st.empty()
        saving(view, drafted)
        foot(view, drafted)
    keys(view)
    return EffectsPlace(
        rows=rows,
        line=under,
        workspace=workspace,
        revision=view.revision,
        n_findings=len(view.findings),
        alternatives=view.alternatives,
        refused={name: why for name, why in view.refused.items() if why},
        drafted=drafted,
        n_questions=report.n_questions,
    )


def _to_be_read(view: View) -> None:
    """What speaks for the finding, why nobody can decide it here, and the keys that move."""
    why = escape.html(state.locked_words())
    _example(view)
    with st.container(key="rl-decide", gap=None):
        st.html(f'<p class="rl-off">{layout.glyph("lock")}<span>Findings are read-only: {why}.</span></p>')
        reading_foot(view.decision_id)
    reading_keys(view.decision_id)


def _example(view: View) -> None:
    with st.container(key="rl-body", gap=None):
        if not view.alone:
            pager(view)
        _body(view)


def _title(view: View) -> None:
    finding, result = view.finding, view.result
    title = result.title if result else finding.check_id
    with st.container(key="rl-title", horizontal=True, vertical_alignment="center", gap="small"):
        said = title if view.alone else f"{view.decision.label}: decided together"
        held = f'data-decision="{escape.html(view.decision_id)}"'  # the first that is drawn of it
        st.html(f'<h2 class="rl-h2" {held}>{severity_sign(finding.severity)}<span>{escape.html(said)}</span></h2>')
        st.html(f'<p class="dg-note rl-denominator">{escape.html(denominator(view.decision, view.report))}</p>')
        if not resources.only_reads():
            triage_popover(view.workspace, view.report, view.decision)
        if result is not None and not resources.only_reads():
            rule_popover(view.workspace, result)
    mended = "" if view.alternatives else " rl-elsewhere"  # nothing here mends it: what does is always said
    why = f' <span class="rl-why{mended}">{escape.html(result.why)}</span>' if result else ""
    about = finding.sentence
    if not view.alone:
        about = f"{title}: {class_words(view.decision, view.findings, titled=view.titled)}"
    st.html(f'<p class="rl-sentence">{escape.html(about)}.{why}</p>')


def _notices(view: View) -> None:
    """What went wrong with the last save, what somebody else did meanwhile, how this was ignored before."""
    if hand().gone:
        layout.card("note", hand().gone, "This is the next item.", sign="info")
    if state.show_problem() is None and view.stale:
        layout.card(
            "note",
            "Somebody changed this relationship while you reviewed it"
            if view.alone
            else "Somebody changed these relationships while you reviewed them",
            "You see the current state; your draft and reason are still here. Save again to continue.",
            sign="info",
        )
        hand().seen.pop(view.decision_id, None)
    before = view.finding.dismissal
    if before is not None:
        said = f"Ignored before by {dismissal_words(before)}: “{before.reason}”. A text changed since."
        st.html(f'<p class="rl-before">{layout.glyph("clock")}{escape.html(said)}</p>')


def _body(view: View) -> None:
    """Two passages and what is between them, or whatever else a person needs to judge this kind of finding."""
    subject = view.subject
    if subject.pair is not None and view.evidence is not None:
        passages(view.evidence, subject.pair, subject.edge, stored=view.documents)
        if view.alone:
            facts(view)
        stated(view)
        return
    if view.finding.relation_types:
        _types(view)
    for place, document_id in enumerate(view.finding.document_ids[:2]):
        document = view.documents.get(document_id)
        if document is not None:
            document_card(document, key=f"d{place}")
            _edges_of(view, document_id)


def _choose(view: View) -> None:
    """Which of several relationships is judged, on one line; each is named whole where it opens."""
    finding_id, edges = view.finding.finding_id, list(view.subject.edges)  # alone: also the decision's id
    key = f"docgraph.relationships.edge.{finding_id}"
    named = {edge: _edge_label(edge, view, edges) for edge in edges}
    with st.container(key="rl-which", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<span class="dg-note">One of {len(edges):,}</span>')
        st.selectbox(
            "Relationship shown",
            edges,
            format_func=named.__getitem__,
            key=key,
            index=edges.index(view.subject.edge) if view.subject.edge in edges else 0,
            on_change=_chosen,
            args=(finding_id, key),
            label_visibility="collapsed",
        )


def _edge_label(edge: EdgeKey, view: View, edges: Sequence[EdgeKey]) -> str:
    """Plain text: the options of a select box are no markdown."""
    titled = view.titled
    if {edge[0] for edge in edges} == {edge[0]} and {each[2] for each in edges} == {edge[2]}:
        return escape.plain(edge[1])
    return escape.plain(f"{titled(edge[0])} —{edge[1]}→ {titled(edge[2])}")


def _chosen(finding_id: str, key: str) -> None:
    hand().edges[finding_id] = st.session_state[key]
    hand().drafts.pop(finding_id, None)


def _types(view: View) -> None:
    """The names side by side, each with how often it is used and the way to its relationships."""
    with st.container(key="rl-types", horizontal=True, gap="small"):
        for place, name in enumerate(view.finding.relation_types[:3]):
            with st.container(key=f"rl-card-t{place}", gap=None):
                n = _count(view, name)
                st.html(
                    f'<div class="rl-card"><div><h3><code>{escape.html(name)}</code></h3>'
                    f'<p class="rl-place">{escape.html(n)}</p></div></div>'
                )
                with st.container(key=f"rl-cardfoot-t{place}", horizontal=True, gap="small"):
                    navigation.link("relationships", "Its relationships", query={"tab": "all", "type": name})
                    navigation.link("relationships", "All types", query={"tab": "types"})
    if view.finding.fix:
        rows = [f"{view.titled(e.key[0])} —{e.key[1]}→ {view.titled(e.key[2])}" for e in view.finding.fix[:LISTED]]
        _list(
            f"The check proposes to change {plural(len(view.finding.fix), 'relationship')}",
            rows,
            n=len(view.finding.fix),
        )


def _count(view: View, name: str) -> str:
    counts = type_counts(view.workspace, revision=view.revision)
    return plural(counts.get(name, 0), "relationship")


def _edges_of(view: View, document_id: str) -> None:
    """What a document is related with, and the ways to change that."""
    edges = [e for e in around(view.workspace, document_id, revision=view.revision) if e.relation_type != "mentions"]
    ends = {end for e in edges[:LISTED] for end in (e.from_document_id, e.to_document_id)}
    there = documents(view.workspace, ends, revision=view.revision)
    titled = {end: there[end].title or end if end in there else end for end in ends}
    rows = [f"{titled[e.key[0]]} —{e.key[1]}→ {titled[e.key[2]]}" for e in edges[:LISTED]]
    _list(plural(len(edges), "relationship"), rows, n=len(edges))
    with st.container(key="rl-ways", horizontal=True, gap="small"):
        edits = "Its relationships" if resources.only_reads() else "Edit its relationships"
        navigation.link("relationships", edits, query={"tab": "all", "at": document_id})
        if not edges:
            navigation.link("relationships", "Show suggestions", query={"tab": "suggestions"})


def _list(title: str, rows: Sequence[str], *, n: int) -> None:
    items = "".join(f"<li>{escape.html(row)}</li>" for row in rows)
    more = f'<p class="dg-note">{len(rows):,} of {n:,} shown</p>' if n > len(rows) else ""
    st.html(f'<div class="rl-list"><h3>{escape.html(title)}</h3><ul>{items}</ul>{more}</div>')

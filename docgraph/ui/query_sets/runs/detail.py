"""A saved version beside the list: what it is, what can be done with it, and its downloads."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.domain.saved_run import SavedRun
from docgraph.ui.frame import escape, navigation
from docgraph.ui.frame.download import download
from docgraph.ui.parts.copy_link import copy_link
from docgraph.ui.parts.runs import marks
from docgraph.ui.parts.runs.banner import current_revisions, live_query, stale_part, staleness_of
from docgraph.ui.parts.runs.data import summary
from docgraph.ui.parts.runs.saving import save_popover
from docgraph.ui.query_sets.runs.actions import delete
from docgraph.ui.query_sets.runs.review import review
from docgraph.views.words.address import QUERY
from docgraph.views.words.counts import plural
from docgraph.views.words.moments import name_of, person
from docgraph.views.words.staleness import Staleness

_SIDES = "Without and with relationships, as saved"


def detail(saved: SavedRun) -> None:
    """Draw everything of one saved run."""
    state, row = staleness_of(saved), summary(saved.run_id)
    with st.container(key="rn-detail", gap="small"):
        with st.container(key="rn-title", horizontal=True, vertical_alignment="center", gap="small"):
            chips = marks.state(row, current_revisions().get(saved.workspace)) if row else ""
            st.html(f'<div class="rn-titleline"><h2 class="dg-h2">{escape.html(_title(saved))}</h2>{chips}</div>')
            navigation.link("query_sets", "Close version", query={QUERY: saved.run.request.query})
        if saved.note:
            st.html(f'<p class="rn-note">{escape.html(saved.note)}</p>')
        with st.container(key="rn-freshness", horizontal=True, gap="small"):
            stale_part(state, key="detail")
        _ways(saved, state)
        st.html(_facts(saved))
    review(saved, state)


def _title(saved: SavedRun) -> str:
    """What it is called beside its question."""
    return "Saved version" if saved.name == saved.run.request.query else name_of(saved)


def _as_json(saved: SavedRun) -> bytes:
    return saved.model_dump_json(indent=2).encode()


def _ways(saved: SavedRun, state: Staleness) -> None:
    """Everything one can do with the run."""
    run = {"run": saved.run_id}
    with st.container(key="rn-ways", horizontal=True, vertical_alignment="center", gap="small"):
        navigation.link("plan", "Open as saved", query=run, help="Show the saved answer in Plan")
        navigation.link("compare", "Compare as saved", query={**run, "baseline": "ms3"}, help=_SIDES)
        if state.state != "dropped":
            navigation.link("compare", "Compare with current data", query=live_query(saved, "compare"))
    with st.container(key="rn-more", horizontal=True, vertical_alignment="center", gap="small"):
        copy_link("Copy link to this version", "/plan", {"run": [saved.run_id]}, key="docgraph.runs.copy")
        name, made = f"run-{saved.run_id}.json", partial(_as_json, saved)
        download("Export", made, name, key="docgraph.runs.export.run", help="The saved answer as JSON")
        save_popover(saved.run, key="docgraph.runs.edit", label="Name, note, pin")
        st.button("Delete", key="docgraph.runs.delete", on_click=delete, args=(saved,))


def _facts(saved: SavedRun) -> str:
    run, plan = saved.run, saved.run.plan
    kept = sum(check.passed for check in run.contract)
    facts = (
        ("Question", escape.html(run.request.query)),
        (
            "Documents",
            f"{plural(len(plan.seed_documents), 'match', 'matches')}, {len(plan.expanded_documents):,} related",
        ),
        ("Context", f"{plural(run.context.n_chunks, 'passage')}, {plural(run.assembled.total_tokens, 'token')}"),
        ("Checks passed", f"{kept} of {len(run.contract)}"),
        ("Saved", f"{marks.at(saved.saved_at)} by {escape.html(person(saved.saved_by))}"),
        ("Data", f"workspace {escape.html(saved.workspace)}, revision {marks.revision(plan.corpus_revision)}"),
        ("Embedder", escape.html(plan.embedder_id)),
        ("Hash", f'<code class="rn-hash">{escape.html(saved.content_hash)}</code>'),
    )
    lines = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)
    return f'<dl class="dg-facts rn-facts">{lines}</dl>'

"""A saved version beside the list: what it is, what can be done with it, and its downloads."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.domain.baselines import MS3
from docgraph.domain.comparison import Comparison
from docgraph.domain.saved_run import MAX_NAME, MAX_NOTE, RunSummary, SavedRun
from docgraph.errors import DocgraphError
from docgraph.orchestration.session import utc_now
from docgraph.ui.frame import escape, layout, navigation
from docgraph.ui.frame.download import download
from docgraph.ui.parts.comparison import compare
from docgraph.ui.parts.copy_link import copy_link
from docgraph.ui.parts.runs import marks
from docgraph.ui.parts.runs.banner import current_revisions, live_query, stale_part, staleness_of
from docgraph.ui.parts.runs.data import rows, summary
from docgraph.ui.query_sets.runs.actions import delete, pin, rename
from docgraph.ui.query_sets.runs.review import review
from docgraph.views.report.file import REPORT_KINDS, ReportKind, file_name, report
from docgraph.views.words.address import QUERY
from docgraph.views.words.counts import plural
from docgraph.views.words.moments import name_of, person
from docgraph.views.words.staleness import Staleness

_LABELS: dict[ReportKind, str] = {"html": "HTML page", "json": "JSON", "csv": "CSV", "markdown": "Markdown"}


def export(saved: SavedRun, row: RunSummary | None) -> None:
    """A button that opens the downloads; comparison and files are made when they are asked for."""
    opened = st.popover("Export", key="docgraph.runs.export", on_change="rerun")
    if opened.open:
        with opened:
            downloads(saved, row)


def downloads(saved: SavedRun, row: RunSummary | None) -> None:
    """The saved run, and one report of each kind; a comparison that cannot be made says why."""
    st.html('<h3 class="dg-h3">Saved answer</h3>')
    download("Saved answer, JSON", partial(_as_json, saved), f"run-{saved.run_id}.json", key="docgraph.runs.export.run")
    st.html('<h3 class="dg-h3">Report: without and with relationships</h3>')
    try:
        comparison = compare(saved, MS3, saved.workspace)
    except DocgraphError as problem:
        layout.error(problem)
        return
    with st.container(key="rn-reports", horizontal=True, gap="small"):
        for kind in REPORT_KINDS:
            _report(comparison, kind, row)


def _as_json(saved: SavedRun) -> bytes:
    return saved.model_dump_json(indent=2).encode()


def _report(comparison: Comparison, kind: ReportKind, row: RunSummary | None) -> None:
    download(
        _LABELS[kind],
        partial(report, comparison, kind, made_at=utc_now(), saved=row),
        file_name(comparison, kind),
        key=f"docgraph.runs.export.{kind}",
    )


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
        _ways(saved, state, row)
        st.html(_facts(saved))
    review(saved, state)


def _title(saved: SavedRun) -> str:
    """What it is called beside its question."""
    return "Saved version" if saved.name == saved.run.request.query else name_of(saved)


def _ways(saved: SavedRun, state: Staleness, row: RunSummary | None) -> None:
    """Everything one can do with the run."""
    run = {"run": saved.run_id}
    with st.container(key="rn-ways", horizontal=True, vertical_alignment="center", gap="small"):
        navigation.link("plan", "Open as saved", query=run, help="Show the saved answer in Plan")
        navigation.link("compare", "Compare as saved", query={**run, "baseline": "ms3"}, help=_SIDES)
        _compare_with(saved)
        if state.state != "dropped":
            navigation.link("compare", "Compare with current data", query=live_query(saved, "compare"))
    with st.container(key="rn-more", horizontal=True, vertical_alignment="center", gap="small"):
        copy_link("Copy link to this version", "/plan", {"run": [saved.run_id]}, key="docgraph.runs.copy")
        export(saved, row)
        _edit(saved)
        st.button(
            "Unpin" if saved.pinned else "Pin as baseline",
            key="docgraph.runs.pin",
            on_click=pin,
            args=(saved.run_id, not saved.pinned),
        )
        st.button("Delete", key="docgraph.runs.delete", on_click=delete, args=(saved,))


def _compare_with(saved: SavedRun) -> None:
    others = [row for row in rows(everywhere=True) if row.run_id != saved.run_id]
    if not others or navigation.page("compare") is None:
        return
    with st.popover("Compare with…", key="docgraph.runs.compare_with"):
        # Its own workspace first: only there the two can be compared without "anyway".
        others.sort(key=lambda row: row.workspace != saved.workspace)
        chosen = st.selectbox("Compare with (A)", others, format_func=_choice, key="docgraph.runs.other")
        if chosen is not None:
            query = {"run": saved.run_id, "baseline": chosen.run_id}
            navigation.link("compare", "Compare", query=query)


def _choice(row: RunSummary) -> str:
    return f"{escape.shorten(escape.plain(name_of(row)), 60)} · {row.run_id}"


def _edit(saved: SavedRun) -> None:
    with st.popover("Name and note", key="docgraph.runs.edit"), st.form("rn-edit", border=False):
        keys = {"name_key": f"docgraph.runs.name.{saved.run_id}", "note_key": f"docgraph.runs.note.{saved.run_id}"}
        st.text_input("Name", value=saved.name, max_chars=MAX_NAME, key=keys["name_key"])
        st.text_area("Note", value=saved.note, max_chars=MAX_NOTE, key=keys["note_key"])
        st.form_submit_button(
            "Save changes",
            type="primary",
            key="docgraph.runs.rename",
            on_click=rename,
            args=(saved.run_id,),
            kwargs=keys,
        )


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

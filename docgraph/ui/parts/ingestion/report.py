"""Shows an import's report: in = stored + updated + skipped + rejected, relationships by type, every source."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from docgraph.domain.imports.profile import Written
from docgraph.domain.report import IngestReport, SourceOutcome
from docgraph.ui.frame import escape, layout, navigation
from docgraph.views.words.address import WORKSPACE
from docgraph.views.words.counts import plural
from docgraph.views.words.type_roles import change_sentences

SHOWN_CAUSES, SHOWN_ADJUSTED = 12, 20
NOTHING_LEADS = "No relationships in this import"
NOTHING_LEADS_WHY = (
    "Plans contain matches only. Relationships come from links between "
    "the files, fields such as supersedes, and records; you can add them under Relationships."
)


def report(done: IngestReport, *, what: str, key: str, workspace: str) -> None:
    """The whole report; its table starts with the rejected sources when there are any.

    What to do next with the ``workspace`` stands under its counts.
    """
    verb = "Preview of" if done.dry_run else "Imported"
    layout.section(f"{verb} {what}", _seconds(done))
    if done.notice:
        layout.card("note", done.notice, "", sign="finding")
    _sum(done)
    types = sorted(done.relationships.items(), key=lambda p: (-p[1], p[0]))
    layout.strip(
        [
            ("passage" if done.n_chunks == 1 else "passages", f"{done.n_chunks:,}"),
            ("relationship" if done.n_relationships == 1 else "relationships", f"{done.n_relationships:,}"),
            ("without a target", f"{done.n_dangling:,}"),
            *((name, f"{count:,}") for name, count in types),
        ]
    )
    if done.dialects:
        st.html(dialects_table(done.dialects))
    _next(done, workspace)
    for sentence in change_sentences(done.decided):
        layout.card("note", sentence, "")
    if done.moved:
        layout.card("note", f"{plural(len(done.moved), 'document')} moved: decisions about them are preserved", "")
    if done.pruned:
        layout.card("note", f"{plural(len(done.pruned), 'document')} deleted because their file no longer exists", "")
    if done.reading is not None and done.reading.lines:
        lines = "".join(f"<li>{escape.html(line.sentence)}</li>" for line in done.reading.lines)
        st.html(f'<ul class="dg-reading">{lines}</ul>')
    if done.causes:
        rows = "".join(f"<li><b>{each.n:,}</b> {escape.html(each.cause)}</li>" for each in done.causes[:SHOWN_CAUSES])
        more = len(done.causes) - SHOWN_CAUSES
        rest = f"<li>{more:,} more causes</li>" if more > 0 else ""
        st.html(f'<p class="dg-note">Not read, rarest cause first</p><ul class="dg-reading">{rows}{rest}</ul>')
    _left_out(done)
    if done.outcomes:
        _sources(done, key)


def _next(done: IngestReport, workspace: str) -> None:
    """What a person does next: ask, look at what the checks find and what leads nowhere."""
    if done.dry_run or not (done.n_stored or done.n_updated):
        return
    if not done.n_relationships:
        layout.card("note", NOTHING_LEADS, NOTHING_LEADS_WHY, sign="finding")
    query = {WORKSPACE: workspace}
    with st.container(key="dg-next", horizontal=True, vertical_alignment="center", gap="small"):
        navigation.link("plan", "Ask your first question", query=query)
        if done.n_relationships:
            navigation.link("relationships", "Show check results", query=query)
        if done.n_dangling:
            whose = {**query, "tab": "all", "dangling": "true"}
            navigation.link("relationships", f"Show {done.n_dangling:,} without a target", query=whose)


def dialects_table(dialects: Sequence[Written]) -> str:
    """HTML of how the files are written: a line a dialect, with its pages and links."""
    rows = "".join(
        f'<tr><th scope="row">{escape.html(each.title)}</th><td>{escape.html(each.pages)}</td>'
        f"<td>{escape.html(each.links)}</td></tr>"
        for each in dialects
    )
    return f'<table class="dg-dialects"><tbody>{rows}</tbody></table>'


def _left_out(done: IngestReport) -> None:
    """What patterns leave out, and what was read otherwise than it is written."""
    if done.excluded:
        rows = "".join(f"<li><b>{each.n:,}</b> {escape.html(each.cause)}</li>" for each in done.excluded[:SHOWN_CAUSES])
        said = f"{plural(done.n_excluded, 'file or folder', 'files and folders')} left out by patterns"
        st.html(f'<p class="dg-note">{said}</p><ul class="dg-reading">{rows}</ul>')
    if done.adjusted:
        rows = "".join(
            f"<li>{escape.html(each.place)}: {escape.html(each.reason)}</li>" for each in done.adjusted[:SHOWN_ADJUSTED]
        )
        more = done.n_adjusted - SHOWN_ADJUSTED
        rest = f"<li>{more:,} more</li>" if more > 0 else ""
        st.html(f'<p class="dg-note">Adjusted values</p><ul class="dg-reading">{rows}{rest}</ul>')


def _seconds(done: IngestReport) -> str:
    wrote = "nothing was written" if done.dry_run else f"revision {done.revision[:6]}"
    return f"{wrote}, {done.seconds:.1f} s{', stopped early' if done.stopped else ''}"


def _sum(done: IngestReport) -> None:
    parts = [
        f"<b>{done.n_in:,}</b> in",
        "=",
        f"{layout.glyph('stored')}<b>{done.n_stored:,}</b> {'to store' if done.dry_run else 'stored'}",
        "+",
        f"{layout.glyph('file')}<b>{done.n_updated:,}</b> {'to update' if done.dry_run else 'updated'}",
        "+",
        f"{layout.glyph('skipped')}<b>{done.n_skipped:,}</b> skipped",
        "+",
        f"{layout.glyph('rejected')}<b>{done.n_rejected:,}</b> rejected",
    ]
    st.html(f'<div class="dg-strip dg-sum">{"".join(f"<span>{part}</span>" for part in parts)}</div>')


def _sources(done: IngestReport, key: str) -> None:
    counts = done.counts
    offered = [name for name in counts if counts[name]]
    chosen = st.segmented_control(
        "Show",
        offered,
        default="rejected" if done.n_rejected else offered[0],
        required=True,
        format_func=lambda name: f"{name} {counts[name]:,}",
        key=f"docgraph.{key}.outcome",
        label_visibility="collapsed",
    )
    rows = [outcome for outcome in done.outcomes if outcome.outcome == chosen]
    cut = f"; the report lists the first {len(done.outcomes):,} sources" if done.outcomes_cut else ""
    st.html(f'<p class="dg-note">{len(rows):,} of {counts[chosen]:,} shown{escape.html(cut)}</p>')
    st.dataframe(
        outcome_table(rows),
        hide_index=True,
        height=min(38 + 36 * max(len(rows), 1), 360),
        alt=f"Sources of the import that were {chosen}",
        placeholder="--",
    )


def outcome_table(rows: list[SourceOutcome]) -> pd.DataFrame:
    """Columns Source, Outcome, Document, Reason; one row a source, in the report's order."""
    return pd.DataFrame(
        {
            "Source": [row.source for row in rows],
            "Outcome": [row.change or row.outcome for row in rows],
            "Document": [row.document_id or "" for row in rows],
            "Reason": [row.reason for row in rows],
        }
    )

"""What imports changed: since which of them, in a sentence, line by line, and as files."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.domain.imports.record import ImportDiff, ImportSummary
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.frame.download import download
from docgraph.views.report.of_imports import as_json, diff_sentence, listed
from docgraph.views.words.counts import plural
from docgraph.views.words.moments import moment

SINCE = "docgraph.library.since"
SHOWN = 100


def changes(workspace: Workspace) -> None:
    """The view: nothing before the second import, else the newest state beside that after an older import."""
    docgraph = resources.docgraph(workspace.name)
    every = docgraph.imports.list()
    comparable = [each for each in every if each.comparable]
    if len(comparable) < 2:
        _too_few(every)
        return
    with st.container(key="dg-changeshead", horizontal=True, vertical_alignment="bottom", gap="small"):
        older = {each.import_id: each for each in comparable[1:]}
        since = st.selectbox(
            "Since the import of",
            list(older),
            format_func=lambda number: _named(older[number]),
            key=SINCE,
            width=420,
        )
        try:
            diff = docgraph.imports.diff(since, comparable[0].import_id)
        except DocgraphError as problem:
            layout.error(problem)
            return
        name = f"{workspace.name}-{diff.before.import_id}-{diff.after.import_id}.json"
        download("JSON", partial(_json, diff), name, key="docgraph.changes.json")
    st.html(f'<section class="dg-changes" role="status"><h2>{escape.html(_sentence(diff))}</h2></section>')
    _lists(diff)


def _too_few(every: tuple[ImportSummary, ...]) -> None:
    if every:
        said = f"{_named(every[0])} is the only import so far."
        layout.empty("Nothing to compare yet", f"{said} This page shows what the next import changes.")
        return
    if resources.only_reads():
        layout.empty("Imports are off", resources.closed("."))
        return
    layout.empty(
        "No imports yet",
        "After the second import, this page shows what it changed.",
    )


def _named(summary: ImportSummary) -> str:
    """Plain text: the options of a select box are no markdown."""
    source = escape.shorten(escape.plain(summary.source), 60)
    return f"{moment(summary.at)}: {source}, {plural(summary.n_stored + summary.n_updated, 'document')} written"


def _sentence(diff: ImportDiff) -> str:
    said = diff_sentence(diff)
    return f"{said[:1].upper()}{said[1:]}"


def _json(diff: ImportDiff) -> bytes:
    return as_json(diff).encode()


def _lists(diff: ImportDiff) -> None:
    for title, said in listed(diff).items():
        rows = "".join(f"<li>{escape.html(escape.shorten(each, 300))}</li>" for each in said[:SHOWN])
        more = (
            f'<p class="dg-note">{SHOWN:,} of {len(said):,} shown. The JSON has all.</p>' if len(said) > SHOWN else ""
        )
        st.html(
            f'<section class="dg-changelist"><h3>{escape.html(title)} <span>{len(said):,}</span></h3>'
            f"<ul>{rows}</ul>{more}</section>"
        )

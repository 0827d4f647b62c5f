"""Import and export: download, upload with a preview, saving it, and its undo."""

from __future__ import annotations

from functools import partial

import streamlit as st

from docgraph.domain.exchange import RelationshipDiff
from docgraph.domain.frozen import fingerprint
from docgraph.errors import DocgraphError
from docgraph.ui.frame import assets, escape, layout, resources
from docgraph.ui.frame.download import download
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.data import problem_card
from docgraph.ui.relationships.effect import compared_effect
from docgraph.ui.relationships.undo import Done, remember, undo_card
from docgraph.views.relationships import exchange
from docgraph.views.words.counts import plural
from docgraph.views.words.moments import revision as short_revision

REASON = "docgraph.exchange.reason"
_ROOM, _N = "exchange.read", "exchange.uploader"


def uploader() -> str:
    """Key of the place for a file; another one after each save, so that it is empty again."""
    return f"docgraph.exchange.file.{state.memory().room.get(_N, 0)}"


def difference(
    workspace: str, data: bytes, *, name: str, new_types: bool, remove_missing: bool
) -> RelationshipDiff | None:
    """What the file would do, as it was when it was read; read again only for other permissions or another file."""
    key = fingerprint([workspace, name, data.hex(), new_types, remove_missing])
    known: tuple[str, RelationshipDiff] | None = state.memory().room.get(_ROOM)
    if known is None or known[0] != key:
        try:
            diff = resources.docgraph(workspace).relationships.read_file(
                data, name=name, new_types=new_types, remove_missing=remove_missing
            )
        except DocgraphError as problem:
            layout.error(problem)
            return None
        known = state.memory().room[_ROOM] = (key, diff)
    return known[1]


def forget_difference() -> None:
    """Read the file again on the next run."""
    state.memory().room.pop(_ROOM, None)


def drop() -> None:
    """Put the file away; nothing was written."""
    forget_difference()
    state.memory().room[_N] = int(state.memory().room.get(_N, 0)) + 1


def save(workspace: str, diff: RelationshipDiff) -> None:
    """Do what was shown, all of it or nothing; somebody else's change in between is refused and named."""
    if not state.curator():
        return
    reason = str(st.session_state.get(REASON) or "").strip() or f"from {escape.plain(diff.name)[:200] or 'a file'}"
    import_file = resources.docgraph(workspace).relationships.import_file
    entries = state.tried(lambda: import_file(diff, by=state.curator(), reason=reason))
    if entries is None:
        return
    said, stay = exchange.save_words(diff).removeprefix("Save: "), plural(diff.n_dismissed, "ignored finding")
    more = f"; {stay} stay ignored after an undo" if diff.n_dismissed and entries else ""
    remember("exchange", Done(workspace, f"From {diff.name}: {said}", entries[0].act if entries else "", more))
    state.say(f"Saved: {said}")
    st.session_state[REASON] = ""
    drop()


MAX_MEGABYTES, MANY_EDITS = 20, 40
PAGE_ROWS = 100
KINDS = ("csv", "tsv", "txt", "jsonl", "ndjson", "json")
_DRAWN, _HISTORY = "docgraph.exchange.drawn", "docgraph.exchange.history"


def draw(workspace: str) -> None:
    """The section: downloads, a place for a file, and the difference that it makes."""
    assets.style(__file__, "exchange.css")
    problem_card()
    undo_card("exchange", workspace, "Undo the whole file")
    left, right = st.columns(2, gap="small")
    with left, st.container(key="rx-out", gap="small"):
        _downloads(workspace)
    with right, st.container(key="rx-in", gap="small"):
        diff = None if resources.only_reads() else _upload(workspace)
        if resources.only_reads():
            layout.empty("Uploads are off", resources.closed("."))
    if diff is not None:
        with st.container(key="rx-diff", gap="small"):
            _difference(workspace, diff)


def _downloads(workspace: str) -> None:
    docgraph = resources.docgraph(workspace)
    revision, n = docgraph.workspace.revision, docgraph.workspace.n_relationships
    layout.section("Download", f"{plural(n, 'relationship')}, revision {short_revision(revision)}")
    st.html(
        '<p class="dg-note">CSV for spreadsheets. JSON Lines with all metadata, ignored findings and assignments.</p>'
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        download(
            "CSV",
            partial(_made, workspace, "csv"),
            exchange.file_name(workspace, revision, "csv"),
            key="docgraph.exchange.csv",
        )
        history = bool(st.session_state.get(_HISTORY))
        download(
            "JSON Lines",
            partial(_made, workspace, "jsonl", history=history),
            exchange.file_name(workspace, revision, "jsonl"),
            key="docgraph.exchange.jsonl",
        )
        st.checkbox(
            "with the history", key=_HISTORY, help="The author, time and reason of each change. Imports skip it."
        )
    if resources.only_reads():
        return
    rows = "".join(f"<dt>{name}</dt><dd>{how}</dd>" for name, how in exchange.DECISIONS)
    st.html(f'<dl class="rx-how">{rows}</dl>')


def _made(workspace: str, kind: str, *, history: bool = False) -> bytes:
    """The file, made when somebody asks for it."""
    docgraph = resources.docgraph(workspace)
    if kind == "csv":
        return b"".join(docgraph.relationships.export("csv"))
    return b"".join(docgraph.relationships.export("jsonl", history=history))


def _upload(workspace: str) -> RelationshipDiff | None:
    """The place for a file with its two permissions; the difference as it was read, None without a file."""
    layout.section("Upload", "You see a preview first. Nothing is written until you save.")
    found = st.file_uploader(
        "A file downloaded here and edited",
        list(KINDS),
        key=uploader(),
        max_upload_size=MAX_MEGABYTES,
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        new_types = st.checkbox(
            "Allow new types",
            key="docgraph.exchange.new_types",
            help="Otherwise an unknown type is an error, because most are misspelt",
        )
        missing = st.checkbox(
            "Delete relationships missing from the file",
            key="docgraph.exchange.missing",
            help="Only for a complete export of the current data",
        )
    if found is None:
        st.html('<p class="dg-note">Rows missing from the file stay unchanged.</p>')
        return None
    return difference(workspace, found.getvalue(), name=found.name, new_types=new_types, remove_missing=missing)


def _difference(workspace: str, diff: RelationshipDiff) -> None:
    """Counts, rows, effect, save."""
    layout.section(
        f"What {escape.shorten(escape.plain(diff.name) or 'the file', 60)} would do", exchange.rest_words(diff)
    )
    if diff.revision != resources.docgraph(workspace).workspace.revision:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html('<p class="dg-note">The data have changed since the file was read.</p>')
            st.button("Read the file again", key="docgraph.exchange.again", on_click=forget_difference)
    st.html(_counts_html(diff))
    _rows(diff)
    if diff.edits and not diff.n_errors:
        st.html('<p class="rx-label">Effect of the whole file</p>')
        compared_effect(workspace, diff.edits, key="docgraph.exchange.effect", ask=len(diff.edits) > MANY_EDITS)
    refused = exchange.refusal(diff)
    if refused:
        st.html(f'<p class="dg-note" role="status">{escape.html(refused)}</p>')
    with st.container(key="rx-save", horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            "Reason for the rows without one (optional)",
            key=REASON,
            max_chars=2_000,
            width=420,
            disabled=not state.curator(),
        )
        st.button(
            exchange.save_words(diff),
            key="docgraph.exchange.save",
            type="primary",
            on_click=save,
            args=(workspace, diff),
            disabled=bool(refused) or not state.curator(),
        )
        st.button("Discard the file", key="docgraph.exchange.drop", on_click=drop)
    if not state.curator() and not refused:
        st.html('<p class="dg-note">Switch editing on to save it.</p>')


def _counts_html(diff: RelationshipDiff) -> str:
    cells = "".join(
        f'<span class="rx-count">{_sign(kind)}<b>{n:,}</b> {exchange.WORDS[kind]}</span>'
        for kind, n in exchange.counts(diff)
    )
    return f'<div class="rx-counts" role="status">{cells or "no changes in the file"}</div>'


def _sign(kind: exchange.DiffKind) -> str:
    """The drawn sign of a kind; the word stands beside it."""
    if kind in ("change", "dismissal"):
        return f'<span class="rx-sign rx-{kind}" aria-hidden="true"></span>'
    glyphs: dict[exchange.DiffKind, layout.Glyph] = {
        "error": "finding",
        "conflict": "finding",
        "add": "added",
        "remove": "left",
        "accept": "check",
    }
    return f'<span class="rx-sign rx-{kind}">{layout.glyph(glyphs[kind])}</span>'


def _rows(diff: RelationshipDiff) -> None:
    found = exchange.rows(diff)
    drawn = found[: int(st.session_state.get(_DRAWN, PAGE_ROWS))]
    if not drawn:
        return
    head = "<tr><th></th><th>line</th><th>column</th><th>relationship</th><th>reason, or next step</th></tr>"
    st.html(
        f'<div class="rx-scroll" tabindex="0" role="region" aria-label="Rows of the file"><table class="rx-table">'
        f"<thead>{head}</thead><tbody>{''.join(map(_row_html, drawn))}</tbody></table></div>"
    )
    if len(drawn) < len(found):
        st.button(
            f"{len(drawn):,} of {len(found):,}: show more",
            key="docgraph.exchange.more",
            type="tertiary",
            on_click=_more,
        )
    elif left := exchange.not_listed(diff, found):
        st.html(f'<p class="dg-note">{plural(left, "more row")} not listed.</p>')


def _more() -> None:
    st.session_state[_DRAWN] = int(st.session_state.get(_DRAWN, PAGE_ROWS)) + 4 * PAGE_ROWS


def _row_html(row: exchange.DiffRow) -> str:
    what, note = (escape.html(escape.shorten(text, 400)) for text in (row.what, row.note))
    return (
        f'<tr class="rx-row-{row.kind}"><td>{_sign(row.kind)}{exchange.WORDS[row.kind]}</td><td>{row.at}</td>'
        f"<td>{escape.html(escape.shorten(row.column, 40))}</td><td>{what}</td><td>{note}</td></tr>"
    )

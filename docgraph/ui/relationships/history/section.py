"""The history of all relationships: who did what, when and why; one entry or a whole act is taken back."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from docgraph.domain.history import HistoryEntry
from docgraph.domain.overrides import EdgeKey, edge_text, parse_edge
from docgraph.errors import RequestError
from docgraph.ui.frame import assets, escape, layout, navigation, resources
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.data import DOCUMENT, document_box, naming, titled, titles
from docgraph.ui.relationships.history.undo import Undoing, undo_act_row, undo_row
from docgraph.views.relationships.history.words import Act, acts, change_text, matches
from docgraph.views.words.address import MAX_DIGITS
from docgraph.views.words.counts import n_of_m, plural
from docgraph.views.words.moments import moment

WHO, TEXT = "who", "why"
EDGE, ENTRY = "edge", "entry"
"""Names in the address: a relationship, and the entry that the list begins at."""

PAGE_ROWS, READ, MAX_READ = 40, 500, 20_000
"""Entries on a page; entries that are read at a time, and at most, while looking for a person or a text."""

_PAGES = "docgraph.history.pages"


def count(workspace: str) -> int | None:
    """How many entries there are: they are counted from 1 and never deleted."""
    newest = resources.docgraph(workspace).relationships.history(limit=1)
    return newest[0].entry_id if newest else 0


def draw(workspace: str) -> None:
    """The section: filters, then acts and entries in pages, the newest first."""
    assets.style(__file__, "section.css")
    key, document, first = _edge(), st.query_params.get(DOCUMENT, ""), st.query_params.get(ENTRY, "")
    person, text = _filters(workspace, key, first)
    asked = (key, document, first, person, text)
    pages = _pages(asked)
    start = int(first[:MAX_DIGITS]) + 1 if first.isdecimal() else None
    found, more, stopped = _read(workspace, asked, before=pages[-1] if pages else start)
    state.show_problem()
    if not found:
        _nothing(filtered=any(asked))
        return
    undoing = Undoing(workspace, reason_off=_reason_off(workspace))
    with st.container(key="rh-list", gap=None):
        for act in acts(found):
            if len(act.entries) == 1:
                _entry(workspace, act.entries[0], undoing, marked=first == str(act.entries[0].entry_id))
            else:
                _act(workspace, act, undoing, first=first)
    _pager(pages, found, n=count(workspace) or 0, more=more, stopped=stopped)


def _edge() -> EdgeKey | None:
    try:
        return parse_edge(st.query_params[EDGE]) if EDGE in st.query_params else None
    except RequestError as problem:
        layout.error(problem)
        return None


def _filters(workspace: str, key: EdgeKey | None, first: str) -> tuple[str, str]:
    with st.container(key="rh-filters", horizontal=True, vertical_alignment="bottom", gap="small"):
        person = st.text_input(
            "Person", key=WHO, bind="query-params", placeholder="Part of a name", width=200, max_chars=200
        )
        text = st.text_input(
            "Search",
            key=TEXT,
            bind="query-params",
            width=320,
            max_chars=200,
            placeholder="Part of a reason, title, id or type",
        )
        document_box(workspace, key="docgraph.history.document", width=260)
        narrowed = [titled(workspace, key)] if key else []
        narrowed += [f"up to entry {first}"] if first else []
        if narrowed:
            st.html(f'<p class="rh-only">Only {escape.html(", ".join(narrowed))}</p>')
            st.button("Show all", key="docgraph.history.all", on_click=_show_all, type="tertiary")
    return person or "", text or ""


def _show_all() -> None:
    for name in (EDGE, ENTRY, DOCUMENT):
        st.query_params.pop(name, None)
    st.session_state[WHO] = st.session_state[TEXT] = ""


# ------------------------------------------------------------ pages


def _pages(asked: tuple[object, ...]) -> list[int]:
    """Where the pages begin that were turned to; another filter begins anew."""
    kept, pages = st.session_state.get(_PAGES, (None, []))
    if kept != asked:
        pages = []
    st.session_state[_PAGES] = (asked, pages)
    return list(pages)


def _read(
    workspace: str, asked: tuple[EdgeKey | None, str, str, str, str], *, before: int | None
) -> tuple[list[HistoryEntry], bool, int | None]:
    """The entries of a page, whether there are older ones, and where the reading stopped short of the end."""
    key, document, _, person, text = asked
    docgraph, named, found = resources.docgraph(workspace), titles(workspace), list[HistoryEntry]()
    n_read = 0
    while n_read < MAX_READ:
        page = docgraph.relationships.history(key=key, document_id=document or None, limit=READ, before=before)
        n_read += len(page)
        for entry in page:
            if not matches(entry, person=person, text=text, titles=named):
                continue
            if len(found) >= PAGE_ROWS and not (found[-1].act == entry.act and len(found) < 10 * PAGE_ROWS):
                return found, True, None
            found.append(entry)
        if len(page) < READ:
            return found, False, None
        before = page[-1].entry_id
    return found, True, before


def _pager(pages: Sequence[int], found: Sequence[HistoryEntry], *, n: int, more: bool, stopped: int | None) -> None:
    """How many are shown of all ``n``, and the way to others."""
    with st.container(key="rh-pager", horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Newer", key="docgraph.history.newer", on_click=_turn, args=(None,), disabled=not pages)
        shown = plural(len(found), "entry", "entries") if more or pages else f"{n_of_m(len(found), n)} entries"
        span = f"{found[0].entry_id:,} back to {found[-1].entry_id:,}"
        cut = f"; searched back to entry {stopped:,}" if stopped else "" if more else "; none are older"
        st.html(f'<p class="dg-note">{shown} shown, {span}{cut}</p>')
        st.button(
            "Older",
            key="docgraph.history.older",
            on_click=_turn,
            args=(stopped or found[-1].entry_id,),
            disabled=not more,
        )


def _turn(before: int | None) -> None:
    asked, pages = st.session_state.get(_PAGES, (None, []))
    st.session_state[_PAGES] = (asked, pages[:-1] if before is None else [*pages, before])


def _nothing(*, filtered: bool) -> None:
    if filtered:
        layout.empty("No entry matches", "Shorten the search, or show the whole history.")
        st.button("Show the whole history", key="docgraph.history.whole", on_click=_show_all, type="primary")
    else:
        layout.empty(
            "No changes yet",
            "Every change appears here with its author, time and reason, and can be undone.",
        )


def _reason_off(workspace: str) -> str:
    """Why nothing can be undone now; empty when it can."""
    if state.curator():
        return ""
    if state.may_write(workspace):
        return "Switch editing on to undo"
    return f"Read-only: {state.locked_words()}"


# ------------------------------------------------------------ one entry, one act


def _act(workspace: str, act: Act, undoing: Undoing, *, first: str) -> None:
    """An act: its head, the entry of it that was asked for or is to be undone, and the others behind a fold."""
    newest = act.entries[0]
    picked = [e for e in act.entries if e.entry_id == undoing.entry_id or str(e.entry_id) == first]
    rest = [entry for entry in act.entries if entry not in picked]
    head = f"rh-acthead-{newest.entry_id}"
    with st.container(key=f"rh-act-{newest.entry_id}", gap=None):
        with st.container(key=head, horizontal=True, vertical_alignment="center", gap="small"):
            reason = f" <q>{escape.html(newest.reason)}</q>" if newest.reason else ""
            st.html(f'<p class="rh-actwords"><b>{escape.html(act.words)}</b>{reason}</p>')
            undo_act_row(act, undoing)
        for entry in picked:
            _entry(workspace, entry, undoing, marked=str(entry.entry_id) == first)
        label = f"The {len(rest):,} entries" if not picked else f"{plural(len(rest), 'other entry', 'other entries')}"
        if rest:
            with st.expander(label, key=f"docgraph.history.act.{newest.entry_id}", on_change="rerun") as inner:
                if inner.open:
                    for entry in rest:
                        _entry(workspace, entry, undoing)


def _entry(workspace: str, entry: HistoryEntry, undoing: Undoing, *, marked: bool = False) -> None:
    name = f"rh-entry-{entry.entry_id}{'-marked' if marked else ''}"
    with st.container(key=name, horizontal=True, vertical_alignment="center", gap="small"):
        st.html(_entry_html(workspace, entry))
        edge = entry.after or entry.before
        if edge is not None:
            label = "Open" if entry.after is not None else "Show the earlier one"
            navigation.link("relationships", label, query={"tab": "all", EDGE: edge_text(edge.key)})
        _marks(entry)
        undo_row(entry, undoing)
    undoing.panel(entry)


def _entry_html(workspace: str, entry: HistoryEntry) -> str:
    said = escape.html(change_text(entry, named=naming(workspace)))
    gone = ' class="rh-undone"' if entry.undone_by is not None else ""
    reason = f"<q>{escape.html(entry.reason)}</q>" if entry.reason else ""
    return (
        f'<div class="rh-row"><b class="rh-id">{entry.entry_id:,}</b><div><p{gone}>{said}</p>{reason}'
        f"<small>{escape.html(entry.by)}, {escape.html(moment(entry.at))}</small></div></div>"
    )


def _marks(entry: HistoryEntry) -> None:
    """The entry that took this one back, and the one that this one took back, as links."""
    for said, other in (("undone by", entry.undone_by), ("undoes", entry.undoes)):
        if other is not None:
            navigation.link("relationships", f"{said} {other}", query={"tab": "history", ENTRY: str(other)})

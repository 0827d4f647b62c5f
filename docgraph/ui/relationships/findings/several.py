"""Several decisions given to somebody at once: those that are selected in the queue, or all that its filter leaves."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from docgraph.domain.curation import MAX_TRIAGE_TEXT
from docgraph.domain.finding import CheckReport, Decision
from docgraph.errors import DocgraphError, UserError
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships import fragments
from docgraph.ui.relationships.findings.decision import draft
from docgraph.ui.relationships.findings.decision.actions import undo_foot
from docgraph.ui.relationships.findings.decision.triage import DAYS
from docgraph.ui.relationships.findings.filters import end_selecting
from docgraph.views.relationships.findings.queue import people_found
from docgraph.views.relationships.findings.triage import said_words, today, triage_words
from docgraph.views.words.counts import plural

KEY = "docgraph.relationships.several"
NOBODY = "\x00nobody"
LISTED = 12


def several_pane(workspace: str, report: CheckReport, found: Sequence[Decision]) -> None:
    """How many are selected of those that the filter leaves, what is said of all of them, and which they are."""
    chosen = [decision for decision in found if decision.decision_id in draft.hand().picked]
    with st.container(key="rl-several", gap="small"):
        with st.container(key="rl-several-head", horizontal=True, vertical_alignment="center", gap="small"):
            st.html(f'<h2 class="rl-h2">{len(chosen):,} of {len(found):,} selected</h2>')
            _choose(found, chosen)
        problem = state.memory().problem
        if problem is not None:
            layout.error(problem)
        _form(workspace, report, chosen)
        _list(chosen)
    undo_foot(workspace)


def _choose(found: Sequence[Decision], chosen: Sequence[Decision]) -> None:
    every = tuple(decision.decision_id for decision in found)
    st.button(
        f"Select all {len(found):,}",
        key=f"{KEY}.all",
        type="tertiary",
        on_click=_select,
        args=(every,),
        disabled=len(chosen) == len(found),
        help="Everything that matches the filter, shown or not",
    )
    st.button("Select none", key=f"{KEY}.none", type="tertiary", on_click=_select, args=((),), disabled=not chosen)


def _select(ids: Sequence[str]) -> None:
    draft.hand().picked = set(ids)


def _form(workspace: str, report: CheckReport, chosen: Sequence[Decision]) -> None:
    names = [state.known_name(), *(name for name, _ in people_found(report))]
    people = [*dict.fromkeys(filter(None, names)), NOBODY]
    with st.form(f"{KEY}.form", border=False):
        with st.container(key="rl-several-fields", horizontal=True, gap="small"):
            st.selectbox(
                "Assigned to",
                people,
                index=None,
                key=f"{KEY}.who",
                format_func=lambda name: "Nobody" if name == NOBODY else escape.plain(name),
                placeholder="Unchanged",
                accept_new_options=True,
            )
            st.date_input(
                "Due", value=None, min_value=DAYS[0], max_value=DAYS[1], key=f"{KEY}.due", format="YYYY-MM-DD"
            )
        st.text_area("Comment", key=f"{KEY}.comment", max_chars=MAX_TRIAGE_TEXT, height=80)
        st.html('<p class="dg-note">Empty fields stay unchanged. You can undo the whole change at once.</p>')
        st.form_submit_button(
            f"Save for {plural(len(chosen), 'item')}",
            type="primary",
            key=f"{KEY}.store",
            on_click=_store,
            args=(workspace, tuple(chosen)),
            disabled=not chosen,
        )


def _list(chosen: Sequence[Decision]) -> None:
    rows = "".join(
        f"<li>{escape.html(each.label)}{_said(triage_words(each.triage, today()))}</li>" for each in chosen[:LISTED]
    )
    more = f'<p class="dg-note">{LISTED:,} of {len(chosen):,} shown</p>' if len(chosen) > LISTED else ""
    if chosen:
        st.html(f'<div class="rl-list"><h3>Selected</h3><ul>{rows}</ul>{more}</div>')
    else:
        st.html('<p class="dg-note">Click rows in the list to select them.</p>')


def _said(words: str) -> str:
    return f' <span class="dg-note">{escape.html(words)}</span>' if words else ""


def _store(workspace: str, chosen: Sequence[Decision]) -> None:
    """Say it of all of them, as one act that U takes back; what does not work is said, and the form keeps its words."""
    values, by = st.session_state, state.curator()
    who, due = str(values.get(f"{KEY}.who") or ""), values.get(f"{KEY}.due")
    text = str(values.get(f"{KEY}.comment") or "").strip()
    name, day = "" if who == NOBODY else " ".join(who.split()), due.isoformat() if due else ""
    if not (who or day or text):
        state.fail(UserError("there is nothing to save", hint="choose a person or a day, or write a comment"))
        return
    log, made = resources.docgraph(workspace).triage, list[int]()
    try:
        if who:
            made += [each.entry_id for each in log.assign(chosen, name, by=by)]
        if day:
            made += [each.entry_id for each in log.due(chosen, day, by=by)]
        if text:
            made += [each.entry_id for each in log.comment(chosen, text, by=by)]
    except DocgraphError as problem:
        log.withdraw(made)
        state.fail(problem)
        return
    words = said_words(len(chosen), name if who else None, day, commented=bool(text))
    state.memory().acts.append(state.Act(words, workspace, remembered=tuple(made)))
    state.fail(None)
    state.say(words)
    for field in ("who", "due", "comment"):
        values.pop(f"{KEY}.{field}", None)
    end_selecting()
    fragments.redraw()

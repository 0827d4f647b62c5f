"""Who takes the decision on, until when, and what was said of it: a button with its state, a form, and the log."""

from __future__ import annotations

from datetime import date

import streamlit as st

from docgraph.domain.curation import MAX_TRIAGE_TEXT, TriageEntry
from docgraph.domain.finding import CheckReport, Decision
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, resources
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships import fragments
from docgraph.views.relationships.findings.queue import people_found
from docgraph.views.relationships.findings.triage import entry_words, signed_words, today, triage_words

TRIAGE = "docgraph.relationships.triage"
SHOWN = 12
"""Entries that the log shows, the newest."""
MAX_LABEL = 60
DAYS = (date(2000, 1, 1), date(2100, 12, 31))
"""The days that the form offers."""


def triage_popover(workspace: str, report: CheckReport, decision: Decision) -> None:
    """A button that says who has the decision; opened, the form and all that was said."""
    said = triage_words(decision.triage, today())
    label = escape.label(said, limit=MAX_LABEL) if said else "Assign"
    key = f"{TRIAGE}.{decision.decision_id}"
    with st.popover(label, key=key, type="tertiary", width="content", on_change="rerun") as opened:
        if opened.open:  # what is closed costs nothing
            _form(workspace, report, decision, key=key)
            _log(workspace, decision, key=key)


def _form(workspace: str, report: CheckReport, decision: Decision, *, key: str) -> None:
    editable = bool(state.curator())
    stands = decision.triage
    names = [state.known_name(), stands.assignee, *decision.owners, *(name for name, _ in people_found(report))]
    people = list(dict.fromkeys(filter(None, names)))
    with st.form(f"{key}.form", border=False):
        with st.container(key="rl-triage-fields", horizontal=True, gap="small"):
            st.selectbox(
                "Assigned to",
                people,
                index=people.index(stands.assignee) if stands.assignee else None,
                key=f"{key}.who",
                format_func=lambda name: escape.plain(name),
                placeholder="Nobody",
                accept_new_options=True,
                disabled=not editable,
            )
            st.date_input(
                "Due",
                value=_offered(stands.due),
                min_value=DAYS[0],
                max_value=DAYS[1],
                key=f"{key}.due",
                format="YYYY-MM-DD",
                disabled=not editable,
            )
        st.text_area("Comment", key=f"{key}.comment", max_chars=MAX_TRIAGE_TEXT, height=80, disabled=not editable)
        if not editable:
            st.html('<p class="dg-note">Switch editing on to change it.</p>')
        st.form_submit_button(
            "Save",
            type="primary",
            key=f"{key}.store",
            on_click=_store,
            args=(workspace, decision, key),
            disabled=not editable,
        )


def _offered(due: str) -> date | None:
    """The day in the form; one that it does not offer is shown as its nearest."""
    return min(max(date.fromisoformat(due), DAYS[0]), DAYS[1]) if due else None


def _log(workspace: str, decision: Decision, *, key: str) -> None:
    """What was said, newest first, each with the way to take it back."""
    entries = decision.triage.entries[::-1]
    for entry in entries[:SHOWN]:
        name = f"rl-triage-{decision.decision_id}-{entry.entry_id}"
        with st.container(key=name, horizontal=True, vertical_alignment="center", gap="small"):
            st.html(entry_html(entry))
            st.button(
                "Withdraw",
                key=f"{key}.back.{entry.entry_id}",
                type="tertiary",
                on_click=_take_back,
                args=(workspace, entry),
                disabled=not state.curator(),
            )
    if len(entries) > SHOWN:
        st.html(f'<p class="dg-note">{SHOWN:,} of {len(entries):,} shown</p>')


def entry_html(entry: TriageEntry) -> str:
    """HTML of one entry: what it says over who said it, and when."""
    words = entry_words(entry)
    said = words if entry.kind == "comment" else f"{words[:1].upper()}{words[1:]}"
    return (
        f'<div class="rl-triagesaid"><p>{escape.html(said)}</p>'
        f'<p class="dg-note">{escape.html(signed_words(entry))}</p></div>'
    )


def _store(workspace: str, decision: Decision, key: str) -> None:
    """Say what the form changed; what does not work is said where saves say it, and the form keeps what was written."""
    values, stands, by = st.session_state, decision.triage, state.curator()
    who = " ".join(str(values.get(f"{key}.who") or "").split())
    due = values.get(f"{key}.due")
    day, text = due.isoformat() if due else "", str(values.get(f"{key}.comment") or "").strip()
    log = resources.docgraph(workspace).triage
    try:
        if who != stands.assignee:
            log.assign([decision], who, by=by)
        if due != _offered(stands.due):
            log.due([decision], day, by=by)
        if text:
            log.comment([decision], text, by=by)
            values[f"{key}.comment"] = ""
    except DocgraphError as problem:
        state.fail(problem)
        return
    state.fail(None)
    fragments.redraw()


def _take_back(workspace: str, entry: TriageEntry) -> None:
    if not state.worked(resources.docgraph(workspace).triage.withdraw, [entry.entry_id]):
        return
    for field in ("who", "due"):  # the form shows again what stands
        st.session_state.pop(f"{TRIAGE}.{entry.decision_id}.{field}", None)
    state.say(f"Undone: {entry_words(entry)}")
    fragments.redraw()

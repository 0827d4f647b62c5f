"""Saving a run from any page: a small form behind a button, and afterwards its link."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.run import Run
from docgraph.domain.saved_run import MAX_NAME, MAX_NOTE, MAX_PERSON, RUN_ID_LENGTH, RunSummary, content_hash
from docgraph.errors import DocgraphError
from docgraph.ui.frame import assets, escape, layout, navigation, resources
from docgraph.ui.frame.state import session
from docgraph.ui.parts.copy_link import copy_link
from docgraph.ui.parts.runs.data import summary
from docgraph.views.words.moments import name_of, person

_PERSON, _SAVING = "person", "saving"
WIDTH = 360
"""Pixels, of the form."""


def person_name() -> str:
    """The name that this session's reader signed in or goes by; empty until given."""
    who = resources.person()
    return who.name if who else str(session().page.get(_PERSON, ""))


def remember_person(name: str) -> None:
    """Keep the reader's name for what they save and review next."""
    session().page[_PERSON] = name.strip()[:MAX_PERSON]


def save_popover(run: Run, *, key: str, label: str = "Save") -> None:
    """A button that opens name, note, pin and person; once saved, its link. Saving again renames.

    ``key`` is unique on the page. Problems are said inside as a written state. Not offered where no run can be kept.
    """
    if resources.only_reads():
        return
    with st.popover(label, key=key, width="content"):
        save_form(run, key=key)


def save_form(run: Run, *, key: str) -> None:
    """Name, note, pin and person, where something else opens them; see ``save_popover``."""
    assets.style(__file__, "saving.css")
    if not resources.may("save"):
        why = resources.closed("Only curators and admins can save questions.")
        st.html(f'<p class="dg-note">{escape.html(why)} You can share the address of this page.</p>')
        return
    run_id = run_id_of(run)
    with st.container(key=f"{key}_saving", gap="small", width=WIDTH):
        there = summary(run_id)
        if there is not None:
            _saved(there, key=key)
        _form(run, there, key=f"{key}_{run_id}")


def run_id_of(run: Run) -> str:
    """The id that this run has once it is saved; worked out once for each run that a session looks at."""
    memory: dict[str, tuple[Run, str]] = session().page.setdefault(_SAVING, {})
    known = memory.get(run.plan.plan_id)
    if known is None or known[0] is not run:
        if len(memory) > 16:
            memory.clear()
        known = memory[run.plan.plan_id] = (run, content_hash(run)[:RUN_ID_LENGTH])
    return known[1]


def _saved(row: RunSummary, *, key: str) -> None:
    st.html(
        f'<p class="rn-saved" role="status">{layout.glyph("check")}<span>Saved as <b>{escape.html(name_of(row))}</b> '
        f"<code>{row.run_id}</code></span></p>"
    )
    with st.container(key=f"{key}_links", horizontal=True, vertical_alignment="center", gap="small"):
        copy_link("Copy link to this version", "/plan", {"run": [row.run_id]}, key=f"{key}_copy")
        navigation.link("query_sets", "Open in Questions", query={"run": row.run_id})


def _form(run: Run, there: RunSummary | None, *, key: str) -> None:
    problem: DocgraphError | None = session().page.pop(f"{key}_problem", None)
    if problem is not None:
        layout.error(problem)
    name = there.name if there else escape.shorten(" ".join(escape.plain(run.request.query).split()), 80)
    with st.form(f"{key}_form", border=False):
        st.text_input("Name", value=name, max_chars=MAX_NAME, key=f"{key}_name")
        st.text_area(
            "Note (optional)", value=there.note if there else "", max_chars=MAX_NOTE, height=68, key=f"{key}_note"
        )
        if there is None and resources.person() is None:  # who saved it first stays who saved it
            st.text_input(
                "Your name (optional)",
                value=person_name(),
                max_chars=MAX_PERSON,
                key=f"{key}_by",
                placeholder=f"empty means {person('')}",
            )
        st.checkbox("Pin as a baseline", value=bool(there and there.pinned), key=f"{key}_pin")
        st.form_submit_button(
            "Save changes" if there else "Save",
            type="primary",
            key=f"{key}_save",
            on_click=_save,
            args=(run, there is not None),
            kwargs={"key": key},
        )


def _save(run: Run, renames: bool, *, key: str) -> None:
    """Write what the form says; a run that is there already keeps its content and takes the new words."""
    name, note, by, pinned = (st.session_state.get(f"{key}_{field}") for field in ("name", "note", "by", "pin"))
    if not renames and by is not None:
        remember_person(str(by))
    try:
        docgraph = resources.docgraph(run.plan.workspace)
        if renames:
            wanted = str(name or "").strip() or escape.shorten(run.request.query, 80)
            docgraph.runs.describe(run_id_of(run), name=wanted, note=str(note or ""), pinned=bool(pinned))
        else:
            docgraph.runs.save(run, name=str(name or ""), note=str(note or ""), by=person_name(), pinned=bool(pinned))
    except DocgraphError as error:
        session().page[f"{key}_problem"] = error

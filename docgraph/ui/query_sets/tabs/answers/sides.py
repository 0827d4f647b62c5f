"""Which configurations are compared, which pinned evaluation beside them, and those that are asked next."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import streamlit as st

from docgraph.boundary.records import as_request
from docgraph.domain.evaluation import Configuration
from docgraph.errors import DocgraphError, RequestError
from docgraph.ui.frame import escape, layout
from docgraph.ui.frame.state import session
from docgraph.ui.query_sets.evaluating import DEFAULT, asking, configurations_of, own_retrievers, use_configurations
from docgraph.ui.query_sets.scope import Scope
from docgraph.ui.query_sets.tabs.answers.inputs import HALF, B, take, value_of
from docgraph.ui.query_sets.tabs.answers.report import report_popover
from docgraph.ui.query_sets.tabs.row_keys import choice
from docgraph.views.query_sets.history import run_words
from docgraph.views.query_sets.part import Part
from docgraph.views.query_sets.verdict import asked_differs

_B_KEY, _HALF_KEY, _PROBLEM = "qs-b", "qs-half", "query_sets.configuration_problem"
_READY = {"vectors": "Plain vector search", "literal": "Literal"}
HALVES = {"all": "All", "tune": "Tune", "hold_out": "Hold-out"}
MOST = 6
"""Configurations of one evaluation that the page asks."""


def sides_row(scope: Scope, part: Part) -> None:
    """A, B, what is pinned and what is asked next; at the right which half, and the report."""
    with st.container(key="qs-sides", horizontal=True, vertical_alignment="center", gap="small"):
        others = part.evaluation.configurations[1:]
        st.html(_chip("A", part.a) + (_chip("B", part.b) if len(others) == 1 else ""))
        if len(others) > 1:
            _b(part)
        if (pinned := scope.pinned) is not None:
            said = f"Pinned: {run_words(pinned)}"
            st.html(f'<span class="qs-chip">{layout.glyph("pin")}{escape.html(said)}</span>')
        if scope.may_write and asking(scope) is None:
            _next(scope)
        st.html(f'<span class="dg-note">{escape.html(_note(scope, part))}</span>')
        with st.container(key="qs-right", horizontal=True, vertical_alignment="center", gap="small"):
            _halves(part)
            report_popover(part.evaluation)


def _chip(letter: str, configuration: Configuration) -> str:
    look = " qs-chip-on" if letter == "B" else ""
    name = escape.html(escape.shorten(configuration.label, 40))
    return f'<span class="qs-chip{look}"><kbd>{letter}</kbd>{name}</span>'


def _note(scope: Scope, part: Part) -> str:
    """In what they differ, and what is asked next where that is something else."""
    wanted = configurations_of(scope)
    if list(wanted) != [each.name for each in part.evaluation.configurations]:
        return f"Next evaluation: {', '.join(escape.shorten(name, 40) for name in wanted)}"
    return asked_differs(part)


def _b(part: Part) -> None:
    names = {each.name: escape.label(each.label, limit=30) for each in part.evaluation.configurations[1:]}
    widget, last, now = st.segmented_control, list(names)[-1], part.b.name
    choice(widget, "Configuration B", names, name=B, key=_B_KEY, now=now, take=take, default=last, required=True)


def _halves(part: Part) -> None:
    counts = {half: sum(half in ("all", each.half) for each in part.evaluation.outcomes) for half in HALVES}
    if not counts["tune"] or not counts["hold_out"]:
        return
    looks = {half: f"{words} {counts[half]:,}" for half, words in HALVES.items()}
    now = value_of(HALF) if value_of(HALF) in HALVES else "all"
    choice(st.segmented_control, "Rows", looks, name=HALF, key=_HALF_KEY, now=now, take=take, required=True)


def _next(scope: Scope) -> None:
    """The configurations that the next evaluation asks: each with its way out, and a form for one more."""
    opened = st.popover("Configuration", key="qs-configuration", on_change="rerun", width="content")
    if not opened.open:
        return
    with opened, st.container(width=380, gap="small"):
        problem: DocgraphError | None = session().page.pop(_PROBLEM, None)
        if problem is not None:
            layout.error(problem)
        wanted = configurations_of(scope)
        st.html('<p class="dg-note">Used in the next evaluation. The others are compared with the first.</p>')
        for place, name in enumerate(wanted):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                letter = "A" if place == 0 else "B" if len(wanted) == 2 else str(place)
                st.html(f'<span class="qs-chip"><kbd>{letter}</kbd>{escape.html(escape.shorten(name, 40))}</span>')
                if len(wanted) > 2:
                    st.button("Remove", key=f"qs-out-{place}", type="tertiary", on_click=_leave_out, args=(scope, name))
        with st.container(horizontal=True, gap="small"):
            for name, label in _READY.items():
                if name not in wanted:
                    st.button(label, key=f"qs-ready-{name}", on_click=_add, args=(scope, name, name))
            if wanted != dict(DEFAULT):
                st.button(
                    "Without and with relationships",
                    key="qs-default",
                    on_click=use_configurations,
                    args=(scope, DEFAULT),
                )
        _own(scope, wanted)
        _form(scope)


def _own(scope: Scope, wanted: Mapping[str, Any]) -> None:
    """A button for each retriever that the settings name and that is not asked yet; nothing where they name none."""
    left = [name for name in own_retrievers(scope) if name not in wanted]
    if not left:
        return
    with st.container(key="qs-own", gap="small"):
        st.html('<p class="dg-note">Your own retrievers, from DOCGRAPH_RETRIEVERS:</p>')
        with st.container(horizontal=True, gap="small"):
            for place, name in enumerate(left):
                st.button(escape.label(name, limit=40), key=f"qs-own-{place}", on_click=_add, args=(scope, name, name))


def _form(scope: Scope) -> None:
    with st.form("qs-new", border=False):
        st.text_input("Name", key="qs-new-name", max_chars=60, placeholder="more documents")
        st.text_area(
            "Fields of its request, as JSON",
            key="qs-new-fields",
            height=96,
            placeholder='{"max_documents": 8, "max_expanded": 3}',
            help="Fields of a request: limits, mode, seed_signal, relation_types, overrides and edits "
            "(unsaved changes of relationships).",
        )
        st.form_submit_button("Add", on_click=_add_given, args=(scope,))


def _add_given(scope: Scope) -> None:
    """Take what the form says; what no request can be is said (in a callback)."""
    name = " ".join(str(st.session_state.get("qs-new-name") or "").split())
    try:
        fields = json.loads(str(st.session_state.get("qs-new-fields") or "{}"))
        if not name or not isinstance(fields, dict) or not fields:
            raise RequestError("a configuration needs a name and fields", hint='write {"max_documents": 8}')
        as_request({**{key: value for key, value in fields.items() if key != "edits"}, "query": "?"})
    except (ValueError, RecursionError) as error:
        session().page[_PROBLEM] = RequestError(
            f"the fields are not valid JSON: {str(error)[:120]}", hint="check the quotes"
        )
        return
    except DocgraphError as problem:
        session().page[_PROBLEM] = problem
        return
    _add(scope, name, fields)


def _add(scope: Scope, name: str, given: Any) -> None:
    wanted = configurations_of(scope)
    if len(wanted) >= MOST:
        session().page[_PROBLEM] = RequestError(
            f"{MOST} configurations at most can be compared at once", hint="remove one"
        )
        return
    use_configurations(scope, {**wanted, name: given})


def _leave_out(scope: Scope, name: str) -> None:
    use_configurations(scope, {key: value for key, value in configurations_of(scope).items() if key != name})

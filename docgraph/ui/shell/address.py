"""What an address carries between pages and runs: its workspace, unknown names, and what is remembered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from docgraph.domain.saved_run import MAX_PERSON
from docgraph.domain.workspace import Workspace
from docgraph.ui.conversation.page import ASK
from docgraph.ui.conversation.state import talk
from docgraph.ui.frame import assets, escape, layout, navigation, resources
from docgraph.ui.frame.question import held, hold
from docgraph.ui.frame.state import session
from docgraph.ui.parts.curation.state import curator, switch_on
from docgraph.ui.parts.runs.saving import person_name, remember_person
from docgraph.ui.plan.state import plan_state
from docgraph.views.parameters import KNOWN, MAX_TOLD, Complaint, complaints
from docgraph.views.words.address import ASKED_WITH, BASE, BASELINE, PACKED, QUERY, RUN, packed, unpacked

_TURN = "how often the address was looked at"
_ADDRESS = assets.component("address", __file__, js=("connection.js", "address.js"))


def address(page: str, workspace: Workspace) -> None:
    """Have the browser name the workspace, where there is one, and tell questions of one page apart.

    It looks with every run: what is typed stands in its address before the run that answers it begins.
    """
    turn = session().page[_TURN] = session().page.get(_TURN, 0) + 1
    name = workspace.name if workspace.revision else ""
    _ADDRESS(key="docgraph-address", data={"page": page, "workspace": name, "turn": turn})


_HERE, _TURNS = "page that was drawn last", "turns of the conversation that was entered"
_SAYS_WHAT = (*ASKED_WITH, RUN, BASE, BASELINE, PACKED, ASK, "edits")
"""What an address says about a question: with any of them a page shows what it says and nothing else."""

CONVERSATION = "conversation"
OPENS_WITH = ("plan", "compare")


def carry_on(name: str, workspace: str) -> None:
    """Open the view with the question in hand, where it was opened by its name alone; a conversation offers it."""
    before, session().page[_HERE] = session().page.get(_HERE), name
    if before == CONVERSATION:
        _take_from_conversation(workspace)
    if name == CONVERSATION:
        session().page[_TURNS] = len(talk(workspace).turns)
    if before in (None, name) or any(each in st.query_params for each in _SAYS_WHAT):
        return
    question = held(workspace)
    if question is None or (name == "plan" and _is_there_still(question)):
        return  # with its draft, which the page itself goes back to
    if name in OPENS_WITH:
        navigation.go_to(name, packed(question, workspace))
    elif name == CONVERSATION:
        navigation.go_to(name, navigation.in_workspace({ASK: question[QUERY][-1]}))


def _is_there_still(question: dict[str, list[str]]) -> bool:
    asked = plan_state().asked
    return asked is not None and [asked.query] == question[QUERY]


def _take_from_conversation(workspace: str) -> None:
    """What was asked there last, as it was asked of the documents: turns are drawn without the page around them."""
    conversation = talk(workspace)
    last = next((turn for turn in reversed(conversation.turns) if turn.response is not None), None)
    if last is not None and len(conversation.turns) != session().page.get(_TURNS):
        hold(workspace, {QUERY: [last.understanding.query]})


def take_along(name: str, workspace: str) -> None:
    """Take the question that the page has asked in hand."""
    if name not in OPENS_WITH or RUN in st.query_params:
        return
    inputs = unpacked({each: st.query_params.get_all(each) for each in st.query_params})
    hold(workspace, {each: texts for each, texts in inputs.items() if each in ASKED_WITH})


_OWN = "docgraph.parameters"


@dataclass
class _Told:
    """What the note of a page says: name → complaint; and what was closed."""

    page: str = ""
    open: dict[str, Complaint] = field(default_factory=dict)
    closed: set[Complaint] = field(default_factory=set)


def told_parameters(page: str) -> None:
    """Draw the note for the address of ``page``, where there is something to say.

    An input drops a value that it cannot take from the address when it is drawn, so what was found is remembered.
    """
    told = _told_on(page)
    asked = unpacked({name: st.query_params.get_all(name) for name in st.query_params})
    found = {each.name: each for each in complaints(page, asked) if each not in told.closed}
    lasting = {name: each for name, each in told.open.items() if name in KNOWN and name not in asked}
    told.open = {**lasting, **found}
    if not told.open:
        return
    assets.style(__file__, "parameters.css")
    said = [escape.html(each.said) for each in told.open.values()]
    if len(said) > MAX_TOLD:
        said[MAX_TOLD:] = [f"{len(said) - MAX_TOLD:,} more are not followed either."]
    lines = "".join(f"<p>{each}</p>" for each in said)
    with st.container(key="dg-parameters", horizontal=True, vertical_alignment="center", gap="small"):
        said_html = f'<div class="dg-parameters" role="status">{layout.glyph("info")}<div>{lines}</div></div>'
        st.html(said_html, width="stretch")
        st.button("Close", key="docgraph.parameters.close", type="tertiary", on_click=_close, args=(page,))


def _told_on(page: str) -> _Told:
    told: _Told = session().page.setdefault(_OWN, _Told())
    if told.page != page:
        told.page, told.open, told.closed = page, {}, set()
    return told


def _close(page: str) -> None:
    told = _told_on(page)
    told.closed |= set(told.open.values())
    told.open = {}


KEY = "docgraph-remembering"
_ASKED = "the browser was asked who edits"
_KEPT = assets.component("remembering", __file__, js=("remembering.js",))


def remember() -> None:
    """Ask the browser once, and from then on tell it; with sign-in it keeps only whether editing is on.

    It is no proof of anything: where nobody signs in, a name is what somebody typed.
    """
    asked = session().page.get(_ASKED, False)
    session().page[_ASKED] = True
    _KEPT(
        key=KEY,
        data={"unknown": not asked, "name": person_name(), "editing": bool(curator())},
        on_kept_change=_take,
    )


def _take() -> None:
    take(getattr(st.session_state.get(KEY), "kept", None))


def take(kept: Any) -> None:
    """Go on under the name that the browser kept, if it is one, and edit if that was on; nothing else is believed."""
    if not isinstance(kept, dict) or not isinstance(kept.get("name"), str) or curator() or resources.only_reads():
        return
    name = " ".join(kept["name"].split())[:MAX_PERSON]
    if not name:
        return
    if not person_name():
        remember_person(name)
    if kept.get("editing") is True:
        switch_on(name)

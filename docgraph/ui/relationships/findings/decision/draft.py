"""What a curator has in hand: the finding that is open, a draft for each, and saving, ignoring and undoing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import streamlit as st

from docgraph.domain.edit import Edit
from docgraph.domain.finding import CheckReport, Finding
from docgraph.domain.overrides import EdgeKey
from docgraph.errors import ConflictError, UserError
from docgraph.ui.frame import resources
from docgraph.ui.parts.curation import state
from docgraph.views.relationships.findings.subject import ActionName, names_types
from docgraph.views.relationships.history.words import entry_text

FINDING = "finding"
"""Name in the address of the finding that is open."""

WORK, HEAD = "rl-work", "rl-headpart"
"""The fragments that a save draws anew."""

REASON = "docgraph.relationships.reason"
SETTLED_BY_ITSELF = frozenset(("suspect",))
"""Checks whose finding goes with an acceptance; with every other check it is put aside, because it was judged."""

Drafted = ActionName | Literal["ignore"]


@dataclass
class Findings:
    """What this session remembers of its queue.

    ``report`` = the one drawn last; ``settled`` = findings that were judged since, not to be drawn from it again.
    ``order`` = ids in the queue as drawn. ``drafts`` by finding; ``types`` = the type chosen for a retype;
    ``edges`` = the relationship chosen of several. ``seen`` = states of relationships as they were displayed first.
    ``opened`` = the finding drawn last; ``gone`` = what became of one that is not open any more, to be said.
    ``focus`` counts requests to put the cursor into ``focus_on``.
    """

    report: CheckReport | None = None
    settled: set[str] = field(default_factory=set)
    order: tuple[str, ...] = ()
    drafts: dict[str, Drafted] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    new_types: dict[str, bool] = field(default_factory=dict)
    edges: dict[str, EdgeKey] = field(default_factory=dict)
    seen: dict[str, dict[EdgeKey, str]] = field(default_factory=dict)
    show_all: bool = False
    opened: Finding | None = None
    gone: str = ""
    focus: int = 0
    focus_on: str = ""


def hand() -> Findings:
    """The memory of this session's queue."""
    kept: Findings = state.memory().room.setdefault("findings", Findings())
    return kept


def reason_key(finding_id: str) -> str:
    """Key of the reason's field: a reason belongs to one finding and stays while others are looked at."""
    return f"{REASON}.{finding_id}"


def reason_of(finding_id: str) -> str:
    """What stands in the reason's field."""
    return str(st.session_state.get(reason_key(finding_id)) or "").strip()


def redraw() -> None:
    """From a callback: draw queue and pane first, then the head, and nothing else of the page."""
    st.rerun([WORK, HEAD])


# ------------------------------------------------------------ moving


def open_finding(finding_id: str) -> None:
    """Show this finding; its id goes into the address. The problem of another one is not shown any more."""
    if finding_id != st.query_params.get(FINDING):
        state.fail(None)
        hand().seen.pop(finding_id, None)
        hand().gone = ""
    if finding_id:
        st.query_params[FINDING] = finding_id
    else:
        st.query_params.pop(FINDING, None)


def step(current: str, by: int) -> None:
    """Open the next (1) or previous (-1) finding of the queue; at its ends nothing happens."""
    order = hand().order
    if current in order:
        at = order.index(current) + by
        if 0 <= at < len(order):
            open_finding(order[at])
    elif order:
        open_finding(order[0])


def look_for(workspace: str, finding_id: str) -> None:
    """Remember to say what became of a finding that the address names and that is not open any more."""
    last = hand().opened
    said = "The finding of this link is settled, or its data changed"
    if last is not None and last.finding_id == finding_id:
        said = f"Settled meanwhile: {last.sentence}"
        for key in last.relationships:
            newest = next(iter(resources.docgraph(workspace).relationships.history(key=key, limit=1)), None)
            if newest is not None:
                said += f". {entry_text(newest)}"
                break
    hand().gone = said


# ------------------------------------------------------------ drafting


def draft(finding_id: str, action: Drafted) -> None:
    """Draft an action; the same one again drops it, or (retype) puts the cursor into the choice of types."""
    drafts = hand().drafts
    again = drafts.get(finding_id) == action
    if again and action not in ("retype", "ignore"):
        drop(finding_id)
        return
    drafts[finding_id] = action
    state.fail(None)
    if action == "ignore" or (action == "retype" and again):
        ask_focus("retype" if action == "retype" else "reason")


def drop(finding_id: str) -> None:
    """Forget the draft; the reason stays in its field."""
    hand().drafts.pop(finding_id, None)
    hand().new_types.pop(finding_id, None)
    state.fail(None)


def ask_focus(where: str) -> None:
    """Put the cursor into the field ``reason`` or ``retype`` with the next drawing."""
    hand().focus += 1
    hand().focus_on = where


# ------------------------------------------------------------ saving


def commit(
    workspace: str, finding: Finding, edits: Sequence[Edit], *, action: str, expected: Mapping[EdgeKey, str]
) -> None:
    """Save the draft of a finding and open the next one; what does not work is said, and nothing is lost.

    ``action`` = the draft as it was drawn: when a key has changed it since, nothing is saved yet.
    """
    reason = reason_of(finding.finding_id)
    if not action or hand().drafts.get(finding.finding_id) != action or not state.curator():
        return
    done = _ignore(workspace, finding, reason) if action == "ignore" else _edit(workspace, finding, edits, expected)
    if not done:
        if isinstance(state.memory().problem, ConflictError):
            hand().seen.pop(finding.finding_id, None)  # look again at what is there now
        return
    state.memory().acts[-1].finding_id = finding.finding_id
    hand().settled.add(finding.finding_id)
    drop(finding.finding_id)
    _open_next(finding.finding_id)
    redraw()


def _ignore(workspace: str, finding: Finding, reason: str) -> bool:
    if not reason:
        state.fail(UserError("a finding is ignored for a reason, and none is given", hint="write it, then press Enter"))
        ask_focus("reason")
        return False
    words = f"Ignored: {finding.sentence}"
    return state.dismiss(workspace, [finding], reason=reason, words=words) is not None


def _edit(workspace: str, finding: Finding, edits: Sequence[Edit], expected: Mapping[EdgeKey, str]) -> bool:
    finding_id = finding.finding_id
    # A type that the finding is about is meant, even if no relationship has it any more.
    entries = state.save(
        workspace,
        edits,
        reason=reason_of(finding_id),
        expected=expected,
        new_types=hand().new_types.get(finding_id, False) or names_types(finding, edits),
    )
    if entries is None:
        return False
    if hand().drafts.get(finding_id) == "accept" and finding.check_id not in SETTLED_BY_ITSELF:
        reason = reason_of(finding_id) or "accepted as it is"
        state.dismiss(workspace, [finding], reason=reason)
    return True


def _open_next(finding_id: str) -> None:
    order = [each for each in hand().order if each == finding_id or each not in hand().settled]
    if finding_id not in order:
        return
    at = order.index(finding_id)
    open_finding((order[at + 1 :] + order[:at][::-1] + [""])[0])


# ------------------------------------------------------------ undoing


def last_act(workspace: str) -> state.Act | None:
    """What U takes back: this session's last act, else this person's last entry of the history that still stands."""
    if not state.curator():
        return None
    if state.memory().acts:
        return state.memory().acts[-1]
    entries = resources.docgraph(workspace).relationships.history(limit=20)
    own = next((e for e in entries if e.by == state.curator() and e.undone_by is None and e.undoes is None), None)
    if own is None:
        return None
    act = tuple(e for e in reversed(entries) if e.act == own.act and e.undone_by is None)
    return state.Act(state.words_on(workspace, act), act=own.act)


def undo_last(workspace: str) -> None:
    """Take back the last act whole, and open the finding that it had settled."""
    act = last_act(workspace)
    if act is None:
        return
    if act.act and state.undo_act(workspace, act.act) is None:
        return
    if act.dismissed:
        words = act.words[:1].lower() + act.words[1:]
        if not state.withdraw(workspace, act.dismissed, words=f"Took back: {words}"):
            return
    if act in state.memory().acts:
        state.memory().acts.remove(act)
    hand().settled.discard(act.finding_id)
    if act.finding_id:
        open_finding(act.finding_id)
    redraw()

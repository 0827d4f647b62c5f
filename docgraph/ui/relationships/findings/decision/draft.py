"""What a curator has in hand: the decision that is open, a draft for each, and saving, ignoring and undoing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Literal

import streamlit as st

from docgraph.domain.edit import Edit
from docgraph.domain.finding import CheckReport, Decision, Finding
from docgraph.domain.overrides import EdgeKey
from docgraph.errors import ConflictError
from docgraph.ui.frame import resources
from docgraph.ui.frame.chosen import put
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships import fragments
from docgraph.views.relationships.findings.subject import ActionName, names_types
from docgraph.views.relationships.history.words import entry_text

FINDING = "finding"
"""Name in the address of the decision that is open, or of a finding of it."""

WHOLE = 5_000
"""Entries of the history that are searched for the whole of one change."""

REASON = "docgraph.relationships.reason"
SETTLED_BY_ITSELF = frozenset(("suspect",))
"""Checks whose finding disappears on acceptance; a finding of any other check is ignored, because it was reviewed."""

Drafted = ActionName | Literal["ignore"]


Field = Literal["reason", "retype", "new"]


@dataclass(frozen=True)
class Asked:
    """That a person's act asks for the cursor in a field of a decision: obeyed once, whatever is drawn anew.

    ``early`` = the act is the button's at which the page itself puts the cursor there, before anything is drawn.
    """

    decision_id: str
    where: Field
    early: bool = False
    request: str = field(default_factory=lambda: token_hex(6))


@dataclass
class Findings:
    """What this session remembers of its queue.

    ``report`` = the one drawn last; ``settled`` = findings that were judged since, not to be drawn from it again.
    ``order`` = ids of decisions in the queue as drawn. ``drafts`` by decision; ``types`` = the type chosen for a
    retype; ``edges`` = the relationship chosen of several; ``examples`` = which finding of a decision is shown, by its
    place. ``seen`` = states of relationships as they were displayed first.
    ``opened`` = the finding drawn last; ``gone`` = what became of one that is not open any more, to be said.
    ``asked`` = the field that the last act wants the cursor in; the next act takes it back.
    ``unreasoned`` = the decision that somebody wanted to ignore without a reason; ``n_saves`` = presses of Save.
    """

    report: CheckReport | None = None
    settled: set[str] = field(default_factory=set)
    order: tuple[str, ...] = ()
    drafts: dict[str, Drafted] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    new_types: dict[str, bool] = field(default_factory=dict)
    edges: dict[str, EdgeKey] = field(default_factory=dict)
    examples: dict[str, int] = field(default_factory=dict)
    seen: dict[str, dict[EdgeKey, str]] = field(default_factory=dict)
    show_all: bool = False
    opened: Finding | None = None
    gone: str = ""
    asked: Asked | None = None
    unreasoned: str = ""
    n_saves: int = 0


def hand() -> Findings:
    """The memory of this session's queue."""
    kept: Findings = state.memory().room.setdefault("findings", Findings())
    return kept


def reason_key(decision_id: str) -> str:
    """Key of the reason's field: a reason belongs to one decision and stays while others are looked at."""
    return f"{REASON}.{decision_id}"


def reason_of(decision_id: str) -> str:
    """What stands in the reason's field."""
    return str(st.session_state.get(reason_key(decision_id)) or "").strip()


# ------------------------------------------------------------ moving


def open_decision(decision_id: str) -> None:
    """Show this decision; its id goes into the address. The problem of another one is not shown any more."""
    if decision_id != st.query_params.get(FINDING):
        state.fail(None)
        hand().seen.pop(decision_id, None)
        hand().gone = ""
        hand().asked = None
        hand().unreasoned = ""
    put(FINDING, decision_id)


def step(current: str, by: int) -> None:
    """Open the next (1) or previous (-1) decision of the queue; at its ends nothing happens."""
    order = hand().order
    if current in order:
        at = order.index(current) + by
        if 0 <= at < len(order):
            open_decision(order[at])
    elif order:
        open_decision(order[0])


def show_example(decision_id: str, place: int) -> None:
    """Show the finding at this place (from 0) of a decision; the draft is for all of them and stays."""
    hand().examples[decision_id] = place


def look_for(workspace: str, finding_id: str) -> None:
    """Remember to say what became of a finding that the address names and that is not open any more."""
    last = hand().opened
    said = "The finding in this link is resolved, or its data changed"
    if last is not None and last.finding_id == finding_id:
        said = f"Resolved meanwhile: {last.sentence}"
        for key in last.relationships:
            newest = next(iter(resources.docgraph(workspace).relationships.history(key=key, limit=1)), None)
            if newest is not None:
                said += f". {entry_text(newest)}"
                break
    hand().gone = said


# ------------------------------------------------------------ drafting


def draft(decision_id: str, action: Drafted) -> None:
    """Draft an action; the same one again drops it, or (retype) puts the cursor into the choice of types."""
    drafts = hand().drafts
    again = drafts.get(decision_id) == action
    if again and action not in ("retype", "ignore"):
        drop(decision_id)
        return
    drafts[decision_id] = action
    state.fail(None)
    hand().asked = None
    hand().unreasoned = ""
    if action == "ignore":
        hand().asked = Asked(decision_id, "reason", early=True)
    elif again:
        hand().asked = Asked(decision_id, "new" if hand().new_types.get(decision_id) else "retype")


def drop(decision_id: str) -> None:
    """Forget the draft; the reason stays in its field."""
    hand().drafts.pop(decision_id, None)
    hand().new_types.pop(decision_id, None)
    hand().asked = None
    hand().unreasoned = ""
    state.fail(None)


def take_reason(decision_id: str, text: str) -> None:
    """Put this text into the reason's field and the cursor behind it: Enter saves."""
    st.session_state[reason_key(decision_id)] = text
    hand().unreasoned = ""
    hand().asked = Asked(decision_id, "reason")


# ------------------------------------------------------------ saving


@dataclass(frozen=True)
class Judged:
    """A decision with its findings, and the draft of a change to all of them as displayed.

    ``expected`` = the states of the relationships as displayed; ``label`` = the name of the change.
    """

    decision: Decision
    findings: tuple[Finding, ...]
    action: str = ""
    label: str = ""
    edits: tuple[Edit, ...] = ()
    expected: Mapping[EdgeKey, str] = field(default_factory=dict)

    @property
    def decision_id(self) -> str:
        """The id of the decision."""
        return self.decision.decision_id

    @property
    def reason(self) -> str:
        """What stands in the reason's field."""
        return reason_of(self.decision_id)


def commit(workspace: str, judged: Judged) -> None:
    """Save the draft for all findings of a decision and open the next one; what does not work is said, nothing is lost.

    When a key has changed the draft since it was drawn, nothing is saved yet.
    """
    decision_id, action = judged.decision_id, judged.action
    hand().n_saves += 1
    if not action or hand().drafts.get(decision_id) != action or not state.curator():
        return
    if not (_ignore(workspace, judged) if action == "ignore" else _edit(workspace, judged)):
        if isinstance(state.memory().problem, ConflictError):
            hand().seen.pop(decision_id, None)  # look again at what is there now
        return
    drop(decision_id)
    settled = tuple(finding.finding_id for finding in judged.findings)
    hand().settled.update(settled)
    state.remember_decided(workspace, judged.decision, finding_ids=settled, what=judged.label or "Ignored")
    _open_next(workspace, decision_id)
    fragments.redraw()


def _ignore(workspace: str, judged: Judged) -> bool:
    if not judged.reason:
        hand().unreasoned = judged.decision_id
        hand().asked = Asked(judged.decision_id, "reason")
        return False
    alone = len(judged.findings) == 1
    words = f"Ignored: {judged.findings[0].sentence if alone else judged.decision.label}"
    made = state.dismiss(workspace, judged.findings, reason=judged.reason, words=words, decisions=[judged.decision])
    return made is not None


def _edit(workspace: str, judged: Judged) -> bool:
    # A type that the findings are about is meant, even if no relationship has it any more.
    decision_id, findings = judged.decision_id, judged.findings
    entries = state.save(
        workspace,
        judged.edits,
        reason=judged.reason,
        expected=judged.expected,
        new_types=hand().new_types.get(decision_id, False) or names_types(findings, judged.edits),
        words=f"{judged.label}: {judged.decision.label}" if len(findings) > 1 else "",
    )
    if entries is None:
        return False
    if judged.action == "accept" and judged.decision.check_id not in SETTLED_BY_ITSELF:
        reason = judged.reason or "accepted as it is"
        state.dismiss(workspace, findings, reason=reason, decisions=[judged.decision])
    return True


def _open_next(workspace: str, decision_id: str) -> None:
    done = {act.decision_id for act in state.memory().acts if act.workspace == workspace} - {decision_id}
    order = [each for each in hand().order if each not in done]
    if decision_id not in order:
        return
    at = order.index(decision_id)
    open_decision((order[at + 1 :] + order[:at][::-1] + [""])[0])


# ------------------------------------------------------------ undoing


def last_act(workspace: str) -> state.Act | None:
    """What U takes back: this session's last act, else this person's last entry of the history that still stands."""
    if not state.curator():
        return None
    own_acts = [act for act in state.memory().acts if act.workspace == workspace]
    if own_acts:
        return own_acts[-1]
    entries = resources.docgraph(workspace).relationships.history(limit=20)
    own = next((e for e in entries if e.by == state.curator() and e.undone_by is None and e.undoes is None), None)
    if own is None:
        return None
    if entries[-1].act == own.act:
        entries = resources.docgraph(workspace).relationships.history(limit=WHOLE)
    act = tuple(e for e in reversed(entries) if e.act == own.act and e.undone_by is None)
    return state.Act(state.words_on(workspace, act), workspace, act=own.act)


def undo_last(workspace: str) -> None:
    """Take back the last act whole, and open the decision that it had settled, with all its findings."""
    act = last_act(workspace)
    if act is None:
        return
    words = f"Undone: {act.words[:1].lower() + act.words[1:]}"
    if act.act and state.undo_act(workspace, act.act, words=words if len(act.finding_ids) > 1 else "") is None:
        return
    act.act = ""  # should the second half not work, it alone is left to do
    if act.dismissed and not state.withdraw(workspace, act.dismissed, words=words):
        return
    state.forget_decided(workspace, act)
    state.memory().acts = [each for each in state.memory().acts if each is not act]
    hand().settled.difference_update(act.finding_ids)
    if act.decision_id:
        open_decision(act.decision_id)
    fragments.redraw()

"""Judging documents for a question in this session: who judges, what is known, and keeping what is said."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import streamlit as st

from docgraph.domain.frozen import fingerprint
from docgraph.domain.judgment import PassageJudgment
from docgraph.domain.query_set import RELEVANT
from docgraph.errors import DocgraphError
from docgraph.ui.frame import resources
from docgraph.ui.frame.state import session
from docgraph.ui.parts.curation import state
from docgraph.ui.parts.runs.saving import remember_person
from docgraph.views.words.judgments import Judged, by_document

_ON, _PROBLEM, _MARKED = "judging", "judging_problem", "judging_marked"
ANSWERS, DOES_NOT = "answers", "does not"


def judge_name() -> str:
    """The name that judgments carry: the one that this session's reader goes by, also when editing relationships."""
    return state.known_name()


def judging() -> bool:
    """Whether this session judges: it was switched on, and a name is known."""
    return bool(session().page.get(_ON)) and bool(judge_name())


def switch_on(name: str = "") -> None:
    """Judging on; ``name`` is kept for everything that this session signs. Without any name it stays off."""
    if name.strip():
        remember_person(" ".join(name.split()))
    session().page[_ON] = bool(judge_name())


def switch_off() -> None:
    """Judging off; the name stays known."""
    session().page[_ON] = False


def judged(workspace: str, query: str) -> Judged | None:
    """What is judged of a question, read anew; None when it cannot be read now (the page shows the rest)."""
    try:
        return by_document(resources.docgraph(workspace).judgments.list(query))
    except DocgraphError:
        return None


def counted(workspace: str, query: str) -> Judged | None:
    """What counts for documents of a question: what was said of them and of their passages; None as ``judged``."""
    try:
        return by_document(resources.docgraph(workspace).judgments.of_documents(query))
    except DocgraphError:
        return None


def judgments_stamp(workspace: str, query: str | None = None) -> str:
    """Changes with every judgment of the workspace, or of one question: for the key of what is kept and counts them.

    Raises StoreError.
    """
    found = resources.docgraph(workspace).judgments.of_documents(query)
    return fingerprint([[each.query, each.document_id, each.relevant] for each in found])


def say(workspace: str, query: str, document_id: str, *, key: str) -> None:
    """Keep what the buttons under ``key`` say of a document (in a callback): nothing pressed takes it back."""
    chosen = st.session_state.get(key)
    relevant = None if chosen is None else chosen == ANSWERS
    try:
        resources.docgraph(workspace).judgments.judge(query, document_id, relevant, by=judge_name())
    except DocgraphError as problem:
        session().page[_PROBLEM] = problem


def passages(workspace: str, query: str) -> tuple[PassageJudgment, ...]:
    """What is judged of passages of a question, read anew; none where that cannot be read now."""
    try:
        return resources.docgraph(workspace).judgments.passages(query)
    except DocgraphError:
        return ()


def mark(workspace: str, query: str, chunk_ids: Sequence[str], *, key: str, mine: Collection[str]) -> None:
    """Keep which of these passages answer (in a callback), by the buttons under ``key``; ``mine`` = marked before."""
    pressed = st.session_state.get(key) or ()
    session().page[_MARKED] = True
    kept = resources.docgraph(workspace).judgments
    try:
        for chunk_id in chunk_ids:
            if chunk_id in pressed and chunk_id not in mine:
                kept.judge_passage(query, chunk_id, RELEVANT, by=judge_name())
            elif chunk_id in mine and chunk_id not in pressed:
                kept.withdraw_passage(query, chunk_id, by=judge_name())
    except DocgraphError as problem:
        session().page[_PROBLEM] = problem


def taken_mark() -> bool:
    """Whether passages were marked, or marks taken back, since this was asked last."""
    return bool(session().page.pop(_MARKED, False))


def taken_problem() -> DocgraphError | None:
    """What the last judgment met, once."""
    problem: DocgraphError | None = session().page.pop(_PROBLEM, None)
    return problem

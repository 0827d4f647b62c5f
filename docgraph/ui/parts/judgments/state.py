"""Judging documents for a question in this session: who judges, what is known, and keeping what is said."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.frozen import fingerprint
from docgraph.errors import DocgraphError
from docgraph.ui.frame import resources
from docgraph.ui.frame.state import session
from docgraph.ui.parts.curation import state
from docgraph.ui.parts.runs.saving import remember_person
from docgraph.views.words.judgments import Judged, by_document

_ON, _PROBLEM = "judging", "judging_problem"
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


def taken_problem() -> DocgraphError | None:
    """What the last judgment met, once."""
    problem: DocgraphError | None = session().page.pop(_PROBLEM, None)
    return problem

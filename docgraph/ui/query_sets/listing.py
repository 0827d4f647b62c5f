"""The rows of the list, and what relationships change in each question, counted in the background."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from docgraph.domain.baselines import MS3
from docgraph.domain.query_set import QuerySetSummary
from docgraph.domain.request import parse_request
from docgraph.errors import DocgraphError, NotFoundError, RequestError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ports import Progress
from docgraph.ui.frame import resources
from docgraph.ui.parts.background import Background, Jobs, draw_anew, follow, of_process
from docgraph.ui.parts.judgments.state import judgments_stamp
from docgraph.views.query_sets.saved import Member, QuestionOutcome, QuestionRow, outcome_of, question_rows

POLL_SECONDS = 0.5
MAX_KEPT = 8
"""States of workspaces of which the outcomes are kept."""

REDRAWN = 0.25
"""Share of the questions after which the page shows what is counted so far."""

_Key = tuple[str, frozenset[str]]


class Counting(Background[None]):
    """The questions of one state of a workspace that are not counted yet; ``known`` = those that are, of earlier ones.

    ``None`` stands for a question that cannot be asked.
    """

    def __init__(
        self, asked: Sequence[QuestionRow], docgraph: Docgraph, known: dict[_Key, QuestionOutcome | None]
    ) -> None:
        self.known = known

        def work(progress: Progress) -> None:
            for done, row in enumerate(asked):
                if progress.cancelled():
                    return
                progress.update(done, len(asked), row.query)
                known[_key(row)] = _counted(docgraph, row)

        super().__init__(work, what="the effect of relationships could not be counted", total=len(asked))


def question_outcomes(rows: Sequence[QuestionRow], workspace: str) -> Mapping[str, QuestionOutcome | None]:
    """Question → what relationships change in it, ``None``: not known; those that are still counted are not there.

    The page is drawn anew as they come.
    """
    asked = [row for row in rows if not row.workspace]
    if not asked:
        return {}
    try:
        docgraph = resources.docgraph(workspace)
        name = f"{workspace} {docgraph.workspace.state}"
    except DocgraphError:
        return {row.query: None for row in asked}
    last = _jobs().get(name)
    known = last.known if last is not None else {}
    missing = [row for row in asked if _key(row) not in known]
    if missing:
        job = _jobs().of(name, lambda: Counting(missing, docgraph, known), anew=lambda last: not last.running)
        drawn = job.how_far.done
        follow(job, lambda: _look(job, drawn), every=POLL_SECONDS)
    return {row.query: known[_key(row)] for row in asked if _key(row) in known}


def _key(row: QuestionRow) -> _Key:
    return row.query, row.relevant


def _look(job: Counting, drawn: int) -> None:
    far = job.how_far
    if far.done - drawn >= max(far.total * REDRAWN, 1):
        draw_anew()


def _counted(docgraph: Docgraph, row: QuestionRow) -> QuestionOutcome | None:
    try:
        return outcome_of(docgraph.compare(parse_request({"query": row.query}), MS3), row.relevant)
    except DocgraphError:
        return None


def _jobs() -> Jobs[Counting]:
    return of_process("question outcomes", limit=MAX_KEPT)


MAX_VERSIONS = 1_000
"""Saved runs that are listed, pinned ones first, then the newest."""


def saved_rows(docgraph: Docgraph, sets: Sequence[QuerySetSummary], *, everywhere: bool) -> tuple[QuestionRow, ...]:
    """All questions of the workspace; with ``everywhere`` those that are saved in other ones, too."""
    name = docgraph.workspace_name
    resources.person()
    try:
        stamp, judged = judgments_stamp(name), _judged(docgraph)
    except NotFoundError:  # the workspace is gone, and its sets and saved runs outlive it
        stamp, judged = "", {}
    members = {each.name: _members(name, each.name, each.fingerprint, stamp) for each in sets}
    runs = docgraph.runs.list(everywhere=everywhere, limit=MAX_VERSIONS)
    return question_rows(members, runs, judged, here=name)


def _judged(docgraph: Docgraph) -> Mapping[str, Member]:
    """Question → what people judged of it."""
    said: dict[str, dict[str, bool]] = {}
    for each in docgraph.judgments.of_documents():
        said.setdefault(each.query, {})[each.document_id] = each.relevant
    return {
        query: Member(query, len(found), frozenset(i for i, relevant in found.items() if relevant))
        for query, found in said.items()
    }


@st.cache_resource(max_entries=32, show_spinner=False)
def _members(workspace: str, name: str, fingerprint: str, stamp: str) -> tuple[Member, ...]:
    """The questions of a set as they are asked; what no request can ask stays as it is written."""
    del fingerprint, stamp  # part of the key only: other questions, or other judgments
    try:
        queries = resources.docgraph(workspace).query_sets.get(name).query_set.queries
    except NotFoundError:
        return ()
    return tuple(Member(_asked(each.query), len(each.grades), frozenset(each.relevant)) for each in queries)


def _asked(text: str) -> str:
    try:
        return parse_request({"query": text}).query
    except RequestError:
        return text

"""Reads the saved questions of a workspace: members of its sets, its saved runs, and what is judged of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from docgraph.domain.query_set import QuerySetSummary
from docgraph.domain.request import parse_request
from docgraph.errors import NotFoundError, RequestError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import resources
from docgraph.ui.parts.judgments.state import judgments_stamp
from docgraph.views.query_sets.saved import Member, QuestionRow, question_rows

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

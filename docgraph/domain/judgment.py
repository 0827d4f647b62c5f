"""Judgments: which documents help to answer which question, and how well two runs do by them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import Identifier
from docgraph.domain.request import MAX_QUERY_LENGTH


class Judgment(Frozen):
    """Whether a document helps to answer a question, as a person or a file of questions said.

    One each for a question (its text as ``RetrievalRequest`` keeps it) and a document of a workspace. ``by`` = who said
    so, ``at`` = when (ISO 8601, UTC). It stays when the document is imported again or removed; while the document is
    not stored it counts for nothing.
    """

    query: str = Field(min_length=1, max_length=MAX_QUERY_LENGTH)
    document_id: Identifier
    relevant: bool
    by: str
    at: str


class NotJudged(Frozen):
    """What a file calls relevant and could not be taken; ``document_id`` is empty when no document is named."""

    query: str
    document_id: str = ""
    reason: str


class JudgmentsImported(Frozen):
    """What became of the documents that a file calls relevant.

    ``n_new`` judgments were not there before; ``n_there`` were, and stand as somebody gave them. ``not_judged`` = those
    that could not be taken, in the order of the file.
    """

    n_new: int = Field(default=0, ge=0)
    n_there: int = Field(default=0, ge=0)
    not_judged: tuple[NotJudged, ...] = ()


class JudgedFigure(Frozen):
    """One judged measure of both sides of a comparison, over the first ``k`` documents of each.

    ``k`` = the larger number of documents that one of the sides reads, so nothing that is read is cut off.
    ``n_relevant`` = documents of the workspace that are judged relevant to the question, shown or not. ``n_shown`` =
    documents that a side reads, ``n_judged`` = those among them that somebody judged. ``a`` and ``b`` are ``None`` when
    no document is judged relevant: the value is not known. ``note`` says what nobody judged.
    """

    name: str
    title: str
    of: Literal["documents"] = "documents"
    a: float | None
    b: float | None
    k: int = Field(ge=0)
    n_relevant: int = Field(ge=0)
    n_judged_a: int = Field(ge=0)
    n_judged_b: int = Field(ge=0)
    n_shown_a: int = Field(ge=0)
    n_shown_b: int = Field(ge=0)
    note: str = ""
    formula: str = ""
    source: str = ""

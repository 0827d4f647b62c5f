"""Judgments: which documents help to answer which question, and how well two runs do by them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from math import floor
from statistics import median
from typing import Literal

from pydantic import Field

from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import Identifier
from docgraph.domain.query_set import NOT_RELEVANT, RELEVANT, Grade
from docgraph.domain.request import MAX_QUERY_LENGTH

MAX_NOTE = 4_000


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


class PassageJudgment(Frozen):
    """How far one passage helps to answer a question, as one judge said: 0 not relevant, 1 partly, 2 relevant.

    ``grade`` ``None`` = somebody read it and could not judge: it counts as not judged. One each for a question (its
    text as ``RetrievalRequest`` keeps it), a text of a document (``text_hash`` = SHA-256 of the passage, hex) and a
    judge; a newer one takes its place. ``chunk_id`` = what the passage was called then. Like a ``Judgment`` it stays
    when the document is imported again or removed, and counts for nothing while the document is not stored.
    """

    query: str = Field(min_length=1, max_length=MAX_QUERY_LENGTH)
    document_id: Identifier
    chunk_id: Identifier
    text_hash: str = Field(pattern=r"^[0-9a-f]{64}$")
    grade: Grade | None
    by: str
    at: str
    note: str = Field(default="", max_length=MAX_NOTE)


def passage_hash(text: str) -> str:
    """SHA-256 (hex) of a passage's text: what a judgment of it is kept under."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


PassageKey = tuple[str, str, str, str]
"""What a judgment of a passage is kept under: query, document_id, text_hash, by."""


def passage_key(judgment: PassageJudgment) -> PassageKey:
    """What ``judgment`` is kept under."""
    return judgment.query, judgment.document_id, judgment.text_hash, judgment.by


def grades_said(judgments: Iterable[Judgment], passages: Iterable[PassageJudgment]) -> dict[str, dict[str, int]]:
    """Query → document_id → grade, by what people said of documents and of their passages; the highest counts.

    A relevant document has 2, one that is not relevant 0. A passage has the median of its judges' grades, rounded
    down; *cannot judge* counts as nothing.
    """
    found: dict[str, dict[str, int]] = {}
    for judgment in judgments:
        _raise(found, judgment.query, judgment.document_id, RELEVANT if judgment.relevant else NOT_RELEVANT)
    given: dict[tuple[str, str, str], list[int]] = {}
    for each in passages:
        if each.grade is not None:
            given.setdefault((each.query, each.document_id, each.text_hash), []).append(each.grade)
    for (query, document_id, _), grades in given.items():
        _raise(found, query, document_id, floor(median(grades)))
    return found


def marked_passages(passages: Iterable[PassageJudgment]) -> dict[str, dict[str, frozenset[str]]]:
    """Query → document_id → hashes of the passages that answer: those whose judges' median grade is 2."""
    given: dict[tuple[str, str, str], list[int]] = {}
    for each in passages:
        if each.grade is not None:
            given.setdefault((each.query, each.document_id, each.text_hash), []).append(each.grade)
    found: dict[str, dict[str, frozenset[str]]] = {}
    for (query, document_id, text_hash), grades in sorted(given.items()):
        if floor(median(grades)) == RELEVANT:
            of_query = found.setdefault(query, {})
            of_query[document_id] = of_query.get(document_id, frozenset()) | {text_hash}
    return found


def of_documents(judgments: Iterable[Judgment], passages: Iterable[PassageJudgment]) -> tuple[Judgment, ...]:
    """What counts for documents: ``grades_said`` as judgments, by query, then by document_id.

    A document helps when its grade is 1 or 2. Where a person's judgment of the document says so it stands as it is;
    else what its passages say is signed by the judge who said the newest of it.
    """
    stated = {(each.query, each.document_id): each for each in judgments}
    graded = [each for each in passages if each.grade is not None]
    newest: dict[tuple[str, str], PassageJudgment] = {}
    for passage in sorted(graded, key=lambda each: (each.at, each.by)):
        newest[passage.query, passage.document_id] = passage
    found = []
    for query, grades in sorted(grades_said(stated.values(), graded).items()):
        for document_id, grade in sorted(grades.items()):
            helps, there = grade > NOT_RELEVANT, stated.get((query, document_id))
            if there is None or there.relevant != helps:
                said = newest[query, document_id]
                there = Judgment(query=query, document_id=document_id, relevant=helps, by=said.by, at=said.at)
            found.append(there)
    return tuple(found)


def _raise(found: dict[str, dict[str, int]], query: str, document_id: str, grade: int) -> None:
    grades = found.setdefault(query, {})
    grades[document_id] = max(grade, grades.get(document_id, NOT_RELEVANT))


class NotJudged(Frozen):
    """What a file calls relevant and could not be taken; ``document_id`` is empty when no document is named."""

    query: str
    document_id: str = ""
    reason: str


class JudgmentsImported(Frozen):
    """What became of judgments out of a file: of documents that it calls relevant, or of passages.

    ``n_new`` judgments were not there before; ``n_there`` were, and stand as somebody gave them; ``n_newer`` took the
    place of an older one of the same judge (of passages only). ``not_judged`` = those that could not be taken, in the
    order of the file.
    """

    n_new: int = Field(default=0, ge=0)
    n_newer: int = Field(default=0, ge=0)
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

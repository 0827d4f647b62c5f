"""Reads query sets: docgraph's own lists, BEIR's folders and other tools' judgments, with what each line costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from docgraph.boundary.judgments.foreign import (
    MAX_BYTES,
    QUESTIONS,
    Pair,
    Row,
    grouped,
    is_pair,
    pairs_in,
    plain_name,
    question_of,
    rows_of,
)
from docgraph.boundary.judgments.trec import read_qrels
from docgraph.domain.passages.evidence import given_evidence
from docgraph.domain.query_set import NOT_RELEVANT, RELEVANT, Half, JudgedQuery, QuerySet, halves
from docgraph.domain.report import Adjusted, Rejected
from docgraph.errors import UserError

__all__ = ["HINT", "MAX_BYTES", "MAX_QUERIES", "QRELS", "read_query_set"]
QRELS = ("qrels/test.tsv", "qrels/dev.tsv", "qrels/train.tsv", "qrels.tsv", "qrels.txt")
"""Where a folder has its judgments, the first that is there; BEIR's come first."""

MAX_QUERIES = 100_000
HINT = 'write one JSON object on each line: {"query": "Why is the queue bounded?", "relevant": ["ADR-003"]}'
_ID = ("id", "_id", "query_id")
_READ = {*QUESTIONS, *_ID, "relevant", "cannot_judge", "kind", "half", "split", "evidence", "target"}
_PASSED_OVER = {"metadata"}
"""BEIR's questions carry it; nobody expects a judgment there."""

_DOCUMENT_KEYS = ("document_id", "doc_id", "docid", "docId", "id", "_id")
_GRADE_KEYS = ("grade", "rating", "score", "relevance")
MAX_FIELDS_SAID = 20
_HALVES: Mapping[str, Half] = {
    "tune": "tune",
    "train": "tune",
    "dev": "tune",
    "hold_out": "hold_out",
    "hold-out": "hold_out",
    "holdout": "hold_out",
    "test": "hold_out",
}


@dataclass
class _Reading:
    """What a file says besides its questions, gathered while it is read."""

    rejected: list[Rejected] = field(default_factory=list)
    adjusted: list[Adjusted] = field(default_factory=list)
    passed_over: Counter[str] = field(default_factory=Counter)


def read_query_set(data: bytes, *, name: str, qrels: bytes | None = None) -> QuerySet:
    """Questions in their order, each id once, with their judgments.

    JSON lines: the question under ``query`` (``question``, ``text``), its ``id`` (else its number), ``relevant`` as a
    document id, a list of them or an object id → grade (0 to 2), ``cannot_judge``, ``kind``, ``half`` (*tune*,
    *hold_out*), ``evidence`` (a regular expression of the passage that answers; or an object, or a list of them, all
    needed, with ``pattern``, ``text`` or ``chunk_ids``, and ``document_id``), ``target`` (the document that holds it).
    CSV: the same names in the heading, ``relevant`` in as many columns as there are, several ids in one divided by
    ``;``. Lists of judgments as Quepid (``query, docid, rating``) and OpenSearch's Search Relevance Workbench
    (``queryText, docId, rating``; ``judgmentRatings``) write them, and ragas' test sets (``user_input``,
    ``reference_contexts``). ``qrels`` = grades by the ids of questions, as TREC or BEIR write them; they stand over
    what the file says. Where no half is named every second question of a kind is held out.

    What cannot be taken is listed as rejected, what is read otherwise than it is written as adjusted. Raises UserError
    when a file as a whole cannot be read, holds no question, or more than 100,000.
    """
    said = _Reading()
    try:
        rows = _questions(list(rows_of(data, name=name)), said)
    except ValueError as error:
        raise UserError(f"the query set {name[:80]!r} cannot be read: {error}", hint=HINT) from error
    grades, refused, nearest = _grades(qrels)
    found: dict[str, tuple[JudgedQuery, bool]] = {}
    for row in rows:
        made = row.fields if isinstance(row.fields, Rejected) else _query(row, row.fields, grades, said)
        if isinstance(made, Rejected):
            said.rejected.append(made)
        elif made[0].query_id in found:
            reason = f"{row.place} has an id that was there before: {made[0].query_id[:60]!r}"
            said.rejected.append(Rejected(reason=reason, place=row.place))
        else:
            found[made[0].query_id] = made
    if not found:
        first = f"; {said.rejected[0].reason}" if said.rejected else ""
        raise UserError(f"the query set {name[:80]!r} holds no question{first}", hint=HINT)
    if len(found) > MAX_QUERIES:
        raise UserError(f"the query set holds {len(found):,} questions; {MAX_QUERIES:,} are allowed", hint="split it")
    said.adjusted += nearest
    said.rejected += refused
    said.rejected += (
        Rejected(reason=f"the qrels judge a question that is not in the set: {query_id[:60]!r}", place=query_id[:60])
        for query_id in grades
        if query_id not in found
    )
    return QuerySet(
        name=name,
        queries=_split(list(found.values())),
        rejected=tuple(said.rejected),
        adjusted=(*said.adjusted, *_not_looked_at(said.passed_over)),
    )


def _questions(rows: Sequence[Row], said: _Reading) -> list[Row]:
    """The rows with one question each: judgments one a row are gathered where their question comes first."""
    made: list[Row] = []
    pairs: list[Pair] = []
    rates = False
    for row in rows:
        found = None if isinstance(row.fields, Rejected) else pairs_in(row.fields, row.place, row.number)
        if found is None:
            made.append(row)
            continue
        assert not isinstance(row.fields, Rejected)
        rates = rates or not is_pair(row.fields) or _has_rating(row.fields)
        for each in found:
            if isinstance(each, Rejected):
                said.rejected.append(each)
            else:
                pairs.append(each)
    if not pairs:
        return made
    if not rates:
        first = next(row.fields for row in rows if not isinstance(row.fields, Rejected) and is_pair(row.fields))
        shown = ", ".join(first)[:200]
        raise ValueError(f"its fields name documents and rate none (rating, grade, score): {shown!r}")
    questions, refused, adjusted = grouped(pairs)
    said.rejected += refused
    said.adjusted += adjusted
    made += (Row(number, f"line {number}", fields) for number, fields in questions.items())
    return sorted(made, key=lambda row: row.number)


def _has_rating(row: Mapping[str, Any]) -> bool:
    return any(plain_name(each) in ("rating", "grade", "score", "relevance", "judgment", "judgement") for each in row)


def _not_looked_at(passed_over: Counter[str]) -> tuple[Adjusted, ...]:
    """A sentence for each field that is not read: a judgment under a name of somebody's own would be missed."""
    found = [
        Adjusted(
            reason=f"the field {name[:60]!r} of {n:,} {'line' if n == 1 else 'lines'} is not read", place=name[:60]
        )
        for name, n in passed_over.most_common(MAX_FIELDS_SAID)
    ]
    more = len(passed_over) - MAX_FIELDS_SAID
    return (*found, *([Adjusted(reason=f"{more:,} more fields are not read", place="fields")] if more > 0 else ()))


def _split(found: Sequence[tuple[JudgedQuery, bool]]) -> tuple[JudgedQuery, ...]:
    """The questions with their halves: as the file says where it says so of one at least, else by default."""
    if any(said for _, said in found):
        return tuple(query for query, _ in found)
    default = halves(tuple(query.query_id for query, _ in found), tuple(query.kind for query, _ in found))
    return tuple(query.model_copy(update={"half": half}) for (query, _), half in zip(found, default, strict=True))


def _query(
    row: Row, given: Mapping[str, Any], grades: Mapping[str, Mapping[str, int]], said: _Reading
) -> tuple[JudgedQuery, bool] | Rejected:
    """One question, and whether its line names a half."""
    place = row.place
    try:
        fields = question_of(given)
        text = next((fields[name] for name in QUESTIONS if fields.get(name)), None)
        if not isinstance(text, str) or not text.strip():
            return Rejected(reason=f"{place} has no question under 'query'", place=place)
        query_id = next((str(fields[name]) for name in _ID if fields.get(name) not in (None, "")), f"q{row.number}")
        judged = grades.get(query_id)
        half = _half(fields, place, said)
        made = JudgedQuery(
            query_id=query_id,
            query=text.strip(),
            kind=str(fields.get("kind") or ""),
            half=half or "tune",
            grades=_relevant(fields.get("relevant"), place, said) if judged is None else judged,
            cannot_judge=_list(fields.get("cannot_judge"), "cannot_judge"),
            evidence=given_evidence(fields.get("evidence"), target=fields.get("target")),
        )
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=True)[0]
        where = ".".join(map(str, first["loc"]))[:60]
        reason = f"{place}: {where}: {first['msg']} (it was {str(first.get('input'))[:60]!r})"
        return Rejected(reason=reason, place=place)
    except ValueError as error:
        return Rejected(reason=f"{place}: {error}", place=place)
    said.passed_over.update(each for each in fields if each not in _READ and each not in _PASSED_OVER)
    return made, half is not None


def _half(fields: Mapping[str, Any], place: str, said: _Reading) -> Half | None:
    named = str(fields.get("half") or fields.get("split") or "").strip()
    half = _HALVES.get(named.lower())
    if named and half is None:
        reason = f"{place}: the half {named[:60]!r} is neither tune nor hold_out; it is passed over"
        said.adjusted.append(Adjusted(reason=reason, place=place))
    return half


def _relevant(given: Any, place: str, said: _Reading) -> dict[str, int]:
    """document_id → grade of what stands under ``relevant``."""
    if isinstance(given, Mapping):
        return {str(key): _grade(key, grade, place, said) for key, grade in given.items()}
    if isinstance(given, list) and any(isinstance(each, Mapping) for each in given):
        found: dict[str, int] = {}
        for each in given:
            document_id, grade = _named_grade(each)
            found[document_id] = _grade(document_id, grade, place, said)
        return found
    return dict.fromkeys(_list(given, "relevant"), RELEVANT)


def _named_grade(given: Any) -> tuple[str, Any]:
    """(document_id, grade) of ``{"document_id": …, "grade": …}``; an id alone is relevant. Raises ValueError."""
    if isinstance(given, str) and given:
        return given, RELEVANT
    if isinstance(given, Mapping):
        named = next((given[each] for each in _DOCUMENT_KEYS if given.get(each) not in (None, "")), None)
        if isinstance(named, str | int) and not isinstance(named, bool):
            return str(named), next((given[each] for each in _GRADE_KEYS if each in given), RELEVANT)
    raise ValueError(f"'relevant' holds what names no document: {str(given)[:60]!r}")


def _grade(document_id: Any, given: Any, place: str, said: _Reading) -> int:
    """A grade from 0 to 2; one beyond is taken for the nearest, and said. Raises ValueError for no whole number."""
    try:
        number = float(given) if isinstance(given, str | int | float) and not isinstance(given, bool) else None
    except (ValueError, OverflowError):
        number = None
    if number is None or not number.is_integer():
        raise ValueError(f"the grade of {str(document_id)[:60]!r} is not a whole number: {str(given)[:60]!r}")
    grade = int(min(max(number, NOT_RELEVANT), RELEVANT))
    if grade != number:
        reason = f"{place}: the grade {str(given)[:20]} of {str(document_id)[:60]!r} is read as {grade}"
        said.adjusted.append(Adjusted(reason=reason, place=place))
    return grade


def _list(given: Any, name: str) -> tuple[str, ...]:
    """Ids of documents; a single one may stand without its list, and a number is the id that it reads like."""
    if given in (None, ""):
        return ()
    ids = [
        str(each) if isinstance(each, int) and not isinstance(each, bool) else each
        for each in (given if isinstance(given, list) else [given])
    ]
    if not all(isinstance(each, str) and each for each in ids):
        raise ValueError(f"{name!r} is not a list of document ids: {str(given)[:60]!r}")
    return tuple(dict.fromkeys(ids))


def _grades(
    qrels: bytes | None,
) -> tuple[Mapping[str, Mapping[str, int]], tuple[Rejected, ...], tuple[Adjusted, ...]]:
    if qrels is None:
        return {}, (), ()
    try:
        return read_qrels(qrels)
    except ValueError as error:
        raise UserError(f"the qrels cannot be read: {error}", hint="write: query_id 0 document_id grade") from error

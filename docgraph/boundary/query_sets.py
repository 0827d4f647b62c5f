"""Reads query sets: JSON lines, CSV, folders as BEIR has them, with judgments in them or in a file of qrels."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from docgraph.boundary.json_lines import line_place, records
from docgraph.boundary.text import decode
from docgraph.boundary.trec import read_qrels
from docgraph.domain.passages.evidence import given_evidence
from docgraph.domain.query_set import RELEVANT, Half, JudgedQuery, QuerySet, halves
from docgraph.domain.report import Rejected
from docgraph.errors import UserError

MAX_BYTES = 100_000_000
MAX_QUERIES = 100_000
HINT = 'write one JSON object on each line: {"query": "Why is the queue bounded?", "relevant": ["ADR-003"]}'
_ID, _QUERY = ("id", "_id", "query_id"), ("query", "question", "text")
_HALVES: Mapping[str, Half] = {
    "tune": "tune",
    "train": "tune",
    "dev": "tune",
    "hold_out": "hold_out",
    "hold-out": "hold_out",
    "holdout": "hold_out",
    "test": "hold_out",
}


def read_query_set(data: bytes, *, name: str, qrels: bytes | None = None) -> QuerySet:
    """Questions in their order, each id once, with their judgments.

    JSON lines: the question under ``query`` (``question``, ``text``), its ``id`` (else its number), ``relevant`` as a
    list of document ids or an object id → grade (0 to 2), ``cannot_judge``, ``kind``, ``half`` (*tune*, *hold_out*),
    ``evidence`` (a regular expression of the passage that answers; or an object, or a list of them, all needed, with
    ``pattern``, ``text`` or ``chunk_ids``, and ``document_id``), ``target`` (the document that holds it); other fields
    are not looked at. CSV: the same names in the heading, ``relevant`` in as many columns as
    there are, several ids in one divided by ``;``. ``qrels`` = grades by the ids of questions, as TREC or BEIR write
    them; they stand over what the file says. Where no half is named every second question of a kind is held out.
    What cannot be taken is listed as rejected. Raises UserError when a file as a whole cannot be read, holds no
    question, or more than 100,000.
    """
    try:
        rows = list(_csv_rows(data, name) if _is_csv(name) else records(data, max_bytes=MAX_BYTES))
    except ValueError as error:
        raise UserError(f"the query set {name[:80]!r} cannot be read: {error}", hint=HINT) from error
    grades, refused = _grades(qrels)
    found: dict[str, tuple[JudgedQuery, bool]] = {}
    rejected: list[Rejected] = []
    for number, row in rows:
        made = row if isinstance(row, Rejected) else _query(row, number, grades)
        if isinstance(made, Rejected):
            rejected.append(made)
        elif made[0].query_id in found:
            place = line_place(number)
            rejected.append(Rejected(reason=f"{place} has an id that was there before: {_shown(made[0])}", place=place))
        else:
            found[made[0].query_id] = made
    if not found:
        said = f"; {rejected[0].reason}" if rejected else ""
        raise UserError(f"the query set {name[:80]!r} holds no question{said}", hint=HINT)
    if len(found) > MAX_QUERIES:
        raise UserError(f"the query set holds {len(found):,} questions; {MAX_QUERIES:,} are allowed", hint="split it")
    rejected += refused
    rejected += (
        Rejected(reason=f"the qrels judge a question that is not in the set: {query_id[:60]!r}", place=query_id[:60])
        for query_id in grades
        if query_id not in found
    )
    return QuerySet(name=name, queries=_split(list(found.values())), rejected=tuple(rejected))


def _split(found: Sequence[tuple[JudgedQuery, bool]]) -> tuple[JudgedQuery, ...]:
    """The questions with their halves: as the file says where it says so of one at least, else by default."""
    if any(said for _, said in found):
        return tuple(query for query, _ in found)
    default = halves(tuple(query.query_id for query, _ in found), tuple(query.kind for query, _ in found))
    return tuple(query.model_copy(update={"half": half}) for (query, _), half in zip(found, default, strict=True))


def _query(
    row: Mapping[str, Any], number: int, grades: Mapping[str, Mapping[str, int]]
) -> tuple[JudgedQuery, bool] | Rejected:
    """One question, and whether its line names a half."""
    place = line_place(number)
    text = next((row[name] for name in _QUERY if row.get(name)), None)
    if not isinstance(text, str) or not text.strip():
        return Rejected(reason=f"{place} has no question under 'query'", place=place)
    query_id = next((str(row[name]) for name in _ID if row.get(name) not in (None, "")), f"q{number}")
    try:
        said = grades.get(query_id)
        half = _HALVES.get(str(row.get("half") or row.get("split") or "").strip().lower())
        made = JudgedQuery(
            query_id=query_id,
            query=text.strip(),
            kind=str(row.get("kind") or ""),
            half=half or "tune",
            grades=_relevant(row.get("relevant")) if said is None else said,
            cannot_judge=_list(row.get("cannot_judge"), "cannot_judge"),
            evidence=given_evidence(row.get("evidence"), target=row.get("target")),
        )
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=True)[0]
        where = ".".join(map(str, first["loc"]))[:60]
        reason = f"{place}: {where}: {first['msg']} (it was {str(first.get('input'))[:60]!r})"
        return Rejected(reason=reason, place=place)
    except ValueError as error:
        return Rejected(reason=f"{place}: {error}", place=place)
    return made, half is not None


def _relevant(given: Any) -> dict[str, int]:
    """document_id → grade of what stands under ``relevant``."""
    if isinstance(given, Mapping):
        for document_id, grade in given.items():
            if isinstance(grade, bool) or not isinstance(grade, int):
                raise ValueError(f"the grade of {document_id[:60]!r} is no whole number: {str(grade)[:60]!r}")
        return dict(given)
    return dict.fromkeys(_list(given, "relevant"), RELEVANT)


def _list(given: Any, name: str) -> tuple[str, ...]:
    if given in (None, ""):
        return ()
    if not isinstance(given, list) or not all(isinstance(each, str) and each for each in given):
        raise ValueError(f"{name!r} is no list of document ids: {str(given)[:60]!r}")
    return tuple(dict.fromkeys(given))


def _grades(qrels: bytes | None) -> tuple[Mapping[str, Mapping[str, int]], tuple[Rejected, ...]]:
    if qrels is None:
        return {}, ()
    try:
        return read_qrels(qrels)
    except ValueError as error:
        raise UserError(f"the qrels cannot be read: {error}", hint="write: query_id 0 document_id grade") from error


def _is_csv(name: str) -> bool:
    return name.lower().endswith((".csv", ".tsv"))


def _csv_rows(data: bytes, name: str) -> Iterator[tuple[int, dict[str, Any] | Rejected]]:
    """(line number, fields) of a CSV file with a heading; all columns called ``relevant…`` make one list."""
    text = decode(data, max_bytes=MAX_BYTES, max_line=MAX_BYTES)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if name.lower().endswith(".tsv") else ",")
    try:
        heading = [each.strip().lower() for each in next(reader)]
        if not set(heading) & set(_QUERY):
            raise ValueError(f"its heading has no column 'query': {', '.join(heading)[:60]!r}")
        for values in reader:
            if any(value.strip() for value in values):
                yield reader.line_num, _fields(heading, values)
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num} is not CSV: {error}") from error


def _fields(heading: Sequence[str], values: Sequence[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for column, value in zip(heading, values, strict=False):
        if column.startswith("relevant"):
            fields.setdefault("relevant", []).extend(each.strip() for each in value.split(";") if each.strip())
        elif column == "cannot_judge":
            fields[column] = [each.strip() for each in value.split(";") if each.strip()]
        else:
            fields.setdefault(column, value.strip())
    return fields


def _shown(query: JudgedQuery) -> str:
    return repr(query.query_id[:60])

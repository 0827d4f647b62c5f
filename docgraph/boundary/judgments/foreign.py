"""Rows as other tools write them, turned into questions: Quepid, OpenSearch's Search Relevance Workbench, ragas."""

from __future__ import annotations

import ast
import csv
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from docgraph.boundary.json_lines import line_place, records
from docgraph.boundary.limits import MAX_JSON_FILE_VALUES
from docgraph.boundary.shape import check_json
from docgraph.boundary.text import decode
from docgraph.domain.query_set import PARTLY, RELEVANT
from docgraph.domain.report import Adjusted, Rejected

MAX_BYTES = 100_000_000


class Row(NamedTuple):
    """One row: its number from 1, how a report names it, and its fields by name, or why it has none."""

    number: int
    place: str
    fields: dict[str, Any] | Rejected


def rows_of(data: bytes, *, name: str) -> Iterator[Row]:
    """The rows of a file in their order, blank ones passed over; its kind is told by its name and its first character.

    Raises ValueError with one line when the file as a whole cannot be read.
    """
    if is_csv(name):
        return _csv_rows(data, name)
    whole = _whole_json(data)
    if whole is None:
        return (Row(number, line_place(number), row) for number, row in records(data, max_bytes=MAX_BYTES))
    return _entries(whole)


def is_csv(name: str) -> bool:
    """Whether the name is that of a file of columns."""
    return name.lower().endswith((".csv", ".tsv"))


def _whole_json(data: bytes) -> Any:
    """The value of a file that is one JSON list or object over several lines; None for JSON lines."""
    if data[:1_000].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"[", b"{"):
        return None
    text = decode(data, max_bytes=MAX_BYTES, max_line=MAX_BYTES).strip()
    first = text.partition("\n")[0].rstrip()
    # Lines of JSON: the first is a whole object, so an object over several lines never begins like one.
    if text.startswith("{") and (first == text or first.endswith("}")):
        return None
    try:
        check_json(text, max_values=MAX_JSON_FILE_VALUES)
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        if text.startswith("{"):
            return None  # lines of which the first is broken: each is named
        raise ValueError(f"it begins like one JSON list, and is none: {str(error).splitlines()[0][:150]}") from error


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")


def _entries(whole: Any) -> Iterator[Row]:
    for number, each in enumerate(whole if isinstance(whole, list) else [whole], start=1):
        place = f"entry {number}"
        if isinstance(each, dict):
            yield Row(number, place, each)
        else:
            reason = f"{place} is not an object: {json.dumps(each)[:60]}"
            yield Row(number, place, Rejected(reason=reason, place=place))


def _csv_rows(data: bytes, name: str) -> Iterator[Row]:
    """Fields by the names in the heading; all columns called ``relevant…`` make one list.

    Raises ValueError for a heading that is none, and where the file stops being CSV.
    """
    text = decode(data, max_bytes=MAX_BYTES, max_line=MAX_BYTES)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if name.lower().endswith(".tsv") else ",")
    try:
        heading = [each.strip().lower() for each in next(reader)]
        check_heading(heading)
        if double := next((each for n, each in enumerate(heading) if each and _is_double(each, heading[:n])), ""):
            raise ValueError(f"two columns of its heading are called {double[:60]!r}")
        for values in reader:
            if not any(value.strip() for value in values):
                continue
            place = line_place(reader.line_num)
            fields: dict[str, Any] | Rejected = _fields(heading, values)
            if more := [value for value in values[len(heading) :] if value.strip()]:
                reason = (
                    f"{place} has {len(values):,} values for {len(heading):,} columns, the last is {more[-1][:40]!r}: "
                    "put what holds a comma between quotes"
                )
                fields = Rejected(reason=reason, place=place)
            yield Row(reader.line_num, place, fields)
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num} is not CSV: {error}") from error


def _is_double(column: str, before: Sequence[str]) -> bool:
    return not column.startswith("relevant") and column in before


def _fields(heading: Sequence[str], values: Sequence[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for column, value in zip(heading, values, strict=False):
        if column.startswith("relevant"):
            fields.setdefault("relevant", []).extend(each.strip() for each in value.split(";") if each.strip())
        elif column == "cannot_judge":
            fields[column] = [each.strip() for each in value.split(";") if each.strip()]
        elif column or value.strip():
            fields[column] = value.strip()
    return fields


QUESTIONS = ("query", "question", "text")
"""The fields under which a question is looked for, in their order."""

_QUESTION = ("query", "querytext", "question", "text", "userinput")
_DOCUMENT = ("docid", "documentid")
_RATING = ("rating", "grade", "score", "relevance", "judgment", "judgement")
_RATINGS = ("judgmentratings", "judgmentscores", "judgements", "judgments")
_HOP = re.compile(r"<\d{1,3}-hop>\s*")
_SCALES = (1.0, 3.0, 5.0, 10.0, 100.0)
MAX_CELL = 1_000_000


class Pair(NamedTuple):
    """A question and a document that was rated for it, or was not (``rating`` is None)."""

    place: str
    number: int
    query_id: str
    query: str
    document_id: str
    rating: float | None


def plain_name(name: str) -> str:
    """A field's name without capitals and signs: ``queryText``, ``Query Text`` and ``query_text`` are one."""
    return "".join(c for c in name.casefold() if c.isalnum())


def check_heading(heading: Sequence[str]) -> None:
    """Raises ValueError for columns of which none holds questions, or that name documents and rate none."""
    names, shown = {plain_name(each) for each in heading}, ", ".join(heading)[:200]
    if not names & set(_QUESTION):
        raise ValueError(f"its heading has no column 'query': {shown!r}")
    if names & set(_DOCUMENT) and not names & set(_RATING) and "relevant" not in names:
        raise ValueError(f"its columns name documents and rate none (rating, grade, score): {shown!r}")


def is_pair(row: Mapping[str, Any]) -> bool:
    """Whether a row is one judgment: a question, a document and its rating, as Quepid has them."""
    names = {plain_name(each) for each in row}
    return bool(names & set(_DOCUMENT)) and not any(each.startswith(("relevant", "evidence")) for each in names)


def pairs_in(row: Mapping[str, Any], place: str, number: int) -> Iterator[Pair | Rejected] | None:
    """The judgments of a row; None for one that is a question. Lists of judgments may stand in it at any depth of
    OpenSearch's answers (``hits``, ``_source``, ``judgmentRatings``).
    """
    if is_pair(row):
        return iter((_pair(row, place, number),))
    return _listed(row, place, number) if _lists(row) else None


def _lists(row: Mapping[str, Any]) -> bool:
    names = {plain_name(each): each for each in row}
    hits = row.get("hits")
    return (
        any(each in names for each in _RATINGS)
        or isinstance(row.get("ratings"), list | Mapping)
        or (isinstance(hits, Mapping) and isinstance(hits.get("hits"), list))
        or isinstance(row.get("_source"), Mapping)
    )


def _listed(row: Mapping[str, Any], place: str, number: int) -> Iterator[Pair | Rejected]:
    """The judgments of OpenSearch's list as it is sent in, as it comes back, or of one question of it."""
    names = {plain_name(each): each for each in row}
    if isinstance(source := row.get("_source"), Mapping):
        yield from _listed(source, place, number)
    elif isinstance(hits := row.get("hits"), Mapping):
        for n, each in enumerate(hits.get("hits") or (), start=1):
            yield from _listed(each if isinstance(each, Mapping) else {}, f"{place}, hit {n}", number)
    elif found := next((names[each] for each in _RATINGS if each in names), None):
        for n, each in enumerate(_as_questions(row[found]), start=1):
            yield from _of_question(each, f"{place}, query {n}", number)
    else:
        yield from _of_question(row, place, number)


def _as_questions(given: Any) -> Iterator[Any]:
    """``[{"query": …, "ratings": […]}]``; older lists are an object question → ratings."""
    if isinstance(given, Mapping):
        for query, ratings in given.items():
            yield {"query": query, "ratings": ratings}
    elif isinstance(given, list):
        yield from given
    else:
        yield given


def _of_question(row: Any, place: str, number: int) -> Iterator[Pair | Rejected]:
    names = {plain_name(each): each for each in row} if isinstance(row, Mapping) else {}
    query = next((row[names[each]] for each in _QUESTION if each in names), None)
    ratings = next((row[names[each]] for each in ("ratings", "scores") if each in names), None)
    if not isinstance(query, str) or not isinstance(ratings, list | Mapping):
        yield Rejected(reason=f"{place} is not a question with ratings: {str(row)[:60]!r}", place=place)
        return
    if isinstance(ratings, Mapping):
        ratings = [{"docId": key, "rating": value} for key, value in ratings.items()]
    if not ratings and query.strip():
        yield Pair(place, number, "", query.strip(), "", None)  # asked, and nothing rated yet
    for n, each in enumerate(ratings, start=1):
        where = f"{place}, rating {n}"
        if isinstance(each, Mapping):
            yield _pair({**each, "query": query}, where, number)
        else:
            yield Rejected(reason=f"{where} is not an object: {str(each)[:60]!r}", place=where)


def _pair(row: Mapping[str, Any], place: str, number: int) -> Pair | Rejected:
    named = {plain_name(key): value for key, value in reversed(list(row.items()))}
    query = next((named[each] for each in _QUESTION if named.get(each)), None)
    document = next((named[each] for each in _DOCUMENT if named.get(each) not in (None, "")), "")
    said = next((named[each] for each in _RATING if each in named), None)
    if not isinstance(query, str) or not query.strip():
        return Rejected(reason=f"{place} has no question under 'query'", place=place)
    if isinstance(document, bool | float | list | dict):
        return Rejected(reason=f"{place}: the document's id is not text: {str(document)[:60]!r}", place=place)
    rating: float | None = None
    if said not in (None, ""):
        try:
            rating = float(said) if isinstance(said, str | int | float) and not isinstance(said, bool) else math.nan
        except (ValueError, OverflowError):
            rating = math.nan
        if not math.isfinite(rating):
            return Rejected(reason=f"{place}: the rating is not a number: {str(said)[:60]!r}", place=place)
        if document == "":
            return Rejected(reason=f"{place} rates a document and does not name it (docid)", place=place)
    return Pair(place, number, str(named.get("queryid") or ""), query.strip(), str(document).strip(), rating)


def grouped(pairs: Iterable[Pair]) -> tuple[dict[int, dict[str, Any]], list[Rejected], list[Adjusted]]:
    """(number of the row where a question comes first → the question with its grades, what is refused, what is said).

    Ratings are read on a scale of 0 to 2: the highest one tells whether theirs ends at 1, 3 (Quepid), 5, 10 or 100.
    """
    questions: dict[str, dict[str, Any]] = {}
    ratings: dict[str, dict[str, float]] = {}
    places: dict[str, int] = {}
    rejected: list[Rejected] = []
    unrated = 0
    for each in pairs:
        key = each.query_id or each.query
        if key not in questions:
            places[key] = each.number
            questions[key] = {"query": each.query} | ({"id": each.query_id} if each.query_id else {})
            ratings[key] = {}
        if questions[key]["query"] != each.query:
            reason = f"{each.place}: the query {each.query_id[:60]!r} has another text than before: {each.query[:60]!r}"
            rejected.append(Rejected(reason=reason, place=each.place))
        elif each.rating is None:
            unrated += bool(each.document_id)
        elif ratings[key].setdefault(each.document_id, each.rating) != each.rating:
            reason = f"{each.place} rates {each.document_id[:60]!r} a second time, otherwise: {each.rating:g}"
            rejected.append(Rejected(reason=reason, place=each.place))
    every = sorted({rating for each in ratings.values() for rating in each.values()})
    scale = next((end for end in _SCALES if not every or every[-1] <= end), every[-1] if every else 1.0)
    made: dict[int, dict[str, Any]] = {}
    for key, question in questions.items():
        number = places[key]
        while number in made:  # several questions of one row keep their order behind each other
            number += 1
        made[number] = question | {"relevant": {i: _grade(each, scale) for i, each in ratings[key].items()}}
    return made, rejected, _said(every, scale, unrated)


def _grade(rating: float, scale: float) -> int:
    """0 stays 0, the end of the scale is 2, and what is above 0 is relevant at least partly."""
    if rating <= 0:
        return 0
    return min(max(math.floor(RELEVANT * rating / scale + 0.5), PARTLY), RELEVANT)


def _said(every: Sequence[float], scale: float, unrated: int) -> list[Adjusted]:
    said: list[Adjusted] = []
    if every:
        shown = ", ".join(f"{each:g} as {_grade(each, scale)}" for each in every[:12])
        more = f" and {len(every) - 12:,} more" if len(every) > 12 else ""
        said.append(Adjusted(reason=f"ratings from 0 to {scale:g} are read as grades: {shown}{more}", place="rating"))
    if unrated:
        word = "document has" if unrated == 1 else "documents have"
        said.append(Adjusted(reason=f"{unrated:,} {word} no rating and count as not judged", place="rating"))
    return said


def question_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with its question under ``query``, and of a ragas test set its passages and ids where docgraph has them.

    ``reference_contexts`` = the passages that answer, ``reference_context_ids`` = relevant, ``synthesizer_name`` = the
    kind. Raises ValueError for a conversation of several turns.
    """
    names = {plain_name(each): each for each in row}
    if any(row.get(each) for each in QUESTIONS):
        return dict(row)
    if "userinput" not in names:
        return {("query" if plain_name(key) == "querytext" else key): value for key, value in row.items()}
    asked = row[names["userinput"]]
    if isinstance(asked, list):
        raise ValueError("it is a conversation of several turns under 'user_input'; single questions are read")
    taken = {"user_input", "reference_contexts", "reference_context_ids", "synthesizer_name"}
    made = {key: value for key, value in row.items() if key not in taken} | {"query": asked}
    if contexts := _listed_cell(row.get("reference_contexts"), "reference_contexts"):
        made["evidence"] = [{"text": _HOP.sub("", str(each), count=1).strip()} for each in contexts]
    if ids := _listed_cell(row.get("reference_context_ids"), "reference_context_ids"):
        made["relevant"] = ids
    made.setdefault("kind", row.get("synthesizer_name") or "")
    return made


def _listed_cell(given: Any, name: str) -> list[Any]:
    """A list, or a cell that holds one as JSON or Python writes it (ragas' CSV does). Raises ValueError."""
    if isinstance(given, str) and given.strip().startswith("[") and len(given) <= MAX_CELL:
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            try:
                given = ast.literal_eval(given.strip())
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                raise ValueError(f"{name!r} is no list: {given[:60]!r}") from None
    if given in (None, "", []):
        return []
    return list(given) if isinstance(given, list) else [given]

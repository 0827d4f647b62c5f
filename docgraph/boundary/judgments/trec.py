"""TREC's two formats, which every evaluation tool reads: runs (what was found) and qrels (what is relevant)."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

from docgraph.boundary.limits import MAX_LINE
from docgraph.boundary.text import decode
from docgraph.domain.query_set import NOT_RELEVANT, PARTLY, RELEVANT, JudgedQuery, QuerySet
from docgraph.domain.report import Adjusted, Rejected
from docgraph.errors import RequestError

MAX_TREC_BYTES = 200_000_000
Rankings = Mapping[str, tuple[str, ...]]
"""query_id → ids of documents, best first."""


def read_run(data: bytes) -> tuple[dict[str, tuple[str, ...]], tuple[Rejected, ...]]:
    """Rankings of a run file (``query_id Q0 document_id rank score tag``), and the lines that are none.

    Ranked by score, the higher the better, then by rank, as trec_eval does but for ties; a document that comes twice
    stands where it is best. Raises ValueError with one line when the file as a whole cannot be read.
    """
    found: dict[str, list[tuple[float, float, str]]] = {}
    rejected: list[Rejected] = []
    for number, columns in _lines(data):
        rank, score = (_number(columns[3]), _number(columns[4])) if len(columns) == 6 else (None, None)
        if rank is None or score is None:
            rejected.append(_refused(number, columns, "query_id Q0 document_id rank score tag"))
            continue
        found.setdefault(columns[0], []).append((-score, rank, columns[2]))
    return {
        query_id: tuple(dict.fromkeys(item[2] for item in sorted(all_))) for query_id, all_ in found.items()
    }, tuple(rejected)


def read_qrels(
    data: bytes,
) -> tuple[dict[str, dict[str, int]], tuple[Rejected, ...], tuple[Adjusted, ...]]:
    """Grades of a qrels file (query_id → document_id → grade), the lines that are none, and grades read as others.

    TREC's four columns (``query_id 0 document_id grade``), or BEIR's three with their heading. Where no grade is above
    1 the file knows only relevant and not relevant. Grades below 0 (TREC: spam) are not relevant, those above 2
    relevant. Raises ValueError with one line when the file as a whole cannot be read.
    """
    found: dict[str, dict[str, int]] = {}
    rejected: list[Rejected] = []
    first = True
    for number, columns in _lines(data):
        is_first, first = first, False
        if is_first and columns[-1].lower() in ("score", "grade", "relevance", "rating"):
            continue
        grade = _number(columns[-1]) if len(columns) in (3, 4) else None
        if grade is None or not grade.is_integer():
            rejected.append(_refused(number, columns, "query_id 0 document_id grade"))
        elif found.setdefault(columns[0], {}).setdefault(columns[-2], int(grade)) != int(grade):
            place = f"line {number}"
            reason = f"{place} grades {columns[-2][:60]!r} a second time, otherwise: {' '.join(columns)[:60]!r}"
            rejected.append(Rejected(reason=reason, place=place))
    every = [grade for grades in found.values() for grade in grades.values()]
    scale = RELEVANT if max(every, default=0) <= 1 else 1
    return (
        {
            query_id: {i: min(max(grade, 0) * scale, RELEVANT) for i, grade in grades.items()}
            for query_id, grades in found.items()
        },
        tuple(rejected),
        _nearest(every),
    )


def _nearest(grades: Sequence[int]) -> tuple[Adjusted, ...]:
    """What is said of grades beyond 0 to 2."""
    above, below = sum(each > RELEVANT for each in grades), sum(each < 0 for each in grades)
    return tuple(
        Adjusted(reason=f"{n:,} {'grade' if n == 1 else 'grades'} of the qrels {beyond}", place="qrels")
        for n, beyond in ((above, "above 2: read as 2"), (below, "below 0: read as 0"))
        if n
    )


def write_run(answers: Iterable[tuple[str, Sequence[str]]], *, tag: str) -> Iterator[str]:
    """The lines of a run file: of (query_id, ids of documents, best first); scores fall with the rank."""
    name = "_".join(tag.split()) or "docgraph"
    for query_id, documents in answers:
        for rank, document_id in enumerate(documents, start=1):
            yield f"{_one_word(query_id)} Q0 {_one_word(document_id)} {rank} {1 / rank:.6f} {name}\n"


def write_qrels(queries: QuerySet) -> Iterator[str]:
    """The lines of a qrels file."""
    for query in queries.queries:
        for document_id, grade in query.grades.items():
            yield f"{_one_word(query.query_id)} 0 {_one_word(document_id)} {grade}\n"


def _one_word(identifier: str) -> str:
    """An id as a column: columns are divided by white space, so there it becomes ``_``."""
    return "_".join(identifier.split())


def _lines(data: bytes) -> Iterator[tuple[int, list[str]]]:
    text = decode(data, max_bytes=MAX_TREC_BYTES, max_line=MAX_LINE)
    for number, line in enumerate(text.split("\n"), start=1):
        columns = [each.strip() for each in (line.split("\t") if "\t" in line else line.split())]
        if any(columns):
            yield number, columns


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _refused(number: int, columns: Sequence[str], expected: str) -> Rejected:
    place = f"line {number}"
    return Rejected(reason=f"{place} is not {expected!r}: {' '.join(columns)[:60]!r}", place=place)


Form = Literal["jsonl", "quepid", "opensearch", "ragas", "trec"]
FORMS: tuple[Form, ...] = get_args(Form)
SUFFIXES: Mapping[Form, str] = {
    "jsonl": "jsonl",
    "quepid": "csv",
    "opensearch": "json",
    "ragas": "jsonl",
    "trec": "qrels",
}
"""How a file of each form is called; ``jsonl`` is docgraph's own, the only one that loses nothing."""

_RATINGS = {NOT_RELEVANT: 0, PARTLY: 2, RELEVANT: 3}
"""Grade → rating from 0 to 3, as Quepid and OpenSearch's samples have them; a highest rating of 1 would be a scale."""

_SIGNS = re.compile(r"[\\^$|?*+()\[\]{}]")
"""What makes a pattern more than a piece of plain text."""


def written(queries: QuerySet, form: str) -> Iterator[str]:
    """The pieces of a file with the questions and judgments of a set. Raises RequestError for a form that is none.

    ``jsonl`` = docgraph's own; ``quepid`` = CSV with ``query, docid, rating``; ``opensearch`` = the body that Search
    Relevance Workbench takes in (``PUT _plugins/_search_relevance/judgments``); ``ragas`` = JSON lines of a test set;
    ``trec`` = qrels. Ratings are 0, 2 and 3 for the grades 0, 1 and 2. Nothing is defused for spreadsheets: a question
    has to come back as it is.
    """
    if form == "jsonl":
        return (_line(_own(each)) for each in queries.queries)
    if form == "quepid":
        return _quepid(queries)
    if form == "opensearch":
        return iter((json.dumps(_opensearch(queries), ensure_ascii=False, indent=2) + "\n",))
    if form == "ragas":
        return (_line(_ragas(each)) for each in queries.queries)
    if form == "trec":
        return write_qrels(queries)
    raise RequestError(f"a query set is not written as {form[:40]!r}", hint=f"take one of: {', '.join(FORMS)}")


def _line(fields: Mapping[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"


def _own(query: JudgedQuery) -> dict[str, Any]:
    """A line that ``read_query_set`` reads as the same question."""
    made: dict[str, Any] = {"id": query.query_id, "query": query.query}
    if query.grades:
        made["relevant"] = dict(query.grades)
    if query.cannot_judge:
        made["cannot_judge"] = list(query.cannot_judge)
    if query.kind:
        made["kind"] = query.kind
    made["half"] = query.half
    if query.evidence:
        made["evidence"] = [each.model_dump(mode="json", exclude_defaults=True) for each in query.evidence]
    return made


def _quepid(queries: QuerySet) -> Iterator[str]:
    """A row a judgment; a question without any has a row with nothing behind it, as Quepid exports one."""
    buffer = io.StringIO()
    rows = csv.writer(buffer, lineterminator="\n")
    rows.writerow(("query", "docid", "rating"))
    for query in queries.queries:
        if not query.grades:
            rows.writerow((query.query, "", ""))
        for document_id, grade in query.grades.items():
            rows.writerow((query.query, document_id, _RATINGS[grade]))
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def _opensearch(queries: QuerySet) -> dict[str, Any]:
    return {
        "name": queries.name[:50] or "judgments",
        "description": f"{len(queries.queries):,} questions",
        "type": "IMPORT_JUDGMENT",
        "judgmentRatings": [
            {
                "query": query.query,
                "ratings": [
                    {"docId": document_id, "rating": f"{_RATINGS[grade]:.3f}"}
                    for document_id, grade in query.grades.items()
                ],
            }
            for query in queries.queries
        ],
    }


def _ragas(query: JudgedQuery) -> dict[str, Any]:
    """A sample of one turn; evidence that is a pattern is no passage's text and is left out."""
    texts = [each.text or ("" if _SIGNS.search(each.pattern) else each.pattern) for each in query.evidence]
    made: dict[str, Any] = {"user_input": query.query}
    if contexts := [each for each in texts if each]:
        made["reference_contexts"] = contexts
    if ids := list(query.relevant):
        made["reference_context_ids"] = ids
    return made | ({"synthesizer_name": query.kind} if query.kind else {})

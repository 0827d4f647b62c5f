"""Writes query sets as other tools read them: Quepid's CSV, OpenSearch's judgments, ragas' test sets, qrels."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

from docgraph.boundary.judgments.trec import write_qrels
from docgraph.domain.query_set import NOT_RELEVANT, PARTLY, RELEVANT, JudgedQuery, QuerySet
from docgraph.errors import RequestError

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

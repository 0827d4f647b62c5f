"""Files of questions, one JSON object a line: read, asked on today's data, kept as saved runs, with their judgments."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from docgraph.boundary.json_lines import check_readable, line_place, records
from docgraph.domain.frozen import Frozen
from docgraph.domain.judgment import JudgmentsImported, NotJudged
from docgraph.domain.report import Rejected
from docgraph.domain.request import RetrievalRequest, parse_request
from docgraph.domain.saved_run import MAX_NAME, RUN_ID_LENGTH, content_hash
from docgraph.errors import RequestError, UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ports import Progress

MAX_BYTES = 50_000_000
MAX_QUESTIONS = 10_000
ALL = 1_000_000
HINT = 'write one JSON object on each line: {"query": "Why is the queue bounded?"}'


@dataclass(frozen=True)
class QuestionFile:
    """The questions of a file in their order, each once, and the lines that hold none.

    ``relevant`` = question → ids of the documents that the file calls relevant to it; ``not_judged`` = what it says of
    them that cannot be read.
    """

    requests: tuple[RetrievalRequest, ...]
    rejected: tuple[Rejected, ...] = ()
    relevant: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    not_judged: tuple[NotJudged, ...] = ()


class KeptQuestion(Frozen):
    """One question and the saved run that holds it; ``is_new`` = it was not there before."""

    query: str
    run_id: str
    is_new: bool


class QuestionsSaved(Frozen):
    """What became of questions: ``n`` were given, ``kept`` holds those that are saved runs now, in their order.

    ``n_judgments`` = documents that were judged relevant as the file says, and had no judgment before;
    ``n_judged_before`` = those that had one: it stands, whatever it says. ``not_judged`` = what the file says and could
    not be taken, such as documents that are not stored. ``stopped`` = somebody ended it early; ``seconds`` = how long
    it took.
    """

    workspace: str
    n: int
    kept: tuple[KeptQuestion, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    n_judgments: int = 0
    n_judged_before: int = 0
    not_judged: tuple[NotJudged, ...] = ()
    stopped: bool = False
    seconds: float = 0.0

    @property
    def n_new(self) -> int:
        """Saved runs that were not there before."""
        return sum(each.is_new for each in self.kept)


def read_questions(data: bytes) -> QuestionFile:
    """Questions of a file with a ``query`` in each line and, where they are known, its documents under ``relevant``.

    Other fields are not looked at; what is wrong with ``relevant`` rejects no question. Raises UserError when the file
    as a whole cannot be read, holds no question, or more than 10,000.
    """
    found: dict[str, RetrievalRequest] = {}
    relevant: dict[str, dict[str, None]] = {}
    rejected: list[Rejected] = []
    not_judged: list[NotJudged] = []
    try:
        for n_read, (number, record) in enumerate(records(data, max_bytes=MAX_BYTES)):
            check_readable(n_read, len(rejected))
            if isinstance(record, Rejected):
                rejected.append(record)
                continue
            asked = _request(record.get("query"), line_place(number))
            if isinstance(asked, Rejected):
                rejected.append(asked)
                continue
            found.setdefault(asked.query, asked)
            if len(found) > MAX_QUESTIONS:
                raise UserError(f"the file holds more than {MAX_QUESTIONS:,} questions", hint="split it")
            for named in _relevant(record.get("relevant"), asked.query, line_place(number)):
                if isinstance(named, NotJudged):
                    not_judged.append(named)
                else:
                    relevant.setdefault(asked.query, {})[named] = None
    except ValueError as error:
        raise UserError(f"the file of questions cannot be read: {error}", hint=HINT) from error
    if not found:
        said = f"; {rejected[0].reason}" if rejected else ""
        raise UserError(f"the file holds no question{said}", hint=HINT)
    documents = {query: tuple(ids) for query, ids in relevant.items()}
    return QuestionFile(tuple(found.values()), tuple(rejected), documents, tuple(not_judged))


def save_questions(
    docgraph: Docgraph, questions: QuestionFile, *, by: str, progress: Progress | None = None
) -> QuestionsSaved:
    """Ask each question on today's data and keep its run, named by the question; ``progress`` may stop it.

    The documents that the file calls relevant are judged so by ``by``; without a name none is. What is finished when it
    is stopped, or when it fails, stays. A run that is saved already keeps its id, its name and its note, a document
    that is judged already its judgment: doing it twice changes nothing. Raises StoreError and EmbedderError.
    """
    there = {row.run_id for row in docgraph.runs.list(limit=ALL)}
    started, kept, total = time.monotonic(), list[KeptQuestion](), len(questions.requests)
    judged, stopped = list[JudgmentsImported](), False
    for number, request in enumerate(questions.requests):
        if progress is not None:
            progress.update(number, total, request.query[:MAX_NAME])
            if stopped := progress.cancelled():
                break
        run = docgraph.run(request)
        run_id = content_hash(run)[:RUN_ID_LENGTH]
        is_new = run_id not in there
        if is_new:
            docgraph.runs.save(run, name=request.query, by=by)
            there.add(run_id)
        kept.append(KeptQuestion(query=request.query, run_id=run_id, is_new=is_new))
        judged.append(_judge(docgraph, request.query, questions.relevant.get(request.query, ()), by=by))
    if progress is not None and not stopped:
        progress.update(total, total, "")
    asked = {each.query for each in kept}
    unread = (each for each in questions.not_judged if each.query in asked)
    return QuestionsSaved(
        workspace=docgraph.workspace_name,
        n=total,
        kept=tuple(kept),
        rejected=questions.rejected,
        stopped=stopped,
        seconds=time.monotonic() - started,
        n_judgments=sum(each.n_new for each in judged),
        n_judged_before=sum(each.n_there for each in judged),
        not_judged=(*unread, *(refused for each in judged for refused in each.not_judged)),
    )


def first(questions: QuestionFile, limit: int | None) -> QuestionFile:
    """The first ``limit`` questions of the file; None = all of them."""
    return questions if limit is None else replace(questions, requests=questions.requests[:limit])


def _request(query: object, place: str) -> RetrievalRequest | Rejected:
    if not isinstance(query, str) or not query.strip():
        return Rejected(reason=f"{place} has no question under 'query'", place=place)
    try:
        return parse_request({"query": query})
    except RequestError as error:
        return Rejected(reason=f"{place}: {error.message}", place=place)


def _relevant(given: Any, query: str, place: str) -> Iterator[str | NotJudged]:
    """The document ids under ``relevant``, and what is none; nothing where the file is silent."""
    if given is None:
        return
    if not isinstance(given, list):
        yield NotJudged(query=query, reason=f"{place}: 'relevant' is not a list of document ids")
        return
    for each in given:
        if isinstance(each, str) and each:
            yield each
        else:
            yield NotJudged(query=query, reason=f"{place}: {str(each)[:60]!r} under 'relevant' is not a document id")


def _judge(docgraph: Docgraph, query: str, document_ids: Sequence[str], *, by: str) -> JudgmentsImported:
    """Take over what the file says of one question."""
    if not document_ids:
        return JudgmentsImported()
    if by.strip():
        return docgraph.judgments.import_relevant({query: document_ids}, by=by)
    unsigned = (NotJudged(query=query, document_id=i, reason="no name is given for the judge") for i in document_ids)
    return JudgmentsImported(not_judged=tuple(unsigned))

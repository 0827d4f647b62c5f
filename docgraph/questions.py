"""Files of questions, one JSON object a line: read, asked on today's data, and kept as saved runs."""

from __future__ import annotations

import time
from dataclasses import dataclass

from docgraph.domain.frozen import Frozen
from docgraph.domain.report import Rejected
from docgraph.domain.request import RetrievalRequest, parse_request
from docgraph.domain.saved_run import MAX_NAME, RUN_ID_LENGTH, content_hash
from docgraph.errors import RequestError, UserError
from docgraph.json_lines import line_place, records
from docgraph.orchestrator import Docgraph
from docgraph.ports import Progress

MAX_BYTES = 50_000_000
MAX_QUESTIONS = 10_000
ALL = 1_000_000
HINT = 'write one JSON object on each line: {"query": "Why is the queue bounded?"}'


@dataclass(frozen=True)
class QuestionFile:
    """The questions of a file in their order, each once, and the lines that hold none."""

    requests: tuple[RetrievalRequest, ...]
    rejected: tuple[Rejected, ...] = ()


class KeptQuestion(Frozen):
    """One question and the saved run that holds it; ``is_new`` = it was not there before."""

    query: str
    run_id: str
    is_new: bool


class QuestionsSaved(Frozen):
    """What became of questions: ``n`` were given, ``kept`` holds those that are saved runs now, in their order.

    ``stopped`` = somebody ended it early; ``seconds`` = how long it took.
    """

    workspace: str
    n: int
    kept: tuple[KeptQuestion, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    stopped: bool = False
    seconds: float = 0.0

    @property
    def n_new(self) -> int:
        """Saved runs that were not there before."""
        return sum(each.is_new for each in self.kept)


def read_questions(data: bytes) -> QuestionFile:
    """Questions of a file with a ``query`` in each line; other fields, such as ``relevant``, are not looked at.

    Raises UserError when the file as a whole cannot be read, holds no question, or more than 10,000.
    """
    found: dict[str, RetrievalRequest] = {}
    rejected: list[Rejected] = []
    try:
        for number, record in records(data, max_bytes=MAX_BYTES):
            if isinstance(record, Rejected):
                rejected.append(record)
                continue
            asked = _request(record.get("query"), line_place(number))
            if isinstance(asked, Rejected):
                rejected.append(asked)
            else:
                found.setdefault(asked.query, asked)
    except ValueError as error:
        raise UserError(f"the file of questions cannot be read: {error}", hint=HINT) from error
    if not found:
        said = f"; {rejected[0].reason}" if rejected else ""
        raise UserError(f"the file holds no question{said}", hint=HINT)
    if len(found) > MAX_QUESTIONS:
        raise UserError(f"the file holds {len(found):,} questions; {MAX_QUESTIONS:,} are allowed", hint="split it")
    return QuestionFile(tuple(found.values()), tuple(rejected))


def save_questions(
    docgraph: Docgraph, questions: QuestionFile, *, by: str, progress: Progress | None = None
) -> QuestionsSaved:  # fmt: skip
    """Ask each question on today's data and keep its run, named by the question; ``progress`` may stop it.

    What is finished when it is stopped, or when it fails, stays. A run that is saved already keeps its id, its name and
    its note: doing it twice changes nothing. Raises StoreError and EmbedderError.
    """
    there = {row.run_id for row in docgraph.saved_runs(limit=ALL)}
    started, kept, total = time.monotonic(), list[KeptQuestion](), len(questions.requests)
    stopped = False
    for number, request in enumerate(questions.requests):
        if progress is not None:
            progress.update(number, total, request.query[:MAX_NAME])
            if stopped := progress.cancelled():
                break
        run = docgraph.run(request)
        run_id = content_hash(run)[:RUN_ID_LENGTH]
        is_new = run_id not in there
        if is_new:
            docgraph.save_run(run, name=request.query, by=by)
            there.add(run_id)
        kept.append(KeptQuestion(query=request.query, run_id=run_id, is_new=is_new))
    if progress is not None and not stopped:
        progress.update(total, total, "")
    return QuestionsSaved(
        workspace=docgraph.workspace_name, n=total, kept=tuple(kept), rejected=questions.rejected, stopped=stopped,
        seconds=time.monotonic() - started,
    )  # fmt: skip


def first(questions: QuestionFile, limit: int | None) -> QuestionFile:
    """The first ``limit`` questions of the file; None = all of them."""
    return questions if limit is None else QuestionFile(questions.requests[:limit], questions.rejected)


def _request(query: object, place: str) -> RetrievalRequest | Rejected:
    if not isinstance(query, str) or not query.strip():
        return Rejected(reason=f"{place} has no question under 'query'", place=place)
    try:
        return parse_request({"query": query})
    except RequestError as error:
        return Rejected(reason=f"{place}: {error.message}", place=place)

"""A query set asked in several configurations: question by question, some at a time, what is finished kept."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from contextvars import copy_context
from dataclasses import dataclass
from functools import cache, cached_property
from os import PathLike
from typing import Any

from docgraph.boundary.kept_outcomes import KeptOutcomes
from docgraph.boundary.records import as_record, as_request
from docgraph.domain.evaluation import Answer, Configuration, Evaluation, Outcome, what_is_asked
from docgraph.domain.passages.evidence import given_evidence
from docgraph.domain.query_set import JudgedQuery, QuerySet, halves
from docgraph.domain.report import Rejected
from docgraph.domain.request import MODES
from docgraph.errors import DocgraphError, RequestError
from docgraph.evaluation.measuring import NamedMeasure, default_measures, named_measures
from docgraph.evaluation.summing_up import differences, figures, slices
from docgraph.orchestration.caches import recorded
from docgraph.orchestration.document_ids import candidates, several_words
from docgraph.orchestration.evaluating.configurations import Asker, GivenConfiguration, askers
from docgraph.orchestration.session import HasSession, Session
from docgraph.ports import KeepsOutcomes, Probe, Progress, Snapshot

GivenQuery = JudgedQuery | Mapping[str, Any] | str
BOTH = ("off", "on")
MAX_WORKERS = 32


def evaluate(
    self: HasSession,
    queries: QuerySet | Iterable[GivenQuery],
    configurations: Mapping[str, GivenConfiguration] | Iterable[str] = BOTH,
    *,
    measures: Iterable[str] | None = None,
    request: Mapping[str, Any] | None = None,
    workers: int = 2,
    keep: str | PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Ask every question of a set in every configuration, measure the answers, and test the differences.

    ``configurations`` = names: *off* (without relationships, the baseline), *on*, *vectors* (plain vector search),
    *literal*; or a mapping name → request fields (unsaved ``edits`` among them), a retriever of your own (a callable
    ``query → [(document or chunk id, score)]``, a LangChain or LlamaIndex retriever, a URL), or rankings ``{query_id:
    [document ids]}``. All are compared with the first. ``request`` = fields shared by all requests. ``measures`` as
    ``NAME@K``; the first one decides which questions improve. None = nDCG, recall and reciprocal rank of as many
    documents as ``request`` reads, tokens and documents; before them ``passage@2000t`` and ``passage@4000t`` if the
    evidence of most questions is known.

    All configurations of a question read one snapshot; with the measure ``milliseconds`` each reads its own. A question
    that fails is an outcome with its reason. ``workers`` = questions asked at a time; outcomes keep the set's order.
    ``keep`` = a file that stores each outcome as soon as it is finished, and from which the same evaluation resumes.
    ``progress`` receives (n, N) and may stop the work. Raises UserError for an invalid configuration, before anything
    is asked, and ConflictError for a file of another evaluation.
    """
    session = self.session
    asked, started = set_of(queries), time.monotonic()
    way = way_to_ask(
        session, configurations, measures=measures, request=request, workers=workers, passages=asked.knows_passages
    )
    wanted, made = way.measures, way.configurations
    matched, unmatched, revision = matched_set(session, asked)
    with nullcontext() if keep is None else KeptOutcomes(keep) as kept:
        outcomes = list(outcomes_of(way, matched, revision, kept=kept, progress=progress, seen=ids_once()))
    names = [each.name for each in made]
    return Evaluation(
        name=asked.name,
        workspace=session.workspace,
        embedder_id=session.embedder.embedder_id,
        query_set=asked.fingerprint,
        n=len(asked.queries),
        configurations=made,
        measures=tuple(each.name for each in wanted),
        revisions=tuple(dict.fromkeys(outcome.revision for outcome in outcomes)),
        outcomes=tuple(outcomes),
        figures=figures(outcomes, names, measures=wanted),
        differences=differences(outcomes, names, measures=wanted),
        slices=slices(outcomes, names, measures=wanted),
        unmatched=unmatched,
        unread=asked.rejected,
        adjusted=asked.adjusted,
        stopped=len(outcomes) < len(matched.queries),
        seconds=time.monotonic() - started,
    )


def way_to_ask(
    session: Session,
    configurations: Mapping[str, GivenConfiguration] | Iterable[str],
    *,
    measures: Iterable[str] | None,
    request: Mapping[str, Any] | None,
    workers: int,
    passages: bool = False,
) -> WayToAsk:
    """How every question is asked and measured; ``passages`` = whether passages are measured by default.

    Raises UserError for an invalid configuration, before anything is asked.
    """
    named = default_measures(documents_of(request or {}), passages=passages) if measures is None else measures
    wanted = named_measures(named, session.adapters.measures)
    budgets = tuple(each.tokens for each in wanted if each.tokens is not None)
    found = askers(session, configurations, dict(request or {}), budgets=budgets)
    if not 1 <= workers <= MAX_WORKERS:
        raise RequestError(f"{workers} questions at a time cannot be asked", hint=f"ask 1 to {MAX_WORKERS} at a time")
    return WayToAsk(session, found, wanted, workers)


def outcomes_of(
    way: WayToAsk,
    matched: QuerySet,
    revision: str,
    *,
    kept: KeepsOutcomes | None = None,
    progress: Progress | None = None,
    seen: Callable[[Outcome], Outcome] = lambda outcome: outcome,
) -> Iterator[Outcome]:
    """The outcomes in the set's order, each kept as soon as it is finished; what is kept already is not asked again.

    ``seen`` = what is held of an outcome that is kept, and given out: it may be lighter.
    """
    decides = what_is_asked(matched.fingerprint, way.configurations, [each.name for each in way.measures])
    known = kept.begin(decides, revision) if kept is not None else ()
    before = {outcome.query_id: seen(outcome) for outcome in known}
    for outcome, is_new in _asked(way, matched.queries, before, progress):
        if is_new and kept is not None:
            kept.add(outcome)
        yield seen(outcome)


def ids_once() -> Callable[[Outcome], Outcome]:
    """A function that returns an outcome with its ids interned, so that outcomes share the texts of equal ids.

    Many questions read the same documents.
    """
    texts: dict[str, str] = {}

    def once(ids: Iterable[str]) -> tuple[str, ...]:
        return tuple(texts.setdefault(each, each) for each in ids)

    def seen(outcome: Outcome) -> Outcome:
        answers = {
            name: each.model_copy(update={"documents": once(each.documents), "chunks": once(each.chunks)})
            for name, each in outcome.answers.items()
        }
        return outcome.model_copy(
            update={"answers": answers, "revision": texts.setdefault(outcome.revision, outcome.revision)}
        )

    return seen


@dataclass(frozen=True)
class WayToAsk:
    """Asks one question in every configuration, and measures the answers."""

    session: Session
    askers: Sequence[Asker]
    measures: Sequence[NamedMeasure]
    workers: int = 1

    @property
    def configurations(self) -> tuple[Configuration, ...]:
        """The ways to answer, as results name them."""
        return tuple(each.configuration for each in self.askers)

    @cached_property
    def timed(self) -> bool:
        """Whether every configuration reads everything by itself."""
        return any(each.name == "milliseconds" for each in self.measures)

    def outcome(self, query: JudgedQuery) -> Outcome:
        """One question on one snapshot; a failure is recorded in its answer."""
        answers: dict[str, Answer] = {}
        revision = ""
        try:
            with self.session.reading() as snapshot:
                revision = snapshot.workspace.revision
                shared = recorded(snapshot)
                probe = cache(lambda: self.session.probe(query.query))
                for asker in self.askers:
                    seen = recorded(snapshot) if self.timed else shared
                    answers[asker.configuration.name] = self._answer(asker, query, probe, seen)
        except DocgraphError as error:  # the database: what was answered before it stays
            for asker in self.askers:
                answers.setdefault(asker.configuration.name, Answer(failure=str(error)))
        first = answers.get(self.askers[0].configuration.name)
        return Outcome(
            query_id=query.query_id,
            query=query.query,
            kind=query.kind,
            half=query.half,
            revision=revision,
            n_relevant=len(query.relevant),
            answers=answers,
            values={
                name: {m.name: m.value(answer, query, first) for m in self.measures} for name, answer in answers.items()
            },
            n_judged=_read_of(query.grades, answers),
            n_relevant_read=_read_of(query.relevant, answers),
        )

    def _answer(self, asker: Asker, query: JudgedQuery, probe: Callable[[], Probe], snapshot: Snapshot) -> Answer:
        clock = self.session.adapters.clock
        began = clock()
        try:
            answer = asker.answer(query, probe, snapshot)
        except DocgraphError as error:
            return Answer(failure=str(error))
        except Exception as error:  # a retriever of somebody's own raises what it likes
            if asker.configuration.source == "request":
                raise
            return Answer(failure=f"{type(error).__name__}: {' '.join(str(error).split())[:300]}")
        return answer.model_copy(update={"milliseconds": (clock() - began) * 1_000}) if self.timed else answer


def _read_of(wanted: Collection[str], answers: Mapping[str, Answer]) -> dict[str, int]:
    """Configuration → how many of the wanted documents it read."""
    return {name: sum(i in wanted for i in answer.documents) for name, answer in answers.items()}


def _asked(
    asking: WayToAsk, queries: Sequence[JudgedQuery], before: Mapping[str, Outcome], progress: Progress | None
) -> Iterator[tuple[Outcome, bool]]:
    """(outcome, whether it is new) in the order of the questions, some of them asked at a time."""
    total, workers = len(queries), asking.workers
    with ThreadPoolExecutor(workers, thread_name_prefix="docgraph-evaluate") as pool:
        ahead: deque[Outcome | Future[Outcome]] = deque()
        waiting = iter(queries)
        done, stopped = 0, False
        while True:
            while not stopped and len(ahead) < 2 * workers and (query := next(waiting, None)) is not None:
                known = before.get(query.query_id)
                ahead.append(pool.submit(copy_context().run, asking.outcome, query) if known is None else known)
            if not ahead:
                break
            if progress is not None:
                progress.update(done, total, queries[done].query)
                stopped = stopped or progress.cancelled()
            next_one = ahead.popleft()
            is_new = isinstance(next_one, Future)
            if isinstance(next_one, Future):
                if stopped and next_one.cancel():
                    for each in ahead:
                        if isinstance(each, Future):
                            each.cancel()
                    break
                outcome = next_one.result()
            else:
                outcome = next_one
            done += 1
            yield outcome, is_new
    if progress is not None and done == total:
        progress.update(done, total, "")


def documents_of(fields: Mapping[str, Any]) -> int:
    """How many documents a request with these fields reads. Raises RequestError."""
    asked = as_request({**fields, "query": "?"})
    return asked.max_documents or MODES[asked.mode].max_documents


def set_of(queries: QuerySet | Iterable[GivenQuery]) -> QuerySet:
    """A query set of what was given; a text is a question without judgments. Raises UserError."""
    if isinstance(queries, QuerySet):
        given = queries
    elif isinstance(queries, str | Mapping):
        raise RequestError("one question is not a query set", hint="give a list of questions")
    else:
        records = tuple(queries)
        made = tuple(_query(each, number) for number, each in enumerate(records, start=1))
        if not any(isinstance(each, JudgedQuery) or (isinstance(each, Mapping) and "half" in each) for each in records):
            default = halves(tuple(each.query_id for each in made), tuple(each.kind for each in made))
            made = tuple(each.model_copy(update={"half": half}) for each, half in zip(made, default, strict=True))
        given = QuerySet(name="questions", queries=made)
    if not given.queries:
        raise RequestError("the query set holds no question", hint="give at least one")
    ids = [each.query_id for each in given.queries]
    if len(set(ids)) != len(ids):
        twice = next(each for each in ids if ids.count(each) > 1)
        raise RequestError(f"two questions have the id {twice[:60]!r}", hint="give each an id of its own")
    return given


def _query(given: GivenQuery, number: int) -> JudgedQuery:
    if isinstance(given, str):
        given = {"query": given}
    if isinstance(given, Mapping):
        given = {"query_id": f"q{number}", **given}
        try:
            given["evidence"] = given_evidence(given.get("evidence"))
        except ValueError as error:
            reason = " ".join(str(error).split())[:300]
            raise RequestError(f"question {number}: {reason}", hint="correct its evidence, or leave it out") from error
    return as_record(given, JudgedQuery)


def matched_set(session: Session, asked: QuerySet) -> tuple[QuerySet, tuple[Rejected, ...], str]:
    """The set with judged documents under their stored ids, those that the workspace does not hold, and its revision.

    They stay relevant: what is not stored cannot be read, and counts as not found.
    """
    given = dict.fromkeys(document_id for query in asked.queries for document_id in query.grades)
    named = dict.fromkeys(each.document_id for query in asked.queries for each in query.evidence if each.document_id)
    with session.reading() as snapshot:
        meant, revision = candidates(snapshot, given), snapshot.workspace.revision
        holding = {i: ids[0] for i, ids in candidates(snapshot, named).items() if len(ids) == 1}
    unmatched = tuple(
        Rejected(
            reason=several_words(document_id, ids) if ids else f"no document has the id {document_id[:80]!r}",
            place=document_id,
        )
        for document_id, ids in meant.items()
        if len(ids) != 1
    )
    stored = {document_id: ids[0] if len(ids) == 1 else document_id for document_id, ids in meant.items()}
    if all(stored[each] == each for each in given) and all(holding.get(each, each) == each for each in named):
        return asked, unmatched, revision
    queries = tuple(
        query.model_copy(
            update={
                "grades": {stored[i]: grade for i, grade in query.grades.items()},
                "evidence": tuple(
                    each.model_copy(update={"document_id": holding.get(each.document_id, each.document_id)})
                    for each in query.evidence
                ),
            }
        )
        for query in asked.queries
    )
    return asked.model_copy(update={"queries": queries}), unmatched, revision

"""One question: a ranking of somebody's own beside docgraph's run, matched on one snapshot of the documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from docgraph.boundary.records import as_request
from docgraph.boundary.retrievers import Found, Retriever, as_retriever, found
from docgraph.comparison.own_ranking import compare_ranking
from docgraph.domain.ranking_comparison import OwnRanking, RankedDocument, RankingComparison
from docgraph.domain.run import Run
from docgraph.domain.saved_run import SavedRun
from docgraph.errors import DocgraphError, NotFoundError, RequestError
from docgraph.orchestration.comparisons import Question
from docgraph.orchestration.evaluating.configurations import meanings
from docgraph.orchestration.judgments import judgments_that_count
from docgraph.orchestration.pipeline import run
from docgraph.orchestration.session import HasSession, Session
from docgraph.ports import Snapshot

GivenRanking = Retriever | str | Mapping[str, Sequence[str]] | Sequence[Any] | Any
"""A retriever (a callable, an object, a URL, a name that the settings know); rankings by question; or results."""

MAX_RESULTS = 100
"""Results of a ranking that are looked up: no plan reads more documents."""
FEW = 3


def compare_with(
    self: HasSession, question: Question | Run | SavedRun, own: GivenRanking, *, name: str = "", query_id: str = ""
) -> RankingComparison:
    """A ranking of your own (A) compared with docgraph's run of ``question`` (B).

    ``own`` = a retriever (a callable ``query → [(document or chunk id, score)]``, a LangChain or LlamaIndex retriever,
    a URL, or a name of the setting ``retrievers``), a list of results, or the rankings of a TREC run ``{query_id:
    [ids]}``. A run file is looked up under ``query_id``, else the question's text (blanks as ``_``, too), else the ids
    that query sets have for it. ``name`` = the label of A. Scores stay A's own. Errors of the retriever, and questions
    missing in the file, are in ``a.failure``; B is complete in any case. Raises UserError for an invalid question.
    """
    session, made = _run_of(self.session, question)
    label, source, results, failure = _results(session, own, made.plan.query, name=name, query_id=query_id)
    ranking = OwnRanking(label=label, source=source, failure=failure)
    if results is not None:
        with session.reading() as snapshot:
            ranking = _matched(ranking, results, snapshot)
    judgments = judgments_that_count(session, made.plan.workspace, made.plan.query)
    return compare_ranking(ranking, made, session.adapters.measures, judgments=judgments)


def _run_of(session: Session, question: Question | Run | SavedRun) -> tuple[Session, Run]:
    if isinstance(question, SavedRun):
        return session.at(question.workspace), question.run
    return session, question if isinstance(question, Run) else run(session, as_request(question))


_Answered = tuple[str, Literal["retriever", "file"], Sequence[tuple[str, float | None]] | None, str]
"""Label, source, results, why there are none."""


def _results(session: Session, own: GivenRanking, query: str, *, name: str, query_id: str) -> _Answered:
    """What the ranking says, in its order. Raises UserError for what is none."""
    if isinstance(own, Mapping):
        label = name or "Run file"
        try:
            return label, "file", [(each, None) for each in _in_file(session, own, query, query_id=query_id)], ""
        except NotFoundError as error:
            return label, "file", None, f"{error.message}{f' ({error.hint})' if error.hint else ''}"
    label = name or (own if isinstance(own, str) and "://" not in own else "Your retriever")
    retriever = _retriever(session, own)
    try:
        return label, "retriever", _scored(found(retriever(query))), ""
    except DocgraphError as error:
        return label, "retriever", None, error.message
    except Exception as error:  # a retriever of somebody's own raises what it likes
        return label, "retriever", None, f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


def _retriever(session: Session, own: GivenRanking) -> Retriever:
    if isinstance(own, str) and "://" not in own:
        known = session.adapters.retrievers
        if own not in known:
            names = ", ".join(known) or "none is"
            hint = f"retrievers named in the settings: {names}; or give a URL, a callable, rankings"
            raise RequestError(f"there is no retriever {own[:60]!r}", hint=hint)
        return known[own]
    if isinstance(own, list | tuple):
        given = list(own)
        return lambda _: given
    return as_retriever(own)


def _scored(results: Iterable[Found]) -> list[tuple[str, float | None]]:
    """Scores that only count places are those of a retriever that gave none."""
    made = list(results)
    if all(score == -place for place, (_, score) in enumerate(made)):
        return [(identifier, None) for identifier, _ in made]
    return [(identifier, score) for identifier, score in made]


def _in_file(session: Session, rankings: Mapping[str, Sequence[str]], query: str, *, query_id: str) -> Sequence[str]:
    """The ranking of one question. Raises NotFoundError that says which questions there are."""
    wanted = [query_id] if query_id else [query, "_".join(query.split())]
    there = next((each for each in wanted if each in rankings), None)
    if there is None and not query_id:
        there = next((each for each in _kept_ids(session, query) if each in rankings), None)
    if there is None:
        ids = ", ".join(repr(each[:40]) for each in list(rankings)[:FEW])
        more = f" and {len(rankings) - FEW:,} more" if len(rankings) > FEW else ""
        asked = f"the question {query_id[:60]!r}" if query_id else "this question, by its text or a kept set's id"
        raise NotFoundError(f"the file does not have {asked}", hint=f"it has {ids}{more}" if ids else "it is empty")
    return rankings[there]


def _kept_ids(session: Session, query: str) -> list[str]:
    """The ids that kept query sets have for a question, by the names of the sets."""
    archive = session.query_sets
    stored = (archive.query_set(session.workspace, each.name) for each in archive.query_sets(session.workspace))
    return [each.query_id for one in stored for each in one.query_set.queries if each.query == query]


def _matched(ranking: OwnRanking, results: Sequence[tuple[str, float | None]], snapshot: Snapshot) -> OwnRanking:
    """The results as documents of the workspace, each once, where it is best; what names none is counted."""
    looked_up = results[:MAX_RESULTS]
    meant = meanings((identifier for identifier, _ in looked_up), snapshot)
    best: dict[str, tuple[str, float | None]] = {}
    for identifier, score in looked_up:
        if (meaning := meant[identifier]) is not None:
            best.setdefault(meaning.document_id, (identifier, score))
    stored = snapshot.documents_by_id(list(best))
    documents = tuple(
        RankedDocument(document_id=i, title=stored[i].title or i, place=place, given=given[:200], score=score)
        for place, (i, (given, score)) in enumerate(best.items(), start=1)
    )
    unknown = tuple(each[:200] for each, meaning in meant.items() if meaning is None)
    return ranking.model_copy(update={"documents": documents, "unknown": unknown, "n_results": len(results)})

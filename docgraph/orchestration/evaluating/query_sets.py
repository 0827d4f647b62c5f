"""Query sets that a workspace keeps, with their evaluations: asked in several configurations, stopped, gone on with."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from docgraph.boundary.judgments.trec import Form, written
from docgraph.boundary.text import clean, one_line
from docgraph.domain.evaluation import (
    Answer,
    BegunEvaluation,
    Evaluation,
    KeptEvaluation,
    Outcome,
    what_is_asked,
)
from docgraph.domain.judging import Agreement, Pile, Pool
from docgraph.domain.query_set import MAX_SET_NAME, MAX_SET_NOTE, QuerySet, QuerySetSummary, StoredQuerySet
from docgraph.domain.saved_run import MAX_PERSON
from docgraph.errors import NotFoundError, RequestError, UserError
from docgraph.evaluation.measuring import NamedMeasure
from docgraph.evaluation.summing_up import differences, figures, slices
from docgraph.orchestration.evaluating import limits as limits_of
from docgraph.orchestration.evaluating import proposing
from docgraph.orchestration.evaluating.configurations import GivenConfiguration
from docgraph.orchestration.evaluating.evaluate import (
    BOTH,
    GivenQuery,
    WayToAsk,
    ids_once,
    matched_set,
    outcomes_of,
    set_of,
    way_to_ask,
)
from docgraph.orchestration.evaluating.judging import agreement_of, judges_of, pile_of, pool_of, to_pool
from docgraph.orchestration.judgments import UNSIGNED, grades_that_count, raised, with_judgments
from docgraph.orchestration.session import Namespace
from docgraph.ports import Progress

ANSWERED = Answer()


class QuerySets(Namespace):
    """The query sets of one workspace, stored by its name; like saved runs they survive its deletion."""

    def keep(
        self, queries: QuerySet | Iterable[GivenQuery], *, name: str, note: str = "", by: str = ""
    ) -> StoredQuerySet:
        """Save questions under a name, replacing the existing ones; judgments and evaluations stay.

        ``queries`` as for ``Docgraph.evaluate``. Raises UserError for no name, a note of more than 4,000 characters,
        and an invalid query set.
        """
        called, text = one_line(name, MAX_SET_NAME), clean(note).strip()
        if not called:
            raise UserError("a query set needs a name", hint="name it: name=…, or --save NAME")
        if len(text) > MAX_SET_NOTE:
            raise UserError(
                f"the note has {len(text):,} characters; at most {MAX_SET_NOTE:,} are kept", hint="shorten it"
            )
        asked = set_of(queries).model_copy(update={"name": called})
        who = self.session.named(by, MAX_PERSON)
        stored = StoredQuerySet(name=called, note=text, by=who, at=self.session.now(), query_set=asked)
        self.session.query_sets.keep_set(self.session.workspace, stored)
        return stored

    def list(self) -> tuple[QuerySetSummary, ...]:
        """All query sets by name; ``n_judged`` also counts judgments made outside the sets, as ``get`` does."""
        found = self.session.query_sets.query_sets(self.session.workspace)
        if all(each.n_judged == each.n for each in found):
            return found
        said = grades_that_count(self.session)
        return tuple(self._counted(each, said) for each in found)

    def get(self, name: str) -> StoredQuerySet:
        """A query set with its questions; judgments raise its grades. Raises NotFoundError.

        A document's grade is the highest of the set's, of its judgment (relevant 2, not relevant 0), and of its
        passages' grades (the median of their judges, rounded down).
        """
        stored = self.session.query_sets.query_set(self.session.workspace, name)
        return stored.model_copy(update={"query_set": with_judgments(self.session, stored.query_set)})

    def export(self, queries: str | QuerySet | Iterable[GivenQuery], form: Form = "jsonl") -> str:
        """A query set by name, or questions, as the text of a file for other tools.

        ``jsonl`` is docgraph's own and lossless; ``read_query_set`` also reads ``quepid``, ``opensearch``, ``ragas``
        and ``trec``. Raises NotFoundError, and RequestError for an unknown format.
        """
        asked = self.get(queries).query_set if isinstance(queries, str) else set_of(queries)
        return "".join(written(asked, form))

    def remove(self, name: str) -> None:
        """Delete a query set with its evaluations; judgments stay. Raises NotFoundError."""
        self.session.query_sets.remove_set(self.session.workspace, name)

    def run(
        self,
        name: str,
        configurations: Mapping[str, GivenConfiguration] | Iterable[str] = BOTH,
        *,
        measures: Iterable[str] | None = None,
        request: Mapping[str, Any] | None = None,
        workers: int = 2,
        note: str = "",
        by: str = "",
        progress: Progress | None = None,
        go_on: str = "",
    ) -> KeptEvaluation:
        """Evaluate a query set as ``Docgraph.evaluate`` does; each outcome is stored as soon as it is finished.

        Finished outcomes stay when ``progress`` stops the run or the process ends. ``go_on`` = the id of an evaluation
        (or its beginning) to resume, with the questions, judgments, requests and measures it began with; retrievers,
        URLs and rankings have to be given again, under their names. A question that fails is an outcome with its
        reason. Several sets can run at once. Raises NotFoundError for an unknown set or evaluation, ConflictError when
        it is resumed with other rankings or after the data have changed, UserError for an invalid configuration.
        """
        started = time.monotonic()
        if go_on:
            begun = self._begun(go_on, of=name)
            if begun.questions is None:
                return begun.summary
            way = self._way_of(begun, configurations, workers)
            with self.session.reading() as snapshot:
                revision = snapshot.workspace.revision
        else:
            stored = self.get(name)
            way = way_to_ask(
                self.session,
                configurations,
                measures=measures,
                request=request,
                workers=workers,
                passages=stored.query_set.knows_passages,
            )
            begun = self._begin(stored, way, note=note, by=by)
            revision = begun.summary.revision
        found = self._outcomes(begun, way, revision, progress)
        return self._summed_up(begun, found, way, started)

    def runs(self, name: str) -> tuple[KeptEvaluation, ...]:
        """The evaluations of a set, newest first, without their outcomes. Raises NotFoundError."""
        return self.session.query_sets.evaluations(self.session.workspace, name)

    def result(self, evaluation_id: str) -> Evaluation:
        """An evaluation with its stored outcomes, as ``Docgraph.evaluate`` returns it. Raises NotFoundError.

        ``evaluation_id`` may be the beginning of an id, here and in the methods below.
        """
        begun = self._begun(evaluation_id)
        kept = begun.summary
        outcomes = tuple(map(ids_once(), self.session.query_sets.outcomes(self.session.workspace, kept.evaluation_id)))
        names, measures = [each.name for each in kept.configurations], _named(kept)
        is_summed = kept.whole and len(outcomes) == kept.n_asked
        return Evaluation(
            name=kept.query_set,
            workspace=kept.workspace,
            embedder_id=begun.embedder_id,
            query_set=begun.fingerprint,
            n=kept.n_asked,
            configurations=kept.configurations,
            measures=kept.measures,
            revisions=tuple(dict.fromkeys(outcome.revision for outcome in outcomes)),
            outcomes=outcomes,
            figures=kept.figures if is_summed else figures(outcomes, names, measures=measures),
            differences=kept.differences if is_summed else differences(outcomes, names, measures=measures),
            slices=slices(outcomes, names, measures=measures),
            unmatched=begun.unmatched,
            stopped=len(outcomes) < kept.n_asked,
            seconds=begun.seconds,
        )

    def pin(self, evaluation_id: str, pinned: bool = True) -> KeptEvaluation:
        """Mark an evaluation as one to compare others with, or remove the mark. Raises NotFoundError."""
        kept = self._meant(evaluation_id)
        return self.session.query_sets.pin_evaluation(self.session.workspace, kept.evaluation_id, pinned)

    def remove_run(self, evaluation_id: str) -> None:
        """Delete an evaluation with its outcomes. Raises NotFoundError."""
        kept = self._meant(evaluation_id)
        self.session.query_sets.remove_evaluation(self.session.workspace, kept.evaluation_id)

    limits = limits_of.limits
    propose = proposing.propose

    def pool(self, name: str, evaluations: Iterable[str] = ()) -> Pool:
        """The passages of a set to judge: the union of what its evaluations retrieved, question by question.

        ``evaluations`` = their ids; none = the newest and the pinned ones. Documents without a passage and passages
        that are not stored any more are left out and counted. Only ``passages`` of the result are blind. Raises
        NotFoundError.
        """
        stored, runs = self.session.query_sets.query_set(self.session.workspace, name), self.runs(name)
        ids = {self._meant(each, of=name).evaluation_id for each in evaluations}
        chosen = tuple(each for each in runs if each.evaluation_id in ids) if ids else to_pool(runs)
        return pool_of(self.session, stored, chosen)

    def pile(self, pool: Pool, *, by: str, seed: int = 0) -> Pile:
        """The passages of a pool that a judge has not graded, in the order to judge them, and the progress so far.

        First those whose grade alone would change whether their question counts as improved, worse, equal or not
        judged, by the pool's measure, between the first configuration of the newest evaluation and any other; a
        question that the judge has begun comes before the others. ``seed`` shuffles the rest: equal data, judge and
        seed give equal order. Raises UserError without a name, and NotFoundError.
        """
        who = self.session.signed(by, UNSIGNED)
        queries = self.get(pool.query_set).query_set.queries
        return pile_of(self.session, pool, queries, by=who, seed=seed)

    def judges(self, pool: Pool) -> dict[str, int]:
        """Judge → number of passages of a pool that they judged, can't-judge among them; most first."""
        return judges_of(self.session, pool)

    def agreement(self, pool: Pool, a: str, b: str) -> Agreement:
        """Agreement of two judges on the passages of a pool that both graded: Cohen's kappa, Krippendorff's alpha.

        Kappa is unweighted, alpha ordinal.
        """
        return agreement_of(self.session, pool, a, b)

    def _counted(self, summary: QuerySetSummary, said: Mapping[str, Mapping[str, int]]) -> QuerySetSummary:
        """The line with what people judged counted; a set of which they can change nothing is not read for it."""
        if not said or summary.n_judged == summary.n:
            return summary
        stored = self.session.query_sets.query_set(self.session.workspace, summary.name)
        return summary.model_copy(update={"n_judged": raised(stored.query_set, said).n_judged})

    def _begun(self, evaluation_id: str, *, of: str = "") -> BegunEvaluation:
        """What is kept of the evaluation that is meant, its questions while it is not whole among it."""
        meant = self._meant(evaluation_id, of=of)
        return self.session.query_sets.evaluation(self.session.workspace, meant.evaluation_id)

    def _meant(self, evaluation_id: str, *, of: str = "") -> KeptEvaluation:
        """The evaluation that an id, or the beginning of one, means. Raises NotFoundError, UserError for several."""
        wanted = evaluation_id.strip().lower()
        there = self.session.query_sets.evaluations(self.session.workspace, of or None)
        found = {each.evaluation_id: each for each in there if wanted and each.evaluation_id.startswith(wanted)}
        if wanted in found or len(found) == 1:
            return found[wanted] if wanted in found else next(iter(found.values()))
        if found:
            some = ", ".join(sorted(found)[:3])
            raise UserError(
                f"{wanted[:64]!r} is the beginning of {len(found)} evaluations: {some}", hint="give more of it"
            )
        where = f" of the query set {of[:80]!r}" if of else ""
        raise NotFoundError(
            f"there is no evaluation {evaluation_id[:64]!r}{where}", hint="list them: docgraph query-sets runs NAME"
        )

    def _begin(self, stored: StoredQuerySet, way: WayToAsk, *, note: str, by: str) -> BegunEvaluation:
        """A new evaluation, kept without outcomes."""
        matched, unmatched, revision = matched_set(self.session, stored.query_set)
        with self.session.reading() as snapshot:
            here = snapshot.workspace
        made = KeptEvaluation(
            evaluation_id=_new_id(),
            query_set=stored.name,
            workspace=self.session.workspace,
            at=self.session.now(),
            by=self.session.named(by, MAX_PERSON),
            note=one_line(note, MAX_SET_NOTE),
            n_asked=len(matched.queries),
            n_documents=here.n_documents,
            n_relationships=here.n_relationships,
            revision=revision,
            content_revision=here.content_revision if here.revision == revision else "",
            configurations=way.configurations,
            measures=tuple(each.name for each in way.measures),
        )
        begun = BegunEvaluation(
            summary=made,
            asked=what_is_asked(matched.fingerprint, made.configurations, made.measures),
            questions=matched,
            fingerprint=stored.query_set.fingerprint,
            embedder_id=self.session.embedder.embedder_id,
            unmatched=unmatched,
        )
        self.session.query_sets.begin_evaluation(begun)
        return begun

    def _way_of(
        self, begun: BegunEvaluation, configurations: Mapping[str, GivenConfiguration] | Iterable[str], workers: int
    ) -> WayToAsk:
        """How an evaluation asks that was begun; who answers by no request is taken from ``configurations``."""
        given = dict(configurations) if isinstance(configurations, Mapping) else {}
        again: dict[str, GivenConfiguration] = {}
        for each in begun.summary.configurations:
            if each.source != "request" and each.name not in given:
                raise RequestError(
                    f"to go on, the configuration {each.name!r} is needed again: it is a {each.source} of your own",
                    hint="give it under its name, as when the evaluation was begun",
                )
            again[each.name] = each if each.source == "request" else given[each.name]
        return way_to_ask(self.session, again, measures=begun.summary.measures, request=None, workers=workers)

    def _outcomes(
        self, begun: BegunEvaluation, way: WayToAsk, revision: str, progress: Progress | None
    ) -> Sequence[Outcome]:
        """What is left is asked and kept; all outcomes there are, with what it takes to sum them up."""
        assert begun.questions is not None
        kept = begun.summary
        keeper = self.session.query_sets.keep_outcomes(kept.workspace, kept.evaluation_id)
        return tuple(outcomes_of(way, begun.questions, revision, kept=keeper, progress=progress, seen=_light))

    def _summed_up(
        self, begun: BegunEvaluation, found: Sequence[Outcome], way: WayToAsk, started: float
    ) -> KeptEvaluation:
        kept, archive, names = begun.summary, self.session.query_sets, [each.name for each in way.configurations]
        whole = len(found) == kept.n_asked
        update = {
            "n": len(found),
            "whole": whole,
            "figures": figures(found, names, measures=way.measures),
            "differences": differences(found, names, measures=way.measures),
        }
        now = begun.model_copy(
            update={
                "summary": kept.model_copy(update=update),
                "questions": None if whole else begun.questions,
                "seconds": begun.seconds + time.monotonic() - started,
            }
        )
        archive.sum_up(now)
        return archive.evaluation(kept.workspace, kept.evaluation_id).summary


def _named(kept: KeptEvaluation) -> tuple[NamedMeasure, ...]:
    """The measures by name: to sum up values nothing else of them is needed."""
    return tuple(NamedMeasure(name) for name in kept.measures)


def _light(outcome: Outcome) -> Outcome:
    """The outcome with its values and failures alone: what it takes to sum up, however many there are."""
    failed = {name: Answer(failure=each.failure) for name, each in outcome.answers.items() if each.failure}
    answered = _answered(tuple(outcome.answers))
    return Outcome.model_construct(
        query_id=outcome.query_id,
        query="",
        kind=outcome.kind,
        half=outcome.half,
        answers={**answered, **failed} if failed else answered,
        values=outcome.values,
    )


@cache
def _answered(configurations: tuple[str, ...]) -> Mapping[str, Answer]:
    """Answers of which nothing is held but that they are there, one for all questions."""
    return dict.fromkeys(configurations, ANSWERED)


def _new_id() -> str:
    """An id after all ids before it, so that evaluations of one second stand in the order in which they were begun."""
    return f"{time.time_ns() // 1_000_000:011x}{secrets.token_hex(2)}"

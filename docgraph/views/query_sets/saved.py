"""The saved questions of a workspace as rows: one for each text, of a set, a saved run, or both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from docgraph.domain.comparison import Comparison
from docgraph.domain.evaluation import KeptEvaluation
from docgraph.domain.saved_run import RunSummary
from docgraph.views.words.counts import UNKNOWN, plural
from docgraph.views.words.moments import day

ONLY: Mapping[str, str] = {"all": "All", "saved": "Saved", "judged": "Judged", "not_judged": "Not judged"}
NO_SET = "--"
"""What the filter by set calls the questions that are in none."""


@dataclass(frozen=True)
class Member:
    """A question under the text that it is asked by; how many documents are judged for it, ids of the relevant ones."""

    query: str
    n_judged: int = 0
    relevant: frozenset[str] = frozenset()


@dataclass(frozen=True)
class QuestionRow:
    """One question: the sets that have it, its saved versions, the newest first, and what is judged of it.

    ``workspace`` is empty but for saved versions of another one.
    """

    query: str
    sets: tuple[str, ...] = ()
    runs: tuple[RunSummary, ...] = field(default=(), repr=False)
    n_judged: int = 0
    relevant: frozenset[str] = frozenset()
    workspace: str = ""

    @property
    def saved_words(self) -> str:
        """``2×, 26 Nov``; ``--`` while no answer is saved."""
        if not self.runs:
            return UNKNOWN
        at = day(self.runs[0].saved_at)
        return at if len(self.runs) == 1 else f"{len(self.runs):,}×, {at}"

    @property
    def judged_words(self) -> str:
        """``3 relevant``; ``--`` where nobody judged."""
        return f"{len(self.relevant):,} relevant" if self.n_judged else UNKNOWN


def question_rows(
    sets: Mapping[str, Sequence[Member]], runs: Iterable[RunSummary], judged: Mapping[str, Member], *, here: str
) -> tuple[QuestionRow, ...]:
    """Every text once: those that were saved last first, then those of the sets, in their order.

    ``judged`` = question → what people judged of it; ``here`` = the workspace whose sets these are.
    """
    versions: dict[tuple[str, str], list[RunSummary]] = {}
    newest = sorted(sorted(runs, key=lambda run: run.run_id), key=lambda run: run.saved_at, reverse=True)
    for run in newest:
        versions.setdefault(("" if run.workspace == here else run.workspace, run.query), []).append(run)
    names: dict[str, dict[str, Member]] = {}
    for name, members in sets.items():
        for member in members:
            names.setdefault(member.query, {}).setdefault(name, member)
    found = []
    for workspace, query in dict.fromkeys((*versions, *(("", query) for query in names))):
        of = names.get(query, {}) if not workspace else {}
        known = (*of.values(), *([judged[query]] if query in judged and not workspace else ()))
        found.append(
            QuestionRow(
                query=query,
                sets=tuple(of),
                runs=tuple(versions.get((workspace, query), ())),
                n_judged=max((each.n_judged for each in known), default=0),
                relevant=frozenset[str]().union(*(each.relevant for each in known)),
                workspace=workspace,
            )
        )
    return tuple(found)


def filtered(
    rows: Sequence[QuestionRow], *, text: str = "", found: Iterable[str] = (), in_set: str = "", only: str = "all"
) -> tuple[QuestionRow, ...]:
    """Those of one set and kind that hold ``text``, or of which a version is among ``found`` (ids of runs)."""
    wanted, ids = text.strip().casefold(), frozenset(found)

    def passes(row: QuestionRow) -> bool:
        if wanted and wanted not in row.query.casefold() and ids.isdisjoint(run.run_id for run in row.runs):
            return False
        if in_set and (row.sets if in_set == NO_SET else in_set not in row.sets):
            return False
        kinds = {"saved": bool(row.runs), "judged": bool(row.n_judged), "not_judged": not row.n_judged}
        return kinds.get(only, True)

    return tuple(row for row in rows if passes(row))


@dataclass(frozen=True)
class QuestionOutcome:
    """What relationships change in the answer to a question; relevant documents read ``before`` and ``after``."""

    same: bool
    n_in: int = 0
    n_out: int = 0
    before: int = 0
    after: int = 0
    n_relevant: int = 0

    @property
    def better(self) -> int:
        """1 for more relevant documents, -1 for fewer, else 0."""
        return (self.after > self.before) - (self.after < self.before)

    @property
    def value(self) -> str:
        """``2 → 3 of 3``, ``no change``; ``--`` where it changes and nobody judged."""
        if self.same:
            return "no change"
        return f"{self.before:,} → {self.after:,} of {self.n_relevant:,}" if self.n_relevant else UNKNOWN

    @property
    def rest(self) -> str:
        """Documents in and out; what to do where nobody judged."""
        if self.same:
            return ""
        moves = f"{self.n_in:,} added, {self.n_out:,} removed" if self.n_in or self.n_out else "different passages"
        return moves if self.n_relevant else f"{moves}; judge it to find out"


def outcome_of(comparison: Comparison, relevant: frozenset[str]) -> QuestionOutcome:
    """Without relationships (A) beside with them (B); ``relevant`` = ids of the documents that help."""
    before, after = (frozenset(side.run.context.read_document_ids) for side in (comparison.a, comparison.b))
    return QuestionOutcome(
        same=comparison.identical,
        n_in=len(comparison.documents_with("added")),
        n_out=len(comparison.documents_with("left")),
        before=len(before & relevant),
        after=len(after & relevant),
        n_relevant=len(relevant),
    )


def result_words(evaluations: Sequence[KeptEvaluation]) -> str:
    """What the newest evaluation of a set found: ``11 improve, 3 get worse``."""
    newest = next((each for each in evaluations if each.n), None)
    if newest is None:
        return "not evaluated yet"
    if not newest.whole:
        return f"stopped at {newest.n:,} of {newest.n_asked:,}"
    found = next(iter(newest.differences), None)
    if found is None:
        return f"evaluated {day(newest.at)}"
    return f"{plural(found.improved, 'improves', 'improve')}, {plural(found.worse, 'gets worse', 'get worse')}"

"""An evaluation on a terminal: gates, the verdict, a table of measures, the questions that changed most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docgraph.cli.text.output import count, heading, line, table
from docgraph.domain.edit import edge_words
from docgraph.domain.evaluation import Evaluation, GateResult
from docgraph.domain.report import Adjusted, Rejected
from docgraph.domain.scoreboard import EdgeClass, EdgeScore, Scoreboard
from docgraph.views.words.counts import UNKNOWN
from docgraph.views.words.evaluation import (
    asked_words,
    certainty,
    changed_data,
    difference_words,
    interval_words,
    mean_words,
    most_changed,
    p_words,
    unread_words,
    verdict,
)

SHOWN = 10


def show_evaluation(evaluation: Evaluation, gates: Sequence[GateResult]) -> None:
    """Everything that a person wants to know first."""
    line((f"{evaluation.name}: {asked_words(evaluation)}", "bold"), (f"  ({evaluation.seconds:.1f} s)", "dim"))
    if said := unread_words(evaluation):
        line((said, "yellow"))
    for each in gates:
        line(("passes  " if each.passed else "fails   ", "green" if each.passed else "bold red"), each.sentence)
    if said := changed_data(evaluation):
        line((said, "yellow"))
    _means(evaluation)
    for b in evaluation.configurations[1:]:
        _differences(evaluation, b.name, b.label)
    _slices(evaluation)
    if len(evaluation.configurations) > 1:
        _most_changed(evaluation)
    _what_failed(evaluation)
    show_unread(evaluation.unread, evaluation.adjusted)


def show_unread(unread: Sequence[Rejected], adjusted: Sequence[Adjusted] = ()) -> None:
    """What of the files was not read, each with its reason, then what was read otherwise than it is written."""
    for title, aside, told in (("Not read", "", unread), ("Read otherwise", "than it is written", adjusted)):
        if told:
            shown = f"{min(len(told), SHOWN):,} of {len(told):,}; --json lists all" if len(told) > SHOWN else aside
            heading(title, shown)
            table(("place", "reason"), [(each.place, each.reason) for each in told[:SHOWN]], wrap=True)


def show_scoreboard(board: Scoreboard, *, limit: int) -> None:
    """The classes of relationships with what they do, then the types."""
    fired = board.n_relationships - board.n_dead
    said = f"{board.name}: {fired:,} of {board.n_relationships:,} relationships fire over {count(board.n, 'question')}"
    line((said, "bold"), (f"  ({board.seconds:.1f} s)", "dim"))
    if board.stopped:
        line(("stopped: what is finished is told", "yellow"))
    for edge_class, title, aside in _CLASSES:
        found = board.of_class(edge_class)
        if found:
            shown = min(len(found), limit)
            heading(title, f"{shown:,} of {len(found):,}{aside and '; '}{aside}")
            table(_HEADS, [_edge_row(each) for each in found[:limit]], right=_HEADS[:-1])
    heading("Types", f"by {board.measure} over {count(board.n_judged, 'judged question')}")
    table(_HEADS, [_edge_row(each) for each in board.types], right=_HEADS[:-1])
    if board.boilerplate:
        shown = min(len(board.boilerplate), limit)
        heading(
            "Boilerplate targets", f"{shown:,} of {len(board.boilerplate):,}; many lead there, and nothing is gained"
        )
        rows = [(e.linked_by, e.fired, e.bad, e.document_id) for e in board.boilerplate[:limit]]
        table(("linked by", "fired", "bad", "document"), rows, right=("linked by", "fired", "bad"))
    if board.failures:
        heading("No answer", f"{min(len(board.failures), SHOWN):,} of {len(board.failures):,}; --json lists all")
        table(("id", "reason"), board.failures[:SHOWN], wrap=True)


_CLASSES: Sequence[tuple[EdgeClass, str, str]] = (
    ("star", "Stars", "judged questions get worse without them"),
    ("free_rider", "Free riders", "they take places and bring nothing that is judged relevant"),
    ("other", "Others", ""),
)
_HEADS = ("fired", "chunks", "best", "tokens", "pushed out", "good/bad", "worse/better without", "relationship")


def _edge_row(each: EdgeScore) -> tuple[Any, ...]:
    without = None if each.worse_without is None else f"{each.worse_without:,}/{each.better_without or 0:,}"
    pushed = None if each.key is None else each.pushed_out
    name = each.name or (each.key and edge_words(each.key)) or UNKNOWN
    judged = f"{each.good:,}/{each.bad:,}"
    return each.fired, each.put_in, each.best_score, each.tokens, pushed, judged, without, name


def _means(evaluation: Evaluation) -> None:
    heading("Means", "over the questions of which a value is known")
    names = [each.name for each in evaluation.configurations]
    rows = [
        (measure, *(mean_words(f.mean if (f := evaluation.figure(name, measure)) else None, measure) for name in names))
        for measure in evaluation.measures
    ]
    table(("measure", *names), rows, right=names)


def _differences(evaluation: Evaluation, b: str, label: str) -> None:
    a = evaluation.configurations[0]
    found = [each for measure in evaluation.measures if (each := evaluation.difference(b, measure)) is not None]
    if not found:
        return
    heading(f"{label} against {a.label.lower() if a.label.istitle() else a.label}", f"by {found[0].measure}")
    line(verdict(found[0]))
    rows = [
        (
            each.measure,
            difference_words(each.mean, each.measure),
            interval_words(each),
            p_words(each.p_corrected),
            certainty(each),
        )
        for each in found
    ]
    table(("measure", "difference", "95 %", "p corrected", ""), rows, right=("difference", "p corrected"))


def _slices(evaluation: Evaluation) -> None:
    if not evaluation.slices:
        return
    first, names = evaluation.measures[0], [each.name for each in evaluation.configurations]
    heading("Slices", f"mean {first}")
    rows = []
    for each in evaluation.slices:
        means = {figure.configuration: figure.mean for figure in each.figures if figure.measure == first}
        name = each.name.replace("_", "-") or "no kind"
        rows.append((name, each.n, *(mean_words(means.get(configuration), first) for configuration in names)))
    table(("slice", "questions", *names), rows, right=("questions", *names))


def _most_changed(evaluation: Evaluation) -> None:
    b, first = evaluation.configurations[-1].name, evaluation.measures[0]
    changed = [pair for pair in most_changed(evaluation, b, first) if pair[1]]
    if not changed:
        return
    shown = changed[:SHOWN]
    heading("Most changed", f"{len(shown):,} of {len(changed):,} questions whose {first} differs")
    rows = [(difference_words(value, first), outcome.query_id, outcome.query) for outcome, value in shown]
    table((first, "id", "question"), rows, right=(first,))


def _what_failed(evaluation: Evaluation) -> None:
    failures, unmatched = evaluation.failures, evaluation.unmatched
    if failures:
        heading("No answer", f"{min(len(failures), SHOWN):,} of {len(failures):,}; --json lists all")
        table(("id", "configuration", "reason"), failures[:SHOWN], wrap=True)
    if unmatched:
        heading(
            "Judged, and not stored", f"{min(len(unmatched), SHOWN):,} of {len(unmatched):,}; they count as not read"
        )
        table(("document", "reason"), [(each.place, each.reason) for each in unmatched[:SHOWN]], wrap=True)
    unknown = sum(len(answer.unknown) for outcome in evaluation.outcomes for answer in outcome.answers.values())
    if unknown:
        line(
            (
                f"{unknown:,} results of retrievers or runs name no document of the workspace; --json lists them",
                "yellow",
            )
        )

"""An evaluation as a Markdown summary for a pull request, JUnit XML for a build server, CSV and TREC runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from docgraph.boundary.judgments.trec import write_run
from docgraph.boundary.text import clean
from docgraph.domain.evaluation import Configuration, Evaluation, GateResult
from docgraph.domain.report import Adjusted, Rejected
from docgraph.views.blocks import Block, Heading, Item, Line, Table, Title, first_rows
from docgraph.views.report.as_csv import table_of
from docgraph.views.report.as_markdown import written
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

_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_markdown(evaluation: Evaluation, gates: Sequence[GateResult] = ()) -> str:
    """GitHub's Markdown for a pull request."""
    return written(evaluation_blocks(evaluation, gates))


def evaluation_blocks(evaluation: Evaluation, gates: Sequence[GateResult] = ()) -> Iterator[Block]:
    """Gates, means, the verdict and differences of each configuration, slices, and the questions that changed most."""
    yield Title(f"{evaluation.name}: {asked_words(evaluation)}", f"({evaluation.seconds:.1f} s)")
    for each in gates:
        yield Item(each.sentence, mark="passes" if each.passed else "fails")
    for said in filter(None, (unread_words(evaluation), changed_data(evaluation))):
        yield Line(said, "warning")
    names, first = [each.name for each in evaluation.configurations], evaluation.measures[0]
    yield Heading("Means", "over the questions with a known value")
    means = [[m, *(_mean(evaluation, name, m) for name in names)] for m in evaluation.measures]
    yield Table(("measure", *names), means, right=names)
    for b in evaluation.configurations[1:]:
        yield from _differences(evaluation, b)
    if evaluation.slices:
        yield Heading("Slices", f"mean {first}")
        rows = []
        for part in evaluation.slices:
            found = {figure.configuration: figure.mean for figure in part.figures if figure.measure == first}
            name = part.name.replace("_", "-") or "no kind"
            rows.append((name, part.n, *(mean_words(found.get(each), first) for each in names)))
        yield Table(("slice", "questions", *names), rows, right=("questions", *names))
    if len(names) > 1:
        changed = [pair for pair in most_changed(evaluation, names[-1], first) if pair[1]]
        cells = [(difference_words(value, first), o.query_id, o.query[:120]) for o, value in changed]
        yield from first_rows("Most changed", (first, "id", "question"), cells)
    yield from first_rows("No answer", ("id", "configuration", "reason"), evaluation.failures)
    unmatched = [(each.place, each.reason) for each in evaluation.unmatched]
    yield from first_rows("Judged, but not stored", ("document", "reason"), unmatched, "counted as not read")
    unknown = sum(len(answer.unknown) for outcome in evaluation.outcomes for answer in outcome.answers.values())
    if unknown:
        yield Line(f"{unknown:,} results of retrievers or runs match no document of the workspace", "warning")
    yield from unread_blocks(evaluation.unread, evaluation.adjusted)


def unread_blocks(unread: Sequence[Rejected], adjusted: Sequence[Adjusted] = ()) -> Iterator[Block]:
    """Lines of the files that were not read, and values that were read with a change, each with the reason."""
    for title, found in (("Not read", unread), ("Read with changes", adjusted)):
        yield from first_rows(title, ("place", "reason"), [(each.place, each.reason) for each in found])


def _mean(evaluation: Evaluation, name: str, measure: str) -> str:
    figure = evaluation.figure(name, measure)
    return mean_words(None if figure is None else figure.mean, measure)


def _differences(evaluation: Evaluation, b: Configuration) -> Iterator[Block]:
    a = evaluation.configurations[0]
    found = [each for m in evaluation.measures if (each := evaluation.difference(b.name, m)) is not None]
    if not found:
        return
    yield Heading(f"{b.label} against {a.label}", f"by {found[0].measure}")
    yield Line(verdict(found[0]), "strong")
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
    yield Table(("measure", "difference", "95 %", "p corrected", ""), rows, right=("difference", "p corrected"))


def as_junit(evaluation: Evaluation, gates: Sequence[GateResult]) -> bytes:
    """One test case a gate, and one for each question without an answer; seconds are those of the whole."""
    failures = evaluation.failures
    n_failed = sum(not each.passed for each in gates)
    suite = ElementTree.Element(
        "testsuite",
        name=_xml(f"docgraph evaluate {evaluation.name}"),
        tests=str(len(gates) + len(failures)),
        failures=str(n_failed),
        errors=str(len(failures)),
        time=f"{evaluation.seconds:.3f}",
    )
    for each in gates:
        case = ElementTree.SubElement(suite, "testcase", classname="docgraph.evaluate", name=_xml(each.name))
        if each.passed:
            ElementTree.SubElement(case, "system-out").text = _xml(each.sentence)
        else:
            ElementTree.SubElement(case, "failure", message=_xml(each.sentence)).text = _xml("\n".join(each.queries))
    for query_id, configuration, reason in failures:
        name = _xml(f"{configuration}: {query_id}")
        case = ElementTree.SubElement(suite, "testcase", classname="docgraph.evaluate", name=name)
        ElementTree.SubElement(case, "error", message=_xml(reason))
    return bytes(ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True)) + b"\n"


def _xml(text: str) -> str:
    """Text without the characters that XML 1.0 cannot hold."""
    return _NO_XML.sub("\ufffd", clean(text))


def as_csv(evaluation: Evaluation) -> bytes:
    """One row a question and configuration; cells that begin like a formula are defused. UTF-8."""
    heads = list(evaluation.rows[0]) if evaluation.rows else ["query_id"]
    return table_of(heads, evaluation.rows).encode("utf-8", "replace")


def as_trec_run(evaluation: Evaluation, configuration: str) -> bytes:
    """The rankings of one configuration as a TREC run, tagged with its name."""
    answers = ((o.query_id, o.answers[configuration].documents) for o in evaluation.outcomes)
    return "".join(write_run(answers, tag=f"docgraph-{configuration}")).encode("utf-8", "replace")

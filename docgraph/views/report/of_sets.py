"""An evaluation as a Markdown summary for a pull request, JUnit XML for a build server, CSV and TREC runs."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree

from docgraph.boundary.judgments.trec import write_run
from docgraph.boundary.text import clean
from docgraph.domain.evaluation import Evaluation, GateResult
from docgraph.views.report.as_csv import defused
from docgraph.views.report.as_markdown import inert
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
_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_markdown(evaluation: Evaluation, gates: Sequence[GateResult] = ()) -> str:
    """Gates, the verdict, a table of means and differences, and the questions that changed most."""
    a, *others = evaluation.configurations
    first = evaluation.measures[0]
    lines = [f"### {inert(evaluation.name)}: {asked_words(evaluation)}", ""]
    lines += (
        [f"{inert(unread_words(evaluation))}; {inert(evaluation.unread[0].reason)}.", ""] if evaluation.unread else []
    )
    lines += [f"- {'✓' if each.passed else '✗'} {inert(each.sentence)}" for each in gates]
    lines += [""] if gates else []
    for b in others:
        found = evaluation.difference(b.name, first)
        if found is not None:
            said = f"**{inert(b.label)}** against {inert(a.label)}: {verdict(found)} (by {first})."
            lines += [said, ""]
    lines += _table(
        ("measure", *(each.label for each in evaluation.configurations), *_heads(evaluation)), _rows(evaluation)
    )
    for b in others[-1:]:
        changed = [pair for pair in most_changed(evaluation, b.name, first) if pair[1]][:SHOWN]
        if changed:
            lines += ["", f"Most changed by {first}:", ""]
            questions = [(difference_words(d, first), outcome.query_id, outcome.query[:120]) for outcome, d in changed]
            lines += _table(("difference", "id", "question"), questions)
    lines += [f"\n{changed_data(evaluation)}."] if changed_data(evaluation) else []
    return "\n".join(lines) + "\n"


def _heads(evaluation: Evaluation) -> list[str]:
    several = len(evaluation.configurations) > 2
    return [
        head
        for each in evaluation.configurations[1:]
        for head in (f"difference{f' of {each.label}' if several else ''}", "95 %", "p")
    ]


def _rows(evaluation: Evaluation) -> list[tuple[str, ...]]:
    found = []
    for measure in evaluation.measures:
        means = [evaluation.figure(each.name, measure) for each in evaluation.configurations]
        cells = [mean_words(None if figure is None else figure.mean, measure) for figure in means]
        for b in evaluation.configurations[1:]:
            difference = evaluation.difference(b.name, measure)
            if difference is not None:
                said = certainty(difference)
                p = f"{p_words(difference.p_corrected)} {said}".strip()
                cells += [difference_words(difference.mean, measure), interval_words(difference), p]
        found.append((measure, *cells))
    return found


def _table(heads: Sequence[str], cells: Iterable[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(map(inert, heads))} |", f"|{'---|' * len(heads)}"]
    return lines + [f"| {' | '.join(map(inert, row))} |" for row in cells]


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
    written = io.StringIO(newline="")
    table = evaluation.rows
    heads = list(table[0]) if table else ["query_id"]
    writer = csv.DictWriter(written, heads)
    writer.writeheader()
    writer.writerows({head: defused(row[head]) for head in heads} for row in table)
    return written.getvalue().encode("utf-8", "replace")


def as_trec_run(evaluation: Evaluation, configuration: str) -> bytes:
    """The rankings of one configuration as a TREC run, tagged with its name."""
    answers = ((o.query_id, o.answers[configuration].documents) for o in evaluation.outcomes)
    return "".join(write_run(answers, tag=f"docgraph-{configuration}")).encode("utf-8", "replace")

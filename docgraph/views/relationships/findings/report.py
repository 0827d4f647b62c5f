"""A report of checks as blocks: verdict, a table of checks, then findings by check or decisions by effect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docgraph.domain.edit import Edit
from docgraph.domain.finding import CheckReport, CheckResult, Decision, Finding, IgnoredFinding
from docgraph.views.blocks import Block, Heading, Item, Line, Rest, Table, Title
from docgraph.views.relationships.findings.triage import today, triage_words
from docgraph.views.relationships.findings.words import depends_words, ignored_words, reopened_words
from docgraph.views.words.counts import plural
from docgraph.views.words.texts import excerpt

MAX_OWNERS = 3
"""Owners of a decision that are named."""

MAX_SENTENCE = 400
"""Characters of a finding's sentence; titles may have any length."""


def report_blocks(
    report: CheckReport, *, limit: int, by_effect: bool = False, ignored: bool = False
) -> Iterator[Block]:
    """At most ``limit`` findings per check, or decisions sorted by effect; ``ignored`` lists ignored findings too."""
    yield Title(verdict(report))
    if said := _questions(report):
        yield Line(said, "quiet")
    cells = [(r.severity, r.check_id, r.title, _found(r)) for r in report.results]
    yield Table(("severity", "check", "title", "found"), cells, wrap=True)  # why a check found nothing may be long
    if by_effect and report.decisions:
        held = f"{plural(len(report.decisions), 'decision')}, {plural(len(report.findings), 'finding')}"
        yield Heading("By effect", held)
        now = today()
        yield from (_decision(decision, report, now) for decision in report.decisions[:limit])
        yield from _rest(len(report.decisions), limit)
    for result in () if by_effect else report.results:
        if result.findings:
            yield Heading(result.title, f"{_found(result)} · {result.check_id}")
            yield Line(result.why, "quiet")
            n = report.n_questions
            yield from (_finding(each, n, usual=result.severity) for each in result.findings[:limit])
            yield from _rest(len(result.findings), limit)
    if ignored and report.ignored:
        yield Heading("Ignored", f"{len(report.ignored):,}")
        yield from map(_ignored, report.ignored[:limit])
        yield from _rest(len(report.ignored), limit)
    more = "" if ignored else ": --ignored lists them"
    put_aside = f". {plural(len(report.ignored), 'finding')} ignored{more}" if report.ignored else ""
    yield Line(f"Corpus {report.corpus_revision[:12]}{put_aside}", "quiet")


def verdict(report: CheckReport) -> str:
    """``4 errors, 12 warnings, 1 info in 56 documents and 132 relationships of harbor``.

    When it was stopped: ``stopped after 11 of 18 checks: 4 errors, …``, ``stopped before any of 18 checks had run, …``.
    """
    corpus = f"in {plural(report.n_documents, 'document')} and {plural(report.n_relationships, 'relationship')}"
    corpus += f" of {report.workspace}"
    if not report.says_something:
        return f"stopped before any of {plural(report.n_on, 'check')} had run, {corpus}"
    counts = ", ".join([*(plural(report.count(s), s) for s in ("error", "warning")), f"{report.count('info'):,} info"])
    stopped = "" if report.complete else f"stopped after {report.n_run:,} of {plural(report.n_on, 'check')}: "
    return f"{stopped}{counts} {corpus}"


def proposal(edits: Sequence[Edit]) -> str:
    """What a fix would change; empty without one."""
    return "; ".join(dict.fromkeys(_edit(edit) for edit in edits[:3])) + ("; …" if len(edits) > 3 else "")


def _edit(edit: Edit) -> str:
    start, via, end = edit.key
    match edit.action:
        case "retype":
            return f"change its type to {edit.relation_type}"
        case "retarget":
            return f"change its target to {edit.to_document_id}"
        case "flip":
            return f"reverse it as {edit.relation_type}" if edit.relation_type else "reverse it"
        case "add":
            return f"add {start} —{via}→ {end}"
        case "accept":
            return "accept it"
        case "reanchor":
            return f"change its section from #{edit.anchor} to #{edit.to_anchor}"
    return f"remove {start} —{via}→ {end}"


def _found(result: CheckResult) -> str:
    """``2 of 61 relationships``; ``off``; ``--`` with the reason why the check did not run."""
    if not result.on:
        return "off"
    if result.skipped:
        return f"--  {result.skipped}"
    return f"{len(result.findings):,} of {result.n_checked:,} {result.unit}"


def _questions(report: CheckReport) -> str:
    """How many saved questions were run again; empty when there are none."""
    n_left_out = report.n_questions_left_out
    if not (report.n_questions or n_left_out):
        return ""
    said = f"{plural(report.n_questions, 'saved question')} run again"
    return f"{said}, {n_left_out:,} left out: no plan on today's data" if n_left_out else said


def _decision(decision: Decision, report: CheckReport, now: str) -> Item:
    n, total = decision.n_questions, report.n_questions
    fix = report.fix_of(decision)
    return Item(
        excerpt(decision.label, MAX_SENTENCE) + ("" if decision.cause == "finding" else ": one decision"),
        mark=decision.severity,
        aside=f"{n:,} of {plural(total, 'saved question')}" if n else "",
        fix=proposal(fix) if fix else "",
        notes=tuple(filter(None, (excerpt(triage_words(decision.triage, now), MAX_SENTENCE),))),
        ids=(decision.decision_id, decision.check_id, excerpt(", ".join(decision.owners[:MAX_OWNERS]), MAX_SENTENCE)),
    )


def _finding(finding: Finding, n_questions: int, *, usual: str) -> Item:
    """A finding; its severity where it differs from the usual one of the check."""
    return Item(
        excerpt(finding.sentence, MAX_SENTENCE),
        mark=finding.severity if finding.severity != usual else "",
        aside=depends_words(finding, n_questions),
        fix=excerpt(proposal(finding.fix), MAX_SENTENCE),
        notes=tuple(filter(None, (reopened_words(finding),))),
        ids=(finding.finding_id,),
    )


def _ignored(ignored: IgnoredFinding) -> Item:
    finding, dismissal = ignored.finding, ignored.dismissal
    together = f"with decision {dismissal.decision_id}" if dismissal.decision_id else ""
    return Item(
        excerpt(finding.sentence, MAX_SENTENCE),
        mark=finding.severity,
        notes=(f"{ignored_words(dismissal)}: {excerpt(dismissal.reason, MAX_SENTENCE)}",),
        ids=(finding.finding_id, finding.check_id, together),
    )


def _rest(total: int, limit: int) -> Iterator[Block]:
    if total > limit:
        yield Rest(limit, total)

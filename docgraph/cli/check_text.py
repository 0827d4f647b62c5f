"""A report of checks for people: as text for a terminal, as Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docgraph.cli.output import count, heading, line, table
from docgraph.domain.edit import Edit
from docgraph.domain.finding import SEVERITIES, CheckReport, CheckResult, Finding
from docgraph.views.report_markdown import code, inert
from docgraph.views.report_words import excerpt

MAX_SENTENCE = 400
"""Characters of a finding's sentence; titles may be of any length."""


def found(result: CheckResult) -> str:
    """``2 of 61 relationships``; ``off``; ``--`` with the reason why nothing was looked at."""
    if not result.on:
        return "off"
    if result.skipped:
        return f"--  {result.skipped}"
    return f"{len(result.findings):,} of {result.n_checked:,} {result.unit}"


def verdict(report: CheckReport) -> str:
    """``4 errors, 12 warnings, 1 info in 56 documents and 132 relationships of harbor``."""
    counts = [(report.count("error"), "error"), (report.count("warning"), "warning")]
    said = ", ".join([*(count(n, name) for n, name in counts), f"{report.count('info'):,} info"])
    corpus = f"{count(report.n_documents, 'document')} and {count(report.n_relationships, 'relationship')}"
    return f"{said} in {corpus} of {report.workspace}"


def questions(report: CheckReport) -> str:
    """How many saved questions were asked again; empty when there are none."""
    if not (report.n_questions or report.n_questions_left_out):
        return ""
    left_out = report.n_questions_left_out
    said = f"{count(report.n_questions, 'saved question')} asked again"
    return f"{said}, {left_out:,} left out: today's data has no plan for them" if left_out else said


def proposal(edits: Sequence[Edit]) -> str:
    """What a fix would do, in words; empty without one."""
    return "; ".join(dict.fromkeys(_edit(edit) for edit in edits[:3])) + ("; …" if len(edits) > 3 else "")


def _edit(edit: Edit) -> str:
    start, via, end = edit.key
    match edit.action:
        case "retype":
            return f"give it the type {edit.relation_type}"
        case "retarget":
            return f"point it at {edit.to_document_id}"
        case "flip":
            return f"turn it round as {edit.relation_type}" if edit.relation_type else "turn it round"
        case "add":
            return f"add {start} —{via}→ {end}"
        case "accept":
            return "accept it"
    return f"remove {start} —{via}→ {end}"


def show_report(report: CheckReport, *, limit: int) -> None:
    """Write the verdict, a table of checks, and at most ``limit`` findings of each."""
    line((verdict(report), "bold"))
    if said := questions(report):
        line((said, "dim"))
    line("")
    table(("severity", "check", "found"), [(r.severity, r.check_id, found(r)) for r in report.results])
    for result in report.results:
        if result.findings:
            heading(result.title, f"{found(result)} · {result.check_id}")
            for finding in result.findings[:limit]:
                _show(finding, result)
            if len(result.findings) > limit:
                rest = f"{limit:,} of {len(result.findings):,} shown; --json has all, --limit N shows more"
                line((rest, "dim"), indent=2)


def _show(finding: Finding, result: CheckResult) -> None:
    worse = f"{finding.severity}: " if finding.severity != result.severity else ""
    line(worse + excerpt(finding.sentence, MAX_SENTENCE), indent=2)
    if finding.fix:
        line((f"fix: {proposal(finding.fix)}", "dim"), indent=4)


def as_markdown(report: CheckReport, *, limit: int) -> str:
    """GitHub's Markdown; text of documents is inert: no link, HTML, mention or cell border."""
    return "\n".join(_markdown(report, limit)) + "\n"


def _markdown(report: CheckReport, limit: int) -> Iterator[str]:
    yield from (f"## {inert(verdict(report))}", "")
    yield from ("| severity | check | found | |", "| --- | --- | --- | --- |")
    for result in report.results:
        cells = (result.severity, code(result.check_id), inert(found(result)), inert(result.title))
        yield f"| {' | '.join(cells)} |"
    for result in report.results:
        if result.findings:
            yield from ("", f"### {inert(result.title)}: {inert(found(result))}", "", inert(result.why), "")
            yield from (_item(finding, result) for finding in result.findings[:limit])
            if len(result.findings) > limit:
                yield f"- {limit:,} of {len(result.findings):,} shown"
    yield from ("", f"Corpus {code(report.corpus_revision[:12])}. {inert(questions(report))}".rstrip())


def _item(finding: Finding, result: CheckResult) -> str:
    worse = f"**{finding.severity}** " if finding.severity != result.severity else ""
    fix = f" _Fix:_ {inert(excerpt(proposal(finding.fix), MAX_SENTENCE))}" if finding.fix else ""
    return f"- {worse}{inert(excerpt(finding.sentence, MAX_SENTENCE))}.{fix}"


def is_bad(report: CheckReport, least: str) -> bool:
    """Whether a finding is as bad as ``least`` (``error``, ``warning``) or worse; never for ``never``."""
    bad = SEVERITIES[: SEVERITIES.index(least) + 1] if least in SEVERITIES else ()
    return any(report.count(severity) for severity in bad)

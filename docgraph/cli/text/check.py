"""A report of checks for people: as text for a terminal, as Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from docgraph.cli.text.output import count, heading, line, table
from docgraph.domain.edit import Edit
from docgraph.domain.finding import SEVERITIES, CheckReport, CheckResult, Decision, Finding, IgnoredFinding
from docgraph.views.relationships.findings.triage import today, triage_words
from docgraph.views.relationships.findings.words import depends_words, ignored_words, reopened_words
from docgraph.views.report.as_markdown import code, inert
from docgraph.views.words.texts import excerpt

MAX_OWNERS = 3
"""Owners of a decision that are named."""

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
    """``4 errors, 12 warnings, 1 info in 56 documents and 132 relationships of harbor``.

    When it was stopped: ``stopped after 11 of 18 checks: 4 errors, …``, ``stopped before any of 18 checks had run, …``.
    """
    corpus = f"in {count(report.n_documents, 'document')} and {count(report.n_relationships, 'relationship')}"
    corpus += f" of {report.workspace}"
    if not report.says_something:
        return f"stopped before any of {count(report.n_on, 'check')} had run, {corpus}"
    counts = [(report.count("error"), "error"), (report.count("warning"), "warning")]
    said = ", ".join([*(count(n, name) for n, name in counts), f"{report.count('info'):,} info"])
    stopped = "" if report.complete else f"stopped after {report.n_run:,} of {count(report.n_on, 'check')}: "
    return f"{stopped}{said} {corpus}"


def questions(report: CheckReport) -> str:
    """How many saved questions were asked again; empty when there are none."""
    if not (report.n_questions or report.n_questions_left_out):
        return ""
    left_out = report.n_questions_left_out
    said = f"{count(report.n_questions, 'saved question')} asked again"
    return f"{said}, {left_out:,} left out: today's data has no plan for them" if left_out else said


def put_aside(report: CheckReport) -> str:
    """How many findings are ignored; empty when there are none."""
    return f"{count(len(report.ignored), 'finding')} ignored" if report.ignored else ""


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
        case "reanchor":
            return f"point it at #{edit.to_anchor} instead of #{edit.anchor}"
    return f"remove {start} —{via}→ {end}"


def show_report(report: CheckReport, *, limit: int, by_effect: bool = False, ignored: bool = False) -> None:
    """Write the verdict, a table of checks, and at most ``limit`` findings of each; ``by_effect`` = of all, as a queue.

    ``ignored`` lists what is ignored as well.
    """
    line((verdict(report), "bold"))
    more = "" if ignored or not report.ignored else ": --ignored lists them"
    for said in filter(None, (questions(report), put_aside(report) + more)):
        line((said, "dim"))
    line("")
    table(("severity", "check", "found"), [(r.severity, r.check_id, found(r)) for r in report.results])
    n = report.n_questions
    if by_effect:
        _show_decisions(report, limit=limit)
    for result in () if by_effect else report.results:
        if result.findings:
            aside = f"{found(result)} · {result.check_id}"
            _show_all(result.findings, result.title, aside, n=n, limit=limit, usual=result.severity)
    if ignored and report.ignored:
        heading("Ignored", f"{len(report.ignored):,}")
        for each in report.ignored[:limit]:
            _show_ignored(each)
        _rest(len(report.ignored), limit)


def decided(report: CheckReport) -> str:
    """``116 decisions hold 1,335 findings``."""
    return f"{count(len(report.decisions), 'decision')} hold {count(len(report.findings), 'finding')}"


def _show_decisions(report: CheckReport, *, limit: int) -> None:
    if not report.decisions:
        return
    heading("By cause and effect", decided(report))
    now = today()
    for decision in report.decisions[:limit]:
        title = excerpt(decision.label, MAX_SENTENCE)
        line(f"{decision.severity}: {title}" + ("" if decision.cause == "finding" else ": one decision"), indent=2)
        if fix := report.fix_of(decision):
            line((f"fix: {proposal(fix)}", "dim"), indent=4)
        n = f"{decision.n_questions:,} of {count(report.n_questions, 'saved question')}" if decision.n_questions else ""
        whose = excerpt(", ".join(decision.owners[:MAX_OWNERS]), MAX_SENTENCE)
        line((_joined([decision.decision_id, decision.check_id, n, whose]), "dim"), indent=4)
        if said := triage_words(decision.triage, now):
            line(excerpt(said, MAX_SENTENCE), indent=4)
    _rest(len(report.decisions), limit)


def _show_all(findings: Sequence[Finding], title: str, aside: str, *, n: int, limit: int, usual: str = "") -> None:
    if not findings:
        return
    heading(title, aside)
    for finding in findings[:limit]:
        _show(finding, n=n, usual=usual)
    _rest(len(findings), limit)


def _rest(n: int, limit: int) -> None:
    if n > limit:
        line((f"{limit:,} of {n:,} shown; --json has all, --limit N shows more", "dim"), indent=2)


def _show(finding: Finding, *, n: int, usual: str) -> None:
    """A finding with what is known about it; its severity where it is another than usual."""
    worse = f"{finding.severity}: " if finding.severity != usual else ""
    line(worse + excerpt(finding.sentence, MAX_SENTENCE), indent=2)
    if finding.fix:
        line((f"fix: {proposal(finding.fix)}", "dim"), indent=4)
    if said := reopened_words(finding):
        line((said, "dim"), indent=4)
    line((_joined([finding.finding_id, depends_words(finding, n)]), "dim"), indent=4)


def _show_ignored(ignored: IgnoredFinding) -> None:
    finding, dismissal = ignored.finding, ignored.dismissal
    line(f"{finding.severity}: {excerpt(finding.sentence, MAX_SENTENCE)}", indent=2)
    line((f"{ignored_words(dismissal)}: {excerpt(dismissal.reason, MAX_SENTENCE)}", "dim"), indent=4)
    together = f"with decision {dismissal.decision_id}" if dismissal.decision_id else ""
    line((_joined([finding.finding_id, finding.check_id, together]), "dim"), indent=4)


def _joined(parts: Iterable[str]) -> str:
    return " · ".join(part for part in parts if part)


def as_markdown(report: CheckReport, *, limit: int, by_effect: bool = False, ignored: bool = False) -> str:
    """GitHub's Markdown; text of documents is inert: no link, HTML, mention or cell border."""
    return "\n".join(_markdown(report, limit, by_effect=by_effect, ignored=ignored)) + "\n"


def _markdown(report: CheckReport, limit: int, *, by_effect: bool, ignored: bool) -> Iterator[str]:
    n = report.n_questions
    yield from (f"## {inert(verdict(report))}", "")
    yield from ("| severity | check | found | |", "| --- | --- | --- | --- |")
    for result in report.results:
        cells = (result.severity, code(result.check_id), inert(found(result)), inert(result.title))
        yield f"| {' | '.join(cells)} |"
    if by_effect and report.findings:
        yield from ("", f"### By cause and effect: {decided(report)}", "")
        yield from (_decision_item(decision, report) for decision in report.decisions[:limit])
        yield from _shown(len(report.decisions), limit)
    for result in () if by_effect else report.results:
        if result.findings:
            yield from ("", f"### {inert(result.title)}: {inert(found(result))}", "", inert(result.why), "")
            yield from _items(result.findings, limit, n=n, usual=result.severity)
    if ignored and report.ignored:
        yield from ("", f"### Ignored: {len(report.ignored):,}", "")
        yield from (_ignored_item(each) for each in report.ignored[:limit])
        yield from _shown(len(report.ignored), limit)
    said = ". ".join(part for part in (questions(report), put_aside(report)) if part)
    yield from ("", f"Corpus {code(report.corpus_revision[:12])}. {inert(said)}".rstrip())


def _items(findings: Sequence[Finding], limit: int, *, n: int, usual: str = "") -> Iterator[str]:
    yield from (_item(finding, n=n, usual=usual) for finding in findings[:limit])
    yield from _shown(len(findings), limit)


def _shown(n: int, limit: int) -> Iterator[str]:
    if n > limit:
        yield f"- {limit:,} of {n:,} shown"


def _item(finding: Finding, *, n: int, usual: str) -> str:
    worse = f"**{finding.severity}** " if finding.severity != usual else ""
    depends = depends_words(finding, n)
    parts = [f"{worse}{inert(excerpt(finding.sentence, MAX_SENTENCE))}{f' ({depends})' if depends else ''}."]
    if finding.fix:
        parts.append(f"_Fix:_ {inert(excerpt(proposal(finding.fix), MAX_SENTENCE))}")
    if said := reopened_words(finding):
        parts.append(f"_{inert(said[:1].upper() + said[1:])}._")
    return f"- {' '.join(parts)}"


def _decision_item(decision: Decision, report: CheckReport) -> str:
    many = "" if decision.cause == "finding" else ": one decision"
    n = decision.n_questions
    depends = f" ({n:,} of {count(report.n_questions, 'saved question')})" if n else ""
    said = f"- **{decision.severity}** {inert(excerpt(decision.label, MAX_SENTENCE))}{many}{depends}."
    if stands := triage_words(decision.triage, today()):
        said += f" {inert(excerpt(stands, MAX_SENTENCE))}."
    fix = report.fix_of(decision)
    return f"{said} _Fix:_ {inert(excerpt(proposal(fix), MAX_SENTENCE))}" if fix else said


def _ignored_item(ignored: IgnoredFinding) -> str:
    finding, dismissal = ignored.finding, ignored.dismissal
    why = excerpt(dismissal.reason, MAX_SENTENCE)
    sentence = inert(excerpt(finding.sentence, MAX_SENTENCE))
    return f"- **{finding.severity}** {sentence}, {inert(ignored_words(dismissal))}: {inert(why)}"


def is_bad(report: CheckReport, least: str) -> bool:
    """Whether a finding is as bad as ``least`` (``error``, ``warning``) or worse; never for ``never``."""
    bad = SEVERITIES[: SEVERITIES.index(least) + 1] if least in SEVERITIES else ()
    return any(report.count(severity) for severity in bad)

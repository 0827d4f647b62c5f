"""The queue of findings as rows: in order of their effect, filtered, with what stands in each line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docgraph.domain.finding import SEVERITIES, CheckReport, Finding, Severity
from docgraph.views.relationships.findings.subject import Titled
from docgraph.views.words.counts import UNKNOWN, n_of_m, plural

IGNORED = "ignored"
ALL = "all"
NOUNS: dict[Severity, tuple[str, str]] = {
    "error": ("Error", "Errors"),
    "warning": ("Warning", "Warnings"),
    "info": ("Info", "Infos"),
}


@dataclass(frozen=True)
class Chip:
    """A filter with how many findings it leaves; ``name`` stands in the address."""

    name: str
    label: str
    n: int


@dataclass(frozen=True)
class Row:
    """One line of the queue; ``what`` = the relation type, or what else it is about; ``subject`` = "A → B".

    ``ids`` = the same with ids in place of titles, empty where that says nothing new.
    """

    finding: Finding
    title: str
    what: str
    subject: str
    effect: str
    share: float
    ids: str = ""


def chips(report: CheckReport) -> tuple[Chip, ...]:
    """All, one for each severity that there is, and the ignored ones when there are some."""
    found = [Chip(ALL, "All", len(report.findings))]
    for severity in SEVERITIES:
        n = report.count(severity)
        if n:
            found.append(Chip(severity, NOUNS[severity][n != 1], n))
    if report.ignored:
        found.append(Chip(IGNORED, "Ignored", len(report.ignored)))
    return tuple(found)


def checks_found(report: CheckReport) -> tuple[tuple[str, str, int], ...]:
    """(check_id, title, open findings) of every check that found something, most first, then by title."""
    rows = [(result.check_id, result.title, len(result.findings)) for result in report.results if result.findings]
    return tuple(sorted(rows, key=lambda row: (-row[2], row[1], row[0])))


def filtered(report: CheckReport, chip: str, check_id: str = "") -> tuple[Finding, ...]:
    """The queue under a chip and, when one is given, of one check alone."""
    wanted = report.queue
    if chip in SEVERITIES:
        wanted = tuple(finding for finding in wanted if finding.severity == chip)
    return tuple(finding for finding in wanted if not check_id or finding.check_id == check_id)


def row_of(finding: Finding, report: CheckReport, *, titled: Titled) -> Row:
    """The line of one finding."""
    titles = {result.check_id: result.title for result in report.results}
    total = report.n_questions
    return Row(
        finding=finding,
        title=titles.get(finding.check_id, finding.check_id),
        what=_what(finding),
        subject=subject_words(finding, titled=titled),
        ids=_ids_words(finding, titled=titled),
        effect=f"{finding.n_questions:,}" if total else UNKNOWN,
        share=finding.n_questions / total if total else 0.0,
    )


def _what(finding: Finding) -> str:
    types = list(dict.fromkeys(key[1] for key in finding.relationships)) or list(finding.relation_types[:1])
    return " · ".join(types[:2]) + (" …" if len(types) > 2 else "")


def subject_words(finding: Finding, *, titled: Titled) -> str:
    """``A → B``; of a finding about types, both names; of one about a document, its title."""
    keys = finding.relationships
    if keys:
        more = f", and {len(keys) - 1:,} more" if len(keys) > 2 else ""
        both = len(keys) == 2 and keys[0][0] == keys[1][2] and keys[0][2] == keys[1][0]
        return f"{titled(keys[0][0])} {'⇄' if both else '→'} {titled(keys[0][2])}{more}"
    if finding.relation_types:
        return ", ".join(finding.relation_types)
    if len(finding.document_ids) == 2:
        return " and ".join(titled(document_id) for document_id in finding.document_ids)
    return ", ".join(titled(document_id) for document_id in finding.document_ids[:3])


def _ids_words(finding: Finding, *, titled: Titled) -> str:
    """The same with ids instead of titles; empty where that says nothing new."""
    said = subject_words(finding, titled=str)
    return "" if said == subject_words(finding, titled=titled) else said


def ids_in(finding: Finding) -> tuple[str, ...]:
    """Every document that a finding or its fix names, each once."""
    ids = [end for key in finding.relationships for end in (key[0], key[2])]
    ids += [*finding.document_ids, *(edit.to_document_id for edit in finding.fix if edit.to_document_id)]
    ids += [end for edit in finding.fix[:3] for end in (edit.key[0], edit.key[2])]
    return tuple(dict.fromkeys(ids))


def footer(shown: int, found: Sequence[Finding], *, n_questions: int) -> str:
    """``10 of 20 shown, the other 10 change 0 or 1``; says all when nothing is left out."""
    total = len(found)
    if shown >= total:
        return f"{n_of_m(total, total)} shown" if total > 1 else "1 shown"
    rest = found[shown:]
    most = max(finding.n_questions for finding in rest)
    said = f"{shown:,} of {total:,} shown"
    if not n_questions:
        return f"{said}, {plural(len(rest), 'more', 'more')}"
    change = "reach no saved question" if most == 0 else f"reach at most {plural(most, 'saved question')}"
    return f"{said}, the other {len(rest):,} {change}"


def denominator(finding: Finding, report: CheckReport) -> str:
    """``Warning, 2 of 61 relationships``."""
    noun = NOUNS[finding.severity][0]
    result = next((r for r in report.results if r.check_id == finding.check_id), None)
    if result is None:
        return noun
    n = len(result.findings) + sum(each.finding.check_id == finding.check_id for each in report.ignored)
    return f"{noun}, {n:,} of {result.n_checked:,} {result.unit}"


def nothing_words(report: CheckReport) -> str:
    """``17 checks looked at 61 relationships and 42 documents: nothing found``; of a stopped run ``11 checks …``."""
    looked = f"{plural(report.n_relationships, 'relationship')} and {plural(report.n_documents, 'document')}"
    off = len(report.results) - report.n_on
    return f"{plural(report.n_run, 'check')} looked at {looked}: nothing found" + (
        f"; {off:,} switched off" if off else ""
    )

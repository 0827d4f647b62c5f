"""The queue of decisions as rows: in order of their effect, filtered, with what stands in each line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from docgraph.domain.finding import SEVERITIES, CheckReport, Decision, Finding, IgnoredFinding, Severity
from docgraph.views.relationships.findings.subject import Titled
from docgraph.views.words.counts import UNKNOWN, n_of_m, plural

IGNORED, SUGGESTED, MINE, DUE = "ignored", "suggestions", "\x00mine", "\x00due"
"""``MINE`` and ``DUE`` stand among names of people, and nobody is called so."""
MOST_OWNERS = 1_000
"""Owners that can be chosen."""

ALL = "all"
NOUNS: dict[Severity, tuple[str, str]] = {
    "error": ("Error", "Errors"),
    "warning": ("Warning", "Warnings"),
    "info": ("Info", "Info"),
}


@dataclass(frozen=True)
class Chip:
    """A filter with how many decisions it leaves (ignored: findings; None: not known); ``name`` is in the address."""

    name: str
    label: str
    n: int | None


NAMED = 2
"""Findings of a class that its row names."""


@dataclass(frozen=True)
class Row:
    """One line of the queue, with its ``aside`` on the right, and what it is under it (``line``).

    A single finding has the check's title, its relation type aside, and "A → B" under it; ``ids`` = the same with ids
    in place of titles, empty where that says nothing new. A class is called "551 × LICENSE.md", the check stands aside.
    """

    decision: Decision
    title: str
    aside: str
    line: str
    effect: str
    share: float
    ids: str = ""


def chips(report: CheckReport, *, n_suggested: int | None = None) -> tuple[Chip, ...]:
    """All findings, one for each severity that there is, the suggestions, and the ignored ones when there are some.

    ``n_suggested`` = open suggestions, None while nobody has looked for them.
    """
    found = [Chip(ALL, "Findings", len(report.decisions))]
    for severity in SEVERITIES:
        n = report.n_decisions(severity)
        if n:
            found.append(Chip(severity, NOUNS[severity][n != 1], n))
    found.append(Chip(SUGGESTED, "Suggestions", n_suggested))
    if report.ignored:
        found.append(Chip(IGNORED, "Ignored", len(report.ignored)))
    return tuple(found)


def count_words(n: int | None) -> str:
    """``84``, ``1.4k``, ``12k``: what a chip has room for; nothing for what is not known."""
    if n is None:
        return ""
    if n < 1_000:
        return f"{n:,}"
    return f"{n / 1_000:.1f}k" if n < 9_950 else f"{n / 1_000:,.0f}k"


def whose_found(report: CheckReport, person: str = "", *, day: str = "") -> tuple[Chip, ...]:
    """Those that ``person`` has and those that are due by ``day``, each only when there are some."""
    mine = sum(decision.is_for(person) for decision in report.decisions) if person else 0
    late = sum(decision.triage.is_due(day) for decision in report.decisions)
    return tuple(chip for chip in (Chip(MINE, "Mine", mine), Chip(DUE, "Due", late)) if chip.n)


def checks_found(report: CheckReport) -> tuple[tuple[str, str, int], ...]:
    """(check_id, title, open decisions) of every check that found something, most first, then by title."""
    counts = Counter(decision.check_id for decision in report.decisions)
    rows = [(each.check_id, each.title, counts[each.check_id]) for each in report.results if counts[each.check_id]]
    return tuple(sorted(rows, key=lambda row: (-row[2], row[1], row[0])))


def people_found(report: CheckReport) -> tuple[tuple[str, int], ...]:
    """(owner or assignee, open decisions), most first, then by name; at most ``MOST_OWNERS``."""
    counts = Counter(name for decision in report.decisions for name in people_of(decision))
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0].casefold(), item[0]))[:MOST_OWNERS])


def people_of(decision: Decision) -> frozenset[str]:
    """Its owners, and who has it."""
    return frozenset(filter(None, (*decision.owners, decision.triage.assignee)))


def filtered(
    report: CheckReport, chip: str, check_id: str = "", *, whose: str = "", person: str = "", day: str = ""
) -> tuple[Decision, ...]:
    """The decisions under a chip and, when they are given, of one check and of somebody alone.

    ``whose`` = an owner or assignee, ``MINE`` = what ``person`` has, ``DUE`` = what is due by ``day``.
    """
    wanted = report.decisions
    if whose == MINE:
        wanted = tuple(decision for decision in wanted if decision.is_for(person))
    elif whose == DUE:
        wanted = tuple(decision for decision in wanted if decision.triage.is_due(day))
    elif whose:
        wanted = tuple(decision for decision in wanted if whose in people_of(decision))
    if chip in SEVERITIES:
        wanted = tuple(decision for decision in wanted if decision.severity == chip)
    return tuple(decision for decision in wanted if not check_id or decision.check_id == check_id)


def decision_with(decisions: Sequence[Decision], wanted: str) -> Decision | None:
    """The decision of this id, or the one that has the finding of this id; None when there is neither."""
    return next((d for d in decisions if d.decision_id == wanted), None) or next(
        (d for d in decisions if wanted in d.finding_ids), None
    )


def row_of(decision: Decision, findings: Sequence[Finding], report: CheckReport, *, titled: Titled) -> Row:
    """The line of one decision about ``findings``, at least one."""
    title = check_title(report, decision.check_id)
    total, first = report.n_questions, findings[0]
    alone = len(findings) == 1
    return Row(
        decision=decision,
        title=title if alone else decision.label,
        aside=types_words(findings) if alone else title,
        line=subject_words(first, titled=titled) if alone else class_words(decision, findings, titled=titled),
        ids=_ids_words(first, titled=titled) if alone else "",
        effect=f"{decision.n_questions:,}" if total else UNKNOWN,
        share=decision.n_questions / total if total else 0.0,
    )


def check_title(report: CheckReport, check_id: str) -> str:
    """What a check is called."""
    return next((result.title for result in report.results if result.check_id == check_id), check_id)


def types_words(findings: Sequence[Finding]) -> str:
    """The relation types that they are about: the first two, and that there are more."""
    named = (key[1] for finding in findings for key in finding.relationships)
    types = list(dict.fromkeys(named)) or list(dict.fromkeys(t for f in findings for t in f.relation_types[:1]))
    return " · ".join(types[:2]) + (" …" if len(types) > 2 else "")


def class_words(decision: Decision, findings: Sequence[Finding], *, titled: Titled) -> str:
    """What the findings of a class are: ``links_to from 551 documents``, with what is said of all alike where that is
    more than that the target is not there; without one target, the first of them."""
    starts = {key[0] for finding in findings for key in finding.relationships}
    if decision.cause == "target" and starts:
        alike = _said_of_all(findings, titled=titled)
        return f"{types_words(findings)} from {plural(len(starts), 'document')}{f'; {alike}' if alike else ''}"
    if decision.cause == "block":
        targets = {key[2] for finding in findings for key in finding.relationships}
        said = f"{types_words(findings)} from {plural(len(starts), 'document')} to the same {len(targets):,}"
        return f"{said}, like a navigation menu"
    named = ", ".join(subject_words(finding, titled=titled) for finding in findings[:NAMED])
    return f"{named} …" if len(findings) > NAMED else named


def _said_of_all(findings: Sequence[Finding], *, titled: Titled) -> str:
    """What the sentences of all findings say behind their relationship, where it is the same and names no target."""
    targets = {key[2] for finding in findings for key in finding.relationships}
    tails = {f.sentence.partition(f"→ {titled(target)}: ")[2] for f in findings for target in targets}
    said = tails.pop() if len(tails) == 1 else ""
    return "" if any(f" {target}" in f" {said}" for target in targets) else said


def ignored_together(ignored: Sequence[IgnoredFinding]) -> tuple[tuple[IgnoredFinding, ...], ...]:
    """Ignored findings by the decision that they were ignored with, in the order of the first of each."""
    groups: dict[str, list[IgnoredFinding]] = {}
    for each in ignored:
        groups.setdefault(each.dismissal.decision_id or each.finding.finding_id, []).append(each)
    return tuple(map(tuple, groups.values()))


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


def footer(shown: int, found: Sequence[Decision], *, n_questions: int) -> str:
    """``7 of 41 shown, the other 34 reach no saved question``; says all when nothing is left out."""
    total = len(found)
    if shown >= total:
        return f"{n_of_m(total, total)} shown" if total > 1 else "1 shown"
    rest = found[shown:]
    most = max(decision.n_questions for decision in rest)
    said = f"{shown:,} of {total:,} shown"
    if not n_questions:
        return f"{said}, {plural(len(rest), 'more', 'more')}"
    change = "change no answer" if most == 0 else f"affect at most {plural(most, 'saved question')}"
    return f"{said}, the other {len(rest):,} {change}"


def open_words(report: CheckReport) -> str:
    """``1,117 findings in 41 items``."""
    return f"{plural(len(report.findings), 'finding')} in {plural(len(report.decisions), 'item')}"


def denominator(decision: Decision, report: CheckReport) -> str:
    """``Warning, 2 of 61 relationships``: what the check found, of what it looked at."""
    noun = NOUNS[decision.severity][0]
    result = next((r for r in report.results if r.check_id == decision.check_id), None)
    if result is None:
        return noun
    n = len(result.findings) + sum(each.finding.check_id == decision.check_id for each in report.ignored)
    return f"{noun}, {n:,} of {result.n_checked:,} {result.unit}"


def nothing_words(report: CheckReport) -> str:
    """``17 checks looked at 61 relationships and 42 documents: nothing found``; of a stopped run ``11 checks …``."""
    looked = f"{plural(report.n_relationships, 'relationship')} and {plural(report.n_documents, 'document')}"
    off = len(report.results) - report.n_on
    return f"{plural(report.n_run, 'check')} looked at {looked}: nothing found" + (
        f"; {off:,} switched off" if off else ""
    )

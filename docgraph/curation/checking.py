"""Runs the checks of a workspace under its rules, in steps that report progress and can be stopped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from docgraph.curation.deciding import CAUSES, decide
from docgraph.curation.effect import Effect
from docgraph.domain.curation import Dismissal
from docgraph.domain.finding import (
    SEVERITIES,
    CheckReport,
    CheckResult,
    EdgeUse,
    Finding,
    IgnoredFinding,
    Rule,
    Severity,
)
from docgraph.domain.graph import DocumentRef
from docgraph.domain.workspace import Workspace
from docgraph.errors import UserError
from docgraph.ports import Check, Progress, RelationshipGraph
from docgraph.ports.progress import Stopped

Item = TypeVar("Item")

READ_STEP = 500
"""Rows that are read before the progress is told and asked again."""


class Steps:
    """``done`` of ``total`` checks, with what is being done now as the message; without a progress it costs nothing."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def begin(self, doing: str) -> None:
        """Say what is done next. Raises Stopped once somebody asked to stop."""
        if self._progress is None:
            return
        if self._progress.cancelled():
            raise Stopped
        self._progress.update(self._done, self._total, doing)

    def finish(self) -> None:
        """One more check has run."""
        self._done += 1
        if self._progress is not None and self._done == self._total:
            self._progress.update(self._done, self._total, "")

    def each(self, items: Iterable[Item], doing: str, *, of: int = 0, step: int = READ_STEP) -> Iterator[Item]:
        """The items, read or made as they are asked for; says ``doing: n of N`` (``of`` = 0: ``doing: n``) on the way.

        Raises Stopped once somebody asked to stop.
        """
        if self._progress is None:
            yield from items
            return
        for n, item in enumerate(items):
            if n % step == 0:
                self.begin(f"{doing}: {n:,} of {of:,}" if of else f"{doing}: {n:,}" if n else doing)
            yield item


DEFAULT = Rule()
NOT_RUN = "stopped before it started"


def check_graph(
    graph: RelationshipGraph,
    checks: Sequence[Check],
    rules: Mapping[str, Rule],
    *,
    workspace: Workspace,
    dismissals: Iterable[Dismissal] = (),
    progress: Progress | None = None,
) -> CheckReport:
    """Every check's result, errors first, then by name; a check that is off is listed as off.

    A finding that one of the ``dismissals`` is about is hidden while the texts are those that it was judged by;
    afterwards it is open again and says so. They run in the order of the results; ``progress`` is told n of the N
    checks that are on, with the title of the one that runs, and may stop them: what has run to its end is kept.
    Raises UserError for a rule about a check or a parameter that does not exist, and for a value of another shape than
    the parameter's default: a number is not negative, a list holds texts, or lists as long as those of the default.
    """
    refuse_unknown(rules, checks)
    steps = Steps(progress, n_on(checks, rules))
    graph = graph if progress is None else replace(graph, cancelled=progress.cancelled)
    desk = _Desk(graph, dismissals)
    results, not_run = [], []
    for check in sorted(checks, key=lambda check: _place(check, rules)):
        result = _empty(check, rules)
        if result.on:
            try:
                steps.begin(check.title)
                result = _run(check, graph, result, desk=desk)
                steps.finish()
            except Stopped:
                not_run.append(check.check_id)
                result = result.model_copy(update={"skipped": NOT_RUN})
        results.append(result)
    return CheckReport(
        workspace=workspace.name,
        corpus_revision=workspace.revision,
        n_documents=len(graph.documents),
        n_relationships=len(graph.relationships),
        n_questions=graph.n_questions,
        n_questions_left_out=graph.n_questions_left_out,
        results=tuple(results),
        decisions=decide(
            results,
            graph,
            causes={check.check_id: getattr(check, "causes", CAUSES) for check in checks},
            effect=desk.effect,
        ),
        ignored=tuple(sorted(desk.ignored, key=_by_subject)),
        fired=tuple(EdgeUse.model_construct(key=key, n_questions=n) for key, n in sorted(graph.fired.items())),
        complete=not not_run,
        not_run=tuple(not_run),
    )


def not_checked(checks: Sequence[Check], rules: Mapping[str, Rule], *, workspace: Workspace) -> CheckReport:
    """The report when somebody stopped while the workspace was still being read: no check has run."""
    results = [_empty(check, rules) for check in sorted(checks, key=lambda check: _place(check, rules))]
    return CheckReport(
        workspace=workspace.name,
        corpus_revision=workspace.revision,
        n_documents=workspace.n_documents,
        n_relationships=workspace.n_relationships,
        complete=False,
        results=tuple(r.model_copy(update={"skipped": NOT_RUN}) if r.on else r for r in results),
        not_run=tuple(result.check_id for result in results if result.on),
    )


def n_on(checks: Iterable[Check], rules: Mapping[str, Rule]) -> int:
    """How many checks these rules leave on."""
    return sum(rules.get(check.check_id, DEFAULT).on for check in checks)


def refuse_unknown(rules: Mapping[str, Rule], checks: Sequence[Check]) -> None:
    """Raises UserError for the first rule that ``check_graph`` cannot run under."""
    known = {check.check_id: check for check in checks}
    for check_id, rule in rules.items():
        _refuse_unknown(check_id, rule, known)


class _Desk:
    """Every finding passes here once: it gets its severity and its effect, and is hidden when it was ignored."""

    def __init__(self, graph: RelationshipGraph, dismissals: Iterable[Dismissal]) -> None:
        self._graph, self.effect = graph, Effect(graph)
        self._dismissals = {each.subject_id: each for each in dismissals if each.kind == "finding"}
        self._hashes = _hashes(graph) if self._dismissals else {}
        self.ignored: list[IgnoredFinding] = []
        self._put_aside: list[IgnoredFinding] = []

    def open_all(self, findings: Iterable[Finding], check: Check, severity: Severity) -> list[Finding]:
        """Those of one check that are not hidden; when it is stopped meanwhile, none of them was here."""
        self._put_aside = []
        passed = (self.open(each, severity=_severity(each, severity, check)) for each in self._graph.each(findings))
        found = [finding for finding in passed if finding is not None]
        self.ignored += self._put_aside
        return found

    def open(self, finding: Finding, *, severity: Severity) -> Finding | None:
        """The finding as it stands in the report; None when it is hidden."""
        n, dismissal = self.effect.n_questions(finding), self._dismissals.get(finding.finding_id)
        if dismissal is None and (n, severity) == (finding.n_questions, finding.severity):
            return finding
        known: dict[str, Any] = {"severity": severity, "n_questions": n}
        changed = dismissal.changed(self._hashes) if dismissal else ()
        if dismissal and changed:
            texts = tuple(DocumentRef(document_id=i, title=self._graph.title(i)) for i in changed)
            known |= {"dismissal": dismissal, "texts_changed": texts}
        news = {name: value for name, value in known.items() if getattr(finding, name) != value}
        seen = finding.model_copy(update=news) if news else finding
        if dismissal is None or changed:
            return seen
        self._put_aside.append(IgnoredFinding(finding=seen, dismissal=dismissal))
        return None


def _by_subject(ignored: IgnoredFinding) -> tuple[str, str, str]:
    finding = ignored.finding
    return (finding.check_id, finding.sentence, finding.finding_id)


def _hashes(graph: RelationshipGraph) -> dict[str, str]:
    return {document_id: document.content_hash for document_id, document in graph.documents.items()}


def _place(check: Check, rules: Mapping[str, Rule]) -> tuple[int, str]:
    """Errors first, then by name."""
    severity = rules.get(check.check_id, DEFAULT).severity or check.severity
    return (SEVERITIES.index(severity), check.check_id)


def _empty(check: Check, rules: Mapping[str, Rule]) -> CheckResult:
    """The result of a check that has looked at nothing yet."""
    rule = rules.get(check.check_id, DEFAULT)
    return CheckResult(
        check_id=check.check_id,
        title=check.title,
        why=check.why,
        severity=rule.severity or check.severity,
        unit=check.unit,
        on=rule.on,
        parameters={**check.parameters, **rule.parameters},
    )


def _run(check: Check, graph: RelationshipGraph, result: CheckResult, *, desk: _Desk) -> CheckResult:
    outcome = check.find(graph, result.parameters)
    findings = desk.open_all(outcome.findings, check, result.severity)
    findings.sort(key=lambda f: (SEVERITIES.index(f.severity), f.relationships, f.document_ids, f.finding_id))
    return result.model_copy(
        update={"n_checked": outcome.n_checked, "findings": tuple(findings), "skipped": outcome.skipped}
    )


def _severity(finding: Finding, severity: Severity, check: Check) -> Severity:
    """A finding of the check's own severity follows the rule; one that is milder or worse by itself stays so."""
    return severity if finding.severity == check.severity else finding.severity


def _refuse_unknown(check_id: str, rule: Rule, known: Mapping[str, Check]) -> None:
    if check_id not in known:
        raise UserError(f"there is no check {check_id[:60]!r}", hint=f"there are: {', '.join(sorted(known))}")
    parameters = known[check_id].parameters
    for name, value in sorted(rule.parameters.items()):
        if name not in parameters:
            has = ", ".join(sorted(parameters)) or "none"
            raise UserError(f"check {check_id!r} has no parameter {name[:60]!r}", hint=f"its parameters: {has}")
        if wrong := _unlike(value, parameters[name]):
            raise UserError(
                f"{name} of check {check_id!r} = {repr(value)[:80]}: {wrong}",
                hint=f"like {repr(parameters[name])[:120]}",
            )


def _unlike(value: Any, default: Any) -> str:
    """What a parameter's value lacks to be of its default's shape; empty when it is fine."""
    if isinstance(default, bool):
        return "" if isinstance(value, bool) else "expected true or false"
    if isinstance(default, int | float):
        fits = isinstance(value, int if isinstance(default, int) else int | float) and not isinstance(value, bool)
        return "" if fits and value >= 0 else "expected a number, 0 or more"
    if isinstance(default, str):
        return "" if isinstance(value, str) else "expected a text"
    if not isinstance(value, list | tuple):
        return "expected a list"
    inner = default[0] if default else ""
    n = len(inner) if isinstance(inner, list | tuple) else None
    if n is not None and any(isinstance(each, list | tuple) and len(each) != n for each in value):
        return f"expected a list of lists of {n}"
    return next((f"in the list: {wrong}" for each in value if (wrong := _unlike(each, inner))), "")

"""Findings that are decided together: grouped by cause, with the owners of the documents that they start at."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from docgraph.curation.effect import Effect
from docgraph.domain.finding import SEVERITIES, Cause, CheckReport, CheckResult, Decision, Finding
from docgraph.domain.frozen import fingerprint
from docgraph.domain.graph import Relationship, StoredDocument
from docgraph.domain.imports.fields import OWNER_FIELDS, owner_of, owners_of
from docgraph.domain.overrides import EdgeKey
from docgraph.ports import RelationshipGraph

ALIKE, LEAST = 0.9, 2
"""Share of all documents that point at two targets which have to point at both; targets that are together one cause."""

Block = tuple[str, tuple[str, ...]]
"""A relation type and the targets that stand together, by id."""


def blocks(findings: Iterable[Finding]) -> dict[str, Block]:
    """finding_id → the block that its relationship is of, where its target shares its documents with another one.

    A page does not link to itself in its own navigation, or does and is passed over, so a target counts as pointing at
    itself. A target joins the first block, of the one that most documents point at, with whose first target it agrees.
    """
    single = {each.finding_id: each.relationships[0] for each in findings if len(each.relationships) == 1}
    starts: dict[tuple[str, str], set[str]] = defaultdict(set)
    for start, via, end in single.values():
        starts[(via, end)] |= {start, end}
    gathered: list[list[tuple[str, str]]] = []
    for target in sorted(starts, key=lambda each: (-len(starts[each]), each)):
        for block in gathered:
            if block[0][0] == target[0] and _alike(starts, block[0], target):
                block.append(target)
                break
        else:
            gathered.append([target])
    found: dict[tuple[str, str], Block] = {}
    for block in gathered:
        if len(block) >= LEAST:
            found |= dict.fromkeys(block, (block[0][0], tuple(sorted(end for _, end in block))))
    return {i: found[(key[1], key[2])] for i, key in single.items() if (key[1], key[2]) in found}


def _alike(starts: Mapping[tuple[str, str], set[str]], one: tuple[str, str], other: tuple[str, str]) -> bool:
    both = len(starts[one] & starts[other])
    return both >= ALIKE * (len(starts[one]) + len(starts[other]) - both)


CAUSES: tuple[Cause, ...] = ("target", "types", "extractor", "owner")
"""What is tried, in this order, for a check that does not say what its findings may share (``causes``)."""


Shared = tuple[object, ...]


@dataclass(frozen=True)
class _Group:
    cause: Cause
    shared: Shared
    findings: tuple[Finding, ...]


def decide(
    results: Iterable[CheckResult],
    graph: RelationshipGraph,
    *,
    causes: Mapping[str, Sequence[Cause]],
    effect: Effect | None = None,
) -> tuple[Decision, ...]:
    """The findings of ``results`` as decisions, each finding in exactly one; a pure function, whatever their order.

    ``causes`` = check_id → what its findings may share, tried in this order: of the first cause every ``LEAST`` or more
    findings that share it make one decision, the others go on to the next; what is left is decided one by one. Findings
    of one decision are of one severity and have fixes of one kind, or none. ``effect`` counts the saved questions.
    """
    index = {edge.key: edge for edge in graph.relationships}
    asked = effect or Effect(graph)
    found = [
        _decision(result, group, graph, asked)
        for result in results
        for group in _groups(result, causes.get(result.check_id, CAUSES), _Looking(graph, index, result.findings))
    ]
    return tuple(sorted(found, key=_place))


def _place(decision: Decision) -> tuple[int, int, str, str, str]:
    worst = SEVERITIES.index(decision.severity)
    return (-decision.n_questions, worst, decision.check_id, decision.label, decision.decision_id)


def _groups(result: CheckResult, causes: Sequence[Cause], looking: _Looking) -> list[_Group]:
    left = sorted(result.findings, key=lambda each: (-each.n_questions, each.sentence, each.finding_id))
    groups: list[_Group] = []
    for cause in causes:
        shared: dict[Shared, list[Finding]] = {}
        for finding in left:
            if (what := looking.shared(cause, finding)) is not None:
                kind = tuple(sorted({edit.action for edit in finding.fix}))
                shared.setdefault((what, finding.severity, kind), []).append(finding)
        for key, findings in shared.items():
            if len(findings) >= LEAST:
                own = "" if findings[0].severity == result.severity else findings[0].severity
                groups.append(_Group(cause, (key[0], own, key[2]), tuple(findings)))
        taken = {finding.finding_id for group in groups for finding in group.findings}
        left = [finding for finding in left if finding.finding_id not in taken]
    return groups + [_Group("finding", (each.finding_id,), (each,)) for each in left]


def _decision(result: CheckResult, group: _Group, graph: RelationshipGraph, effect: Effect) -> Decision:
    first = group.findings[0]
    alone = group.cause == "finding"
    return Decision(
        decision_id=first.finding_id if alone else fingerprint([result.check_id, group.cause, group.shared])[:16],
        check_id=result.check_id,
        severity=first.severity,
        cause=group.cause,
        label=first.sentence if alone else f"{len(group.findings):,} × {_named(group, graph)}",
        finding_ids=tuple(each.finding_id for each in group.findings),
        n_questions=first.n_questions if alone else effect.n_questions_of(group.findings),
    )


def _named(group: _Group, graph: RelationshipGraph) -> str:
    """What the findings share, in words."""
    what = group.shared[0]
    if group.cause == "target":
        return graph.title(str(what))
    if group.cause == "block":
        targets = {key[2] for each in group.findings for key in each.relationships}
        return f"{graph.title(min(targets))} and {len(targets) - 1:,} more"
    words = [str(each) for each in what] if isinstance(what, tuple) else [str(what)]
    return " · ".join(filter(None, words))


class _Looking:
    """Finds what a finding shares with others of one cause: a value that can be compared, None where there is none."""

    def __init__(
        self, graph: RelationshipGraph, edges: Mapping[EdgeKey, Relationship], findings: Sequence[Finding]
    ) -> None:
        self._documents, self._folders, self._edges = graph.documents, graph.folders, edges
        self._findings = findings
        self._by_cause: dict[Cause, Callable[[Finding], Shared | str | None]] = {
            "target": self._target,
            "block": self._block,
            "types": self._types,
            "extractor": self._extractor,
            "owner": self._owner,
            "repair": self._repair,
            "folder": self._folder,
        }

    def shared(self, cause: Cause, finding: Finding) -> Shared | str | None:
        return self._by_cause[cause](finding) if cause in self._by_cause else None

    def _target(self, finding: Finding) -> str | None:
        ends = {key[2] for key in finding.relationships}
        return ends.pop() if len(ends) == 1 else None

    @cached_property
    def _blocks(self) -> Mapping[str, Block]:
        return blocks(self._findings)

    def _block(self, finding: Finding) -> Shared | None:
        """The type and the first target of the block: a page more or less leaves it the same decision."""
        block = self._blocks.get(finding.finding_id)
        return None if block is None else (block[0], block[1][0])

    def _types(self, finding: Finding) -> Shared | None:
        """Its types of relationship with the kinds of documents at the ends; of a document, its kind."""
        names = tuple(sorted({key[1] for key in finding.relationships})) or finding.relation_types
        starts = {self._kind(key[0]) for key in finding.relationships} or {self._kind(i) for i in finding.document_ids}
        ends = {self._kind(key[2]) for key in finding.relationships}
        if not starts:
            return None
        kinds = [" or ".join(sorted(filter(None, each))) for each in (starts, ends)]
        said = f"from {kinds[0]} to {kinds[1]}" if all(kinds) else kinds[0]
        return (" + ".join(names) or ("" if said else "document"), said)

    def _kind(self, document_id: str) -> str:
        document = self._documents.get(document_id)
        return document.doc_type or "" if document else ""

    def _extractor(self, finding: Finding) -> Shared | None:
        """Who stated its relationships, and as what: they are all of one extractor and one place."""
        edges = [self._edges[key] for key in finding.relationships if key in self._edges]
        who = {
            (
                str(e.relationship_metadata.get("extractor") or ""),
                str(e.relationship_metadata.get("place") or ""),
                e.relation_type,
            )
            for e in edges
        }
        return tuple(who.pop()) if len(who) == 1 and next(iter(who))[0] else None

    def _owner(self, finding: Finding) -> str | None:
        starts = {key[0] for key in finding.relationships} or set(finding.document_ids)
        owners = {owner_of(self._documents[each].metadata) for each in starts if each in self._documents}
        return owners.pop() or None if len(owners) == 1 else None

    def _folder(self, finding: Finding) -> Shared | None:
        """The folder of its targets, where no stored document stands in one: it was not imported."""
        tops = {key[2].split("/", 1)[0] if "/" in key[2] else "" for key in finding.relationships}
        top = tops.pop() if len(tops) == 1 else ""
        types = {key[1] for key in finding.relationships}
        return (f"{top}/", *sorted(types)) if top and top not in self._folders else None

    def _repair(self, finding: Finding) -> Shared | None:
        """The one kind of change that it proposes other than to remove, and to which type."""
        done = {(edit.action, edit.relation_type or edit.key[1]) for edit in finding.fix}
        return next(iter(done)) if len(done) == 1 and next(iter(done))[0] != "remove" else None


def with_owners(
    report: CheckReport, documents: Mapping[str, StoredDocument], *, fields: Sequence[str] = OWNER_FIELDS
) -> CheckReport:
    """The report with the owners of each decision: those of at least half of its findings, most findings first.

    A finding is its starts' owners': of its relationships, or of the documents that it is about. ``fields`` as
    ``owners_of`` takes them.
    """
    by_id = {finding.finding_id: finding for finding in report.findings}
    known: dict[str, tuple[str, ...]] = {}

    def owners(document_id: str) -> tuple[str, ...]:
        if document_id not in known:
            document = documents.get(document_id)
            known[document_id] = owners_of(document.metadata, fields) if document else ()
        return known[document_id]

    def owned(decision: Decision) -> Decision:
        counts: Counter[str] = Counter()
        for finding_id in decision.finding_ids:
            counts.update({name for start in _starts(by_id[finding_id]) for name in owners(start)})
        most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        names = tuple(name for name, n in most if 2 * n >= decision.n_findings)
        return decision.model_copy(update={"owners": names}) if names else decision

    return report.model_copy(update={"decisions": tuple(map(owned, report.decisions))})


def _starts(finding: Finding) -> frozenset[str]:
    return frozenset(key[0] for key in finding.relationships) or frozenset(finding.document_ids)

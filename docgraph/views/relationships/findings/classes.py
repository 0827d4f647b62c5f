"""What a curator can do with all findings of one decision at once: every act as one set of edits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from docgraph.domain.edit import Edit
from docgraph.domain.finding import Finding
from docgraph.domain.overrides import EdgeKey
from docgraph.views.relationships.findings.subject import ACTIONS, ActionName, Alternative, Titled, fix_label


def edges_of(findings: Iterable[Finding], there: Collection[EdgeKey]) -> tuple[EdgeKey, ...]:
    """The relationships that the findings are about and that are stored, each once."""
    return tuple(dict.fromkeys(key for finding in findings for key in finding.relationships if key in there))


def each_has_one(findings: Iterable[Finding]) -> bool:
    """Whether every finding is about one relationship: only then is it clear what a retype or a removal is of."""
    return all(len(finding.relationships) == 1 for finding in findings)


def retyped(findings: Sequence[Finding], relation_type: str) -> tuple[EdgeKey, ...]:
    """The relationships that a retype would leave: of those that they are about, or of the pairs that have none."""
    ends = [(key[0], key[2]) for finding in findings for key in finding.relationships]
    ends += [(f.document_ids[0], f.document_ids[1]) for f in findings if is_pair(f)]
    return tuple(dict.fromkeys((start, relation_type, end) for start, end in ends))


def class_alternatives(
    findings: Sequence[Finding], fix: Sequence[Edit], retype_to: str, there: Collection[EdgeKey], *, titled: Titled
) -> tuple[Alternative, ...]:
    """What can be done with several findings in one act, in the order of ``ACTIONS``.

    ``fix`` = what the check proposes for all of them; ``there`` = the stored relationships among those that the
    findings name and that a retype would leave. Where a retype meets one that is there already, it
    removes.
    """
    edges = edges_of(findings, there)
    found: list[Alternative] = []
    if edges:
        found.append(_named("accept", "Keep", tuple(Edit(action="accept", key=key) for key in edges)))
        if each_has_one(findings):
            if retype_to and (changed := _retype(edges, retype_to, there)):
                found.append(Alternative("retype", f"Change to {retype_to}", "Change type", changed))
            found.append(_named("remove", "Remove", tuple(Edit(action="remove", key=key) for key in edges)))
    elif retype_to and (made := _added(findings, retype_to, there)):
        found.append(Alternative("retype", f"Add {len(made):,} {retype_to}", "Add", made))
    removes_alike = any(each.name == "remove" and set(each.edits) == set(fix) for each in found)
    if fix and not removes_alike:
        label = fix_label(tuple(fix), titled)
        found.append(Alternative("fix", label, label, tuple(fix)))
    return tuple(sorted(found, key=lambda each: ACTIONS.index(each.name)))


def _named(name: ActionName, word: str, edits: tuple[Edit, ...]) -> Alternative:
    label = f"{word} both" if len(edits) == 2 else f"{word} all {len(edits):,}" if len(edits) > 2 else word
    return Alternative(name, label, label, edits)


def _added(findings: Sequence[Finding], relation_type: str, there: Collection[EdgeKey]) -> tuple[Edit, ...]:
    """A relationship for every pair that the findings are about; empty where one is about anything else."""
    keys = [(f.document_ids[0], relation_type, f.document_ids[1]) for f in findings if is_pair(f)]
    wanted = dict.fromkeys(key for key in keys if key not in there)
    return tuple(Edit(action="add", key=key) for key in wanted) if len(keys) == len(findings) else ()


def one_pair(finding: Finding) -> bool:
    """Whether it is about two documents: one relationship, or none between the two."""
    return len(finding.relationships) == 1 or is_pair(finding)


def is_pair(finding: Finding) -> bool:
    """Whether it is about two documents that have no relationship."""
    return len(finding.document_ids) == 2 and not finding.relationships


def _retype(edges: Sequence[EdgeKey], relation_type: str, there: Collection[EdgeKey]) -> tuple[Edit, ...]:
    edits: list[Edit] = []
    made: set[EdgeKey] = set()
    for key in edges:
        result = (key[0], relation_type, key[2])
        if result == key:
            continue
        if result in there or result in made:
            edits.append(Edit(action="remove", key=key))
        else:
            edits.append(Edit(action="retype", key=key, relation_type=relation_type))
            made.add(result)
    return tuple(edits)

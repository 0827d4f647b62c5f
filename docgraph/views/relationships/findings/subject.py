"""What a finding, or a class of them, is about, and the edits that a curator can make of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.anchors import section_name
from docgraph.domain.edit import Edit
from docgraph.domain.finding import Finding
from docgraph.domain.overrides import EdgeKey
from docgraph.views.words.counts import plural

ActionName = Literal["accept", "retype", "flip", "fix", "remove"]
ACTIONS: tuple[ActionName, ...] = ("accept", "retype", "flip", "fix", "remove")
"""In the order in which they are shown, always; a sixth, to ignore, is no edit."""

MENTIONS = "mentions"
Titled = Callable[[str], str]
"""How a document is called."""


@dataclass(frozen=True)
class Alternative:
    """One thing to do: ``label`` says it whole ("Change to references"), ``short`` fits on a button."""

    name: ActionName
    label: str
    short: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Subject:
    """What stands in the judging pane.

    ``edges`` = the relationships to choose from; ``pair`` = the two documents side by side (the chosen relationship's
    ends, or two that have none); ``edge`` = the chosen relationship. A finding about documents or types has neither.
    """

    edges: tuple[EdgeKey, ...] = ()
    edge: EdgeKey | None = None
    pair: tuple[str, str] | None = None


def subject_of(finding: Finding, there: Collection[EdgeKey], chosen: EdgeKey | None = None) -> Subject:
    """The subject with ``chosen`` in front when the finding is about it, else with its first relationship.

    ``there`` = the relationships that are stored: a finding may be about one that somebody removed.
    """
    edges = tuple(key for key in finding.relationships if key in there)
    if edges:
        edge = chosen if chosen in edges else edges[0]
        return Subject(edges, edge, (edge[0], edge[2]))
    if finding.relationships:
        gone = finding.relationships[0]
        return Subject(pair=(gone[0], gone[2]))
    pair = finding.document_ids[:2]
    return Subject(pair=(pair[0], pair[1]) if len(pair) == 2 else None)


def alternatives(finding: Finding, subject: Subject, retype_to: str, *, titled: Titled) -> tuple[Alternative, ...]:
    """What can be done, in the order of ``ACTIONS``; what makes no sense for this finding is not there.

    ``retype_to`` = the type that a retype gives; empty: none was chosen, and there is no retype.
    """
    found: list[Alternative] = []
    if subject.edges:
        accepted = tuple(Edit(action="accept", key=key) for key in subject.edges)
        many = "" if len(accepted) == 1 else " both" if len(accepted) == 2 else f" all {len(accepted):,}"
        found.append(Alternative("accept", f"Accept{many}", f"Accept{many}", accepted))
    found += _on_the_pair(subject, retype_to) if subject.edge or misses_one(finding) else []
    if finding.fix:
        label = fix_label(finding.fix, titled)
        found.append(Alternative("fix", label, label, finding.fix))
    if subject.edge is not None:
        found.append(Alternative("remove", "Remove", "Remove", (Edit(action="remove", key=subject.edge),)))
    return tuple(sorted(found, key=lambda each: ACTIONS.index(each.name)))


def _on_the_pair(subject: Subject, retype_to: str) -> list[Alternative]:
    """Another type or direction of the relationship; for two documents without one: add it, in either direction."""
    edge = subject.edge
    if edge is None:
        if subject.pair is None or not retype_to:
            return []
        a, b = subject.pair
        ahead, back = (Edit(action="add", key=key) for key in ((a, retype_to, b), (b, retype_to, a)))
        return [
            Alternative("retype", f"Add {retype_to} from A to B", "Add", (ahead,)),
            Alternative("flip", f"Add {retype_to} from B to A", "Add reversed", (back,)),
        ]
    found = []
    if retype_to and retype_to != edge[1]:
        changed = Edit(action="retype", key=edge, relation_type=retype_to)
        found.append(Alternative("retype", f"Change to {retype_to}", "Change type", (changed,)))
    if edge[0] != edge[2]:
        found.append(Alternative("flip", "Reverse", "Reverse", (Edit(action="flip", key=edge),)))
    return found


def names_types(findings: Sequence[Finding], edits: Sequence[Edit]) -> bool:
    """Whether every type that the edits give is one that the findings name, in relationships or proposals."""
    given = {edit.result[1] for edit in edits if edit.result is not None and edit.result[1] != edit.key[1]}
    given |= {edit.key[1] for edit in edits if edit.action == "add"}
    named = {key[1] for finding in findings for key in finding.relationships}
    return given <= named | {e.result[1] for finding in findings for e in finding.fix if e.result is not None}


def fix_label(fix: Sequence[Edit], titled: Titled) -> str:
    """What the check proposes, short: ``Change target to ADR-021``, ``Merge 12 into depends_on``."""
    first, n = fix[0], len(fix)
    if n == 1:
        return _one_label(first, titled)
    names = {edit.action for edit in fix}
    types = {edit.relation_type for edit in fix if edit.action == "retype"}
    if names <= {"retype", "remove"} and len(types) == 1:
        return f"Merge {n:,} into {types.pop()}"
    if names == {"reanchor"}:
        return f"Fix {n:,} anchors"
    return f"Remove {n:,}" if names == {"remove"} else f"Fix {plural(n, 'relationship')}"


def _one_label(edit: Edit, titled: Titled) -> str:
    match edit.action:
        case "retarget":
            return f"Change target to {short_title(titled(edit.to_document_id or ''))}"
        case "retype":
            return f"Change type to {edit.relation_type}"
        case "flip":
            return f"Reverse as {edit.relation_type}" if edit.relation_type else "Reverse"
        case "add":
            return f"Add {edit.key[1]}"
        case "accept":
            return "Accept"
        case "reanchor":
            return f"Change section to {short_title(section_name(edit.heading or ''))}"
    return f"Remove {edit.key[1]}"


def short_title(title: str, limit: int = 28) -> str:
    """A title short enough for a button: its number (``ADR-021``) when it begins with one, else cut."""
    words = title.split()
    if words and any(c.isdigit() for c in words[0]) and any(c.isalpha() for c in words[0]):
        return words[0].rstrip(":,.")[:limit]
    return title if len(title) <= limit else title[: limit - 1].rstrip() + "…"


def proposed_types(
    finding: Finding, edge: EdgeKey | None, counts: dict[str, int], between: Sequence[str]
) -> tuple[str, ...]:
    """Types to choose from, the one to propose first: the fix's, those between such documents, then the frequent."""
    given = [edit.relation_type for edit in finding.fix if edit.relation_type]
    gone = [key[1] for key in finding.relationships] if edge is None else []
    frequent = sorted(counts, key=lambda name: (-counts[name], name))
    current = edge[1] if edge else ""
    wanted = (name for name in (*given, *between, *frequent) if name and name not in (MENTIONS, current))
    return tuple(dict.fromkeys((*gone, *wanted)))  # what is gone can be added again, a mention too


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
    """What can be done with several findings in one change, in the order of ``ACTIONS``.

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
    """Whether it is about two documents that lack a relationship."""
    return len(finding.document_ids) == 2 and not finding.relationships and misses_one(finding)


def misses_one(finding: Finding) -> bool:
    """Whether a relationship is what it lacks: it names one that is gone, or its check proposes one.

    Two documents that merely have something in common, such as a name, need none.
    """
    return bool(finding.relationships) or any(edit.action == "add" for edit in finding.fix)


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

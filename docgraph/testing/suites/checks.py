"""What every check must keep to: run it against your own with ``check_check(check)``."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from docgraph.domain.edit import Edit
from docgraph.domain.finding import SEVERITIES, Finding
from docgraph.domain.graph import Relationship
from docgraph.ports import Check, Outcome, RelationshipGraph
from docgraph.testing.examples.checks import EMPTY, faulty_graph, stored

MAX_APPLIED = 40
"""Fixes of one graph that are applied, one by one."""

STRANGER = "zz-a-document-that-has-nothing-to-do-with-the-others"


def check_check(check: Check, *, graphs: Sequence[RelationshipGraph] = ()) -> None:
    """Run every check of a check, over a graph full of faults and over ``graphs``.

    Raises AssertionError that says which promise was broken.
    """
    check_description(check)
    check_empty(check)
    for graph in (faulty_graph(), *graphs):
        check_pure(check, graph)
        check_order_does_not_matter(check, graph)
        check_findings(check, graph)
        check_denominator(check, graph)
        check_ids_stay(check, graph)
        check_fixes(check, graph)


def found(check: Check, graph: RelationshipGraph, **parameters: object) -> Outcome:
    """What the check finds with its defaults, those named in ``parameters`` changed."""
    unknown = sorted(set(parameters) - set(check.parameters))
    assert not unknown, f"there is no parameter {unknown[0]!r}"
    return check.find(graph, {**check.parameters, **parameters})


def apply(relationships: Iterable[Relationship], edits: Iterable[Edit]) -> tuple[Relationship, ...]:
    """The relationships after the edits, in their order of keys.

    Raises AssertionError for an edit that cannot be done: of a relationship that is not there, or into one that is.
    """
    edges = {edge.key: edge for edge in relationships}
    for edit in edits:
        if edit.action == "accept":
            assert edit.key in edges, f"accept of {edit.key}, which is not there"
            continue
        old = None if edit.action == "add" else edges.pop(edit.key, None)
        assert edit.action == "add" or old is not None, f"{edit.action} of {edit.key}, which is not there"
        if (key := edit.result) is not None:
            there = key in edges or (old is not None and key == old.key)
            assert not there, f"{edit.action} into {key}, which is there already"
            edges[key] = Relationship(
                from_document_id=key[0],
                relation_type=key[1],
                to_document_id=key[2],
                relationship_metadata=old.relationship_metadata if old else {},
            )
    return tuple(edges[key] for key in sorted(edges))


def edited(graph: RelationshipGraph, edits: Sequence[Edit]) -> RelationshipGraph:
    """The graph after the edits; an accepted relationship is reviewed with the texts that both ends have now."""
    hashes = {key: each.content_hash for key, each in graph.documents.items()}
    accepted = {e.key: (hashes.get(e.key[0], ""), hashes.get(e.key[2], "")) for e in edits if e.action == "accept"}
    return replace(graph, relationships=apply(graph.relationships, edits), reviewed={**graph.reviewed, **accepted})


def check_description(check: Check) -> None:
    """Id, title, reason and unit are one line of text each; severity and parameters are plain values."""
    for field in ("check_id", "title", "why", "unit"):
        text = getattr(check, field)
        assert isinstance(text, str), f"{field} is no text"
        assert text.strip(), f"{field} is empty"
        assert text.isprintable(), f"{field} must be one line of plain text"
    assert check.check_id.isidentifier(), f"check_id {check.check_id!r} is no name"
    assert check.severity in SEVERITIES, f"severity {check.severity!r} is none of {', '.join(SEVERITIES)}"
    for name, value in check.parameters.items():
        assert name.isidentifier(), f"parameter {name!r} is no name"
        assert value is not None, f"parameter {name!r} has no default"
        json.dumps(value, allow_nan=False)


def check_empty(check: Check) -> None:
    """Nothing there, nothing found, nothing counted; documents alone break nothing."""
    outcome = found(check, EMPTY)
    assert not outcome.findings, "an empty graph has findings"
    assert outcome.n_checked == 0, "an empty graph was counted"
    found(check, replace(EMPTY, documents={"a": stored("a", title="", content_hash="")}))


def check_pure(check: Check, graph: RelationshipGraph) -> None:
    """Equal input gives equal output; the graph and the parameters stay as they were."""
    parameters = copy.deepcopy(dict(check.parameters))
    before = (dict(graph.documents), graph.relationships, dict(graph.reviewed), dict(graph.fired))
    first, again = (_normal(check.find(graph, parameters)) for _ in range(2))
    assert first == again, "equal input, other output"
    assert parameters == dict(check.parameters), "find must not change its parameters"
    after = (dict(graph.documents), graph.relationships, dict(graph.reviewed), dict(graph.fired))
    assert before == after, "find must not change the graph"


def check_order_does_not_matter(check: Check, graph: RelationshipGraph) -> None:
    """Documents and relationships the other way round give the same findings, word by word."""
    turned = replace(
        graph,
        documents={each: graph.documents[each] for each in sorted(graph.documents, reverse=True)},
        relationships=graph.relationships[::-1],
        type_vectors={name: graph.type_vectors[name] for name in sorted(graph.type_vectors, reverse=True)},
    )
    there, back = _normal(found(check, graph)), _normal(found(check, turned))
    assert there == back, "the order of the input changes the findings"


def check_findings(check: Check, graph: RelationshipGraph) -> None:
    """Findings are the check's own, unique, said in words, and about things that are there."""
    outcome = found(check, graph)
    keys = {edge.key for edge in graph.relationships} | {each.relationship.key for each in graph.contested}
    named = {*graph.documents, *(key[0] for key in keys), *(key[2] for key in keys)}
    ids = [finding.finding_id for finding in outcome.findings]
    assert len(ids) == len(set(ids)), "two findings have one id"
    for finding in outcome.findings:
        assert finding.check_id == check.check_id, f"finding of {finding.check_id!r}, not of {check.check_id!r}"
        assert finding.severity in SEVERITIES, f"severity {finding.severity!r} is none of {', '.join(SEVERITIES)}"
        assert finding.sentence.strip(), "a finding says nothing"
        assert finding.finding_id == _id_of(finding), "an id must come from Finding.about"
        assert finding.relationships or finding.document_ids or finding.relation_types, "a finding is about nothing"
        assert set(finding.relationships) <= keys, f"relationships that are not there: {finding.relationships}"
        assert set(finding.document_ids) <= named, f"documents that nothing names: {finding.document_ids}"


def check_denominator(check: Check, graph: RelationshipGraph) -> None:
    """``n_checked`` is at least the number of findings, and no more than there is; nothing is found where skipped."""
    outcome = found(check, graph)
    assert outcome.n_checked >= len(outcome.findings), f"{len(outcome.findings)} findings of {outcome.n_checked}"
    there = {"relationships": len(graph.relationships), "documents": len(graph.documents), "types": len(graph.types)}
    most = there.get(check.unit, outcome.n_checked)
    assert outcome.n_checked <= most, f"{outcome.n_checked} {check.unit} of {most} were looked at"
    assert not outcome.skipped or not (outcome.n_checked or outcome.findings), "skipped, and yet something was seen"
    assert outcome.n_checked or outcome.skipped or not there.get(check.unit), "nothing was looked at, and no word why"


def check_ids_stay(check: Check, graph: RelationshipGraph) -> None:
    """A document that has nothing to do with the others changes no finding's id."""
    more = replace(graph, documents={**graph.documents, STRANGER: stored(STRANGER, doc_type="stranger")})
    ids = {finding.finding_id for finding in found(check, graph).findings}
    assert ids <= {finding.finding_id for finding in found(check, more).findings}, "a stranger changes findings"


def check_fixes(check: Check, graph: RelationshipGraph) -> None:
    """A fix can be done as it is written, points at stored documents, settles its finding and makes no more."""
    findings = found(check, graph).findings
    for finding in list(_fixable(findings))[:MAX_APPLIED]:
        for edit in finding.fix:
            key = edit.result
            if key is not None and edit.action in ("add", "retarget"):
                assert key[0] in graph.documents or edit.action == "retarget", f"a fix starts at {key[0]!r}"
                assert key[2] in graph.documents, f"a fix points at {key[2]!r}, which is not stored"
        later = found(check, edited(graph, finding.fix)).findings
        assert finding.finding_id not in {each.finding_id for each in later}, f"not settled by its fix: {finding}"
        assert len(later) <= len(findings), f"the fix makes more findings: {finding}"


def _fixable(findings: Iterable[Finding]) -> Iterator[Finding]:
    return (finding for finding in sorted(findings, key=lambda each: each.finding_id) if finding.fix)


def _normal(outcome: Outcome) -> tuple[int, str, list[str]]:
    return (outcome.n_checked, outcome.skipped, sorted(finding.model_dump_json() for finding in outcome.findings))


def _id_of(finding: Finding) -> str:
    fields = {name: getattr(finding, name) for name in ("relationships", "document_ids", "relation_types", "anchor")}
    return Finding.about(finding.check_id, finding.severity, finding.sentence, **fields).finding_id

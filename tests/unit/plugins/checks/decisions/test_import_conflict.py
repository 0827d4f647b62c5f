"""Where an import and a person's decision disagree."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph import plugins
from docgraph.domain.edit import Edit
from docgraph.domain.finding import Finding
from docgraph.domain.graph import Relationship
from docgraph.ports import Outcome, RelationshipGraph
from docgraph.testing.examples.checks import contested, graph_of
from docgraph.testing.suites.checks import found

KEY = ("guide", "explains", "adr")


def looked_at(graph: RelationshipGraph) -> Outcome:
    return found(plugins.build("checks", "import_conflict"), graph)


def conflict(keys: set[tuple[str, str, str]], **fields: Any) -> Finding:
    """The one finding of a graph with ``keys`` whose relationship at ``KEY`` is contested."""
    graph = graph_of(keys, documents=["adr", "guide", "old"], contested=(contested(*KEY, **fields),))
    [finding] = looked_at(graph).findings
    return finding


def test_an_import_that_states_otherwise_what_was_removed_is_a_warning_and_adding_it_settles_it() -> None:
    finding = conflict(set(), before={"text": "It explains."}, text="It defines.")
    assert (finding.severity, finding.relationships, finding.evidence) == ("warning", (KEY,), "It defines.")
    assert finding.sentence == (
        "Guide —explains→ Adr: somebody removed it, and an import states it, different from when it was decided"
    )
    assert finding.fix == (Edit(action="add", key=KEY),)


@pytest.mark.parametrize(
    "note", [{}, {"order": 3}, {"extractor": "other"}, {"review": {"reviewed_by": "Ann"}}, {"edited": {"by": "Ann"}}]
)
def test_an_import_that_repeats_what_was_there_is_worth_a_look_only(note: dict[str, Any]) -> None:
    """A person's notes and the place in a list are no part of the statement."""
    finding = conflict(set(), before={"text": "It explains.", **note}, text="It explains.", order=1)
    assert (finding.severity, finding.fix) == ("info", ())
    assert finding.sentence == "Guide —explains→ Adr: somebody removed it, and an import states it as it did before"


def test_what_a_person_made_another_of_is_said_and_has_no_fix() -> None:
    """Adding it would state both."""
    other = Relationship(from_document_id="old", relation_type="explains", to_document_id="guide")
    finding = conflict({other.key}, before={}, after=other, text="new")
    assert "somebody made it Old —explains→ Guide, and an import states it" in finding.sentence
    assert (finding.severity, finding.fix) == ("warning", ())


def test_what_a_person_accepted_and_no_import_states_any_more_can_be_removed() -> None:
    finding = conflict({KEY}, kind="unstated", text="It explains.")
    assert (finding.severity, finding.evidence) == ("warning", "It explains.")
    assert finding.sentence.endswith("somebody accepted it, and the import no longer states it")
    assert finding.fix == (Edit(action="remove", key=KEY),)


def test_one_that_points_at_nothing_is_not_proposed_again() -> None:
    graph = graph_of(set(), documents=["guide"], contested=(contested(*KEY, before={}, text="new"),))
    [finding] = looked_at(graph).findings
    assert (finding.severity, finding.fix) == ("warning", ())


def test_decisions_without_a_conflict_are_counted_and_without_decisions_nothing_is() -> None:
    decided = graph_of({KEY, ("adr", "cites", "old")}, reviewed={KEY: ("1", "2")})
    assert looked_at(decided) == Outcome(1, [])
    assert looked_at(graph_of({KEY})) == Outcome(0, [], "no relationship has been decided")
    settled = graph_of({KEY}, reviewed={KEY: ("1", "2")}, contested=(contested(*KEY, before={}),))
    assert looked_at(settled) == Outcome(1, []), "it is there: somebody added it since"

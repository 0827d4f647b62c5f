"""Edits of relationships: what each makes of one, what it refuses, and how several follow each other."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.curation.editing import apply_edit, changes_of, edited, reviewed
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Relationship
from docgraph.errors import ConflictError, DocgraphError, NotFoundError, UserError
from tests.contract.stores.examples import example_edge

KEY = ("a", "cites", "b")
FOUND = example_edge(*KEY, extractor="front_matter", place="header")
HASHES = {"a": "hash of a", "b": "hash of b"}
WHO: dict[str, Any] = {"by": "me", "at": "2026-01-01T00:00:00+00:00", "document_hashes": HASHES}


def test_accept_keeps_the_relationship_and_records_who_looked_at_which_texts() -> None:
    change = apply_edit(Edit(action="accept", key=KEY), FOUND, **WHO)
    assert change.before == FOUND
    assert change.after is not None
    assert change.after.key == KEY
    review = {"reviewed_by": "me", "reviewed_at": WHO["at"], "content_hashes": ["hash of a", "hash of b"]}
    assert change.after.relationship_metadata == {**FOUND.relationship_metadata, "review": review}
    assert reviewed([change.after]) == {KEY: ("hash of a", "hash of b")}


def test_a_missing_target_is_accepted_without_a_hash() -> None:
    change = apply_edit(Edit(action="accept", key=KEY), FOUND, by="me", at="now", document_hashes={"a": "x"})
    assert change.after is not None
    assert reviewed([change.after]) == {KEY: ("x", "")}


@pytest.mark.parametrize(
    ("edit", "result"),
    [
        (Edit(action="retype", key=KEY, relation_type="explains"), ("a", "explains", "b")),
        (Edit(action="flip", key=KEY), ("b", "cites", "a")),
        (Edit(action="flip", key=KEY, relation_type="cited_by"), ("b", "cited_by", "a")),
        (Edit(action="retarget", key=KEY, to_document_id="nowhere"), ("a", "cites", "nowhere")),
    ],
)
def test_a_changed_relationship_is_a_persons_and_no_longer_reviewed(edit: Edit, result: tuple[str, str, str]) -> None:
    accepted = apply_edit(Edit(action="accept", key=KEY), FOUND, **WHO).after
    after = apply_edit(edit, accepted, **WHO).after
    assert after is not None
    assert after.key == result
    note = {"action": edit.action, "by": "me", "at": WHO["at"], "extractor": "front_matter"}
    assert after.relationship_metadata == {"extractor": "manual", "place": "header", "edited": note}


def test_who_found_a_relationship_is_remembered_through_several_changes() -> None:
    edits = [Edit(action="flip", key=KEY), Edit(action="retype", key=("b", "cites", "a"), relation_type="x")]
    (after,) = edited([FOUND], edits, **WHO)
    assert after.relationship_metadata["edited"]["extractor"] == "front_matter"
    (added,) = edited([], [Edit(action="add", key=KEY)], **WHO)
    assert added.relationship_metadata == {
        "extractor": "manual",
        "edited": {"action": "add", "by": "me", "at": WHO["at"]},
    }


def test_remove_takes_it_away() -> None:
    change = apply_edit(Edit(action="remove", key=KEY), FOUND, **WHO)
    assert (change.before, change.after) == (FOUND, None)


@pytest.mark.parametrize("action", ["remove", "accept", "flip"])
def test_what_is_not_there_cannot_be_changed(action: Any) -> None:
    with pytest.raises(NotFoundError, match="no relationship a —cites→ b"):
        apply_edit(Edit(action=action, key=KEY), None, **WHO)


@pytest.mark.parametrize(
    ("edit", "error", "message"),
    [
        (Edit(action="add", key=KEY), ConflictError, "already"),
        (Edit(action="add", key=("x", "cites", "b")), NotFoundError, "no document 'x'"),
        (Edit(action="retype", key=KEY, relation_type="cites"), UserError, "does not change"),
        (Edit(action="retarget", key=KEY, to_document_id="b"), UserError, "does not change"),
        (Edit(action="retarget", key=KEY, to_document_id="c"), ConflictError, "a —cites→ c already"),
        (Edit(action="flip", key=("a", "cites", "c")), NotFoundError, "no document 'c'"),
        (Edit(action="flip", key=("a", "loops", "a")), UserError, "does not change"),
    ],
)
def test_an_edit_that_cannot_be_is_refused(edit: Edit, error: type[DocgraphError], message: str) -> None:
    there = [FOUND, example_edge("a", "cites", "c"), example_edge("a", "loops", "a")]
    with pytest.raises(error, match=message):
        changes_of(there, [edit], **WHO)


def test_every_edit_sees_what_the_ones_before_it_left() -> None:
    new = ("a", "explains", "b")
    edits = [
        Edit(action="retype", key=KEY, relation_type="explains"),
        Edit(action="accept", key=new),
        Edit(action="add", key=KEY),
        Edit(action="remove", key=new),
    ]
    changes = changes_of([FOUND], edits, **WHO)
    assert [(c.before and c.before.key, c.after and c.after.key) for c in changes] == [
        (KEY, new),
        (new, new),
        (None, KEY),
        (new, None),
    ]
    assert changes[1].before == changes[0].after
    assert changes[3].before == changes[1].after
    assert [edge.key for edge in edited([FOUND], edits, **WHO)] == [KEY]
    with pytest.raises(NotFoundError):
        changes_of([FOUND], [Edit(action="remove", key=KEY), Edit(action="accept", key=KEY)], **WHO)


def test_a_preview_needs_no_name_and_no_documents() -> None:
    assert [edge.key for edge in edited([FOUND], [Edit(action="flip", key=KEY)])] == [("b", "cites", "a")]


def test_metadata_that_only_look_like_a_review_are_none() -> None:
    for review in ("yes", {}, {"content_hashes": "ab"}, {"content_hashes": ["a"]}, {"content_hashes": [1, 2]}, None):
        assert reviewed([example_edge(*KEY, review=review)]) == {}


_keys = st.tuples(st.sampled_from("ab"), st.sampled_from("xy"), st.sampled_from("ab"))


@given(st.sets(_keys), st.lists(st.tuples(st.sampled_from(["add", "remove", "accept", "flip"]), _keys), max_size=8))
def test_the_changes_lead_from_the_relationships_before_to_those_after(keys: set[Any], steps: list[Any]) -> None:
    there: list[Relationship] = [example_edge(*key) for key in sorted(keys)]
    edits = [Edit(action=action, key=key) for action, key in steps]
    try:
        changes = changes_of(there, edits, **WHO)
    except DocgraphError:
        return
    state = {edge.key: edge for edge in there}
    for change in changes:
        if change.before is not None:
            assert state.pop(change.before.key) == change.before
        if change.after is not None:
            assert change.after.key not in state
            state[change.after.key] = change.after
    assert edited(there, edits, **WHO) == tuple(state[key] for key in sorted(state))

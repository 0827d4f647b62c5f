"""What an edit expects to find, new types, and whole relationships: nothing is changed unseen or by a slip."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docgraph.domain.edit import Edit
from docgraph.domain.finding import Rule
from docgraph.domain.history import edge_state
from docgraph.errors import ConflictError, UserError
from docgraph.orchestration.docgraph import Docgraph
from tests.unit.edited_workspace import ACCEPT, KEY, REMOVE, SECOND, edge, export, keys, opened


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    with opened() as docgraph:
        yield docgraph


def seen(dg: Docgraph, *wanted: tuple[str, str, str]) -> dict[tuple[str, str, str], str]:
    there = {each.key: each for each in dg.relationships.list()}
    return {key: edge_state(there.get(key)) for key in wanted}


def test_an_edit_of_what_was_seen_is_written_and_one_of_another_state_is_not(dg: Docgraph) -> None:
    first, absent = seen(dg, KEY), ("b", "explains", "a")
    dg.relationships.edit([ACCEPT], by="Ann", reason="read both", expected=first)
    with pytest.raises(ConflictError) as caught:
        dg.relationships.edit([REMOVE], by="Ben", expected=first)
    assert caught.value.message == (
        "a —explains→ b has changed since you saw it: Ann accepted a —explains→ b at day 2 “read both”, entry 1"
    )
    assert caught.value.hint == "nothing was written: check its current state and decide again"
    dg.relationships.edit([Edit(action="flip", key=KEY)], by="Ann", expected=seen(dg, KEY, absent))
    with pytest.raises(ConflictError, match=r"a —explains→ b no longer exists: Ann reversed .* at day 4"):
        dg.relationships.edit([REMOVE], by="Ben", expected=first)
    with pytest.raises(ConflictError, match="b —explains→ a has been added meanwhile: Ann reversed"):
        dg.relationships.edit([Edit(action="add", key=absent)], by="Ben", expected={absent: ""})
    assert [entry.by for entry in dg.relationships.history()] == ["Ann", "Ann"]


def test_what_no_entry_explains_is_said_to_be_the_work_of_an_import(dg: Docgraph) -> None:
    first = seen(dg, KEY, SECOND)
    dg.ingest_records([], [edge(*KEY).model_copy(update={"relationship_metadata": {"extractor": "x"}})])
    dg.documents.delete(["b"])
    with pytest.raises(ConflictError, match="the history has no entry; 1 more changed too"):
        dg.relationships.edit([REMOVE], by="Ben", expected=first)
    dg.relationships.edit([ACCEPT], by="Ann")
    dg.ingest_records([], [edge(*KEY).model_copy(update={"relationship_metadata": {"extractor": "y"}})])
    with pytest.raises(ConflictError, match=r"an import or a deleted document changed it after entry 1 \(Ann accepted"):
        dg.relationships.edit([REMOVE], by="Ben", expected={KEY: first[KEY]})


def test_undo_knows_the_same_lock(dg: Docgraph) -> None:
    (entry,) = dg.relationships.edit([ACCEPT], by="Ann")
    with pytest.raises(ConflictError, match="a —explains→ b has changed since you saw it"):
        dg.relationships.undo(entry.entry_id, by="Ben", expected={KEY: edge_state(entry.before)})
    assert dg.relationships.undo(entry.entry_id, by="Ben", expected={KEY: edge_state(entry.after)}).undoes == 1


def test_a_new_type_has_to_be_asked_for_and_the_nearest_ones_are_named(dg: Docgraph) -> None:
    typo = Edit(action="retype", key=KEY, relation_type="Explians")
    with pytest.raises(UserError, match="the vocabulary has no type 'Explians'") as caught:
        dg.relationships.edit([typo], by="me")
    assert caught.value.hint.startswith("nearest: explains; to allow a new type")
    with pytest.raises(UserError, match="no type 'zzz' and 1 more"):
        dg.relationships.edit(
            [Edit(action="add", key=("c", "zzz~", "a")), Edit(action="flip", key=KEY, relation_type="zzz")], by="me"
        )
    dg.rules.set({"unknown_type": Rule(parameters={"vocabulary": ["part of"]})})
    dg.relationships.edit([Edit(action="retype", key=KEY, relation_type="part of")], by="me")
    dg.relationships.edit([Edit(action="flip", key=("a", "part of", "b"))], by="me", new_types=False)
    dg.relationships.edit([Edit(action="add", key=("c", "zzz", "a"))], by="me", new_types=True)
    dg.relationships.edit([Edit(action="add", key=("c", "zzz", "b"))], by="me")


# ---------------------------------------------------------------- whole relationships


def test_whole_relationships_changed_by_hand_stand_in_the_history(dg: Docgraph) -> None:
    before = export(dg)
    mine = edge("c", "explains", "a").model_copy(update={"relationship_metadata": {"note": [1]}})
    dg.relationships.add(mine)
    (added,) = dg.relationships.history()
    assert (added.by, added.edit.action, added.before) == ("python", "add", None)
    stated = mine.model_copy(update={"relationship_metadata": {"extractor": "mine"}})
    dg.relationships.update(mine.key, stated, by="Ann", reason="better")
    assert (
        dg.relationships.history()[0].by,
        dg.relationships.history()[0].edit.action,
        dg.relationships.history()[0].reason,
    ) == (
        "Ann",
        "restate",
        "better",
    )
    dg.relationships.update(mine.key, stated)
    assert len(dg.relationships.history()) == 2
    assert dg.relationships.remove(mine.key, by="Ann") == stated
    for entry_id in (3, 2, 1):
        dg.relationships.undo(entry_id, by="Ann")
    assert export(dg) == before


@pytest.mark.parametrize(
    ("new", "actions"),
    [
        (("a", "x", "b"), ["retype"]),
        (("a", "explains", "c"), ["retarget"]),
        (("b", "explains", "a"), ["flip"]),
        (("b", "x", "a"), ["flip"]),
        (("c", "x", "c"), ["remove", "add"]),
    ],
)
def test_a_relationship_that_gets_another_key_is_moved_in_one_act(
    dg: Docgraph, new: tuple[str, str, str], actions: list[str]
) -> None:
    before = export(dg)
    dg.relationships.update(KEY, edge(*new), by="Ann")
    assert [entry.edit.action for entry in reversed(dg.relationships.history())] == actions
    assert {entry.act for entry in dg.relationships.history()} == {"1"}
    assert keys(dg) == sorted([new, SECOND])
    with pytest.raises(ConflictError):
        dg.relationships.update(new, edge(*SECOND))
    for entry in dg.relationships.history():
        dg.relationships.undo(entry.entry_id, by="Ann")
    assert export(dg) == before


def test_an_edit_cannot_restate_for_it_has_no_metadata_to_give(dg: Docgraph) -> None:
    with pytest.raises(UserError, match="use update_relationship"):
        dg.relationships.edit([Edit(action="restate", key=KEY)], by="me")

"""``Docgraph.edit``, ``history`` and ``undo`` over the reference store: who, what, why, and an exact way back."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.aio import AsyncDocgraph
from docgraph.domain.edit import Action, Edit
from docgraph.domain.graph import Document
from docgraph.domain.history import HistoryEntry
from docgraph.errors import ConflictError, DocgraphError, NotFoundError, UserError
from docgraph.orchestration.docgraph import Docgraph
from tests.unit.edited_workspace import ACCEPT, KEY, REMOVE, SECOND, edge, export, keys, opened


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    with opened() as docgraph:
        yield docgraph


def test_an_edit_says_who_when_why_and_what_it_made(dg: Docgraph) -> None:
    before = next(iter(dg.relationships.list()))
    (entry,) = dg.relationships.edit([Edit(action="flip", key=KEY)], by=" Ann\n", reason="ends were swapped ")
    assert (entry.by, entry.reason, entry.at, entry.undoes) == ("Ann", "ends were swapped", "day 2", None)
    assert entry.before == before
    assert entry.after == next(edge for edge in dg.relationships.list() if edge.key == ("b", "explains", "a"))
    assert dg.relationships.history() == (entry,)
    assert dg.relationships.history(key=KEY) == dg.relationships.history(document_id="a") == (entry,)
    assert (
        dg.relationships.history(key=SECOND)
        == dg.relationships.history(limit=0)
        == dg.relationships.history(before=1)
        == ()
    )


def test_several_edits_see_each_other_and_share_an_act(dg: Docgraph) -> None:
    edits = [REMOVE, Edit(action="add", key=KEY), Edit(action="retype", key=KEY, relation_type="supersedes")]
    entries = dg.relationships.edit(
        [*edits, Edit(action="accept", key=("a", "supersedes", "b"))], by="me", new_types=True
    )
    assert len({entry.act for entry in entries}) == 1
    assert keys(dg) == [("a", "supersedes", "b"), SECOND]
    assert entries[-1].after == next(iter(dg.relationships.list()))


def test_all_edits_of_an_act_or_none(dg: Docgraph) -> None:
    before = export(dg)
    with pytest.raises(NotFoundError):
        dg.relationships.edit([REMOVE, ACCEPT], by="me")
    assert (export(dg), dg.relationships.history()) == (before, ())


def test_a_dry_run_says_what_would_be_written_and_writes_nothing(dg: Docgraph) -> None:
    before, revision = export(dg), dg.workspace.revision
    (would,) = dg.relationships.edit([ACCEPT], by="me", dry_run=True)
    assert (export(dg), dg.workspace.revision, dg.relationships.history()) == (before, revision, ())
    (done,) = dg.relationships.edit([ACCEPT], by="me")
    assert would.entry_id == 0
    assert (would.edit, would.before) == (done.edit, done.before)
    with pytest.raises(NotFoundError):
        dg.relationships.edit([REMOVE, REMOVE], by="me", dry_run=True)
    assert dg.relationships.edit([], by="me") == ()


def test_nobody_changes_anything_without_a_name(dg: Docgraph) -> None:
    for by in ("", "  ", "\n\x00"):
        with pytest.raises(UserError, match="give a name"):
            dg.relationships.edit([ACCEPT], by=by)
        with pytest.raises(UserError, match="give a name"):
            dg.relationships.undo(1, by=by)
    with pytest.raises(UserError, match="2,001 characters"):
        dg.relationships.edit([ACCEPT], by="me", reason="x" * 2_001)
    assert dg.relationships.history() == ()


@pytest.mark.parametrize(
    ("edit", "error", "message"),
    [
        (Edit(action="add", key=KEY), ConflictError, "already"),
        (Edit(action="add", key=("x", "explains", "a")), NotFoundError, "no document 'x'"),
        (Edit(action="accept", key=("a", "explains", "c")), NotFoundError, "a —explains→ c"),
        (Edit(action="retype", key=KEY, relation_type="explains"), UserError, "does not change"),
    ],
)
def test_an_edit_that_cannot_be_is_refused(dg: Docgraph, edit: Edit, error: type[DocgraphError], message: str) -> None:
    with pytest.raises(error, match=message):
        dg.relationships.edit([edit], by="me")


def test_an_entry_in_the_middle_is_undone_and_the_undo_is_an_entry(dg: Docgraph) -> None:
    dg.relationships.edit(
        [ACCEPT, Edit(action="remove", key=SECOND), Edit(action="add", key=("c", "x", "a"))], by="me", new_types=True
    )
    undone = dg.relationships.undo(2, by="you", reason="too fast")
    assert (undone.entry_id, undone.undoes, undone.by, undone.reason) == (4, 2, "you", "too fast")
    assert keys(dg) == [KEY, SECOND, ("c", "x", "a")]
    assert [(e.entry_id, e.undone_by) for e in dg.relationships.history()] == [(4, None), (3, None), (2, 4), (1, None)]


def test_undo_names_what_blocks_it(dg: Docgraph) -> None:
    dg.relationships.edit([ACCEPT], by="me")
    dg.relationships.edit([Edit(action="retype", key=KEY, relation_type="x")], by="me", new_types=True)
    with pytest.raises(ConflictError, match=r"entry 1 cannot be undone: later changes depend on it: 2 \(retype"):
        dg.relationships.undo(1, by="me")
    dg.relationships.undo(2, by="me")
    dg.relationships.undo(1, by="me")
    with pytest.raises(ConflictError, match="entry 1 was already undone by entry 4"):
        dg.relationships.undo(1, by="me")


def test_a_whole_act_is_taken_back_at_once_and_one_that_is_built_on_names_what_blocks_it(dg: Docgraph) -> None:
    before = export(dg)
    retyped = [Edit(action="retype", key=key, relation_type="explains2") for key in (KEY, SECOND)]
    done = dg.relationships.edit([*retyped, Edit(action="flip", key=("a", "explains2", "b"))], by="Ann", new_types=True)
    later = dg.relationships.edit([Edit(action="accept", key=("b", "explains2", "c"))], by="Ben")[0]
    assert [entry.entry_id for entry in dg.relationships.blocking(done[1].entry_id)] == [later.entry_id]
    assert dg.relationships.blocking(later.entry_id) == ()
    with pytest.raises(ConflictError, match=f"later changes depend on it: {later.entry_id}"):
        dg.relationships.undo_act(done[0].act, by="Cy")
    dg.relationships.undo(later.entry_id, by="Ben")
    would = dg.relationships.undo_act(done[0].act, by="Cy", reason="too early", dry_run=True)
    assert [(entry.entry_id, entry.undoes) for entry in would] == [(0, 3), (0, 2), (0, 1)]
    assert dg.relationships.undo(2, by="Cy", dry_run=True).after == done[1].before
    taken_back = dg.relationships.undo_act(done[0].act, by="Cy", reason="too early")
    assert [(e.before, e.after) for e in would] == [(e.before, e.after) for e in taken_back]
    assert [entry.undoes for entry in taken_back] == [3, 2, 1]
    assert len({entry.act for entry in taken_back}) == 1
    assert export(dg) == before
    for act in (done[0].act, "99", "no act", "", "9" * 5_000):
        with pytest.raises(NotFoundError, match="nothing left to undo"):
            dg.relationships.undo_act(act, by="Cy")


def test_what_was_changed_to_and_fro_and_undone_does_not_block(dg: Docgraph) -> None:
    """The undo touched both keys of the entry in question; it was counted twice and stood in its own way."""
    first = dg.relationships.edit([Edit(action="retype", key=KEY, relation_type="x")], by="Ann", new_types=True)[0]
    back = dg.relationships.edit([Edit(action="retype", key=("a", "x", "b"), relation_type="explains")], by="Ann")[0]
    dg.relationships.undo(back.entry_id, by="Ann")
    assert dg.relationships.undo(first.entry_id, by="Ann").undoes == first.entry_id


@pytest.mark.parametrize("entry_id", [0, -1, 2, 2**70])
def test_an_unknown_entry_is_named(dg: Docgraph, entry_id: int) -> None:
    dg.relationships.edit([ACCEPT], by="me")
    with pytest.raises(NotFoundError, match=f"no entry {entry_id}"):
        dg.relationships.undo(entry_id, by="me")


def test_what_blocks_is_found_behind_many_entries_elsewhere_and_on_the_same_relationship(dg: Docgraph) -> None:
    dg.relationships.edit([REMOVE], by="me")
    toggles = [Edit(action="add", key=KEY), REMOVE] * 130
    dg.relationships.edit([*toggles, *[Edit(action="accept", key=SECOND)] * 300], by="me")
    with pytest.raises(ConflictError, match=r"later changes depend on it: 261 .* and 255 more"):
        dg.relationships.undo(1, by="me")


def test_a_change_by_other_means_is_not_overwritten_by_an_undo(dg: Docgraph) -> None:
    dg.relationships.edit([ACCEPT], by="me")
    dg.ingest_records([], [edge(*KEY).model_copy(update={"relationship_metadata": {"extractor": "x"}})])
    with pytest.raises(ConflictError, match="somebody changed a —explains→ b meanwhile: it has another extractor"):
        dg.relationships.undo(1, by="me")
    dg.relationships.edit([REMOVE], by="me")
    dg.documents.delete(["a"])
    with pytest.raises(NotFoundError, match="no document 'a'"):
        dg.relationships.undo(2, by="me")


def test_a_review_is_suspect_once_a_text_changed(dg: Docgraph) -> None:
    none = dg.check().results[0]
    dg.relationships.edit([ACCEPT], by="me")
    fresh = dg.check().results[0]
    dg.ingest_records([Document(document_id="b", title="B", text="Another text.")])
    later = dg.check().results[0]
    assert (none.n_checked, fresh.n_checked, later.n_checked) == (0, 1, 1)
    assert (fresh.findings, [f.relationships for f in later.findings]) == ((), [(KEY,)])
    dg.relationships.edit([ACCEPT], by="me")
    assert dg.check().findings == ()


def test_edits_are_awaited_too(dg: Docgraph) -> None:
    async def trip() -> tuple[tuple[HistoryEntry, ...], HistoryEntry, tuple[HistoryEntry, ...]]:
        face = AsyncDocgraph(dg)
        return (
            await face.relationships.edit([REMOVE], by="me"),
            await face.relationships.undo(1, by="me"),
            await face.relationships.history(),
        )

    entries, undone, history = asyncio.run(trip())
    assert history == (undone, entries[0].model_copy(update={"undone_by": 2}))


# ---------------------------------------------------------------- the law of undo

_ACTIONS: tuple[Action, ...] = ("add", "remove", "retype", "flip", "retarget", "accept")
_edits = st.builds(
    lambda action, key, via, end: Edit(action=action, key=key, relation_type=via, to_document_id=end),
    st.sampled_from(_ACTIONS),
    st.tuples(st.sampled_from("ab"), st.sampled_from(("explains", "x")), st.sampled_from(("a", "b", "gone"))),
    st.sampled_from(("explains", "x")),
    st.sampled_from(("a", "b", "gone")),
)
_steps = st.lists(st.one_of(st.lists(_edits, min_size=1, max_size=3), st.integers(1, 12)), max_size=14)


def _in_effect(history: tuple[HistoryEntry, ...]) -> list[int]:
    """Entries that still do something: not undone, and not themselves an undo of something that then was undone."""
    by_id = {entry.entry_id: entry for entry in history}

    def depth(entry: HistoryEntry) -> int:
        return 0 if entry.undoes is None else depth(by_id[entry.undoes]) + 1

    return [entry.entry_id for entry in history if entry.undone_by is None and depth(entry) % 2 == 0]


@settings(max_examples=60, deadline=None)
@given(steps=_steps, chance=st.randoms(use_true_random=False))
def test_any_edits_undone_in_any_allowed_order_lead_back_to_the_same_bytes(
    steps: list[list[Edit] | int], chance: random.Random
) -> None:
    """Also with undos, and undos of undos, in between."""
    with opened() as dg:
        before, revision = export(dg), dg.workspace.revision
        for step in steps:
            try:
                if isinstance(step, int):
                    dg.relationships.undo(step, by="me")
                else:
                    dg.relationships.edit(step, by="me", new_types=True)
            except UserError:
                continue
        while left := _in_effect(dg.relationships.history()):
            chance.shuffle(left)
            for entry_id in left:
                try:
                    dg.relationships.undo(entry_id, by="me")
                except ConflictError:
                    continue
                break
            else:
                raise AssertionError(f"none of {left} can be undone")
        assert (export(dg), dg.workspace.revision) == (before, revision)

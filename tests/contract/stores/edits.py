"""Rules for edits and their history: both or neither, nobody overwrites unseen, and the way back is exact."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from docgraph.domain.edit import Edit
from docgraph.domain.graph import Relationship
from docgraph.domain.history import HistoryEntry
from docgraph.errors import ConflictError, DocgraphError, NotFoundError
from docgraph.ports import Database, EdgeChange, Store
from tests.contract.stores.examples import EMBEDDER, change, example_document, example_edge
from tests.contract.stores.writing import HOSTILE, edges_of, workspace_of

AT = "2026-02-01T00:00:00+00:00"
KEY = ("a", "cites", "b")
WHO: dict[str, Any] = {"at": AT, "by": "me", "reason": "because"}


def filled(store: Store) -> Relationship:
    """Documents a, b and c, and the relationship at ``KEY``, which is returned."""
    store.write([example_document("a", edges=[KEY[1:]]), example_document("b"), example_document("c")])
    return edges_of(store)[0]


class EditingRules:
    """See ``testing.suites.stores``."""

    def test_a_change_and_its_entry_are_written_together(self, store: Store) -> None:
        """The entry says who, when, why, and the relationship before and after; the counts move."""
        edge = filled(store)
        new = example_edge("a", "explains", "b", extractor="manual")
        edit = Edit(action="retype", key=KEY, relation_type="explains")
        (entry,) = store.change_relationships([EdgeChange(edit, edge, new)], **WHO)
        assert entry == HistoryEntry(entry_id=1, edit=edit, before=edge, after=new, act="1", **WHO)
        assert edges_of(store) == (new,)
        assert store.history() == (entry,)
        added = store.change_relationships([change(None, edge), change(new, None)], **WHO)
        assert [(e.entry_id, e.act) for e in added] == [(2, "2"), (3, "2")]
        assert store.history() == (added[1], added[0], entry)
        assert edges_of(store) == (edge,)
        assert workspace_of(store).n_relationships == 1

    def test_nothing_to_change_is_no_entry(self, store: Store) -> None:
        """And no new revision."""
        filled(store)
        before = workspace_of(store)
        assert store.change_relationships([], **WHO) == ()
        assert (store.history(), workspace_of(store)) == ((), before)

    def test_changes_of_one_call_see_each_other(self, store: Store) -> None:
        """What one leaves, the next finds."""
        edge = filled(store)
        second, third = example_edge("b", "cites", "a"), example_edge("b", "cites", "c")
        store.change_relationships([change(edge, second), change(second, third), change(None, edge)], **WHO)
        assert edges_of(store) == (edge, third)

    def test_the_way_back_leads_to_the_same_revision(self, store: Store) -> None:
        """Metadata and all."""
        edge = filled(store)
        start = workspace_of(store)
        reviewed = example_edge(*KEY, **edge.relationship_metadata, review={"reviewed_by": "me", "n": [1, 2.5, None]})
        flipped = example_edge("b", "is cited by", "a", extractor="manual")
        seen = set()
        for step in (change(edge, reviewed), change(reviewed, flipped), change(flipped, None)):
            store.change_relationships([step], **WHO)
            seen.add(workspace_of(store).revision)
        assert len(seen | {start.revision}) == 4
        for entry in store.history():
            store.change_relationships([change(entry.after, entry.before, undoes=entry.entry_id)], **WHO)
        assert workspace_of(store) == start
        assert edges_of(store) == (edge,)
        assert [(e.undoes, e.undone_by) for e in store.history()] == [
            (1, None),
            (2, None),
            (3, None),
            (None, 4),
            (None, 5),
            (None, 6),
        ]

    @pytest.mark.parametrize(
        ("there", "message"),
        [(None, "removed"), ({"extractor": "manual", "edited": {"by": "Ann"}}, r"another edited.*changed by Ann")],
    )
    def test_a_relationship_that_somebody_else_changed_is_not_overwritten(
        self, store: Store, there: dict[str, Any] | None, message: str
    ) -> None:
        """Also when its key stayed: the metadata count. The message says what is there now."""
        edge = filled(store)
        store.write([example_document("a")])
        store.put_ingested([example_edge(*KEY, **there)] if there is not None else [])
        before = workspace_of(store)
        with pytest.raises(ConflictError, match=message):
            store.change_relationships([change(edge, None)], **WHO)
        assert (workspace_of(store), store.history()) == (before, ())

    @pytest.mark.parametrize(
        ("bad", "error"),
        [
            (change(None, example_edge(*KEY)), ConflictError),
            (change(None, example_edge("nobody", "cites", "a")), NotFoundError),
            (change(example_edge("a", "x", "c"), None), ConflictError),
            (change(None, example_edge("a", "x", "c"), undoes=77), NotFoundError),
        ],
    )
    def test_all_changes_of_a_call_or_none(self, store: Store, bad: EdgeChange, error: type[DocgraphError]) -> None:
        """Whichever cannot be: relationships, history and revision stay."""
        filled(store)
        before, edges = workspace_of(store), edges_of(store)
        good = change(None, example_edge("c", "cites", "a"))
        for changes in ([good, bad], [bad, good]):
            with pytest.raises(error):
                store.change_relationships(changes, **WHO)
            assert (workspace_of(store), edges_of(store), store.history()) == (before, edges, ())

    def test_an_entry_is_undone_once(self, store: Store) -> None:
        """Though the relationship could be changed back again."""
        edge = filled(store)
        store.change_relationships([change(edge, None)], **WHO)
        undo = change(None, edge, undoes=1)
        store.change_relationships([undo], **WHO)
        store.write([example_document("a")])
        with pytest.raises(ConflictError, match="entry 1 was already undone by entry 2"):
            store.change_relationships([undo], **WHO)
        assert (len(store.history()), edges_of(store)) == (2, ())

    def test_of_two_who_change_one_relationship_at_once_one_wins_and_the_other_is_told(self, store: Store) -> None:
        """Whatever they make of it."""
        edge = filled(store)
        made = [example_edge("a", f"type {number}", "b") for number in range(6)]
        problems: list[DocgraphError] = []

        def act(after: Relationship) -> None:
            try:
                store.change_relationships([change(edge, after)], **WHO)
            except DocgraphError as error:
                problems.append(error)

        threads = [threading.Thread(target=act, args=[after]) for after in made]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [type(problem) for problem in problems] == [ConflictError] * 5
        assert [entry.after for entry in store.history()] == list(edges_of(store))
        assert workspace_of(store).n_relationships == 1

    def test_entries_are_numbered_without_gaps_also_when_many_write_at_once(self, store: Store) -> None:
        """In the order of the changes of a workspace."""
        filled(store)
        with pytest.raises(ConflictError):
            store.change_relationships([change(None, example_edge(*KEY))], **WHO)
        ends = [[f"{thread}.{turn}" for turn in range(4)] for thread in range(4)]

        def act(targets: list[str]) -> None:
            for target in targets:
                store.change_relationships([change(None, example_edge("abc"[len(target) % 3], "x", target))], **WHO)

        threads = [threading.Thread(target=act, args=[targets]) for targets in ends]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [entry.entry_id for entry in store.history()] == list(range(16, 0, -1))

    def test_the_history_of_a_relationship_and_of_a_document(self, store: Store) -> None:
        """Before and after count; pages go on before the last entry of the one before."""
        edge = filled(store)
        moved = example_edge("a", "cites", "c")
        store.change_relationships([change(edge, moved), change(None, example_edge("c", "x", "b"))], **WHO)
        store.change_relationships([change(moved, None)], **WHO)

        def ids(**options: Any) -> list[int]:
            return [entry.entry_id for entry in store.history(**options)]

        assert ids() == [3, 2, 1]
        assert ids(key=KEY) == [1]
        assert ids(key=moved.key) == [3, 1]
        assert ids(key=("a", "cites", "nobody")) == []
        assert ids(document_id="b") == [2, 1]
        assert ids(document_id="c") == [3, 2, 1]
        assert ids(limit=1) == [3]
        assert ids(limit=1, before=3) == [2]
        assert ids(before=2**80) == [3, 2, 1]
        assert ids(document_id="a", before=3) == [1]

    @pytest.mark.parametrize("text", HOSTILE)
    def test_hostile_text_in_the_history_survives_as_it_is(self, store: Store, text: str) -> None:
        """As id, type, metadata, name and reason; NUL goes."""
        store.write([example_document(text)])
        edge = example_edge(text, text, text, note={text: text})
        store.change_relationships([change(None, edge)], at=AT, by=text + "\x00", reason=text)
        (entry,) = store.history(key=edge.key, document_id=text)
        assert (entry.after, entry.by, entry.reason) == (edge, text, text)
        assert edges_of(store) == (edge,)

    def test_each_workspace_has_a_history_of_its_own_that_goes_with_it(self, database: Database, store: Store) -> None:
        """Numbered from 1 again; a new workspace of the same name begins anew."""
        edge = filled(store)
        other = database.create_workspace("other", EMBEDDER)
        filled(other)
        for each in (store, other):
            assert each.change_relationships([change(edge, None)], **WHO)[0].entry_id == 1
        database.drop_workspace("example")
        assert database.create_workspace("example", EMBEDDER).history() == ()
        assert len(database.open_workspace("other").history()) == 1

"""Conversation memory in PostgreSQL: writers take turns, and a workspace that is gone is named."""

from __future__ import annotations

import threading

import pytest

from docgraph.errors import NotFoundError
from docgraph.ports import Database
from tests.contract.stores.examples import EMBEDDER
from tests.contract.stores.memories import calibration, keep, said


def test_turns_are_given_out_once_whoever_remembers_at_the_same_time(postgres_database: Database) -> None:
    store = postgres_database.create_workspace("w", EMBEDDER)

    def talk(name: str) -> None:
        for n in range(5):
            keep(store, [said(f"{name} {n}", name), said(f"{name} {n} again", name)], per_conversation=6)

    threads = [threading.Thread(target=talk, args=(f"c{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = store.memories(limit=999)
    assert len({memory.turn for memory in kept}) == len(kept) == 4 * 6
    for name in ("c0", "c3"):
        assert [m.text for m in store.memories(conversation_id=name)] == [
            f"{name} {n}{end}" for n in (4, 3, 2) for end in (" again", "")
        ]


def test_nothing_is_remembered_in_a_workspace_that_is_gone(postgres_database: Database) -> None:
    store = postgres_database.create_workspace("gone", EMBEDDER)
    postgres_database.drop_workspace("gone")
    for change in (
        lambda: keep(store, [said("x")]),
        lambda: store.forget(conversation_id="c"),
        lambda: store.set_calibration(calibration("a")),
        store.remove_calibrations,
    ):
        with pytest.raises(NotFoundError, match="gone"):
            change()

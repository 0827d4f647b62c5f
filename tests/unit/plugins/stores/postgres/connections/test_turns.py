"""Threads that wait for a connection get one in the order in which they asked, whoever is quicker."""

from __future__ import annotations

import threading

from docgraph.plugins.stores.postgres.connections.pool import Turns


def test_a_place_that_is_given_back_goes_to_who_waits_even_when_its_owner_asks_again_at_once() -> None:
    turns, order = Turns(1), list[str]()
    assert turns.take(0)

    def wait() -> None:
        assert turns.take(30)
        order.append("waited")
        turns.give_back()

    waiting = threading.Thread(target=wait)
    waiting.start()
    while turns.n_waiting == 0:
        waiting.join(0.001)
    turns.give_back()
    assert turns.take(30)
    order.append("again")
    waiting.join()
    assert order == ["waited", "again"]


def test_who_waits_in_vain_leaves_the_queue_and_the_place_is_free_for_the_next() -> None:
    turns = Turns(1)
    assert turns.take(0)
    assert not turns.take(0.01)
    assert turns.n_waiting == 0
    turns.give_back()
    assert turns.take(0)
    assert not turns.take(0)

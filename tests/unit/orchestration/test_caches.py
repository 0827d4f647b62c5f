"""A snapshot with a memory asks nothing twice; a replay shows who decides by more than what was answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.caches import asked_again, recorded, replayed
from docgraph.ports import ALL, Hop, Probe, Read, Snapshot, read
from tests.corpora import EMBEDDER, corpus, plan_of, probe

WORLD = corpus(
    ("a", ["queue", "queue hold"], [("explains", "b")]), ("b", ["slot"], []), ("c", ["queue"], [("explains", "a")])
)


class Counting:
    """A snapshot that writes down what it is asked."""

    def __init__(self, below: Snapshot) -> None:
        self.below, self.asked = below, list[str]()

    def at_once(self, *reads: Read[Any]) -> tuple[Any, ...]:
        self.asked += [each.name for each in reads]
        return self.below.at_once(*reads)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.below, name)


@pytest.fixture
def counting() -> Iterator[Any]:
    with WORLD.reading() as snapshot:
        yield Counting(snapshot)


def test_what_was_answered_is_not_asked_again(counting: Any) -> None:
    seen = recorded(counting)
    first = plan_of(RetrievalRequest(query="queue"), seen)
    n = len(counting.asked)
    assert n > 0
    assert plan_of(RetrievalRequest(query="queue"), seen) == first
    assert plan_of(RetrievalRequest(query="queue"), replayed(seen)) == first
    assert len(counting.asked) == n


@pytest.mark.parametrize(("limit", "ids"), [(2, ()), (1, ("c",)), (3, ()), (2, ("b",)), (2, ("a", "c"))])
def test_a_ranking_is_read_off_one_with_neighbours_where_that_holds_it(
    counting: Any, limit: int, ids: tuple[str, ...]
) -> None:
    seen, hop = recorded(counting), Hop(first=(), passed=(), n_best=2, relation_types=None, max_edges=10)
    seen.rank_with_neighbours(probe("queue"), "hybrid", limit=2, document_ids=("c",), hop=hop)
    held = limit <= 2 and set(ids) <= {"c"}
    answer = seen.rank_documents(probe("queue"), "hybrid", limit=limit, document_ids=ids)
    assert answer == counting.below.rank_documents(probe("queue"), "hybrid", limit=limit, document_ids=ids)
    assert ("rank_documents" in counting.asked) is not held
    for signal, question in (("mean", "queue"), ("hybrid", "slot")):  # another ranking altogether
        other = seen.rank_documents(probe(question), signal, limit=2, document_ids=())
        assert other == counting.below.rank_documents(probe(question), signal, limit=2, document_ids=())


def test_a_record_of_a_record_is_the_same_record(counting: Any) -> None:
    seen = recorded(counting)
    assert recorded(seen) is seen


def test_reads_that_differ_in_anything_are_different_reads() -> None:
    one, other = probe("queue"), probe("slot")
    reads = [
        read(Snapshot.documents_by_id, ["a", "b"]),
        read(Snapshot.documents_by_id, ["b", "a"]),
        read(Snapshot.chunks, "a"),
        read(Snapshot.outgoing, ["a"], relation_types=None, limit=3),
        read(Snapshot.outgoing, ["a"], relation_types=(), limit=3),
        read(Snapshot.outgoing, ["a"], relation_types=None, limit=4),
        read(Snapshot.nearest_chunks, one.vector, limit=3),
        read(Snapshot.nearest_chunks, other.vector, limit=3),
        read(Snapshot.rank_documents, one, "mean", limit=3),
        read(Snapshot.rank_documents, Probe(one.vector, "other words"), "mean", limit=3),
        read(Snapshot.rank_documents, one, "mean", limit=3, where={"doc_type": "x"}),
    ]
    assert len({each.key for each in reads}) == len(reads)
    assert read(Snapshot.documents_by_id, ("a", "b")).key == reads[0].key


def test_asked_again_puts_every_read_to_the_store_a_second_time_last_one_first(counting: Any) -> None:
    seen = recorded(counting)
    plan = plan_of(RetrievalRequest(query="queue"), seen)
    first, counting.asked = counting.asked, []
    again = asked_again(seen, read(Snapshot.chunks, "a"))
    assert counting.asked == [*reversed(first), "chunks"]
    assert plan_of(RetrievalRequest(query="queue"), again) == plan


def test_a_replay_tells_what_has_no_order_in_another_one(counting: Any) -> None:
    seen = recorded(counting)
    ids: Sequence[str] = ("a", "b", "c")
    assert list(seen.documents_by_id(ids)) == list(reversed(replayed(seen).documents_by_id(ids)))


def test_a_replay_asks_what_was_not_asked_before(counting: Any) -> None:
    seen = recorded(counting)
    assert [c.chunk_index for c in replayed(seen).chunks("a")] == [0, 1]
    assert counting.asked == ["chunks"]


def test_long_lists_are_passed_on_and_not_kept(counting: Any) -> None:
    seen = recorded(counting)
    assert [d.document_id for d in seen.documents()] == ["a", "b", "c"]
    assert len(list(seen.relationships())) == len(list(seen.relationships())) == 2
    assert seen.workspace.embedder == EMBEDDER.info
    assert seen.statements() == ()


@pytest.mark.parametrize("answer", [True, False])
def test_what_a_plan_needs_does_not_depend_on_the_memory(counting: Any, answer: bool) -> None:
    view = recorded(counting) if answer else counting
    assert view.count_outgoing(["a", "b"], relation_types=None) == {"a": 1, "b": 0}
    assert len(view.outgoing(["a"], relation_types=None, limit=ALL)) == 1

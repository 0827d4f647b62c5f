"""Rules for reads that are asked together, and for those that leave the texts out: the same answers, the same order."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from docgraph.domain.graph import PreparedDocument
from docgraph.ports import Probe, Read, Snapshot, read
from tests.contract.stores.examples import example_document, example_vector

QUESTION = Probe(vector=example_vector("question"), text="What does the zebra eat?")


class Holding(Protocol):
    """The fixture that rules for reading ask for."""

    def __call__(self, *batches: Sequence[PreparedDocument]) -> AbstractContextManager[Snapshot]:
        """A view of the workspace ``example`` after these documents came to it, batch by batch."""
        ...


class AtOnceRules:
    """See ``testing.suites.stores``."""

    def test_reads_asked_at_once_are_answered_as_each_alone_and_a_second_time_alike(self, holding: Holding) -> None:
        """In the order of the reads, whichever asks for nothing."""
        edges = [("explains", "b"), ("explains", "c")]
        with holding([example_document("a", ("zebra", "grass"), edges=edges), example_document("b")]) as snapshot:
            reads: list[Read[Any]] = [
                read(Snapshot.documents_by_id, ["b", "a", "lost"]),
                read(Snapshot.documents_by_id, []),
                read(Snapshot.outgoing, ["a"], relation_types=None, limit=1),
                read(Snapshot.outgoing, [], relation_types=None, limit=1),
                read(Snapshot.count_linking, ["b", "a"], relation_types=("explains",)),
                read(Snapshot.rank_documents, QUESTION, "hybrid", limit=9, document_ids=["b"]),
                read(Snapshot.nearest_chunks_of, ["a"], QUESTION.vector, per_document=1),
                read(Snapshot.nearest_chunk_scores, QUESTION.vector, limit=2),
                read(Snapshot.documents_named, ["a"]),
            ]
            together = snapshot.at_once(*reads)
            assert together == tuple(each.of(snapshot) for each in reads)
            assert snapshot.at_once(*reversed(reads)) == together[::-1]
            assert snapshot.at_once() == ()

    def test_scores_of_the_nearest_chunks_are_theirs(self, holding: Holding) -> None:
        """Which chunk, and its score, in the same order."""
        with holding([example_document("a", ("1", "2", "3")), example_document("b", ("1", "2"))]) as snapshot:
            hits = snapshot.nearest_chunks(QUESTION.vector, limit=4)
            scores = snapshot.nearest_chunk_scores(QUESTION.vector, limit=4)
        assert scores == tuple((h.chunk.document_id, h.chunk.chunk_index, h.score) for h in hits)
        assert len(scores) == 4

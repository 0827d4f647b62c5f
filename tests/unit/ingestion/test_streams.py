"""Rules of records that come one by one: given vectors are kept, generators read in steps, errors heard."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from docgraph.domain.graph import Chunk, Document, Vectors
from docgraph.errors import EmbedderError, StoreError
from docgraph.ingestion import importing
from docgraph.ingestion.overlapping import overlapped
from docgraph.testing.builders import HashingEmbedder
from tests.builders import RecordingProgress, document, relationship
from tests.unit.ingestion.importer import EMBEDDER, adds_up, ingestion, new_store, reasons, state

WIDTH = 16


class Counting(HashingEmbedder):
    """Remembers every text that it was given."""

    def __init__(self) -> None:
        super().__init__(dimension=WIDTH)
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return super().embed(texts)


def vector(place: int) -> tuple[float, ...]:
    return tuple(float(place == i) for i in range(WIDTH))


def given_document(document_id: str, *, own: bool = True, chunks: Sequence[bool] = (True, True)) -> Document:
    """A summarised document with chunks; vectors for it and for those chunks that are marked."""
    return Document(
        document_id=document_id,
        title=f"Title {document_id}",
        summary="What it says.",
        vector=vector(0) if own else None,
        chunks=tuple(
            Chunk(
                chunk_id=f"{document_id}#{i}",
                chunk_index=i,
                text=f"text {i} of {document_id}",
                token_count=4,
                vector=vector(i + 1) if marked else None,
            )
            for i, marked in enumerate(chunks)
        ),
    )


def stored(store: Any, document_id: str) -> Any:
    return store.content.documents[document_id]


def test_a_given_vector_is_never_embedded() -> None:
    store, embedder = new_store(), Counting()
    report = ingestion(store, embedder=embedder).ingest_records([given_document("a"), given_document("b")])
    assert (report.n_stored, embedder.texts) == (2, [])
    assert np.array_equal(stored(store, "a").vector, np.asarray(vector(0), np.float32))
    assert np.array_equal(stored(store, "b").chunk_vectors, np.asarray([vector(1), vector(2)], np.float32))


def test_only_what_has_no_vector_is_embedded_and_every_vector_stands_in_its_place() -> None:
    store, embedder = new_store(), Counting()
    documents = [given_document("a", chunks=(True, False, True)), given_document("b", own=False, chunks=(False, True))]
    ingestion(store, embedder=embedder).ingest_records(documents)
    a1, b0 = "Title a\ntext 1 of a", "Title b\ntext 0 of b"
    assert embedder.texts == [a1, "Title b", "Title b. What it says.", b0]
    rows = EMBEDDER.embed([a1, b0])
    assert np.array_equal(stored(store, "a").chunk_vectors, np.stack([vector(1), rows[0], vector(3)]))
    assert np.array_equal(stored(store, "b").chunk_vectors, np.stack([rows[1], np.asarray(vector(2), np.float32)]))


def test_vectors_that_are_no_unit_vectors_are_scaled_as_ever() -> None:
    store = new_store()
    long = given_document("a").model_copy(update={"vector": tuple(3.0 * x for x in vector(5))})
    ingestion(store).ingest_records([long])
    assert np.array_equal(stored(store, "a").vector, np.asarray(vector(5), np.float32))


def test_another_vector_is_another_document() -> None:
    store = new_store()
    one = given_document("a")
    ingestion(store).ingest_records([one])
    for changed in (one.model_copy(update={"vector": vector(7)}), given_document("a", chunks=(True, False))):
        assert ingestion(store).ingest_records([changed]).n_stored == 1


# ------------------------------------------------------------ generators


def test_a_generator_is_read_while_what_came_before_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "BATCH_DOCUMENTS", 2)
    store, ahead = new_store(), []

    def documents() -> Iterator[Document]:
        for i in range(40):
            ahead.append(i - len(store.content_hashes()))
            yield given_document(f"d{i:02}")

    report = ingestion(store).ingest_records(documents())
    assert report.n_stored == 40
    assert max(ahead) <= 5 * 2, "a batch each that is read, cut and embedded, and two that are written"


def test_a_generator_ends_as_a_list_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "BATCH_DOCUMENTS", 3)
    texts = ["alpha", "beta", "", "gamma", "delta", "epsilon", "zeta", "eta"]
    documents = [document(f"d{i}", text) for i, text in enumerate(texts)] + [document("d0", "again")]
    said = {0: "body", 5: "header"}
    edges = [relationship(f"d{i}", "needs", "d1", place=place) for i, place in said.items()]
    edges += [relationship("d3", "names", "gone", place="body"), relationship("nobody", "needs", "d1")]
    found = []
    for records, stated in ((documents, edges), ((d for d in documents), (e for e in edges))):
        store = new_store()
        report = ingestion(store).ingest_records(records, stated)
        assert adds_up(report)
        with store.reading() as snapshot:
            assert snapshot.workspace.off_relation_types == ("names",), "d5 says more than d0"
        found.append((state(store), report.model_dump(exclude={"seconds"})))
    assert found[0] == found[1]
    assert reasons(report).keys() == {"d0.md", "relationship 4"}


def test_progress_over_a_list_knows_how_many_there_are_and_never_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "BATCH_DOCUMENTS", 2)
    progress = RecordingProgress()
    ingestion().ingest_records([given_document(f"d{i}") for i in range(7)], progress=progress)
    done = [update[0] for update in progress.updates]
    assert {update[1] for update in progress.updates} == {7}
    assert (done, progress.updates[-1]) == (sorted(done), (7, 7, "done"))


def test_a_generator_that_fails_is_heard_and_what_was_whole_before_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "BATCH_DOCUMENTS", 2)
    store = new_store()

    def documents() -> Iterator[Document]:
        yield from (given_document(f"d{i}") for i in range(7))
        raise ZeroDivisionError("the source broke")

    with pytest.raises(ZeroDivisionError, match="the source broke"):
        ingestion(store).ingest_records(documents())
    assert sorted(store.content_hashes()) == ["d0", "d1", "d2", "d3"]


def test_an_embedder_that_fails_later_is_heard_and_what_was_embedded_before_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(importing, "BATCH_DOCUMENTS", 2)
    store = new_store()

    class Breaks(HashingEmbedder):
        def embed(self, texts: Sequence[str]) -> Vectors:
            if any("Title d5" in text for text in texts):
                raise EmbedderError("no answer")
            return super().embed(texts)

    with pytest.raises(EmbedderError, match="no answer"):
        ingestion(store, embedder=Breaks(dimension=WIDTH)).ingest_records(
            given_document(f"d{i}", own=False) for i in range(9)
        )
    assert sorted(store.content_hashes()) == ["d0", "d1", "d2", "d3"]


# ------------------------------------------------------------ three stages


def test_stages_keep_their_order_and_give_what_one_after_the_other_gives() -> None:
    written: list[int] = []

    def write(number: int) -> int:
        written.append(number)
        return number * 10

    assert list(overlapped(range(6), lambda n: n + 1, write)) == [(n, (n + 1) * 10) for n in range(6)]
    assert sorted(written) == [1, 2, 3, 4, 5, 6]


def test_two_stages_really_run_at_the_same_time() -> None:
    """Each waits for the other: one after the other they would wait for ever."""
    both = threading.Barrier(2, timeout=30)

    def prepare(number: int) -> int:
        if number == 1:
            both.wait()
        return number

    def write(number: int) -> int:
        if number == 0:
            both.wait()
        return number

    assert len(list(overlapped(range(3), prepare, write))) == 3


def test_two_batches_are_written_at_the_same_time_and_handed_out_in_order() -> None:
    """Each waits for the other: one after the other they would wait for ever. The second ends first."""
    both, second_is_done = threading.Barrier(2, timeout=30), threading.Event()

    def write(number: int) -> int:
        if number < 2:
            both.wait()
        if number == 0:
            assert second_is_done.wait(timeout=30)
        if number == 1:
            second_is_done.set()
        return number

    assert list(overlapped(range(4), lambda n: n, write)) == [(n, n) for n in range(4)]


def test_a_caller_that_stops_is_handed_everything_that_was_written() -> None:
    written: list[int] = []
    told: list[int] = []
    line = overlapped(range(9), lambda n: n, lambda n: written.append(n), goes_on=lambda: len(told) < 2)
    for batch, _ in line:
        told.append(batch)
    assert told == sorted(written)
    assert 2 <= len(written) < 9


def test_no_write_is_begun_after_the_caller_left() -> None:
    written: list[int] = []
    line = overlapped(range(9), lambda n: n, lambda n: written.append(n), n_writing=1)
    next(line)
    line.close()
    assert written == [0]


def test_a_write_that_fails_is_raised_and_none_is_begun_but_the_one_beside_it() -> None:
    written: list[int] = []

    def write(number: int) -> None:
        if number == 2:
            raise StoreError("connection lost")
        written.append(number)

    with pytest.raises(StoreError, match="connection lost"):
        list(overlapped(range(9), lambda n: n, write))
    assert sorted(written) in ([0, 1], [0, 1, 3])


def test_no_thread_is_left_behind() -> None:
    before = set(threading.enumerate())
    list(overlapped(range(3), lambda n: n, lambda n: n))
    with pytest.raises(ZeroDivisionError):
        list(overlapped(range(3), lambda n: 1 // (n - 1), lambda n: n))
    assert set(threading.enumerate()) == before

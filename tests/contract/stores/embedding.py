"""Rules for embedding a workspace anew: old vectors answer until all new ones are there; nothing else is changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from docgraph.domain.document_vector import LONG_DOCUMENT
from docgraph.domain.embedding import LackingVectors, NewVectors
from docgraph.domain.graph import PreparedDocument
from docgraph.domain.judgment import Judgment
from docgraph.domain.memory import Memory
from docgraph.domain.workspace import EmbedderInfo, VectorSearch
from docgraph.errors import ConflictError, EmbedderChangedError, EmbeddingMismatchError
from docgraph.ports import Database, Probe, RankedDocument, Store
from tests.contract.stores.examples import (
    AT,
    DIMENSION,
    EMBEDDER,
    act,
    example_document,
    example_edge,
    example_vector,
    example_vectors,
)
from tests.contract.stores.writing import edges_of, workspace_of

OTHER = EmbedderInfo(name="other", model="example", dimension=12)
SAME_WIDTH = EmbedderInfo(name="other", model="example", dimension=DIMENSION)
SEARCHES: tuple[VectorSearch, ...] = ("exact", "quantized", "hnsw")


def anew(text: str, dimension: int = OTHER.dimension) -> np.ndarray:
    """The vector of a text by the other embedder."""
    return example_vector(f"other {text}", dimension)


def library() -> list[PreparedDocument]:
    """Documents of every length, one of them without a chunk, some long ones with vectors of titles."""
    made = []
    for n in range(12):
        texts = [f"text {n} {index}" for index in range(n)]
        title = example_vector(f"title {n}") if n % 2 else None
        document = example_document(f"d{n:02}", texts, chunk_vectors=example_vectors(texts), title_vector=title)
        made.append(document)
    return made


def as_other(prepared: PreparedDocument, dimension: int = OTHER.dimension) -> PreparedDocument:
    """The document as the other embedder would have stored it."""
    rows = [anew(chunk.text, dimension) for chunk in prepared.chunks]
    title = anew(f"title of {prepared.document.document_id}", dimension)
    return replace(
        prepared,
        vector=anew(prepared.document.title, dimension),
        chunk_vectors=np.asarray(rows, dtype=np.float32).reshape(len(rows), dimension),
        title_vector=title if len(rows) >= LONG_DOCUMENT else None,
    )


def vectors_of(lacking: LackingVectors, dimension: int = OTHER.dimension) -> NewVectors:
    """What the other embedder makes of the texts."""
    document = lacking.document
    return NewVectors(
        document_id=document.document_id,
        stamp=lacking.stamp,
        chunks={chunk.chunk_index: anew(chunk.text, dimension) for chunk in lacking.chunks},
        vector=anew(document.title, dimension) if lacking.is_rest else None,
        title_vector=anew(f"title of {document.document_id}", dimension) if lacking.is_rest else None,
    )


def embed_all(store: Store, *, limit: int = 100, at_most: int = 1_000, dimension: int = OTHER.dimension) -> int:
    """Embed what is lacking, by ``limit`` texts at a time, no more than ``at_most`` times; how often."""
    after, n = "", 0
    while n < at_most:
        lacking = store.lacking_vectors(after=after, limit=limit)
        if not lacking and not after:
            return n
        if lacking:
            store.put_vectors([vectors_of(each, dimension) for each in lacking])
            n += 1
        whole = [each.document.document_id for each in lacking if each.is_rest]
        after = whole[-1] if whole else after if lacking else ""
    return n


def ranked(store: Store, text: str, dimension: int = OTHER.dimension) -> Sequence[RankedDocument]:
    """What is found by a vector of the other embedder."""
    with store.reading() as snapshot:
        return snapshot.rank_documents(Probe(anew(text, dimension), "xyzzy"), "mean", limit=99)


def begin(store: Store, embedder: EmbedderInfo = OTHER) -> None:
    """Begin it."""
    store.begin_embedding(embedder, at=AT, by="Ann")


class EmbeddingRules:
    """See ``testing.suites.stores``."""

    @pytest.mark.parametrize("search", SEARCHES)
    @pytest.mark.parametrize("limit", [1, 7, 1_000])
    def test_embedded_anew_it_is_the_workspace_that_the_other_embedder_would_have_made(
        self, store: Store, database: Database, search: VectorSearch, limit: int
    ) -> None:
        """In rankings, revisions and counts, by whatever pieces it is embedded, however it is searched."""
        store.write(library())
        store.set_vector_search(search)
        before = workspace_of(store)
        begin(store)
        embed_all(store, limit=limit)
        assert workspace_of(store) == before
        assert store.switch_vectors()
        store.finish_embedding()
        fresh = database.create_workspace("fresh", OTHER)
        fresh.write([as_other(each) for each in library()])
        fresh.set_vector_search(search)
        now, expected = workspace_of(store), workspace_of(fresh)
        assert now.made_with == EMBEDDER.embedder_id
        same = {"name": expected.name, "title": expected.title, "made_with": ""}
        assert now.model_copy(update=same) == expected
        assert now.content_revision != before.content_revision
        for text in ("text 3 1", "Title of d07", "title of d09"):
            assert ranked(store, text) == ranked(fresh, text)

    def test_old_vectors_answer_until_the_switch(self, store: Store) -> None:
        """And nothing is switched while any is lacking."""
        store.write(library())
        begin(store)
        for n in range(1, 6):
            embed_all(store, limit=3, at_most=1)
            assert not store.switch_vectors(), n
            with store.reading(embedder=EMBEDDER) as snapshot:
                (nearest,) = snapshot.nearest_chunks(example_vector("text 9 2"), limit=1)
            assert nearest.chunk.text == "text 9 2"
            assert nearest.distance == pytest.approx(0, abs=1e-6)
        state = store.embedding()
        assert state is not None
        assert 0 < state.n_done < state.n_total
        assert not state.switched

    def test_a_text_that_changes_meanwhile_lacks_its_vectors_again(self, store: Store) -> None:
        """So do documents that come; those that go are not waited for. No vector of an old text is ever switched to."""
        store.write(library())
        begin(store)
        embed_all(store)
        store.write([example_document("d03", ["changed", "text 3 1"]), example_document("d99", ["came"])])
        store.delete_documents(["d05"])
        assert not store.switch_vectors()
        lacking = store.lacking_vectors(after="", limit=100)
        assert [each.document.document_id for each in lacking] == ["d03", "d99"]
        assert [chunk.text for chunk in lacking[0].chunks] == ["changed", "text 3 1"]
        store.put_vectors([vectors_of(each) for each in lacking])
        assert store.switch_vectors()
        with store.reading(embedder=OTHER) as snapshot:
            for document in snapshot.documents():
                for chunk in snapshot.chunks(document.document_id):
                    hits = snapshot.nearest_chunks_of([document.document_id], anew(chunk.text), per_document=1)
                    assert hits[0].chunk == chunk
                    assert hits[0].distance == pytest.approx(0, abs=1e-6)

    def test_vectors_of_a_text_that_was_changed_while_they_were_made_do_not_count(self, store: Store) -> None:
        """They come late, and the document lacks its vectors still."""
        store.write([example_document("a", ["old"])])
        begin(store)
        (lacking,) = store.lacking_vectors(after="", limit=10)
        store.write([example_document("a", ["new"])])
        store.put_vectors([vectors_of(lacking)])
        assert not store.switch_vectors()
        (again,) = store.lacking_vectors(after="", limit=10)
        assert [chunk.text for chunk in again.chunks] == ["new"]
        store.put_vectors([vectors_of(again)])
        assert store.switch_vectors()

    def test_what_people_said_and_decided_stays(self, store: Store) -> None:
        """Relationships with their history, judgments, roles, what is searched by, and ids."""
        store.write([example_document("a", edges=[("cites", "b")]), example_document("b")])
        act(store, None, example_edge("a", "explains", "b", extractor="manual"))
        store.judge([Judgment(query="q", document_id="a", relevant=True, by="Ann", at=AT)])
        store.set_off_relation_types(["cites"])
        kept = (edges_of(store), store.history(), store.judgments(), store.type_history())
        before = workspace_of(store)
        begin(store)
        embed_all(store)
        assert store.switch_vectors()
        store.finish_embedding()
        assert (edges_of(store), store.history(), store.judgments(), store.type_history()) == kept
        now = workspace_of(store)
        assert (now.revision, now.places, now.decided) == (before.revision, before.places, before.decided)
        assert now.embedder == OTHER

    def test_memories_get_their_vectors_too(self, store: Store) -> None:
        """Those that are remembered meanwhile as well."""
        first, second = (
            Memory(memory_id=i, conversation_id="c", turn=0, role="user", text=f"said {i}", at=AT) for i in "ab"
        )
        many = {"per_conversation": 9, "in_workspace": 9}
        store.remember([first], example_vectors(["a"]), **many)
        begin(store)
        assert [each.memory_id for each in store.lacking_memories(limit=5)] == ["a"]
        store.put_memory_vectors(store.lacking_memories(limit=5), np.array([anew("said a")]))
        store.remember([second], example_vectors(["b"]), **many)
        assert not store.switch_vectors()
        store.put_memory_vectors(store.lacking_memories(limit=5), np.array([anew("said b")]))
        assert store.switch_vectors()
        hits = store.recall(Probe(anew("said b"), "xyzzy"), limit=2)
        assert {hit.memory.memory_id: hit.score for hit in hits}["b"] == 1.0

    def test_it_is_given_up_without_a_trace(self, store: Store) -> None:
        """And can be begun again, with another embedder."""
        store.write(library())
        before = workspace_of(store)
        assert not store.abandon_embedding()
        begin(store)
        embed_all(store, at_most=1)
        with pytest.raises(ConflictError, match="is being embedded anew with other:example:12"):
            begin(store, SAME_WIDTH)
        assert store.abandon_embedding()
        assert store.embedding() is None
        assert workspace_of(store) == before
        with pytest.raises(ConflictError, match="given up"):
            store.put_vectors([])
        begin(store, SAME_WIDTH)
        embed_all(store, dimension=DIMENSION)
        assert store.switch_vectors()
        with pytest.raises(ConflictError, match="already"):
            store.abandon_embedding()

    def test_it_goes_on_where_it_was(self, store: Store) -> None:
        """What is done is not asked for again, and the switch is made once."""
        store.write(library())
        begin(store)
        embed_all(store, limit=5, at_most=4)
        done = store.embedding()
        begin(store)
        assert store.embedding() == done
        n_before = done.n_done if done else 0
        lacking = store.lacking_vectors(after="", limit=10_000)
        n_lacking = sum(len(each.chunks) + 2 for each in lacking)
        assert done is not None
        assert n_before + n_lacking == done.n_total
        embed_all(store)
        assert store.switch_vectors()
        assert store.switch_vectors()
        store.finish_embedding()
        state = store.embedding()
        assert state is not None
        assert (state.finished, state.embedder, state.before) == (True, OTHER, EMBEDDER)
        begin(store, EMBEDDER)
        embed_all(store, dimension=DIMENSION)
        assert store.switch_vectors()
        assert workspace_of(store).first_embedder == EMBEDDER

    def test_who_works_with_the_old_embedder_is_told(self, store: Store) -> None:
        """Also where the new vectors are as wide as the old ones: nothing is compared, and nothing is written."""
        store.write(library())
        begin(store, SAME_WIDTH)
        embed_all(store, dimension=DIMENSION)
        assert store.switch_vectors()
        before = workspace_of(store)
        with (
            pytest.raises(EmbedderChangedError, match="holds vectors of other:example:8 now"),
            store.reading(embedder=EMBEDDER) as snapshot,
        ):
            snapshot.nearest_chunks(example_vector("text 9 2"), limit=1)
        with pytest.raises(EmbedderChangedError):
            store.write([example_document("new")], embedder=EMBEDDER)
        assert workspace_of(store) == before
        with store.reading(embedder=SAME_WIDTH) as snapshot:
            assert len(snapshot.nearest_chunks(anew("text 9 2", DIMENSION), limit=1)) == 1

    def test_two_do_not_work_at_it_at_once(self, store: Store, database: Database) -> None:
        """The second one is told who does."""
        again = database.open_workspace(workspace_of(store).name)
        begin(store)
        with store.embedding_turn("Ann"):
            with pytest.raises(ConflictError, match="by Ann"), again.embedding_turn("Bob"):
                pass
            assert (store.embedding() or pytest.fail("none")).by == "Ann"
        with again.embedding_turn("Bob"):
            pass

    @pytest.mark.parametrize("dimension", [3, 1_000, 2_500])
    def test_a_vector_may_be_of_any_width(self, store: Store, dimension: int) -> None:
        """Wider than a row of a table, and narrower; and documents come in afterwards."""
        other = EmbedderInfo(name="other", model="example", dimension=dimension)
        store.write(library())
        begin(store, other)
        embed_all(store, dimension=dimension)
        assert store.switch_vectors()
        store.finish_embedding()
        store.write([as_other(example_document("late", ["one", "two"]), dimension)], embedder=other)
        with store.reading(embedder=other) as snapshot:
            for text in ("text 9 2", "two"):
                (nearest,) = snapshot.nearest_chunks(anew(text, dimension), limit=1)
                assert nearest.chunk.text == text

    def test_vectors_of_another_width_or_not_finite_are_refused(self, store: Store) -> None:
        """Before any is kept."""
        store.write([example_document("a", ["one"])])
        begin(store)
        (lacking,) = store.lacking_vectors(after="", limit=10)
        good = vectors_of(lacking)
        for bad in (np.ones(3, dtype=np.float32), np.full(OTHER.dimension, np.nan, dtype=np.float32)):
            for made in (replace(good, chunks={0: bad}), replace(good, vector=bad), replace(good, title_vector=bad)):
                with pytest.raises(EmbeddingMismatchError):
                    store.put_vectors([made])
        assert store.lacking_vectors(after="", limit=10) == (lacking,)

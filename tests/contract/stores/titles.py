"""Rules for the vectors of titles: of a long document the more similar of summary and title counts, and of no other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from docgraph.domain import ranking
from docgraph.domain.document_vector import LONG_DOCUMENT
from docgraph.domain.graph import PreparedDocument, Vector
from docgraph.domain.ranking import best_first, seed_scores
from docgraph.domain.request import SeedSignal
from docgraph.domain.workspace import VectorSearch
from docgraph.errors import EmbeddingMismatchError
from docgraph.ports import Probe, RankedDocument, Store
from tests.contract.stores.examples import example_document, example_restated, example_vector, example_vectors
from tests.contract.stores.searching import SIGNALS
from tests.contract.stores.writing import workspace_of

ASKED = example_vector("asked for")
PROBE = Probe(vector=ASKED, text="xyzzy")  # a word that no text holds
LONG, SHORT = LONG_DOCUMENT, LONG_DOCUMENT - 1
SEARCHES: tuple[VectorSearch, ...] = ("exact", "quantized", "hnsw")


def of_length(document_id: str, n_chunks: int, *, title: Vector | None = None, **fields: Vector) -> PreparedDocument:
    """A document with repeatable vectors of its own; ``title`` = that of its title."""
    texts = [f"{document_id} {n}" for n in range(n_chunks)]
    given = {"vector": example_vector(f"summary of {document_id}"), **fields}
    return example_document(document_id, texts, chunk_vectors=example_vectors(texts), title_vector=title, **given)


def unlike(document_id: str, n_chunks: int, *, title: Vector | None = None) -> PreparedDocument:
    """A document of which everything but the title says the opposite of what is asked."""
    made = of_length(document_id, n_chunks, title=title, vector=-ASKED)
    return replace(made, chunk_vectors=np.repeat(-ASKED[None, :], n_chunks, axis=0))


def library() -> list[PreparedDocument]:
    """Short and long documents, with vectors of titles and without."""
    titles = [None, *(example_vector(f"title {n}") for n in range(1, 30))]
    return [of_length(f"d{n:02}", n % 12, title=title if n % 5 else None) for n, title in enumerate(titles)]


def brute_force(documents: Sequence[PreparedDocument], signal: SeedSignal) -> list[tuple[str, float]]:
    """document_id and score, best first, by what the rule says and nothing else."""

    def similarity(vector: Vector) -> float:
        a, b = vector.astype(np.float64), ASKED.astype(np.float64)
        return float(a @ b / np.sqrt((a @ a) * (b @ b)))

    summary: dict[str, float] = {}
    chunk: dict[str, float] = {}
    for each in documents:
        own = [similarity(each.vector)]
        if len(each.chunks) >= LONG and each.title_vector is not None:
            own.append(similarity(each.title_vector))
        summary[each.document.document_id] = max(own)
        if each.chunks:
            chunk[each.document.document_id] = max(map(similarity, each.chunk_vectors))
    scores = seed_scores(signal, summary=summary, chunk=chunk, words={})
    return [(document_id, scores[document_id]) for document_id in best_first(scores)]


def ranked(store: Store, signal: SeedSignal, *, limit: int = 99) -> tuple[RankedDocument, ...]:
    """What a ranking says now."""
    with store.reading() as snapshot:
        return snapshot.rank_documents(PROBE, signal, limit=limit)


def places(store: Store, signal: SeedSignal) -> Mapping[str, int]:
    """document_id → place."""
    return {each.document_id: each.rank for each in ranked(store, signal)}


class TitleRules:
    """See ``testing.suites.stores``."""

    @pytest.mark.parametrize("search", SEARCHES)
    @pytest.mark.parametrize("signal", SIGNALS)
    def test_ranking_with_titles_is_that_of_brute_force(
        self, store: Store, signal: SeedSignal, search: VectorSearch
    ) -> None:
        """A short document's title and a missing one count for nothing; however it is searched."""
        store.write(library())
        store.set_vector_search(search)
        found, expected = ranked(store, signal), brute_force(library(), signal)
        assert [each.document_id for each in found] == [document_id for document_id, _ in expected]
        assert [each.score for each in found] == pytest.approx([score for _, score in expected], abs=2e-6)

    @pytest.mark.parametrize("search", SEARCHES)
    @pytest.mark.parametrize("signal", ["summary", "mean", "hybrid"])
    def test_a_long_document_is_found_by_its_title_alone_and_a_short_one_is_not(
        self, store: Store, signal: SeedSignal, search: VectorSearch
    ) -> None:
        """Where title and everything else disagree, the title wins for the long one."""
        store.write([unlike("long", LONG, title=ASKED), unlike("nameless", LONG), unlike("short", SHORT, title=ASKED)])
        store.set_vector_search(search)
        assert places(store, signal) == {"long": 1, "nameless": 2, "short": 3}

    @pytest.mark.parametrize("signal", ["mean", "hybrid"])
    def test_candidates_hold_the_documents_whose_titles_are_near(
        self, store: Store, signal: SeedSignal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whether they were there when the search was switched on, or came later."""
        for name, n in (("N_NEAR", 1), ("N_POOL", 2), ("N_LIKELY", 1)):
            monkeypatch.setattr(ranking, name, n)
        others = [of_length(f"d{n:02}", 3, vector=example_vector(f"no {n}")) for n in range(30)]
        store.write([*others, unlike("before", LONG, title=ASKED)])
        store.set_vector_search("quantized")
        assert ranked(store, signal, limit=1)[0].document_id == "before"
        store.delete_documents(["before"])
        store.write([unlike("after", LONG, title=ASKED)])
        assert ranked(store, signal, limit=1)[0].document_id == "after"

    def test_a_title_without_direction_says_nothing(self, store: Store) -> None:
        """It would be at distance 1 from everything, and nearer than a summary that says the opposite."""
        store.write([unlike("zeros", LONG, title=np.zeros_like(ASKED)), unlike("none", LONG)])
        assert {each.document_id: each.score for each in ranked(store, "summary")} == {"none": -1.0, "zeros": -1.0}

    def test_a_title_vector_is_part_of_the_content_and_goes_with_its_document(self, store: Store) -> None:
        """It moves the content revision and not the revision of what is said; deleting the document takes it back."""
        made = of_length("a", LONG)
        store.write([made])
        plain = workspace_of(store)
        store.delete_documents(["a"])
        empty = workspace_of(store)
        store.write([replace(made, title_vector=ASKED)])
        titled = workspace_of(store)
        assert (titled.revision, titled.places) == (plain.revision, plain.places)
        assert titled.content_revision != plain.content_revision
        store.delete_documents(["a"])
        assert workspace_of(store) == empty
        assert empty.content_revision == "0" * 32

    def test_a_title_vector_stays_when_a_document_is_restated_and_goes_when_it_is_replaced(self, store: Store) -> None:
        """Restating keeps vectors; what replaces a document says anew what it is found by."""
        made = unlike("a", LONG, title=ASKED)
        store.write([made])
        assert store.restate([example_restated("a", there=made.hashes, doc_type="decision")]) == ("a",)
        assert ranked(store, "summary")[0].score == 1.0
        store.write([replace(unlike("a", LONG), hashes=replace(made.hashes, stated="another"))])
        assert ranked(store, "summary")[0].score == -1.0

    @pytest.mark.parametrize("bad", [np.ones(3, dtype=np.float32), np.full_like(ASKED, np.nan), ASKED[None, :]])
    def test_a_title_vector_that_cannot_be_compared_is_refused_before_anything_is_written(
        self, store: Store, bad: Vector
    ) -> None:
        """Of another width or shape, or not finite."""
        empty = workspace_of(store)
        with pytest.raises(EmbeddingMismatchError):
            store.write([replace(of_length("a", LONG), title_vector=bad)])
        assert workspace_of(store) == empty

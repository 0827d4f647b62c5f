"""Rules for the vector search of a workspace: bits or an index choose candidates, and what is said of them is exact."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from docgraph.domain import ranking
from docgraph.domain.graph import PreparedDocument
from docgraph.domain.request import SeedSignal
from docgraph.domain.workspace import BY_USER, NOBODY, SearchChoice, VectorSearch, Workspace
from docgraph.ports import Probe, RankedDocument, Store
from tests.contract.stores.examples import example_document, example_vector, example_vectors

PROBE = Probe(vector=example_vector("question"), text="What does the zebra eat?")
SIGNALS: tuple[SeedSignal, ...] = ("chunk", "summary", "mean", "hybrid")
TWO_STAGE: tuple[VectorSearch, ...] = ("quantized", "hnsw")
IDS = tuple(f"d{i:02}" for i in range(40))


def many() -> list[PreparedDocument]:
    """Documents of three chunks, and one without any."""
    words = ("zebra", "lion", "grass")
    documents = [
        example_document(
            document_id,
            (words[i % 3], f"text {i}", "grass"),
            vector=example_vector(f"summary {i}"),
            chunk_vectors=example_vectors([f"chunk {i} {j}" for j in range(3)]),
        )
        for i, document_id in enumerate(IDS)
    ]
    return [*documents, example_document("bare", ())]


def alike(document: PreparedDocument, kind: int) -> PreparedDocument:
    """The document with the vectors and words of its kind."""
    n = len(document.chunks)
    return example_document(
        document.document.document_id,
        (f"zebra {kind}",) * n,
        title="a title",
        vector=example_vector(f"kind {kind}"),
        chunk_vectors=example_vectors([f"chunk of kind {kind}"] * n),
    )


def ranked(store: Store, signal: SeedSignal, *, limit: int = 1, ids: Sequence[str] = ()) -> tuple[RankedDocument, ...]:
    """What a ranking says now."""
    with store.reading() as snapshot:
        return snapshot.rank_documents(PROBE, signal, limit=limit, document_ids=ids)


class SearchingRules:
    """See ``testing.suites.stores``."""

    @pytest.fixture
    def few(self, monkeypatch: pytest.MonkeyPatch) -> int:
        """So few candidates that most documents are none: three, by 8 chunks of 120."""
        monkeypatch.setattr(ranking, "N_NEAR", 8)
        monkeypatch.setattr(ranking, "N_INDEXED", 8)
        monkeypatch.setattr(ranking, "N_POOL", 9)
        monkeypatch.setattr(ranking, "N_LIKELY", 3)
        return 8

    @pytest.mark.parametrize("signal", SIGNALS)
    def test_a_document_asked_for_by_id_stands_where_the_whole_ranking_has_it(
        self, store: Store, signal: SeedSignal
    ) -> None:
        """However many are first, and where many score alike, some first and some asked for."""
        store.write([alike(each, i % 4) for i, each in enumerate(many()[:13])])
        every = ranked(store, signal, limit=41)
        assert [d.rank for d in every] == list(range(1, len(every) + 1))
        for limit in (0, 1, 2, 3, 5, 8, 12, 14):
            for ids in (IDS[:1], IDS[::3], IDS[1:13:2], IDS, ("nobody", IDS[4], IDS[4])):
                wanted = tuple(d for d in every if d.rank <= limit or d.document_id in ids)
                assert ranked(store, signal, limit=limit, ids=ids) == wanted

    @pytest.mark.parametrize("search", TWO_STAGE)
    @pytest.mark.parametrize("signal", SIGNALS)
    def test_where_every_chunk_is_near_candidates_rank_as_exact_does(
        self, store: Store, signal: SeedSignal, search: VectorSearch
    ) -> None:
        """Whatever bits or index say then: candidates are compared exactly."""
        store.write(many()[:20])
        exact = ranked(store, signal, limit=41)
        store.set_vector_search(search)
        assert ranked(store, signal, limit=41) == exact

    @pytest.mark.parametrize("search", TWO_STAGE)
    @pytest.mark.parametrize("signal", ["chunk", "mean"])
    def test_scores_by_candidates_are_exact(
        self, store: Store, signal: SeedSignal, few: int, search: VectorSearch
    ) -> None:
        """Of candidates, and of documents that are asked for by id and are none; only ranks differ."""
        store.write(many())
        exact = ranked(store, signal, limit=0, ids=IDS)
        store.set_vector_search(search)
        found = ranked(store, signal, limit=0, ids=IDS)
        scores = {d.document_id: d.score for d in exact}
        assert {d.document_id: d.score for d in found} == pytest.approx(scores, abs=2e-6)
        assert [d.document_id for d in found] != [d.document_id for d in exact], few

    @pytest.mark.parametrize("search", TWO_STAGE)
    @pytest.mark.parametrize("signal", SIGNALS)
    def test_who_is_asked_for_by_id_moves_no_rank(
        self, store: Store, signal: SeedSignal, few: int, search: VectorSearch
    ) -> None:
        """A named document or a neighbour is no candidate for being asked for."""
        assert few
        store.write(many())
        store.set_vector_search(search)
        alone = ranked(store, signal)
        assert [d for d in ranked(store, signal, ids=IDS) if d.rank <= 1] == list(alone)

    @pytest.mark.parametrize("signal", SIGNALS)
    def test_quantized_ranks_do_not_depend_on_the_order_of_writing(
        self, store: Store, signal: SeedSignal, few: int
    ) -> None:
        """Nor on whether the search was switched on before the texts came; of eight numbers many bits are equal."""
        assert few
        store.set_vector_search("quantized")
        store.write(many())
        before = ranked(store, signal, ids=IDS)
        store.delete_documents([*IDS, "bare"])
        store.set_vector_search("exact")
        for document in reversed(many()):
            store.write([document])
        store.set_vector_search("quantized")
        assert ranked(store, signal, ids=IDS) == before

    @pytest.mark.parametrize("search", TWO_STAGE)
    def test_nearest_chunks_of_the_shortlist_have_exact_scores(
        self, store: Store, few: int, search: VectorSearch
    ) -> None:
        """And what is read of a plan's documents never depends on the search."""
        store.write(many())
        with store.reading() as snapshot:
            exact = {(h.chunk.chunk_id, h.score) for h in snapshot.nearest_chunks(PROBE.vector, limit=120)}
            scoped = snapshot.nearest_chunks_of(IDS[:3], PROBE.vector, per_document=3)
        store.set_vector_search(search)
        with store.reading() as snapshot:
            near = snapshot.nearest_chunks(PROBE.vector, limit=1)
            scores = snapshot.nearest_chunk_scores(PROBE.vector, limit=1)
            assert snapshot.nearest_chunks_of(IDS[:3], PROBE.vector, per_document=3) == scoped
        assert len(near) == 1
        assert {(h.chunk.chunk_id, h.score) for h in near} <= exact, few
        assert scores == tuple(hit.without_text for hit in near)

    def test_the_search_moves_the_state_and_not_the_revision(self, store: Store) -> None:
        """Caches go by the state; a plan's revision is that of the content."""
        store.write(many()[:2])

        def told() -> tuple[str, str, str]:
            with store.reading() as snapshot:
                here = snapshot.workspace
            return here.vector_search, here.revision, here.state

        exact = told()
        store.set_vector_search("quantized")
        quantized = told()
        store.set_vector_search("exact")
        assert (exact[0], quantized[0], quantized[1]) == ("exact", "quantized", exact[1])
        assert quantized[2] != exact[2]
        assert told() == exact

    def test_who_chose_the_search_and_why_is_kept_and_moves_nothing(self, store: Store) -> None:
        """Nobody did at first; the same mode may be chosen anew for another reason."""
        store.write(many()[:2])
        choice = SearchChoice(exact_ms=41.2, n_chunks=6, budget_ms=250)

        def told() -> Workspace:
            with store.reading() as snapshot:
                return snapshot.workspace

        before = told()
        store.set_vector_search("exact", choice=choice)
        measured = told()
        store.set_vector_search("exact")
        assert [each.search_choice for each in (before, measured, told())] == [NOBODY, choice, BY_USER]
        assert {(each.state, each.vector_search) for each in (before, measured, told())} == {(before.state, "exact")}

    @pytest.mark.parametrize("search", TWO_STAGE)
    def test_a_reading_can_be_exact_whatever_the_search(self, store: Store, few: int, search: VectorSearch) -> None:
        """By that a search is measured; the next reading is again as the workspace is."""
        assert few
        store.write(many())
        exact = ranked(store, "chunk", ids=IDS)
        store.set_vector_search(search)
        shortlisted = ranked(store, "chunk", ids=IDS)
        with store.reading(exact=True) as snapshot:
            assert snapshot.rank_documents(PROBE, "chunk", limit=1, document_ids=IDS) == exact
            assert snapshot.workspace.vector_search == "exact"
        assert ranked(store, "chunk", ids=IDS) == shortlisted != exact

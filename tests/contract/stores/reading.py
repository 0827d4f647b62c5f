"""Rules for reading, for stores and for those that only read: exact rankings, bounded lists, one order, ties by id."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from docgraph.domain.graph import Vector
from docgraph.domain.naming import MAX_SHARED
from docgraph.domain.request import SeedSignal
from docgraph.errors import RequestError
from docgraph.ports import Hop, Probe, ranked_with_neighbours
from tests.contract.stores.at_once import AtOnceRules, Holding
from tests.contract.stores.examples import DIMENSION, example_document, example_vector

SIGNALS: tuple[SeedSignal, ...] = ("chunk", "summary", "mean", "hybrid")
QUESTION = Probe(vector=example_vector("question"), text="What does the zebra eat?")


def towards(similarity: float, axis: int = 1) -> Vector:
    """A unit vector whose cosine with the first axis is ``similarity``."""
    vector = np.zeros(DIMENSION, dtype=np.float32)
    vector[0], vector[axis] = similarity, np.sqrt(1 - similarity**2)
    return vector


def near(score: float) -> Any:
    """Equal to the sixth digit, give or take one: stores compute in different precision."""
    return pytest.approx(score, abs=2e-6)


ALONG: Vector = towards(1.0)


class ReadingRules(AtOnceRules):
    """See ``testing.suites.stores``."""

    def test_documents_are_ranked_by_their_best_chunk(self, holding: Holding) -> None:
        """Those without chunks are left out; the score is the similarity, rounded to 6 digits."""
        with holding(
            [
                example_document("far", ("1", "2"), chunk_vectors=np.stack([towards(0.1), towards(0.2)])),
                example_document("near", ("1", "2"), chunk_vectors=np.stack([towards(-0.9), towards(0.8)])),
                example_document("bare", ()),
            ]
        ) as snapshot:
            ranked = snapshot.rank_documents(Probe(ALONG, ""), "chunk", limit=9)
        assert [(r.document_id, r.rank, r.score) for r in ranked] == [
            ("near", 1, near(0.8)),
            ("far", 2, near(0.2)),
        ]
        assert all(r.score == round(r.score, 6) for r in ranked)

    def test_documents_are_ranked_by_summary_and_by_the_mean_of_both(self, holding: Holding) -> None:
        """No chunk counts as 0."""
        with holding(
            [
                example_document("a", ("1",), vector=towards(0.6), chunk_vectors=towards(0.1)[None, :]),
                example_document("b", ("1",), vector=towards(0.4), chunk_vectors=towards(0.9)[None, :]),
                example_document("c", (), vector=towards(0.8)),
            ]
        ) as snapshot:
            by_summary = snapshot.rank_documents(Probe(ALONG, ""), "summary", limit=9)
            by_mean = snapshot.rank_documents(Probe(ALONG, ""), "mean", limit=9)
        assert [r.document_id for r in by_summary] == ["c", "a", "b"]
        assert [(r.document_id, r.score) for r in by_mean] == [
            ("b", near(0.65)),
            ("c", near(0.4)),
            ("a", near(0.35)),
        ]

    def test_hybrid_fuses_the_ranks_by_mean_and_by_words(self, holding: Holding) -> None:
        """Σ 1 / (10 + rank), scaled to 1 = first in both; a document without the words has no rank by words."""
        with holding(
            [
                example_document("a", ("the zebra",), vector=towards(0.1), chunk_vectors=towards(0.1)[None, :]),
                example_document("b", ("a lion",), vector=towards(0.5), chunk_vectors=towards(0.5)[None, :]),
                example_document("c", (), vector=towards(0.3)),
            ]
        ) as snapshot:
            ranked = snapshot.rank_documents(Probe(ALONG, "zebra?"), "hybrid", limit=9)
        assert {r.document_id: r.score for r in ranked} == {
            "a": near((11 / 13 + 1) / 2),
            "b": near(1 / 2),
            "c": near(11 / 12 / 2),
        }
        assert [r.document_id for r in ranked] == ["a", "b", "c"]

    def test_rare_words_weigh_more_than_common_ones(self, holding: Holding) -> None:
        """The one document with the rare word comes first by words, though others repeat the common one."""
        same: dict[str, Any] = {"vector": ALONG, "chunk_vectors": ALONG[None, :]}
        commons = [example_document(f"c{i}", ("river river river water",), **same) for i in range(8)]
        with holding([*commons, example_document("rare", ("river quokka",), **same)]) as snapshot:
            words = {
                r.document_id: r.score
                for r in snapshot.rank_documents(Probe(ALONG, "river quokka"), "hybrid", limit=20)
            }
        by_words = {i: score - 11 / (11 + place) / 2 for place, (i, score) in enumerate(sorted(words.items()))}
        assert max(by_words, key=lambda i: by_words[i]) == "rare"

    @pytest.mark.parametrize("signal", SIGNALS)
    @pytest.mark.parametrize(
        "text", ["", "the of and", "O'Brien & ! | zzz') OR ('1'='1 \\ :* <-> \U0001f4da", "x" * 20_000]
    )
    def test_any_question_is_answered(self, holding: Holding, signal: SeedSignal, text: str) -> None:
        """Full-text operators, quotes, stop words and nothing at all are just words."""
        with holding([example_document("a", ("O'Brien zzz",)), example_document("b")]) as snapshot:
            assert len(snapshot.rank_documents(Probe(QUESTION.vector, text), signal, limit=9)) == 2

    @pytest.mark.parametrize("signal", SIGNALS)
    def test_equal_documents_stand_by_id(self, holding: Holding, signal: SeedSignal) -> None:
        """Whatever the order in which they came; upper case before lower case, as in code points."""
        twins: dict[str, Any] = {"vector": ALONG, "chunk_vectors": np.stack([ALONG, ALONG]), "title": "zebra"}
        one_by_one = [[example_document(i, ("zebra", "zebra"), **twins)] for i in ("b", "a", "é", "B", "a-b", "ab")]
        with holding(*one_by_one) as snapshot:
            ranked = snapshot.rank_documents(Probe(ALONG, "zebra"), signal, limit=9)
            assert [r.document_id for r in ranked] == ["B", "a", "a-b", "ab", "b", "é"]
            hits = snapshot.nearest_chunks(ALONG, limit=5)
            assert [(h.chunk.document_id, h.chunk.chunk_index) for h in hits] == [
                ("B", 0),
                ("B", 1),
                ("a", 0),
                ("a", 1),
                ("a-b", 0),
            ]

    @pytest.mark.parametrize("signal", SIGNALS)
    def test_named_documents_come_along_wherever_they_stand(self, holding: Holding, signal: SeedSignal) -> None:
        """With the rank they have among all."""
        with holding([example_document(f"d{i}", (f"text {i}",)) for i in range(9)]) as snapshot:
            everything = snapshot.rank_documents(QUESTION, signal, limit=99)
            last = everything[-1]
            some = snapshot.rank_documents(QUESTION, signal, limit=2, document_ids=[last.document_id, "unknown"])
        assert some == (*everything[:2], last)
        assert [r.rank for r in everything] == list(range(1, 10))

    @pytest.mark.parametrize("signal", SIGNALS)
    def test_neighbours_of_the_first_documents_come_along_with_their_ranks(
        self, holding: Holding, signal: SeedSignal
    ) -> None:
        """As two rankings would give them; those that are missing, unranked or beyond the limit of edges do not."""
        others = [("cites", f"d{i}") for i in range(9)] + [("links", "d7"), ("cites", "gone"), ("cites", "bare")]
        ring = [example_document(f"d{i}", (f"text {i}",), edges=others[i:]) for i in range(9)]
        with holding([*ring, example_document("bare", ())]) as snapshot:
            for types in (None, ("cites",)):
                for first, passed, n_best in (((), (), 2), (("d8",), ("d3",), 1), (("d1", "unknown"), ("d1",), 0)):
                    hop = Hop(first, (*first, *passed), n_best, types, max_edges=3)
                    found = snapshot.rank_with_neighbours(QUESTION, signal, limit=2, document_ids=("d4",), hop=hop)
                    expected = ranked_with_neighbours(
                        snapshot, QUESTION, signal, limit=2, document_ids=("d4",), hop=hop
                    )
                    assert found.documents == expected.documents
                    assert [d.rank for d in found.documents] == sorted({d.rank for d in found.documents})
                    assert len(found.documents) > 2
                    assert found.edges.items() <= expected.edges.items()
                    assert expected.edges.keys() - found.edges.keys() <= {"unknown"}

    @pytest.mark.parametrize("signal", SIGNALS)
    def test_a_filter_keeps_equal_documents_and_ranks_count_inside_it(
        self, holding: Holding, signal: SeedSignal
    ) -> None:
        """By ingestion_id and doc_type; other fields are refused."""
        kinds = ("x", "y", "y' OR 'x")
        with holding(
            [example_document(f"d{i}", (f"zebra {i}",), doc_type=kinds[i % 3], ingestion_id="i") for i in range(9)]
        ) as snapshot:
            inside = snapshot.rank_documents(
                QUESTION, signal, limit=9, where={"doc_type": kinds[2], "ingestion_id": "i"}
            )
            assert sorted(r.document_id for r in inside) == ["d2", "d5", "d8"]
            assert [(r.rank, r.doc_type, r.ingestion_id) for r in inside] == [(n, kinds[2], "i") for n in (1, 2, 3)]
            assert snapshot.rank_documents(QUESTION, signal, limit=9, where={"doc_type": "none"}) == ()
            with pytest.raises(RequestError, match="title"):
                snapshot.rank_documents(QUESTION, signal, limit=9, where={"title": "x"})

    def test_a_vector_of_zeros_is_unrelated_to_everything(self, holding: Holding) -> None:
        """As a text without known words has it: similarity 0, after what is similar, before what is opposite."""
        zeros = np.zeros(DIMENSION, dtype=np.float32)
        vectors = {"zero": zeros, "near": towards(0.5), "opposite": towards(-0.5)}
        with holding(
            [example_document(i, ("t",), vector=v, chunk_vectors=v[None, :]) for i, v in vectors.items()]
        ) as snapshot:
            for signal in SIGNALS[:3]:
                ranked = snapshot.rank_documents(Probe(ALONG, ""), signal, limit=9)
                assert [r.document_id for r in ranked] == ["near", "zero", "opposite"]
                assert ranked[1].score == 0
            assert [h.score for h in snapshot.nearest_chunks(zeros, limit=9)] == [0, 0, 0]

    def test_nearest_chunks_are_exact_and_bounded(self, holding: Holding) -> None:
        """Over the whole workspace, and of some documents with a limit for each."""
        rows = np.stack([towards(s) for s in (0.9, 0.5, 0.7)])
        with holding(
            [example_document("a", ("1", "2", "3"), chunk_vectors=rows)],
            [example_document("b", ("1", "2", "3"), chunk_vectors=rows * np.float32(-1)), example_document("c", ())],
        ) as snapshot:
            whole = snapshot.nearest_chunks(ALONG, limit=4)
            assert [(h.chunk.document_id, h.chunk.chunk_index) for h in whole] == [
                ("a", 0),
                ("a", 2),
                ("a", 1),
                ("b", 1),
            ]
            assert [h.score for h in whole] == [near(s) for s in (0.9, 0.7, 0.5, -0.5)]
            assert [h.distance for h in whole] == sorted(h.distance for h in whole)
            each = snapshot.nearest_chunks_of(["b", "a", "a", "c", "unknown"], ALONG, per_document=1)
            assert [(h.chunk.document_id, h.chunk.chunk_index) for h in each] == [("a", 0), ("b", 1)]
            assert each[0] == whole[0]
            assert snapshot.nearest_chunks_of([], ALONG, per_document=1) == ()

    def test_documents_of_the_nearest_chunks_stand_by_their_best_one(self, holding: Holding) -> None:
        """Plain vector search seen as documents."""
        with holding(
            [example_document("a", ("1", "2"), chunk_vectors=np.stack([towards(0.9), towards(0.8)]), doc_type="x")],
            [example_document("b", ("1", "2"), chunk_vectors=np.stack([towards(0.7), towards(0.1)]))],
        ) as snapshot:
            found = snapshot.documents_of_nearest_chunks(ALONG, limit=3)
            assert [(r.document_id, r.rank, r.doc_type) for r in found] == [("a", 1, "x"), ("b", 2, "")]
            assert found[0].score == near(0.9)
            assert [r.document_id for r in snapshot.documents_of_nearest_chunks(ALONG, limit=2)] == ["a"]

    def test_outgoing_edges_are_bounded_for_each_start_and_ordered(self, holding: Holding) -> None:
        """In the order of the starts given, then by type and target."""
        with holding(
            [
                example_document("a", edges=[("z", "1"), ("b", "2"), ("b", "1"), ("A", "9")]),
                example_document("b", edges=[("b", "a")]),
            ]
        ) as snapshot:
            edges = snapshot.outgoing(["b", "a", "b", "unknown"], relation_types=None, limit=3)
            assert [e.key for e in edges] == [("b", "b", "a"), ("a", "A", "9"), ("a", "b", "1"), ("a", "b", "2")]
            assert edges[0].relationship_metadata == {"extractor": "example"}
            chosen = snapshot.outgoing(["a"], relation_types=["z", "A"], limit=9)
            assert [e.key for e in chosen] == [("a", "A", "9"), ("a", "z", "1")]
            assert snapshot.outgoing(["a"], relation_types=[], limit=9) == ()
            assert snapshot.count_outgoing(["a", "b", "no"], relation_types=None) == {"a": 4, "b": 1, "no": 0}
            assert snapshot.count_outgoing(["a", "b"], relation_types=["b"]) == {"a": 2, "b": 1}
            assert snapshot.count_outgoing([], relation_types=None) == {}

    def test_those_that_link_to_a_document_are_counted_once_each(self, holding: Holding) -> None:
        """Over all types or the allowed ones, however many there are; a link to itself counts for none."""
        links = [example_document(f"d{i:02}", (), edges=[("k", "x"), ("j", "x"), ("k", "gone")]) for i in range(30)]
        with holding([*links, example_document("x", (), edges=[("k", "x"), ("j", "d01")])]) as snapshot:
            assert snapshot.count_linking(["x", "no", "gone", "x", "d01"], relation_types=None) == {
                "x": 30,
                "no": 0,
                "gone": 30,
                "d01": 1,
            }
            assert snapshot.count_linking(["x", "d01"], relation_types=["k"]) == {"x": 30, "d01": 0}
            assert snapshot.count_linking(["x"], relation_types=[]) == {"x": 0}
            assert snapshot.count_linking([], relation_types=None) == {}

    def test_incoming_edges_are_bounded_for_each_end_and_ordered(self, holding: Holding) -> None:
        """Also for an end that does not exist."""
        with holding(
            [example_document(i, edges=[("k", "x"), ("j", "x"), ("k", "a")]) for i in ("c", "b", "a")]
        ) as snapshot:
            edges = snapshot.incoming(["x", "a"], relation_types=None, limit=2)
            assert [e.key for e in edges] == [("a", "k", "a"), ("b", "k", "a"), ("a", "j", "x"), ("b", "j", "x")]
            chosen = snapshot.incoming(["x"], relation_types=["k"], limit=9)
            assert [e.key for e in chosen] == [("a", "k", "x"), ("b", "k", "x"), ("c", "k", "x")]

    def test_relationships_are_filtered_by_end_type_and_dangling(self, holding: Holding) -> None:
        """By key."""
        with holding(
            [example_document("a", edges=[("k", "b"), ("k", "gone")]), example_document("b", edges=[("j", "a")])]
        ) as snapshot:
            assert [e.key for e in snapshot.relationships()] == [("a", "k", "b"), ("a", "k", "gone"), ("b", "j", "a")]
            assert [e.key for e in snapshot.relationships(document_id="b")] == [("a", "k", "b"), ("b", "j", "a")]
            assert [e.key for e in snapshot.relationships(relation_type="j")] == [("b", "j", "a")]
            assert [e.key for e in snapshot.relationships(dangling=True)] == [("a", "k", "gone")]
            assert [e.key for e in snapshot.relationships(dangling=False, document_id="a", relation_type="k")] == [
                ("a", "k", "b")
            ]
            assert snapshot.relation_types() == {"j": 1, "k": 2}

    def test_documents_are_listed_by_id_and_filtered(self, holding: Holding) -> None:
        """A part of title or id, whatever its case; wildcards are plain characters."""
        with holding(
            [example_document("B-2", title="Über 100%"), example_document("a-1", title="Zebra", doc_type="x")]
        ) as snapshot:
            assert [d.document_id for d in snapshot.documents()] == ["B-2", "a-1"]
            assert [d.document_id for d in snapshot.documents(doc_type="x")] == ["a-1"]
            assert [d.document_id for d in snapshot.documents(text="zEB")] == ["a-1"]
            assert [d.document_id for d in snapshot.documents(text="b-")] == ["B-2"]
            assert [d.document_id for d in snapshot.documents(text="%")] == ["B-2"]
            assert [d.document_id for d in snapshot.documents(text="über")] == ["B-2"]
            assert list(snapshot.documents(text="_")) == []

    def test_documents_are_found_by_every_key_of_their_names(self, holding: Holding) -> None:
        """By id, number, title and alias, in order of the ids; a key that nobody has is absent."""
        with holding(
            [
                example_document("b/adr-014-queue.md", title="Bounded queue", metadata={"aliases": ["ring buffer"]}),
                example_document("a", title="ADR 14: Bounded queue"),
            ],
            [example_document("Z", title="Notifier")],
        ) as snapshot:
            keys = [
                "ring buffer",
                "bounded queue",
                "adr 14",
                "'notifier",
                "notifier",
                "unknown",
                "adr 14",
                "o'x",
                "\x00",
            ]
            assert snapshot.documents_named(keys) == {
                "ring buffer": ("b/adr-014-queue.md",),
                "bounded queue": ("a", "b/adr-014-queue.md"),
                "adr 14": ("a", "b/adr-014-queue.md"),
                "'notifier": ("Z",),
            }
            assert snapshot.documents_named([]) == {}

    def test_a_name_that_many_share_is_cut_after_one_more_than_may_share_it(self, holding: Holding) -> None:
        """So that it is seen to name none of them, and no common title is read to its end."""
        with holding([example_document(i, (), title="Meeting notes") for i in "fedcbA"]) as snapshot:
            assert snapshot.documents_named(["meeting notes"]) == {"meeting notes": tuple("Abcdef"[: MAX_SHARED + 1])}

    def test_long_lists_are_read_to_the_end(self, holding: Holding) -> None:
        """Longer than any page of a store."""
        with holding(
            [example_document(f"d{i:04d}", (), edges=[("k", "a"), ("k", "b")]) for i in range(1_100)]
        ) as snapshot:
            assert [d.document_id for d in snapshot.documents()] == [f"d{i:04d}" for i in range(1_100)]
            keys = [edge.key for edge in snapshot.relationships()]
        assert len(keys) == 2_200
        assert keys == sorted(set(keys))

    def test_a_document_comes_back_with_every_field(self, holding: Holding) -> None:
        """And its chunks with theirs."""
        fields: dict[str, Any] = {
            "summary": "S",
            "source": "f/a.md",
            "doc_type": "adr",
            "ingestion_id": "i",
            "n_tokens": 7,
            "headings": ("H1", "H2"),
            "metadata": {"b": 1, "a": {"c": [1.5, None]}},
        }
        prepared = example_document("a", **fields)
        with holding([prepared]) as snapshot:
            assert snapshot.documents_by_id(["unknown", "a"]) == {"a": prepared.document}
            assert snapshot.chunks("a") == prepared.chunks
            assert snapshot.chunks("unknown") == ()

    def test_statements_are_told_once(self, holding: Holding) -> None:
        """Texts without values; none where nothing is sent."""
        with holding([example_document("a", ("secret words",))]) as snapshot:
            snapshot.rank_documents(QUESTION, "hybrid", limit=3)
            first = snapshot.statements()
            assert snapshot.statements() == ()
        assert not any("zebra" in text for text in first)

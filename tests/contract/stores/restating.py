"""Rules for restating: what is said of a document is replaced, its text and vectors stay, its place is no content."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from docgraph.domain.graph import ChunkPlace, ImportHashes
from docgraph.errors import IngestionError
from docgraph.ports import Store
from tests.contract.stores.examples import act, example_document, example_edge, example_restated, example_vector
from tests.contract.stores.writing import edges_of, workspace_of

SAID: dict[str, Any] = {
    "source": "b/x.md",
    "doc_type": "decision",
    "ingestion_id": "notes",
    "metadata": {"status": "accepted"},
}


class RestatingRules:
    """See ``testing.suites.stores``."""

    def test_what_is_said_of_a_document_is_replaced_and_its_chunks_and_vectors_stay(self, store: Store) -> None:
        """The workspace is then the one that held it from the start."""
        given = example_document("a", edges=[("cites", "b"), ("cites", "c")], source="a/x.md")
        store.write([given])
        anew = example_restated("a", there=given.hashes, edges=[("cites", "d")], chunks=given.chunks, **SAID)
        assert store.restate([anew]) == ("a",)
        assert store.import_hashes(["a", "nope"]) == {"a": anew.hashes}
        vector = example_vector("second chunk")
        with store.reading() as snapshot:
            found = snapshot.documents_by_id(["a"])["a"]
            assert {name: getattr(found, name) for name in SAID} == SAID
            assert (found.title, found.content_hash, found.n_chunks) == (given.document.title, anew.content_hash, 2)
            assert snapshot.chunks("a") == given.chunks
            assert [hit.distance for hit in snapshot.nearest_chunks(vector, limit=1)] == pytest.approx([0], abs=1e-6)
            assert [edge.key[1:] for edge in snapshot.relationships()] == [("cites", "d")]
            restated = snapshot.workspace
        store.delete_documents(["a"])
        store.write([example_document("a", edges=[("cites", "d")], **SAID)])
        assert workspace_of(store) == restated

    def test_a_stored_chunk_gets_the_place_of_the_same_text_and_any_other_one_has_none(self, store: Store) -> None:
        """A line more in a header moves all that stands below it; the texts and the content stay."""
        given = example_document("a", ("one", "two", "three"))
        store.write([given])
        before = workspace_of(store)
        place = ChunkPlace(start=7, end=10, line=2)
        first, second, third = given.chunks
        cut = (first.model_copy(update={"place": place}), second.model_copy(update={"text": "other"}))
        assert store.restate([example_restated("a", there=given.hashes, chunks=cut)]) == ("a",)
        with store.reading() as snapshot:
            found = snapshot.chunks("a")
            vector = example_vector("one")
            nearest = snapshot.nearest_chunks_of(["a"], vector, per_document=3)
        assert [chunk.place for chunk in found] == [place, None, None]
        assert [chunk.text for chunk in found] == ["one", "two", "three"]
        assert {hit.chunk.chunk_index: hit.chunk.place for hit in nearest} == {0: place, 1: None, 2: None}
        now = workspace_of(store)
        assert (now.revision, now.content_revision) == (before.revision, before.content_revision)
        assert now.state != before.state
        assert third.place is None

    def test_a_document_that_is_made_of_something_else_meanwhile_or_gone_is_left_alone(self, store: Store) -> None:
        """Nothing is said of a text that nobody looked at."""
        before, gone = example_document("a"), example_document("gone")
        store.write([example_document("a", ("new",), edges=[("cites", "b")])])
        there = workspace_of(store)
        assert (
            store.restate([example_restated(i, there=p.hashes, **SAID) for i, p in (("a", before), ("gone", gone))])
            == ()
        )
        assert store.restate([]) == ()
        assert workspace_of(store) == there
        assert [edge.to_document_id for edge in edges_of(store)] == ["b"]

    def test_a_document_of_which_no_hashes_are_known_is_restated_by_who_compared_its_text(self, store: Store) -> None:
        """As those are that an older version stored."""
        store.write([example_document("a", hashes=ImportHashes())])
        now = example_document("a").hashes
        anew = replace(example_restated("a", there=now, **SAID), there="")
        assert store.restate([anew]) == ("a",)
        assert store.import_hashes(["a"]) == {"a": anew.hashes}
        assert store.restate([anew]) == ()

    def test_what_people_decided_stands_when_a_document_is_restated(self, store: Store) -> None:
        """Removed stays away, accepted and made by hand stay, and what disagrees is contested."""
        given = example_document("a", edges=[("cites", "b"), ("cites", "c"), ("cites", "d")])
        store.write([given])
        first, second, _ = edges_of(store)
        act(store, first, None)
        review = {"reviewed_by": "Ann", "reviewed_at": "", "content_hashes": ["1", "2"]}
        accepted = example_edge(*second.key, extractor="example", review=review)
        act(store, second, accepted)
        manual = example_edge("a", "explains", "b", extractor="manual")
        act(store, None, manual)
        store.restate([example_restated("a", there=given.hashes, edges=[("cites", "b"), ("cites", "e")])])
        assert edges_of(store) == (accepted, example_edge("a", "cites", "e", extractor="example"), manual)
        assert [(each.kind, each.relationship.key) for each in store.contested()] == [
            ("stated", first.key),
            ("unstated", second.key),
        ]

    def test_what_cannot_be_kept_is_refused_and_nothing_is_restated(self, store: Store) -> None:
        """Metadata that JSON cannot carry; a relationship of another document."""
        given = example_document("a")
        store.write([given])
        there = workspace_of(store)
        with pytest.raises(IngestionError, match="JSON cannot carry"):
            store.restate([example_restated("a", there=given.hashes, metadata={"x": float("nan")})])
        stray = replace(example_restated("a", there=given.hashes), relationships=(example_edge("b", "cites", "a"),))
        with pytest.raises(IngestionError, match="starts at 'b'"):
            store.restate([stray])
        assert workspace_of(store) == there

    def test_the_revision_does_not_depend_on_where_something_stood(self, store: Store) -> None:
        """Neither on a document's file and folder, nor on the file and line of a relationship, nor on the order."""
        revisions, states = set(), set()
        for number, ids in enumerate((("a", "b"), ("b", "a"))):
            place: dict[str, Any] = {"source": f"{number}/x.md", "ingestion_id": f"folder {number}"}
            for document_id in ids:
                store.write([example_document(document_id, **place)])
            line = {"order": number, "source": f"{number}.jsonl"}
            store.put_ingested([example_edge(i, "cites", "c", extractor="jsonl", **line) for i in ids])
            revisions.add(workspace_of(store).revision)
            states.add(workspace_of(store).state)
            store.delete_documents(ids)
        assert (len(revisions), len(states)) == (1, 2)  # who keeps what was read asks for the state
        store.write([example_document("a"), example_document("b")])
        store.put_ingested([example_edge(i, "cites", "c", extractor="jsonl", text="c") for i in "ab"])
        assert workspace_of(store).revision not in revisions  # the sentence that names the target is content

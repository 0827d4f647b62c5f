"""Rules for the content revision: that of the documents, whatever happens to relationships and to places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docgraph.domain.graph import PreparedDocument
from docgraph.domain.type_roles import TypeDecision
from docgraph.ports import Database, Store
from tests.contract.stores.examples import (
    AT,
    EMBEDDER,
    act,
    example_document,
    example_edge,
    example_restated,
    example_vector,
    example_vectors,
)
from tests.contract.stores.history import DOCUMENTS, STEPS, apply
from tests.contract.stores.writing import edges_of, workspace_of

_ANEW = example_vectors(["another", "vector"])


class ContentRules:
    """See ``testing.suites.stores``."""

    def test_no_change_of_relationships_moves_the_content_revision(self, store: Store) -> None:
        """By people, by an import, or by a type that is switched off."""
        edge = example_edge("a", "k", "b")
        store.write([example_document("a", edges=[("cites", "b")]), example_document("b")])
        before = workspace_of(store)

        def kept(change: Callable[[], object]) -> None:
            revision = workspace_of(store).revision
            change()
            now = workspace_of(store)
            assert (now.content_revision, now.revision != revision) == (before.content_revision, True)

        kept(lambda: act(store, None, edge))
        kept(lambda: act(store, edge, example_edge("a", "k", "b", note=1)))
        kept(lambda: store.put_ingested([example_edge("b", "cites", "a", extractor="example")], at=AT))
        kept(lambda: store.set_off_relation_types(["cites"]))
        kept(lambda: store.decide_types([TypeDecision(relation_type="k", role="reasons_only", by="person")]))
        kept(lambda: store.write([example_document("a", edges=[("cites", "c")])]))

    def test_another_place_is_no_other_content_and_another_kind_is(self, store: Store) -> None:
        """Restated either way: the source and the import are places, metadata and type are content."""
        given = example_document("a", source="a/x.md")
        store.write([given])
        seen = [workspace_of(store).content_revision]
        others: list[dict[str, Any]] = [
            {"source": "b/x.md", "ingestion_id": "notes"},
            {"source": "b/x.md", "doc_type": "decision"},
        ]
        for said in others:
            assert store.restate([example_restated("a", there=given.hashes, **said)])
            seen.append(workspace_of(store).content_revision)
        assert seen[0] == seen[1] != seen[2]

    @pytest.mark.parametrize(
        "other",
        [
            example_document("a", ("changed", "second chunk")),
            example_document("a", title="Another"),
            example_document("a", vector=example_vector("another")),
            example_document("a", chunk_vectors=_ANEW),
        ],
        ids=["text", "title", "vector", "vectors of chunks"],
    )
    def test_every_change_of_a_document_moves_the_content_revision_and_undoing_it_moves_it_back(
        self, store: Store, other: PreparedDocument
    ) -> None:
        """Vectors too: they may be given, and then follow from nothing."""
        first, other = (_stated(d, str(n)) for n, d in enumerate((example_document("a"), other)))
        store.write([first, example_document("b")])
        before = workspace_of(store)
        store.write([other])
        assert workspace_of(store).content_revision != before.content_revision
        store.write([first])
        assert workspace_of(store) == before
        store.delete_documents(["a", "b"])
        assert workspace_of(store).content_revision == "0" * 32

    @settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(first=st.lists(STEPS, max_size=8), more=st.lists(STEPS, max_size=6), last=DOCUMENTS)
    def test_the_content_revision_is_equal_exactly_where_the_documents_are(
        self, database: Database, first: list[Any], more: list[Any], last: PreparedDocument
    ) -> None:
        """After any history, in one workspace and between two."""
        one, two = (database.create_workspace(name, EMBEDDER) for name in ("one", "two"))
        try:
            found = []
            for steps in (first, more, [("write", last)]):
                for step in steps:
                    apply(one, *step)
                found.append((workspace_of(one).content_revision, _documents(one)))
            for step in first:
                apply(two, *step)
            for edge in edges_of(two):
                act(two, edge, None)
            found.append((workspace_of(two).content_revision, _documents(two)))
            for revision, documents in found:
                assert [revision == r for r, _ in found] == [documents == d for _, d in found]
        finally:
            for name in ("one", "two"):
                database.drop_workspace(name)


def _documents(store: Store) -> list[Any]:
    """What is stored of documents, as the rules' examples differ in it."""
    with store.reading() as snapshot:
        return [
            (document.model_dump(exclude={"content_hash"}), snapshot.chunks(document.document_id))
            for document in snapshot.documents()
        ]


def _stated(prepared: PreparedDocument, stated: str) -> PreparedDocument:
    """The document as an import of other numbers brings it: its hashes cover given vectors."""
    return replace(prepared, hashes=replace(prepared.hashes, stated=stated))

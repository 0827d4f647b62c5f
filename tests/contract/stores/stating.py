"""Rules for relationships that are imported beside stored documents, and for what all imports keep."""

from __future__ import annotations

import pytest

from docgraph.errors import NotFoundError
from docgraph.ports import Store
from tests.contract.stores.curation import KEY, LATER, REVIEW, imported, stated
from tests.contract.stores.examples import AT, act, example_document, example_edge
from tests.contract.stores.writing import edges_of, workspace_of


class StatingRules:
    """See ``testing.suites.stores``."""

    def test_relationships_are_imported_beside_those_that_are_there(self, store: Store) -> None:
        """Those that came or changed are returned, by key; equal ones move nothing."""
        imported(store, [stated()])
        other, changed = example_edge("b", "cites", "a"), stated(text="new")
        assert store.put_ingested([other, stated(), changed], at=LATER) == (changed, other)
        assert edges_of(store) == (changed, other)
        before = workspace_of(store)
        assert before.n_relationships == 2
        assert store.put_ingested([other, changed]) == ()
        assert store.put_ingested([]) == ()
        assert workspace_of(store) == before

    def test_the_sections_that_a_relationship_points_to_are_kept(self, store: Store) -> None:
        """In their order, with those that named none; an edit keeps them, and plans read them."""
        said = [{"anchor": "größe", "heading": "Queue > Größe"}, {"anchor": "gone"}, {"anchor": "top", "heading": ""}]
        pointed = example_edge("a", "cites", "b", sections=said)
        imported(store, [stated()])
        store.put_ingested([pointed], at=LATER)
        told = [(each.anchor, each.heading) for each in edges_of(store)[-1].sections]
        assert told == [("größe", "Queue > Größe"), ("gone", None), ("top", "")]
        act(store, pointed, example_edge("a", "cites", "b", sections=said, review=REVIEW))
        assert [each.model_dump() for each in edges_of(store)[-1].sections] == said
        with store.reading() as snapshot:
            (edge,) = snapshot.outgoing(["a"], relation_types=["cites"], limit=9)
        assert [each.model_dump() for each in edge.sections] == said

    def test_none_is_imported_when_one_starts_at_nothing(self, store: Store) -> None:
        """The first by id is named."""
        imported(store, [])
        before = workspace_of(store)
        strangers = [example_edge(start, "cites", "a") for start in ("zz", "a", "nobody")]
        with pytest.raises(NotFoundError, match="nobody"):
            store.put_ingested(strangers)
        assert (workspace_of(store), edges_of(store)) == (before, ())

    def test_decisions_stand_against_them_too(self, store: Store) -> None:
        """Taken away: contested. Accepted: the review stays. Made by a person: left alone."""
        manual = example_edge("a", "explains", "b", extractor="manual", note="mine")
        imported(store, [stated(), example_edge("a", "x", "b"), example_edge("a", "y", "b")])
        act(store, None, manual)
        gone = act(store, stated(), None)
        act(store, example_edge("a", "x", "b"), example_edge("a", "x", "b", review=REVIEW))
        come = [stated(n=2), example_edge("a", "x", "b", n=2), example_edge("a", "explains", "b", n=2)]
        kept = example_edge("a", "x", "b", n=2, review=REVIEW)
        assert store.put_ingested(come, at=LATER) == (kept,)
        assert edges_of(store) == (manual, kept, example_edge("a", "y", "b"))
        [row] = store.contested()
        assert (row.kind, row.relationship, row.entry_id, row.at) == ("stated", stated(n=2), gone.entry_id, LATER)
        store.put_ingested([stated(n=3)], at=AT)
        [row] = store.contested()
        assert (row.relationship, row.at) == (stated(n=3), AT)

    def test_an_import_that_meets_decisions_leads_every_store_to_the_same_revision(self, store: Store) -> None:
        """Which is that of the relationships that are there, whatever way led to them."""
        imported(store, [stated(), example_edge("a", "x", "b"), example_edge("a", "y", "b")])
        act(store, stated(), None)
        act(store, example_edge("a", "x", "b"), example_edge("a", "x", "b", review=REVIEW))
        act(store, example_edge("a", "y", "b"), example_edge("a", "y", "b", review=REVIEW))
        imported(store, [stated(), example_edge("a", "x", "b", n=[1.5, None])], text="new")
        found, edges = workspace_of(store), edges_of(store)
        assert [edge.key for edge in edges] == [("a", "x", "b"), ("a", "y", "b")]
        assert found.n_relationships == 2
        for edge in edges:
            act(store, edge, None)
        for edge in edges:
            act(store, None, edge)
        assert workspace_of(store) == found
        assert edges_of(store) == edges

    def test_the_longest_relationship_can_be_contested(self, store: Store) -> None:
        """Its key is as long as an index takes."""
        start, via, end = "é" * 512, "t" * 100, "ü" * 512
        edge = example_edge(start, via, end)
        store.write([example_document(start, edges=[(via, end)])])
        act(store, edges_of(store)[0], None)
        store.put_ingested([edge], at=LATER)
        assert [(c.relationship, c.at) for c in store.contested()] == [(edge, LATER)]
        assert KEY not in {c.relationship.key for c in store.contested()}

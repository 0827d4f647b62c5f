"""Rules for documents that moved: what people decided follows them, in the same moment in which the old ones go."""

from __future__ import annotations

from docgraph.domain.decisions import REVIEW
from docgraph.domain.graph import Relationship
from docgraph.domain.judgment import Judgment
from docgraph.ports import Store
from tests.contract.stores.examples import AT, act, example_document, example_edge
from tests.contract.stores.writing import edges_of, workspace_of

MOVE = {"old": "new"}


def reviewed(edge: Relationship, *content_hashes: str) -> Relationship:
    """The relationship as Ann accepted it."""
    review = {"reviewed_by": "Ann", "reviewed_at": AT, "content_hashes": list(content_hashes)}
    return edge.model_copy(update={"relationship_metadata": {**edge.relationship_metadata, REVIEW: review}})


class MovingRules:
    """See ``testing.suites.stores``."""

    def test_a_review_follows_a_moved_document_with_the_hash_of_its_text(self, store: Store) -> None:
        """And what the import says of the relationship at its new place is kept."""
        old = example_document("old", edges=[("cites", "b")], content_hash="then")
        store.write([old, example_document("b")])
        (edge,) = edges_of(store)
        act(store, edge, reviewed(edge, "then", "of b"))
        store.write([example_document("new", edges=[("cites", "b")], content_hash="now")])
        (entry,) = store.carry_over(MOVE, at=AT, by="import")
        assert (entry.by, entry.reason) == ("import", "moved: old → new")
        (there,) = edges_of(store)
        assert there == reviewed(example_edge("new", "cites", "b", extractor="example"), "now", "of b")
        assert entry.after == there
        assert sorted(store.content_hashes()) == ["b", "new"]

    def test_relationships_that_a_person_made_follow_at_both_ends(self, store: Store) -> None:
        """Those that an import stated go with the old document, or stay where the text points."""
        store.write([example_document("old", edges=[("cites", "b")]), example_document("b", edges=[("needs", "old")])])
        out, back = (example_edge(*key, extractor="manual") for key in (("old", "uses", "b"), ("b", "uses", "old")))
        for edge in (out, back):
            act(store, None, edge)
        store.write([example_document("new")])
        assert len(store.carry_over(MOVE, at=AT, by="import")) == 2
        assert [edge.key for edge in edges_of(store)] == [
            ("b", "needs", "old"),
            ("b", "uses", "new"),
            ("new", "uses", "b"),
        ]

    def test_a_relationship_that_a_person_removed_does_not_come_back_under_the_new_id(self, store: Store) -> None:
        """Neither at the move nor with a later import."""
        store.write([example_document("old", edges=[("cites", "b"), ("cites", "c")]), example_document("b")])
        act(store, edges_of(store)[0], None)
        store.write([example_document("new", edges=[("cites", "b"), ("cites", "c")])])
        store.carry_over(MOVE, at=AT, by="import")
        assert [edge.key for edge in edges_of(store)] == [("new", "cites", "c")]
        store.write([example_document("new", edges=[("cites", "b"), ("cites", "c")], doc_type="x")])
        assert [edge.key for edge in edges_of(store)] == [("new", "cites", "c")]
        assert [each.relationship.key for each in store.contested()] == [("new", "cites", "b")]

    def test_a_removal_follows_though_the_import_does_not_state_the_relationship_now(self, store: Store) -> None:
        """The history says it under the new ends, and nothing is left of it among the relationships."""
        store.write([example_document("old", edges=[("cites", "b")]), example_document("b")])
        act(store, edges_of(store)[0], None)
        store.write([example_document("new")])
        (entry,) = store.carry_over(MOVE, at=AT, by="import")
        assert entry.keys == frozenset([("new", "cites", "b")])
        assert entry.after is None
        assert edges_of(store) == ()

    def test_judgments_follow_and_one_about_the_new_document_stands(self, store: Store) -> None:
        """No judgment is lost or overwritten."""
        store.write([example_document("old"), example_document("new")])
        said = [("Why?", "old", True), ("Why?", "new", False), ("How?", "old", True)]
        store.judge([Judgment(query=q, document_id=i, relevant=r, by="Ann", at=AT) for q, i, r in said])
        assert store.carry_over(MOVE, at=AT, by="import") == ()
        found = [(each.query, each.document_id, each.relevant) for each in store.judgments()]
        assert found == [("How?", "new", True), ("Why?", "new", False), ("Why?", "old", True)]

    def test_what_was_decided_at_the_new_id_stands(self, store: Store) -> None:
        """The old relationship goes with its document."""
        store.write([example_document("old"), example_document("new")])
        act(store, None, example_edge("old", "uses", "new", extractor="manual", note="old"))
        for start in ("old", "new"):
            act(store, None, example_edge(start, "cites", "c", extractor="manual", note=start))
        store.carry_over(MOVE, at=AT, by="import")
        assert edges_of(store) == (
            example_edge("new", "cites", "c", extractor="manual", note="new"),
            example_edge("new", "uses", "new", extractor="manual", note="old"),
        )

    def test_after_a_move_the_workspace_is_the_one_that_always_held_it(self, store: Store) -> None:
        """Revision and counts are those of the documents and relationships that are there."""
        store.write([example_document("new", edges=[("cites", "b")]), example_document("b")])
        always = workspace_of(store)
        store.write([example_document("old", edges=[("cites", "b")])])
        (edge,) = (edge for edge in edges_of(store) if edge.from_document_id == "old")
        act(store, edge, None)
        act(store, None, edge)
        store.carry_over(MOVE, at=AT, by="import")
        assert workspace_of(store) == always

    def test_a_move_from_or_to_what_is_not_stored_does_nothing(self, store: Store) -> None:
        """It is passed over."""
        store.write([example_document("old", edges=[("cites", "b")])])
        before = (workspace_of(store), edges_of(store))
        assert store.carry_over({"old": "nowhere", "gone": "old"}, at=AT, by="import") == ()
        assert store.carry_over({}, at=AT, by="import") == ()
        assert (workspace_of(store), edges_of(store)) == before

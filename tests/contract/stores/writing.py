"""Rules for writing: whole documents, nothing half, nothing lost that a person added."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from docgraph.domain.graph import ImportHashes, Relationship, Vector
from docgraph.domain.own_questions import Trial
from docgraph.domain.type_roles import Origin, OwnFigures, TypeDecision
from docgraph.domain.workspace import Workspace
from docgraph.errors import ConflictError, EmbeddingMismatchError, IngestionError, NotFoundError
from docgraph.ports import Snapshot, Store, read
from tests.contract.stores.examples import DIMENSION, act, example_document, example_edge, example_vectors

HOSTILE = (
    "O'Brien",
    "zzz') OR ('1'='1",
    'a"b',
    "%s %(q)s {0} {schema}",
    "back\\slash",
    "Ünïcödé",
    "\U0001f4da\u200d",
    "$1; --",
)


def workspace_of(store: Store) -> Workspace:
    """The workspace as it is now."""
    with store.reading() as snapshot:
        return snapshot.workspace


def edges_of(store: Store) -> tuple[Relationship, ...]:
    """All edges by key."""
    with store.reading() as snapshot:
        return tuple(snapshot.relationships())


class StoreWritingRules:
    """See ``testing.suites.stores``."""

    def test_a_write_reports_added_replaced_and_unchanged(self, store: Store) -> None:
        """By the hash of all that was said."""
        assert store.write([example_document("b"), example_document("a")]).added == ("a", "b")
        result = store.write([example_document("a"), example_document("b", ("new",)), example_document("c")])
        assert (result.added, result.replaced, result.unchanged) == (("c",), ("b",), ("a",))
        assert store.write([]).added == ()

    def test_an_unchanged_document_is_left_alone(self, store: Store) -> None:
        """Even the revision stays."""
        store.write([example_document("a")])
        before = workspace_of(store)
        assert store.write([example_document("a")]).unchanged == ("a",)
        assert workspace_of(store) == before

    def test_an_unknown_hash_never_counts_as_unchanged(self, store: Store) -> None:
        """An empty hash says nothing about what was said."""
        unknown = ImportHashes(embedded="e")
        store.write([example_document("a", ("old",), hashes=unknown)])
        assert store.write([example_document("a", ("new",), hashes=unknown)]).replaced == ("a",)
        with store.reading() as snapshot:
            assert [chunk.text for chunk in snapshot.chunks("a")] == ["new"]

    def test_a_replacement_replaces_chunks_and_ingested_edges_whole(self, store: Store) -> None:
        """Fewer chunks and edges than before leave no rest."""
        store.write([example_document("a", ("1", "2", "3"), edges=[("cites", "b"), ("cites", "c")])])
        store.write([example_document("a", ("4",), edges=[("cites", "d")])])
        with store.reading() as snapshot:
            assert [chunk.text for chunk in snapshot.chunks("a")] == ["4"]
            assert snapshot.workspace.n_chunks == 1
        assert [edge.to_document_id for edge in edges_of(store)] == ["d"]

    def test_a_replaced_document_is_called_by_its_new_names_alone(self, store: Store) -> None:
        """One that is deleted by none."""
        store.write([example_document("a", title="Old title"), example_document("b", title="Old title")])
        store.write([example_document("a", title="New title")])
        store.delete_documents(["b"])
        with store.reading() as snapshot:
            assert snapshot.documents_named(["old title", "new title", "'b"]) == {"new title": ("a",)}

    def test_edges_that_a_person_added_survive_a_replacement(self, store: Store) -> None:
        """And win over an ingested edge with the same key."""
        store.write([example_document("a", edges=[("cites", "b")])])
        manual = example_edge("a", "explains", "b", extractor="manual", by="me")
        act(store, None, manual)
        store.write([example_document("a", ("new",), edges=[("explains", "b"), ("cites", "c")])])
        assert [edge.key[1:] for edge in edges_of(store)] == [("cites", "c"), ("explains", "b")]
        assert edges_of(store)[1] == manual
        assert workspace_of(store).n_relationships == 2

    def test_of_two_documents_with_one_id_the_last_counts(self, store: Store) -> None:
        """In one batch."""
        assert store.write([example_document("a", ("1",)), example_document("a", ("2",))]).added == ("a",)
        with store.reading() as snapshot:
            assert [chunk.text for chunk in snapshot.chunks("a")] == ["2"]

    @pytest.mark.parametrize("width", [DIMENSION - 1, DIMENSION + 1])
    def test_another_width_is_refused_and_nothing_is_written(self, store: Store, width: int) -> None:
        """The message names both widths."""
        wrong = example_document("b", ("x",), chunk_vectors=example_vectors(["x"], width))
        with pytest.raises(EmbeddingMismatchError, match=rf"{width} numbers.*holds {DIMENSION}"):
            store.write([example_document("a"), wrong])
        assert store.content_hashes() == {}

    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
    def test_vectors_that_are_not_finite_are_refused(self, store: Store, value: float) -> None:
        """For the summary and for the chunks."""
        bad: Vector = np.full(DIMENSION, value, dtype=np.float32)
        with pytest.raises(EmbeddingMismatchError, match="not finite"):
            store.write([example_document("a", vector=bad)])
        with pytest.raises(EmbeddingMismatchError, match="not finite"):
            store.write([example_document("a", ("x",), chunk_vectors=bad[None, :])])
        assert store.content_hashes() == {}

    def test_a_missing_chunk_vector_is_refused(self, store: Store) -> None:
        """One vector for each chunk."""
        with pytest.raises(EmbeddingMismatchError):
            store.write([example_document("a", ("x", "y"), chunk_vectors=example_vectors(["x"]))])

    def test_a_document_without_chunks_is_kept(self, store: Store) -> None:
        """A title and a summary are enough."""
        store.write([example_document("a", ())])
        with store.reading() as snapshot:
            assert snapshot.chunks("a") == ()
            assert snapshot.documents_by_id(["a"])["a"].n_chunks == 0

    @pytest.mark.parametrize("text", HOSTILE)
    def test_hostile_text_is_stored_and_found_as_it_is(self, store: Store, text: str) -> None:
        """As id, title, type, metadata and chunk."""
        fields: dict[str, Any] = {
            "title": text,
            "doc_type": text,
            "source": text,
            "metadata": {text: [text, 1, 2.5, None, True]},
        }
        store.write([example_document(text, (text,), edges=[(text, text)], **fields), example_document("other")])
        with store.reading() as snapshot:
            found = snapshot.documents_by_id([text])[text]
            assert (found.title, found.doc_type, found.metadata[text][0]) == (text, text, text)
            assert [d.document_id for d in snapshot.documents(doc_type=text)] == [text]
            assert [d.document_id for d in snapshot.documents(text=text)] == [text]
            assert [c.text for c in snapshot.chunks(text)] == [text]
            assert [e.key for e in snapshot.outgoing([text], relation_types=[text], limit=9)] == [(text, text, text)]
        gone = act(store, edges_of(store)[0], None).before
        assert gone is not None
        assert gone.key == (text, text, text)
        assert store.delete_documents([text]) == 1
        assert list(store.content_hashes()) == ["other"]

    def test_nul_and_lone_surrogates_do_no_harm(self, store: Store) -> None:
        """NUL goes, a lone surrogate becomes U+FFFD: databases hold neither."""
        store.write([example_document("a", ("x\x00y",), metadata={"k\x00": "\ud800v"})])
        with store.reading() as snapshot:
            assert snapshot.chunks("a")[0].text == "xy"
            assert snapshot.documents_by_id(["a"])["a"].metadata == {"k": "\ufffdv"}

    @pytest.mark.parametrize("text", ["half \ud800", "\udcff", "nul \x00"])
    def test_a_text_that_is_none_names_nothing(self, store: Store, text: str) -> None:
        """Wherever an id, a type or a key is asked for; it is an answer, never an error of the database's driver."""
        store.write([example_document("a", edges=[("cites", "b")])])
        assert store.delete_documents([text]) == 0
        assert not store.history(document_id=text, limit=9)
        assert not store.history(key=(text, text, text), limit=9)
        with store.reading() as snapshot:
            assert not snapshot.documents_by_id([text])
            assert not snapshot.outgoing([text], relation_types=[text], limit=9)

    def test_metadata_that_json_cannot_carry_is_refused(self, store: Store) -> None:
        """NaN, and nesting without end."""
        deep: list[object] = []
        for _ in range(200):
            deep = [deep]
        for metadata in ({"x": float("nan")}, {"x": deep}):
            with pytest.raises(IngestionError):
                store.write([example_document("a", metadata=metadata)])
        assert store.content_hashes() == {}

    def test_long_text_and_long_ids_are_kept(self, store: Store) -> None:
        """A 1 MB chunk of different words, an id of 512 characters."""
        text, document_id = " ".join(f"word{number}" for number in range(100_000)), "é" * 512
        store.write([example_document(document_id, (text,), edges=[("cites", "b" * 512)])])
        with store.reading() as snapshot:
            assert snapshot.chunks(document_id)[0].text == text
            assert len(snapshot.outgoing([document_id], relation_types=None, limit=1)) == 1

    def test_a_deleted_document_takes_its_outgoing_edges_along_and_leaves_incoming_ones_dangling(
        self, store: Store
    ) -> None:
        """Incoming edges belong to others."""
        store.write([example_document("a", edges=[("cites", "b")]), example_document("b", edges=[("cites", "a")])])
        assert store.delete_documents(["a", "a", "unknown"]) == 1
        with store.reading() as snapshot:
            assert [edge.key for edge in snapshot.relationships(dangling=True)] == [("b", "cites", "a")]
            assert snapshot.chunks("a") == ()
            assert (snapshot.workspace.n_documents, snapshot.workspace.n_relationships) == (1, 1)

    def test_an_edge_is_added_once_and_changed_in_its_place(self, store: Store) -> None:
        """Its metadata change, its key does not."""
        store.write([example_document("a")])
        act(store, None, example_edge("a", "cites", "b", note=1))
        with pytest.raises(ConflictError):
            act(store, None, example_edge("a", "cites", "b", note=2))
        assert edges_of(store)[0].relationship_metadata == {"note": 1}
        act(store, example_edge("a", "cites", "b", note=1), example_edge("a", "cites", "b", note=3))
        assert [edge.relationship_metadata for edge in edges_of(store)] == [{"note": 3}]
        assert workspace_of(store).n_relationships == 1

    def test_an_edge_may_end_nowhere_but_must_start_somewhere(self, store: Store) -> None:
        """A dangling edge is data."""
        store.write([example_document("a")])
        act(store, None, example_edge("a", "cites", "nowhere"))
        with pytest.raises(NotFoundError, match="nobody"):
            act(store, None, example_edge("nobody", "cites", "a"))
        stray = example_document("b", edges=[("cites", "a")]).relationships
        with pytest.raises(IngestionError, match="starts at"):
            store.write([replace(example_document("a"), relationships=stray)])

    def test_removing_an_edge_gives_it_back(self, store: Store) -> None:
        """So that it can be undone."""
        store.write([example_document("a", edges=[("cites", "b")])])
        edge = edges_of(store)[0]
        assert act(store, edge, None).before == edge
        with pytest.raises(ConflictError):
            act(store, edge, None)
        assert edges_of(store) == ()

    def test_off_relation_types_are_kept_sorted(self, store: Store) -> None:
        """Each once."""
        store.set_off_relation_types(["mentions", "cites", "mentions"])
        assert workspace_of(store).off_relation_types == ("cites", "mentions")
        store.set_off_relation_types([])
        assert workspace_of(store).off_relation_types == ()

    def test_types_are_followed_that_edges_have_and_nobody_switched_off(self, store: Store) -> None:
        """All of them, new ones too, where none is switched off; else by name, whether or not those off are there."""
        store.write([example_document("a", edges=[("é", "b"), ("k", "b"), ("K", "c"), ("mentions", "b")])])
        for off, followed in (
            ((), None),
            (("unknown",), ("K", "k", "mentions", "é")),
            (("k", "mentions"), ("K", "é")),
            (("K", "k", "mentions", "é"), ()),
        ):
            store.set_off_relation_types(off)
            with store.reading() as snapshot:
                assert snapshot.followed_types() == followed
            with store.reading() as snapshot:
                assert snapshot.at_once(read(Snapshot.followed_types), read(Snapshot.chunks, "x")) == (followed, ())

    def test_decisions_about_types_are_kept_with_their_history(self, store: Store) -> None:
        """What was there before each, newest first; a decision that changes nothing leaves no entry."""
        figures = OwnFigures(trial_id=3, n=240, better=7, worse=12, points=-2.1, low=-3.4, high=-0.8)
        quiet = TypeDecision(
            relation_type=HOSTILE[0], role="reasons_only", by="own_questions", at="2026-01-01", figures=figures
        )
        off = TypeDecision(relation_type="mentions", role="off", by="person", who=HOSTILE[4], reason=HOSTILE[5] + "\0")
        first = store.decide_types([off, quiet])
        assert [change.entry_id for change in first] == [1, 2]
        assert (first[0].before, first[0].after) == (TypeDecision(relation_type=HOSTILE[0]), quiet)
        assert store.decide_types([quiet]) == store.decide_types([]) == ()
        workspace = workspace_of(store)
        kept = off.model_copy(update={"reason": HOSTILE[5]})
        assert (workspace.off_relation_types, workspace.type_decisions) == (("mentions",), (quiet, kept))
        [third] = store.decide_types([TypeDecision(relation_type=HOSTILE[0])])
        assert (third.before, workspace_of(store).type_decisions) == (quiet, (kept,))
        assert store.type_history() == (third, *reversed(first))
        assert store.type_history(limit=1) == (third,)

    def test_switching_types_off_leaves_other_roles_alone(self, store: Store) -> None:
        """Those that give reasons only stay so; one that is not off any more adds documents, by hand."""
        quiet = TypeDecision(relation_type="links_to", role="reasons_only", by="person")
        store.decide_types([quiet, TypeDecision(relation_type="mentions", role="off")])
        store.set_off_relation_types(["cites"])
        decided = workspace_of(store).decided
        assert (decided.off, decided.of("links_to")) == (("cites",), quiet)
        assert (decided.of("mentions").role, decided.of("mentions").by) == ("adds_documents", "person")

    def test_types_are_named_one_by_one_where_some_give_reasons_only(self, store: Store) -> None:
        """These are followed, so they are among them."""
        store.write([example_document("a", edges=[("k", "b"), ("links_to", "b"), ("mentions", "c")])])
        store.decide_types([TypeDecision(relation_type="links_to", role="reasons_only", by="person")])
        with store.reading() as snapshot:
            assert snapshot.followed_types() == ("k", "links_to", "mentions")
        store.set_off_relation_types(["mentions"])
        with store.reading() as snapshot:
            assert snapshot.followed_types() == ("k", "links_to")

    def test_defaults_follow_with_every_decision_and_with_edits_of_what_was_read(self, store: Store) -> None:
        """Links give reasons only while declared edges add documents; edges that people state turn nothing round."""
        link, header = (
            {"extractor": "markdown_links", "place": "body"},
            {"extractor": "header_fields", "place": "header"},
        )
        store.write([example_document(i) for i in "abc"])
        store.put_ingested([example_edge("a", "links_to", "b", **link), example_edge("b", "requires", "c", **header)])

        def roles() -> dict[str, str]:
            decided = workspace_of(store).decided
            return {name: decided.of(name).role for name in ("links_to", "requires")}

        assert roles()["links_to"] == "adds_documents"
        [made] = store.decide_types(())
        assert (made.after.relation_type, made.after.by, roles()["links_to"]) == ("links_to", "default", "reasons_only")
        store.set_off_relation_types(["requires"])
        assert roles() == {"links_to": "adds_documents", "requires": "off"}
        store.decide_types([TypeDecision(relation_type="requires")])
        assert roles() == {"links_to": "reasons_only", "requires": "adds_documents"}
        act(store, None, example_edge("c", "approves", "a", extractor="manual"))
        declared = next(edge for edge in edges_of(store) if edge.relation_type == "requires")
        act(store, declared, None)
        assert roles()["links_to"] == "adds_documents"
        act(store, None, declared)
        assert roles()["links_to"] == "reasons_only"

    def test_origins_count_the_edges_that_lead_to_stored_documents(self, store: Store) -> None:
        """By type, extractor and place; what is not said, or is no text, is empty."""
        edges = [
            example_edge("a", "k", "b", extractor="header_fields", place="header"),
            example_edge("a", "k", "c", extractor="header_fields", place="header"),
            example_edge("a", "k", "gone", extractor="header_fields", place="header"),
            example_edge("b", "k", "a", extractor="jsonl", place=["body"]),
            example_edge("b", "K", "c"),
        ]
        store.write([example_document(i) for i in "abc"])
        store.put_ingested(edges)
        with store.reading() as snapshot:
            assert snapshot.type_origins() == (
                Origin("K", "", "", 1),
                Origin("k", "header_fields", "header", 2),
                Origin("k", "jsonl", "", 1),
            )

    def test_trials_are_kept_newest_first_and_move_nothing(self, store: Store) -> None:
        """Each under the next number, whatever stands in it."""
        made = Trial(
            workspace="w", revision="r", embedder_id=HOSTILE[1], seed=7, n_questions=2, n_asked=1, stopped=True
        )
        before = workspace_of(store)
        first, second = store.keep_trial(made), store.keep_trial(made.model_copy(update={"seed": 8}))
        assert (first, second.trial_id) == (made.model_copy(update={"trial_id": 1}), 2)
        assert (store.trials(), store.trials(limit=1)) == ((second, first), (second,))
        assert workspace_of(store) == before

    def test_content_hashes_are_told_for_all_or_for_some(self, store: Store) -> None:
        """Unknown ids are absent."""
        store.write([example_document("a"), example_document("b")])
        assert list(store.content_hashes()) == ["a", "b"]
        assert store.content_hashes(["b", "nope"]) == {"b": store.content_hashes()["b"]}
        assert store.content_hashes([]) == {}

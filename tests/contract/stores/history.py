"""Rules over time: snapshots stand still, the revision follows the content, every store agrees with the reference."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docgraph import plugins
from docgraph.domain.graph import Relationship
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.type_roles import TypeDecision
from docgraph.errors import NotFoundError
from docgraph.ports import Database, Snapshot, Store
from tests.contract.stores.examples import EMBEDDER, act, example_document, example_edge
from tests.contract.stores.reading import QUESTION, SIGNALS, near
from tests.contract.stores.writing import edges_of, workspace_of

_IDS = ("a", "b", "c", "d")
_TYPES = ("cites", "explains")
_TEXTS = ("the zebra eats grass", "a lion eats the zebra", "rivers", "grass grows")
DOCUMENTS = st.builds(
    lambda document_id, texts, edges, kind: example_document(document_id, texts, edges=edges, doc_type=kind),
    st.sampled_from(_IDS),
    st.lists(st.sampled_from(_TEXTS), max_size=3, unique=True).map(tuple),
    st.lists(st.tuples(st.sampled_from(_TYPES), st.sampled_from((*_IDS, "nowhere"))), max_size=3, unique=True),
    st.sampled_from(("", "x")),
)
_keys = st.tuples(st.sampled_from(_IDS), st.sampled_from(_TYPES), st.sampled_from(_IDS))
STEPS: st.SearchStrategy[tuple[str, Any]] = st.one_of(
    st.tuples(st.just("write"), DOCUMENTS),
    st.tuples(st.just("write"), DOCUMENTS),
    st.tuples(st.just("delete"), st.sampled_from(_IDS)),
    st.tuples(st.just("put"), _keys),
    st.tuples(st.just("remove"), _keys),
    st.tuples(st.just("off"), st.lists(st.sampled_from(_TYPES)).map(tuple)),
)


def everything(snapshot: Snapshot) -> dict[str, Any]:
    """All that can be read, as plain data; scores to 5 digits, since stores compute in different precision."""
    ids = [document.document_id for document in snapshot.documents()]
    rankings = {
        signal: [(r.document_id, r.rank, near(r.score)) for r in ranked]
        for signal in SIGNALS
        for ranked in [snapshot.rank_documents(QUESTION, signal, limit=99)]
    }
    nearest = snapshot.nearest_chunks(QUESTION.vector, limit=99)
    return {
        "workspace": snapshot.workspace,
        "documents": list(snapshot.documents()),
        "chunks": [snapshot.chunks(document_id) for document_id in ids],
        "relationships": list(snapshot.relationships()),
        "dangling": list(snapshot.relationships(dangling=True)),
        "outgoing": snapshot.outgoing(ids, relation_types=None, limit=2),
        "incoming": snapshot.incoming(ids, relation_types=None, limit=2),
        "types": snapshot.relation_types(),
        "origins": snapshot.type_origins(),
        "rankings": rankings,
        "nearest": [(h.chunk, near(h.score)) for h in nearest],
        "nearest_of": [h.chunk for h in snapshot.nearest_chunks_of(ids, QUESTION.vector, per_document=2)],
        "holding": snapshot.count_holding(["zebra", "lions", "river", "grow", "the", "nowhere"]),
        "ms3": [r.document_id for r in snapshot.documents_of_nearest_chunks(QUESTION.vector, limit=5)],
    }


class StoreHistoryRules:
    """See ``testing.suites.stores``."""

    @settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(history=st.lists(STEPS, min_size=3, max_size=12))
    def test_any_history_gives_the_same_as_the_reference_store(self, database: Database, history: list[Any]) -> None:
        """Every result of every reading method, the revision, and what is remembered of decisions."""
        reference = plugins.build("stores", "memory").create_workspace("law", EMBEDDER)
        store = database.create_workspace("law", EMBEDDER)
        try:
            for step in history:
                assert apply(store, *step) == apply(reference, *step)
            with store.reading() as snapshot, reference.reading() as expected:
                assert everything(snapshot) == everything(expected)
            assert (store.history(), store.contested()) == (reference.history(), reference.contested())
        finally:
            database.drop_workspace("law")

    def test_the_revision_depends_on_the_content_alone(self, database: Database) -> None:
        """Not on order, batches, detours or the workspace."""
        documents = [example_document(i, edges=[("cites", "a")]) for i in "abcd"]
        one, two = (database.create_workspace(name, EMBEDDER) for name in ("one", "two"))
        assert workspace_of(one).revision == "0" * 32
        one.write(documents)
        two.write([example_document("d", ("detour",)), example_document("gone")])
        for document in reversed(documents):
            two.write([document])
        assert workspace_of(one).revision != workspace_of(two).revision
        two.delete_documents(["gone"])
        assert workspace_of(one).revision == workspace_of(two).revision

    def test_every_change_moves_the_revision_and_undoing_it_moves_it_back(self, store: Store) -> None:
        """Documents, relationships, their metadata, types switched off or with reasons alone, and who decided so."""
        store.write([example_document("a")])
        seen = [workspace_of(store).revision]

        def moved(change: Callable[[], object]) -> None:
            change()
            seen.append(workspace_of(store).revision)
            assert len(set(seen)) == len(seen)

        plain, noted = example_edge("a", "k", "b"), example_edge("a", "k", "b", note=1)
        moved(lambda: act(store, None, plain))
        moved(lambda: act(store, plain, noted))
        moved(lambda: store.set_off_relation_types(["k"]))
        moved(lambda: store.decide_types([TypeDecision(relation_type="k", role="reasons_only", by="own_questions")]))
        moved(lambda: store.decide_types([TypeDecision(relation_type="k", role="reasons_only", by="person")]))
        moved(lambda: store.write([example_document("a", ("changed",))]))
        store.write([example_document("a")])
        store.decide_types([TypeDecision(relation_type="k")])
        for edge in edges_of(store):
            act(store, edge, None)
        assert workspace_of(store).revision == seen[0]

    def test_a_snapshot_does_not_see_what_is_written_meanwhile(self, store: Store) -> None:
        """Neither documents nor the revision; the next snapshot does."""
        store.write([example_document("a")])
        with store.reading() as snapshot:
            before = everything(snapshot)
            writer = threading.Thread(
                target=lambda: store.write([example_document("a", ("new",)), example_document("b")])
            )
            writer.start()
            writer.join()
            assert everything(snapshot) == before
        assert workspace_of(store).n_documents == 2

    def test_writers_at_once_never_leave_half_a_document(self, store: Store) -> None:
        """Three writers of the same documents and a reader: all whole, no error, the revision adds up."""
        problems: list[BaseException | str] = []
        stop = threading.Event()

        def write(version: int) -> None:
            for turn in range(4):
                text = f"v{version}.{turn}"
                batch = [example_document(i, (text,) * (1 + version + turn), edges=[("k", text)]) for i in "cab"]
                store.write(batch if version else batch[::-1])

        def read() -> None:
            while not stop.is_set():
                with store.reading() as snapshot:
                    for document in snapshot.documents():
                        chunks = snapshot.chunks(document.document_id)
                        if len({c.text for c in chunks}) != 1 or len(chunks) != document.n_chunks:
                            problems.append(f"torn: {document.document_id}")

        reader = _started(read, problems)
        for writer in [_started(lambda v=v: write(v), problems) for v in range(3)]:  # type: ignore[misc]
            writer.join()
        stop.set()
        reader.join()
        assert problems == []
        _assert_revision_adds_up(store)

    def test_a_dropped_workspace_cannot_be_read_as_if_it_were_there(self, database: Database, store: Store) -> None:
        """Opening it again says that it is gone."""
        database.drop_workspace("example")
        with pytest.raises(NotFoundError):
            database.open_workspace("example")


def apply(store: Store, what: str, value: Any) -> object:
    """One step of a history; an error counts as its kind."""
    try:
        if what == "write":
            return store.write([value])
        if what == "delete":
            return store.delete_documents([value])
        if what == "put":
            return act(store, _there(store, value), example_edge(*value, extractor="manual"))
        if what == "remove" and (edge := _there(store, value)):
            return act(store, edge, None)
        if what == "off":
            store.set_off_relation_types(value)
    except NotFoundError as error:
        return type(error)
    return None


def _there(store: Store, key: EdgeKey) -> Relationship | None:
    return next((edge for edge in edges_of(store) if edge.key == key), None)


def _started(target: Callable[[], None], problems: list[BaseException | str]) -> threading.Thread:
    def run() -> None:
        try:
            target()
        except BaseException as error:
            problems.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def _assert_revision_adds_up(store: Store) -> None:
    """Deleting everything must lead back to the revision of an empty workspace."""
    assert store.delete_documents(list(store.content_hashes())) > 0
    assert workspace_of(store).revision == "0" * 32
    assert (workspace_of(store).n_chunks, workspace_of(store).n_relationships) == (0, 0)

"""Rules for what is kept of imports: numbered, bounded, each with the state after it, beside the documents."""

from __future__ import annotations

from itertools import pairwise

from docgraph.domain.imports.record import AnsweredQuestion, ImportedDocument, ImportState, ImportSummary
from docgraph.ports import Database, Store
from tests.contract.stores.examples import EMBEDDER
from tests.contract.stores.writing import workspace_of

AT = "2026-11-23T08:00:00+00:00"
KEEP = 5


def summary(source: str = "docs", **fields: object) -> ImportSummary:
    """An import that nobody made."""
    return ImportSummary.model_validate({"at": AT, "source": source, **fields})


def state(*ids: str) -> ImportState:
    """A workspace with these documents, each pointing at the next."""
    return ImportState(
        documents={i: ImportedDocument(title=i.upper(), content_hash=f"#{i}", status="draft") for i in ids},
        relationships=tuple((a, "explains", b) for a, b in pairwise(ids)),
        questions=(AnsweredQuestion(run_id="r", query="why?", documents=ids), AnsweredQuestion(run_id="s", query="")),
        rejected={"docs": {"old/index": "the file has no text"}},
    )


class ImportRules:
    """See ``testing.suites.stores``."""

    def test_imports_are_numbered_and_listed_newest_first(self, store: Store) -> None:
        """With what they counted, and without what no database holds."""
        assert store.imports() == ()
        assert store.import_state(1) is None
        first = store.keep_import(summary("a\x00b \ud800", n_in=3, by="Ann"), state("x"), keep=KEEP)
        second = store.keep_import(summary(stopped=True), state("x", "y"), keep=KEEP)
        assert (first.import_id, second.import_id) == (1, 2)
        assert "\x00" not in first.source
        assert (first.n_in, first.by) == (3, "Ann")
        assert store.imports() == (second, first)

    def test_a_state_is_read_back_and_holds_until_another_is_kept(self, store: Store) -> None:
        """An import that changed nothing keeps no state of its own."""
        store.keep_import(summary(), state("x"), keep=KEEP)
        store.keep_import(summary(), state("x"), keep=KEEP)
        store.keep_import(summary(), state("x", "y", "\U0001f600"), keep=KEEP)
        assert [store.import_state(n) for n in (0, 1, 2, 3)] == [
            None,
            state("x"),
            state("x"),
            state("x", "y", "\U0001f600"),
        ]

    def test_the_oldest_go_and_hand_their_state_on(self, store: Store) -> None:
        """Who stays keeps the state that was there when it was made, whoever had it."""
        store.keep_import(summary(), state("x"), keep=3)
        for _ in range(4):
            store.keep_import(summary(), None, keep=3)
        assert [each.import_id for each in store.imports()] == [5, 4, 3]
        assert [store.import_state(n) for n in (2, 3, 4, 5)] == [None, state("x"), state("x"), state("x")]
        store.keep_import(summary(), state("y"), keep=3)
        assert [store.import_state(n) for n in (3, 4, 5, 6)] == [None, state("x"), state("x"), state("y")]
        assert store.keep_import(summary(), None, keep=1).import_id == 7
        assert [each.import_id for each in store.imports()] == [7]
        assert store.import_state(7) == state("y")

    def test_keeping_an_import_moves_no_revision(self, store: Store) -> None:
        """It says nothing of the documents that they do not say themselves."""
        before = workspace_of(store)
        store.keep_import(summary(), state("x"), keep=KEEP)
        assert workspace_of(store) == before

    def test_imports_are_of_one_workspace_and_go_with_it(self, database: Database, store: Store) -> None:
        """Another one counts its own from 1."""
        store.keep_import(summary(), state("x"), keep=KEEP)
        other = database.create_workspace("other", EMBEDDER)
        assert other.imports() == ()
        assert other.keep_import(summary(), None, keep=KEEP).import_id == 1
        database.drop_workspace("example")
        again = database.create_workspace("example", EMBEDDER)
        assert again.imports() == ()
        assert again.keep_import(summary(), None, keep=KEEP).import_id == 1

"""Rules for databases: workspaces are made, found, kept apart and removed."""

from __future__ import annotations

import pytest

from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import ConflictError, NotFoundError
from docgraph.ports import Database, Snapshot, Store
from tests.contract.stores.examples import EMBEDDER, example_document


class WorkspaceRules:
    """See ``testing.suites.stores``."""

    def test_what_is_built_fulfils_the_protocols(self, database: Database, store: Store) -> None:
        """Structural check of all methods."""
        assert isinstance(database, Database)
        assert isinstance(store, Store)
        with store.reading() as snapshot:
            assert isinstance(snapshot, Snapshot)

    def test_a_new_workspace_is_empty_and_keeps_its_embedder(self, database: Database) -> None:
        """Name, title and embedder come back."""
        made = database.create_workspace("one", EMBEDDER, title="O'Brien's \U0001f4da")
        with made.reading() as snapshot:
            workspace = snapshot.workspace
        assert database.workspaces() == (workspace,)
        assert (workspace.name, workspace.title, workspace.embedder) == ("one", "O'Brien's \U0001f4da", EMBEDDER)
        assert (workspace.n_documents, workspace.n_chunks, workspace.n_relationships) == (0, 0, 0)

    def test_a_workspace_is_created_once(self, database: Database, store: Store) -> None:
        """The second time is a conflict, and the first one stays as it was."""
        store.write([example_document("a")])
        with pytest.raises(ConflictError, match="example"):
            database.create_workspace("example", EMBEDDER)
        assert database.workspaces()[0].n_documents == 1

    def test_workspaces_are_listed_by_name_with_their_counts(self, database: Database) -> None:
        """Each counts its own."""
        for name in ("b", "a-b", "a_b", "a"):
            database.create_workspace(name, EMBEDDER)
        database.open_workspace("a-b").write([example_document("x", ("t",), edges=[("cites", "y")])])
        assert [w.name for w in database.workspaces()] == ["a", "a-b", "a_b", "b"]
        assert [(w.n_documents, w.n_chunks, w.n_relationships) for w in database.workspaces()][:3] == [
            (0, 0, 0),
            (1, 1, 1),
            (0, 0, 0),
        ]

    def test_workspaces_may_have_different_widths(self, database: Database) -> None:
        """One embedder each."""
        wide = EmbedderInfo(name="wide", dimension=2000)
        database.create_workspace("narrow", EMBEDDER)
        database.create_workspace("wide", wide)
        assert [w.embedder for w in database.workspaces()] == [EMBEDDER, wide]

    def test_an_unknown_workspace_is_named_with_those_there_are(self, database: Database, store: Store) -> None:
        """For opening and for dropping."""
        with pytest.raises(NotFoundError, match=r"nope.*example"):
            database.open_workspace("nope")
        with pytest.raises(NotFoundError, match=r"nope.*example"):
            database.drop_workspace("nope")

    def test_a_dropped_workspace_is_gone_and_its_name_is_free(self, database: Database, store: Store) -> None:
        """Nothing of the old content comes back."""
        store.write([example_document("a")])
        database.drop_workspace("example")
        assert database.workspaces() == ()
        again = database.create_workspace("example", EMBEDDER)
        assert again.content_hashes() == {}

    def test_an_opened_workspace_shows_what_was_written(self, database: Database, store: Store) -> None:
        """Two views of one workspace."""
        store.write([example_document("a")])
        assert list(database.open_workspace("example").content_hashes()) == ["a"]

    def test_health_tells_what_it_is_and_how_many_workspaces_it_holds(self, database: Database, store: Store) -> None:
        """At least these two."""
        health = database.health()
        assert isinstance(health["kind"], str)
        assert health["n_workspaces"] == 1

"""Rules for stores that only read: what is listed is what is seen, and all of it as the reference store reads it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import closing

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docgraph import plugins
from docgraph.domain.graph import PreparedDocument
from docgraph.ports import Reader, Snapshot
from tests.contract.stores.examples import EMBEDDER, example_document
from tests.contract.stores.history import DOCUMENTS, everything

ReaderOf = Callable[[Sequence[PreparedDocument]], Reader]
"""The fixture ``reader_of``: what ``build()`` gives where the documents lie in the workspace ``example``."""


class ReaderRules:
    """See ``testing.suites.stores``."""

    def test_what_is_built_fulfils_the_protocols(self, reader_of: ReaderOf) -> None:
        """Structural check of all methods."""
        with closing(reader_of([])) as reader:
            assert isinstance(reader, Reader)
            with reader.reading("example") as snapshot:
                assert isinstance(snapshot, Snapshot)

    def test_a_workspace_is_listed_as_a_snapshot_sees_it(self, reader_of: ReaderOf) -> None:
        """With its embedder and its counts."""
        documents = [example_document("a", ("1", "2"), edges=[("cites", "b")]), example_document("b", ())]
        with closing(reader_of(documents)) as reader, reader.reading("example") as snapshot:
            here = snapshot.workspace
            assert reader.workspaces() == (here,)
        assert (here.name, here.embedder) == ("example", EMBEDDER)
        assert (here.n_documents, here.n_chunks, here.n_relationships) == (2, 2, 1)

    def test_the_revision_is_another_one_when_the_content_is(self, reader_of: ReaderOf) -> None:
        """And the same one when it is not."""

        def revision(*documents: PreparedDocument) -> str:
            with closing(reader_of(documents)) as reader, reader.reading("example") as snapshot:
                return snapshot.workspace.revision

        a, b = example_document("a", edges=[("cites", "b")]), example_document("b")
        others = [(a,), (a, example_document("b", ("new",))), (example_document("a", edges=[("cites", "c")]), b), ()]
        assert revision(a, b) == revision(a, b)
        assert len({revision(a, b), *(revision(*documents) for documents in others)}) == 5

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(documents=st.lists(DOCUMENTS, max_size=6, unique_by=lambda each: each.document.document_id))
    def test_any_content_is_read_as_the_reference_store_reads_it(
        self, reader_of: ReaderOf, documents: list[PreparedDocument]
    ) -> None:
        """Every result of every reading method, whether the store gives it or it follows from the others."""
        reference = plugins.build("stores", "memory").create_workspace("example", EMBEDDER)
        reference.write(documents)
        with closing(reader_of(documents)) as reader, reader.reading("example") as snapshot:
            found = everything(snapshot)
        with reference.reading() as expected:
            wanted = everything(expected)
        assert found | {"workspace": None} == wanted | {"workspace": None}

    def test_threads_read_at_once(self, reader_of: ReaderOf) -> None:
        """Each sees the same."""
        seen: list[object] = []
        documents = [example_document(f"d{i}", edges=[("cites", "d0")]) for i in range(20)]
        with closing(reader_of(documents)) as reader:

            def read() -> None:
                with reader.reading("example") as snapshot:
                    seen.append(everything(snapshot))

            threads = [threading.Thread(target=read) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert len(seen) == 4
        assert all(each == seen[0] for each in seen)

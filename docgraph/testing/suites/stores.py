"""The compliance suites of stores: derive a class from one of them and give it a fixture.

```python
class TestMyStore(StoreSuite):
    @pytest.fixture
    def database(self):
        database = my_store.build()
        yield database
        database.close()

class TestMyReader(ReadingStoreSuite):
    @pytest.fixture
    def reader_of(self):
        return lambda documents: my_reader.build(exported(documents))
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager

import pytest

from docgraph.domain.graph import PreparedDocument
from docgraph.ports import Database, Snapshot, Store
from docgraph.testing.stores.at_once import Holding
from docgraph.testing.stores.content import ContentRules
from docgraph.testing.stores.curation import CurationRules
from docgraph.testing.stores.edits import EditingRules
from docgraph.testing.stores.embedding import EmbeddingRules
from docgraph.testing.stores.examples import EMBEDDER
from docgraph.testing.stores.filtering import FilterRules
from docgraph.testing.stores.history import StoreHistoryRules
from docgraph.testing.stores.imports import ImportRules
from docgraph.testing.stores.judgments import JudgmentRules
from docgraph.testing.stores.memories import CalibrationRules, MemoryRules
from docgraph.testing.stores.moving import MovingRules
from docgraph.testing.stores.query_sets import QuerySetRules
from docgraph.testing.stores.readers import ReaderOf, ReaderRules
from docgraph.testing.stores.reading import ReadingRules
from docgraph.testing.stores.restating import RestatingRules
from docgraph.testing.stores.run_lives import SavedRunLifeRules
from docgraph.testing.stores.runs import SavedRunRules
from docgraph.testing.stores.searching import SearchingRules
from docgraph.testing.stores.sign_ins import SignInRules
from docgraph.testing.stores.stating import StatingRules
from docgraph.testing.stores.titles import TitleRules
from docgraph.testing.stores.words import WordRules
from docgraph.testing.stores.workspaces import WorkspaceRules
from docgraph.testing.stores.writing import StoreWritingRules


class StoreSuite(
    WorkspaceRules,
    ReadingRules,
    FilterRules,
    StoreWritingRules,
    RestatingRules,
    MovingRules,
    StoreHistoryRules,
    ContentRules,
    EditingRules,
    CurationRules,
    JudgmentRules,
    StatingRules,
    WordRules,
    MemoryRules,
    CalibrationRules,
    ImportRules,
    SearchingRules,
    TitleRules,
    EmbeddingRules,
    SavedRunRules,
    SavedRunLifeRules,
    QuerySetRules,
    SignInRules,
):
    """Every rule of ``ports.Database``, ``ports.Store``, ``ports.Snapshot`` and the archives as a test."""

    @pytest.fixture
    def database(self) -> Iterator[Database]:
        """The database under test, empty. To be overridden."""
        raise NotImplementedError("give the suite a `database` fixture")

    @pytest.fixture
    def store(self, database: Database) -> Store:
        """An empty workspace in it."""
        return database.create_workspace("example", EMBEDDER)

    @pytest.fixture
    def holding(self, store: Store) -> Holding:
        """A view of that workspace after documents were written to it."""

        def hold(*batches: Sequence[PreparedDocument]) -> AbstractContextManager[Snapshot]:
            for batch in batches:
                store.write(batch)
            return store.reading()

        return hold


class ReadingStoreSuite(ReaderRules, ReadingRules, FilterRules, WordRules):
    """Every rule of ``ports.Reader``, and those of ``ports.Snapshot`` that a ``StoreSuite`` has too, as a test."""

    @pytest.fixture
    def reader_of(self) -> ReaderOf:
        """What gives the reader under test of these documents. To be overridden.

        They lie in a workspace ``example`` that was made with ``testing.stores.examples.EMBEDDER``.
        """
        raise NotImplementedError("give the suite a `reader_of` fixture")

    @pytest.fixture
    def holding(self, reader_of: ReaderOf) -> Holding:
        """A view of that workspace."""

        @contextmanager
        def hold(*batches: Sequence[PreparedDocument]) -> Iterator[Snapshot]:
            documents = [document for batch in batches for document in batch]
            with closing(reader_of(documents)) as reader, reader.reading("example") as snapshot:
                yield snapshot

        return hold

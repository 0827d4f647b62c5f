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
from tests.contract.stores.at_once import Holding
from tests.contract.stores.content import ContentRules
from tests.contract.stores.curation import CurationRules
from tests.contract.stores.edits import EditingRules
from tests.contract.stores.embedding import EmbeddingRules
from tests.contract.stores.examples import EMBEDDER
from tests.contract.stores.filtering import FilterRules
from tests.contract.stores.history import StoreHistoryRules
from tests.contract.stores.imports import ImportRules
from tests.contract.stores.judgments import JudgmentRules
from tests.contract.stores.memories import CalibrationRules, MemoryRules
from tests.contract.stores.moving import MovingRules
from tests.contract.stores.query_sets import QuerySetRules
from tests.contract.stores.readers import ReaderOf, ReaderRules
from tests.contract.stores.reading import ReadingRules
from tests.contract.stores.restating import RestatingRules
from tests.contract.stores.run_lives import SavedRunLifeRules
from tests.contract.stores.runs import SavedRunRules
from tests.contract.stores.searching import SearchingRules
from tests.contract.stores.sign_ins import SignInRules
from tests.contract.stores.stating import StatingRules
from tests.contract.stores.titles import TitleRules
from tests.contract.stores.words import WordRules
from tests.contract.stores.workspaces import WorkspaceRules
from tests.contract.stores.writing import StoreWritingRules


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

        They lie in a workspace ``example`` that was made with ``tests.contract.stores.examples.EMBEDDER``.
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

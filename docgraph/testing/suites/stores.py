"""The compliance suite of stores: derive a class from ``StoreSuite`` and give it a ``database`` fixture.

```python
class TestMyStore(StoreSuite):
    @pytest.fixture
    def database(self):
        database = my_store.build()
        yield database
        database.close()
```
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docgraph.ports import Database, Store
from docgraph.testing.stores.curation import CurationRules
from docgraph.testing.stores.edits import EditingRules
from docgraph.testing.stores.examples import EMBEDDER
from docgraph.testing.stores.history import StoreHistoryRules
from docgraph.testing.stores.judgments import JudgmentRules
from docgraph.testing.stores.memories import CalibrationRules, MemoryRules
from docgraph.testing.stores.reading import StoreReadingRules
from docgraph.testing.stores.run_lives import SavedRunLifeRules
from docgraph.testing.stores.runs import SavedRunRules
from docgraph.testing.stores.stating import StatingRules
from docgraph.testing.stores.words import StoreWordRules
from docgraph.testing.stores.workspaces import WorkspaceRules
from docgraph.testing.stores.writing import StoreWritingRules


class StoreSuite(
    WorkspaceRules,
    StoreReadingRules,
    StoreWritingRules,
    StoreHistoryRules,
    EditingRules,
    CurationRules,
    JudgmentRules,
    StatingRules,
    StoreWordRules,
    MemoryRules,
    CalibrationRules,
    SavedRunRules,
    SavedRunLifeRules,
):
    """Every rule of ``ports.Database``, ``ports.Store``, ``ports.Snapshot`` and ``ports.RunArchive`` as a test."""

    @pytest.fixture
    def database(self) -> Iterator[Database]:
        """The database under test, empty. To be overridden."""
        raise NotImplementedError("give the suite a `database` fixture")

    @pytest.fixture
    def store(self, database: Database) -> Store:
        """An empty workspace in it."""
        return database.create_workspace("example", EMBEDDER)

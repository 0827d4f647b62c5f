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
from docgraph.testing.store_curating import CurationRules
from docgraph.testing.store_editing import EditingRules
from docgraph.testing.store_examples import EMBEDDER
from docgraph.testing.store_history import StoreHistoryRules
from docgraph.testing.store_judging import JudgmentRules
from docgraph.testing.store_memories import CalibrationRules, MemoryRules
from docgraph.testing.store_reading import StoreReadingRules
from docgraph.testing.store_run_lives import SavedRunLifeRules
from docgraph.testing.store_runs import SavedRunRules
from docgraph.testing.store_stating import StatingRules
from docgraph.testing.store_words import StoreWordRules
from docgraph.testing.store_workspaces import WorkspaceRules
from docgraph.testing.store_writing import StoreWritingRules


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

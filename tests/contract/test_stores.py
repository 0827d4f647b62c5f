"""The compliance suite of stores, on every store that lies in the folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docgraph import plugins
from docgraph.ports import Database
from docgraph.testing.suites.stores import StoreSuite


class TestStores(StoreSuite):
    @pytest.fixture(params=plugins.available("stores"))
    def database(self, request: pytest.FixtureRequest) -> Iterator[Database]:
        if request.param == "postgres":
            yield request.getfixturevalue("postgres_database")
            return
        database: Database = plugins.build("stores", request.param)
        yield database
        database.close()

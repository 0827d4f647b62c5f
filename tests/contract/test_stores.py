"""The compliance suites of stores, on every store there is: in the folder, or installed beside it as an entry point.

One whose module has ``example`` only reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

import pytest

from docgraph import plugins
from docgraph.domain.graph import PreparedDocument, Relationship, StoredChunk, StoredDocument, Vector
from docgraph.domain.request import SeedSignal
from docgraph.domain.where import Condition
from docgraph.domain.workspace import Workspace
from docgraph.ports import ChunkHit, Database, MinimalSnapshot, Probe, RankedDocument, Snapshot
from tests.contract.stores.examples import EMBEDDER
from tests.contract.stores.readers import ReaderOf
from tests.contract.stores.suite import ReadingStoreSuite, StoreSuite


class Least(MinimalSnapshot):
    """What a minimal snapshot has to give, taken from the reference store; the rest follows."""

    def __init__(self, below: Snapshot) -> None:
        self._below = below

    @property
    def workspace(self) -> Workspace:
        return self._below.workspace

    def documents(self, *, doc_type: str | None = None, text: str | None = None) -> Iterator[StoredDocument]:
        return self._below.documents(doc_type=doc_type, text=text)

    def documents_by_id(self, document_ids: Sequence[str]) -> dict[str, StoredDocument]:
        return self._below.documents_by_id(document_ids)

    def chunks(self, document_id: str) -> tuple[StoredChunk, ...]:
        return self._below.chunks(document_id)

    def relationships(
        self, *, document_id: str | None = None, relation_type: str | None = None, dangling: bool | None = None
    ) -> Iterator[Relationship]:
        return self._below.relationships(document_id=document_id, relation_type=relation_type, dangling=dangling)

    def rank_documents(
        self,
        probe: Probe,
        signal: SeedSignal,
        *,
        limit: int,
        document_ids: Sequence[str] = (),
        where: Mapping[str, str] | None = None,
        matching: Sequence[Condition] = (),
    ) -> tuple[RankedDocument, ...]:
        return self._below.rank_documents(
            probe, signal, limit=limit, document_ids=document_ids, where=where, matching=matching
        )

    def nearest_chunks(self, vector: Vector, *, limit: int) -> tuple[ChunkHit, ...]:
        return self._below.nearest_chunks(vector, limit=limit)

    def nearest_chunks_of(
        self, document_ids: Sequence[str], vector: Vector, *, per_document: int
    ) -> tuple[ChunkHit, ...]:
        return self._below.nearest_chunks_of(document_ids, vector, per_document=per_document)


class LeastReader:
    def __init__(self, documents: Sequence[PreparedDocument]) -> None:
        self._database: Database = plugins.build("stores", "memory")
        self._database.create_workspace("example", EMBEDDER).write(documents)

    def workspaces(self) -> tuple[Workspace, ...]:
        return self._database.workspaces()

    @contextmanager
    def reading(self, workspace: str) -> Iterator[Snapshot]:
        with self._database.open_workspace(workspace).reading() as snapshot:
            yield Least(snapshot)

    def close(self) -> None:
        self._database.close()


STORES = plugins.available("stores")
READERS: dict[str, ReaderOf] = {
    name: partial(example, EMBEDDER)
    for name in STORES
    if (example := plugins.offered("stores", name, "example")) is not None
}


class TestStores(StoreSuite):
    @pytest.fixture(params=[name for name in STORES if name not in READERS])
    def database(self, request: pytest.FixtureRequest) -> Iterator[Database]:
        if request.param == "postgres":
            yield request.getfixturevalue("postgres_database")
            return
        database: Database = plugins.build("stores", request.param)
        yield database
        database.close()


class TestReaders(ReadingStoreSuite):
    @pytest.fixture(params=["least", *READERS])
    def reader_of(self, request: pytest.FixtureRequest) -> ReaderOf:
        return READERS.get(request.param, LeastReader)

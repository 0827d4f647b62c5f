"""What the parts of a workspace's store share: statements that read, and statements with the workspace's row held."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from docgraph.plugins.stores.postgres.statements import placed
from docgraph.plugins.stores.postgres.workspaces import hold

if TYPE_CHECKING:
    from psycopg import Cursor
    from pydantic import BaseModel

    from docgraph.domain.workspace import EmbedderInfo
    from docgraph.plugins.stores.postgres.connections import Connector
    from docgraph.plugins.stores.postgres.connections.naming import Connection

    M = TypeVar("M", bound=BaseModel)

Row = tuple[Any, ...]
Run = Callable[..., "Cursor[Row]"]
"""(statement, its values by name beside ``workspace``) → its cursor."""


class WorkspacePart:
    """A part of the store of one workspace. Every statement is given the name as ``workspace``."""

    _name: str
    _schema: str
    _embedder: EmbedderInfo
    _writer: Connector
    _reader: Connector

    def _read(self, what: str, statement: str, values: Mapping[str, Any] | None = None) -> list[Row]:
        """The rows of a statement that reads ``what``. Raises StoreError."""
        given = {"workspace": self._name, **(values or {})}
        return self._reader.rows(f"read {what} of workspace {self._name!r}", placed(statement, self._schema), given)

    def _models(self, model: type[M], what: str, statement: str, values: Mapping[str, Any] | None = None) -> list[M]:
        """The same, where each row has a model as JSON in its first column."""
        return [model.model_validate_json(row[0]) for row in self._read(what, statement, values)]

    @contextmanager
    def _holding(self, action: str) -> Iterator[Run]:
        """Runs statements in one transaction, with the workspace's row held: other transactions that hold it wait.

        Raises StoreError, and NotFoundError where the workspace was dropped.
        """
        with self._writer.transaction(f"{action} workspace {self._name!r}") as connection:
            hold(connection, self._name)
            yield self._running(connection)

    def _running(self, connection: Connection) -> Run:
        def run(statement: str, values: Mapping[str, Any] | None = None) -> Cursor[Row]:
            return connection.execute(placed(statement, self._schema), {"workspace": self._name, **(values or {})})

        return run

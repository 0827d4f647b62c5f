"""An optional ability of a database: to spread a workspace's tables over several servers, and to gather them again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True)
class TableMove:
    """What is done (or would be) with one table: ``column`` decides the server of a row; ``done`` = nothing is left.

    ``n_bytes`` is its size before; ``n_shards`` the number of its parts now, 0 where it is on one server.
    """

    table: str
    column: str
    n_bytes: int
    n_shards: int
    done: bool


@dataclass(frozen=True)
class Distribution:
    """Where a workspace is to lie (or lies again): its tables in the order in which they move, and the servers."""

    workspace: str
    tables: tuple[TableMove, ...]
    nodes: tuple[str, ...]


@runtime_checkable
class Distributes(Protocol):
    """A ``Database`` that can lie on several servers."""

    def distribute(
        self, workspace: str, *, n_shards: int, dry_run: bool = False, told: Callable[[str], None] = lambda table: None
    ) -> Distribution:
        """Spread the tables of a workspace, in one transaction; what is spread already stays as it is.

        ``told`` hears each table before it is moved. Raises NotFoundError, and StoreError where the servers are not
        ready for it.
        """
        ...

    def undistribute(
        self, workspace: str, *, dry_run: bool = False, told: Callable[[str], None] = lambda table: None
    ) -> Distribution:
        """Bring the tables of a workspace back to one server, in one transaction. Raises as ``distribute``."""
        ...

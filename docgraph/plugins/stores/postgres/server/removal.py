"""Removes the data of the embedded server, and nothing that docgraph has not made."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from docgraph.errors import ConflictError, UserError
from docgraph.plugins.stores.postgres.server.embedded import alone, folder_errors

_OWN = re.compile(
    r"pgdata(\.part|-\d+-[\w-]+)?|upgrade(-\d+-[\w-]+\.(backup|part))?|server\.log|(start|lease|watch)\.lock|started"
)
"""What docgraph makes in the server's folder."""
_BESIDE = "sample-*.loading"
"""What it makes beside it."""


def own_paths(data_dir: Path) -> tuple[Path, ...]:
    """What a removal takes out of the data folder: the server's folder first; empty where docgraph has made nothing.

    Raises UserError for a folder that is not docgraph's, and StoreError for one that cannot be read.
    """
    root = data_dir / "postgres"
    with folder_errors(data_dir):
        if data_dir.is_symlink() or root.is_symlink() or (root / "pgdata").is_symlink():
            raise _foreign(root, "a link stands there")
        for each in sorted(root.iterdir()) if root.exists() else ():
            if not _OWN.fullmatch(each.name):
                raise _foreign(root, f"docgraph has not made {each.name[:100]!r} in it")
        data = root / "pgdata"
        if data.exists() and not all((data / name).is_file() for name in ("PG_VERSION", "docgraph.conf")):
            raise _foreign(root, "pgdata holds no database of docgraph")
        return (*((root,) if root.exists() else ()), *sorted(data_dir.glob(_BESIDE)))


def size_of(paths: tuple[Path, ...]) -> int:
    """Bytes of the files under ``paths``; those that come and go meanwhile do not count."""
    return sum(_sizes(paths))


def remove(data_dir: Path) -> tuple[Path, ...]:
    """Stop the server and remove what ``own_paths`` names, then the data folder itself where nothing else is in it.

    Raises ConflictError while a program uses the server, UserError and StoreError as ``own_paths`` does.
    """
    from docgraph.plugins.stores.postgres.server.cluster import Cluster

    taken = own_paths(data_dir)
    root = data_dir / "postgres"
    with folder_errors(data_dir):
        if root in taken:
            _check_unused_on_windows(root)
            try:
                with alone(root):
                    if (root / "pgdata").exists():
                        Cluster(root).stop()
                    shutil.rmtree(root)
            except ConflictError as error:
                raise ConflictError(error.message, hint="end it first (the dashboard counts too)") from None
        for path in taken:
            if path != root:
                path.unlink(missing_ok=True)
        if data_dir.is_dir() and not any(data_dir.iterdir()):
            data_dir.rmdir()
    return taken


def _sizes(paths: tuple[Path, ...]) -> Iterator[int]:
    for path in paths:
        for each in (path, *path.rglob("*")):
            try:
                status = each.lstat()
            except OSError:
                continue
            if not each.is_dir():
                yield status.st_size


def _check_unused_on_windows(root: Path) -> None:
    """There are no locks there that say who uses the server."""
    if sys.platform == "win32" and (root / "pgdata" / "postmaster.pid").exists():
        raise ConflictError(f"a server runs in {root}", hint="end every program of docgraph, then try again")


def _foreign(root: Path, why: str) -> UserError:
    return UserError(
        f"{root} is not a data folder of docgraph, and nothing was removed: {why}",
        hint="DOCGRAPH_DATA_DIR names the folder; remove what is in it yourself if that is what you want",
    )

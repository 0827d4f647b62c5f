"""The hostile loader registered as a package of somebody else would register it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from docgraph import plugins
from docgraph.boundary.confined.process import Readers
from docgraph.orchestration.docgraph import Docgraph
from docgraph.plugins.confined import MODULE, wrapped
from docgraph.plugins.stores import memory
from docgraph.ports import Loader
from tests.survive.workspaces import opened


@pytest.fixture
def readers() -> Iterator[Readers]:
    pool = Readers(MODULE)
    yield pool
    pool.rest()


@pytest.fixture
def hostile(tmp_path: Path, readers: Readers, monkeypatch: pytest.MonkeyPatch) -> Loader:
    """Reads in a process of its own; whatever a file says is done there."""
    return wrapped(registered(tmp_path, monkeypatch), readers)


def registered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Loader:
    """The loader itself, which the other process finds as this one does."""
    packages = folder / "packages"
    told = packages / "hostile-1.dist-info"
    told.mkdir(parents=True)
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: hostile\nVersion: 1\n", encoding="utf-8")
    (told / "entry_points.txt").write_text("[docgraph.loaders]\nhostile = hostile_loader\n", encoding="utf-8")
    code = Path(__file__).with_name("hostile_loader.py").read_text(encoding="utf-8")
    (packages / "hostile_loader.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(packages))
    loader: Loader = plugins.build("loaders", "hostile")
    return loader


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    with opened(memory.build()) as found:
        yield found

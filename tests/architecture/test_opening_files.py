"""Files that people name are opened in one room; whoever else opens a path says here which, and why that is right."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests import ROOT

OPENING = {
    *("open", "fdopen", "read_text", "read_bytes", "readlink", "ZipFile", "TarFile", "is_zipfile", "copyfile", "copy2"),
    *("scandir", "listdir", "walk", "fwalk", "iterdir", "glob", "iglob", "rglob", "copytree", "mmap", "memmap"),
}
"""Calls that open, list or follow what a path names, by their last name."""

ROOMS = {
    "docgraph/boundary/files/": "this is the room",
    "docgraph/plugins/stores/postgres/server/": "files of the embedded server, in the folder of its data",
    "docgraph/plugins/stores/postgres/backup/": "entries of a backup that is open, and the file that an upgrade writes",
    "docgraph/plugins/stores/postgres/migrating.py": "migrations that come with docgraph",
    "docgraph/plugins/stores/postgres/statements/": "statements that come with docgraph",
    "docgraph/plugins/embedders/": "models that the settings name",
    "docgraph/plugins/_onnx.py": "models that the settings name",
    "docgraph/ui/frame/": "assets and pages that come with docgraph",
    "docgraph/boundary/installed.py": "what comes with docgraph",
    "docgraph/ui/parts/samples/": "the sample corpus, which comes with docgraph",
    "docgraph/ui/shell/security_headers.py": "the framework's own page",
}
CALLS = {
    "docgraph/boundary/logs.py os.open": "the audit, which the settings name and docgraph writes",
    "docgraph/boundary/kept_outcomes.py self.path.open": "outcomes of an evaluation, which docgraph writes itself",
    "docgraph/boundary/confined/kernel.py os.open": "places of code, to be named to the kernel",
    "docgraph/boundary/confined/walls.py glob": "where the system's loader of programs lies",
    "docgraph/boundary/confined/walls.py os.fdopen": "the system's figures on this process",
    "docgraph/boundary/confined/walls.py os.open": "the system's figures on this process",
    "docgraph/boundary/confined/wire.py os.fdopen": "pipes to the process that asks",
    "docgraph/boundary/confined/wire.py os.open": "the null device",
    "docgraph/cli/edge.py os.open": "the null device",
    "docgraph/cli/exposure.py here.iterdir": "rights of docgraph's own data; nothing is opened",
    "docgraph/cli/query_files.py root.open": "a file of a folder that was opened",
    "docgraph/curation/checking.py self.open": "a finding",
    "docgraph/ingestion/archives.py archive.open": "an entry of an archive that is open",
    "docgraph/ingestion/archives.py zipfile.ZipFile": "an archive that is open",
    "docgraph/ingestion/tar_archives.py tarfile.open": "an archive that is open",
    "docgraph/orchestration/backups.py os.fdopen": "a backup that is written",
    "docgraph/plugins/loaders/requirements/reqif.py archive.open": "an entry of an archive that was read",
    "docgraph/plugins/loaders/requirements/reqif.py zipfile.ZipFile": "bytes that were read",
    "docgraph/plugins/providers/mem0.py pool.open": "a pool of connections",
    "docgraph/ui/parts/backups.py os.fdopen": "a backup that is written",
    "docgraph/ui/query_sets/adding.py archive.open": "an entry of an archive that was read",
    "docgraph/ui/query_sets/adding.py zipfile.ZipFile": "bytes that were read",
}


def opening(text: str) -> Iterator[str]:
    """The calls of a module that open something, as they are written."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called.rpartition(".")[2] in OPENING:
                yield called


@cache
def _found() -> set[str]:
    may = re.compile(rf"\b(?:{'|'.join(sorted(OPENING))})\(")
    texts = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docgraph").rglob("*.py"))}
    return {
        f"{path.relative_to(ROOT).as_posix()} {called}"
        for path, text in texts.items()
        if may.search(text)
        for called in opening(text)
    }


def test_no_path_is_opened_outside_of_its_room() -> None:
    assert not {each for each in _found() if not each.startswith(tuple(ROOMS)) and each not in CALLS}


def test_every_exception_is_one() -> None:
    found = _found()
    assert not set(CALLS) - found
    assert not [room for room in ROOMS if not any(each.startswith(room) for each in found)]


@pytest.mark.parametrize(
    "line",
    [
        "open(path)",
        "Path(name).open('rb')",
        "os.open(path, os.O_RDONLY)",
        "(folder / name).read_text(encoding='utf-8')",
        "path.read_bytes()",
        "sorted(folder.rglob('*'))",
        "os.walk(folder)",
        "zipfile.ZipFile(path)",
    ],
)
def test_a_path_that_is_opened_is_noticed(line: str) -> None:
    assert list(opening(line))


def test_a_module_of_import_that_opens_a_path_would_be_noticed() -> None:
    text = (ROOT / "docgraph/ingestion/scanning.py").read_text(encoding="utf-8")
    assert not list(opening(text))
    assert list(opening(text + "\n\ndef _stray(path: Path) -> bytes:\n    return path.read_bytes()\n")) == [
        "path.read_bytes"
    ]

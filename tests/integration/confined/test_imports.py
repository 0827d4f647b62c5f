"""An import with such files: what is read is what the loader reads, a bomb costs one line, nothing is left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import psutil
import pytest

from docgraph import plugins
from docgraph.boundary.confined import Confined, process
from docgraph.boundary.confined.process import FileReader, Readers
from docgraph.domain.graph import Document
from docgraph.domain.report import IngestReport
from docgraph.orchestration.docgraph import Docgraph
from docgraph.plugins.confined import wrapped
from tests import ROOT
from tests.contract.test_loaders import EXAMPLES
from tests.integration.confined.conftest import registered
from tests.survive.bombs import graph
from tests.unit.plugins.loaders.office_files import docx_file
from tests.unit.plugins.loaders.pdf_files import pdf_file

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="limits of this kind are Linux's")
LOADERS = {name: plugins.build("loaders", name) for name in plugins.available("loaders")}
CONFINED = sorted(name for name, loader in LOADERS.items() if hasattr(loader, "confined"))


def test_the_parsers_of_hostile_formats_are_confined() -> None:
    assert {"graphml", "pandoc", "parquet", "pdf", "reqif", "xlsx"} <= set(CONFINED)
    assert not {"asciidoc", "markdown", "restructuredtext", "text"} & set(CONFINED)


@pytest.mark.parametrize("name", CONFINED)
def test_what_is_read_there_is_what_is_read_here(name: str, readers: Readers, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "pandoc":
        pytest.importorskip("pypandoc")
    loader = LOADERS[name]
    said = loader.confined
    monkeypatch.setattr(loader, "confined", Confined(None, said.imports, said.program, said.memory), raising=False)
    there = wrapped(loader, readers)
    data, _ = EXAMPLES[name]
    source = f"a/é{there.suffixes[0] if name != 'pandoc' else '.docx'}"
    assert list(there.load(data, source=source)) == list(loader.load(data, source=source))
    for damaged in (b"", b"\x00" * 100, data[: len(data) // 2], data[:-9] + b"<>]}((\xff", b"<a>" * 50):
        assert _became(there.load, damaged, source) == _became(loader.load, damaged, source)


def _became(load: Callable[..., object], data: bytes, source: str) -> str:
    try:
        return repr(list(load(data, source=source)))  # type: ignore[call-overload]
    except (ValueError, OSError) as error:
        return str(error)


def test_a_folder_of_tables_is_read_as_one_there(readers: Readers) -> None:
    there = wrapped(LOADERS["graphml"], readers)
    files = {
        "rag/graph_chunk_entity_relation.graphml": EXAMPLES["graphml"][0],
        "rag/kv_store_full_docs.json": json.dumps({"doc-1": {"content": "All about sailing."}}).encode(),
    }
    (names,) = there.groups(tuple(files))  # type: ignore[attr-defined]
    here = list(LOADERS["graphml"].load_group(files.__getitem__, names))
    assert list(there.load_group(files.__getitem__, names)) == here  # type: ignore[attr-defined]
    assert any(isinstance(item, Document) and item.document_id == "doc-1" for item in here)


def _children() -> set[int]:
    return {child.pid for child in psutil.Process().children(recursive=True)}


def _imported(dg: Docgraph, *files: tuple[str, bytes]) -> IngestReport:
    return dg.ingest_files(files, dry_run=True)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that were started."""
    found: list[int] = []
    start = FileReader.__init__

    def noted(self: FileReader, *given: object) -> None:
        start(self, *given)  # type: ignore[arg-type]
        found.append(self.pid)

    monkeypatch.setattr(FileReader, "__init__", noted)
    return found


def test_an_import_of_texts_starts_no_process(dg: Docgraph, started: list[int]) -> None:
    report = _imported(dg, ("a.md", b"# A\n\nText.\n"), ("b.txt", b"Text.\n"), ("c.rst", b"A\n=\n"), ("d.json", b"{}"))
    assert report.n_stored == 3
    assert not started


def test_an_import_starts_one_process_and_leaves_none(dg: Docgraph, started: list[int]) -> None:
    before = _children()
    pages = [(f"{n}.pdf", pdf_file(f"All about sailing, {n}")) for n in range(10)]
    report = _imported(dg, *pages, ("a.graphml", EXAMPLES["graphml"][0]), ("a.reqif", EXAMPLES["reqif"][0]))
    assert report.n_rejected == 0
    assert len(started) == 1
    assert _children() <= before


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[tuple[float, int]]:
    """Seconds of processor time and bytes of memory of the process that reads, seen again and again."""
    found: list[tuple[float, int]] = []
    taking = process._taken

    def noted(process: psutil.Process) -> tuple[float, int]:
        found.append(taking(process))
        return found[-1]

    monkeypatch.setattr(process, "_taken", noted)
    return found


BOMBS = {
    "edges": (lambda: graph(nodes=1, edges=300_000), "more than 5 seconds of processor time"),
    "nodes": (lambda: graph(nodes=400_000), "more than 300 MB of memory"),
}


@on_linux
@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_costs_one_line_and_the_import_goes_on(
    dg: Docgraph, started: list[int], taken: list[tuple[float, int]], name: str
) -> None:
    """Such files took 10 to 17 seconds and 430 MB here before they were read, in the importing process."""
    made, why = BOMBS[name]
    before = _children()
    report = _imported(dg, ("a.pdf", pdf_file("Sailing")), ("b.graphml", made()), ("c.pdf", pdf_file("Boats")))
    (refused,) = [outcome for outcome in report.outcomes if outcome.outcome == "rejected"]
    assert refused.source == "b.graphml"
    assert f"{why}: a bomb? If not, split it" in refused.reason
    assert max(seconds for seconds, _ in taken) <= 7
    assert max(memory for _, memory in taken) <= 300_000_000 + 100_000_000
    assert report.n_stored == 2
    assert len(started) == 2
    assert _children() <= before


@on_linux
@pytest.mark.slow
def test_a_converter_that_asks_for_too_much_ends_with_its_file(dg: Docgraph) -> None:
    pytest.importorskip("pypandoc")
    before = _children()
    report = _imported(dg, ("a.docx", docx_file("Sailing")), ("b.org", b"*_" * 50_000), ("c.docx", docx_file("Boats")))
    (refused,) = [outcome for outcome in report.outcomes if outcome.outcome == "rejected"]
    assert refused.source == "b.org"
    assert "converting it takes" in refused.reason or "reading it takes" in refused.reason
    assert report.n_stored == 2
    assert _children() <= before


@pytest.mark.parametrize("what", ["spin", "sleep"])
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nobody is killed so here")
def test_nothing_is_left_when_the_importing_process_is_killed(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registered(tmp_path, monkeypatch)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path / "packages"), str(ROOT)))}
    command = [sys.executable, "-m", "tests.integration.confined.orphan_program", what]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        reader = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
    assert reader.wait(60) is None or not reader.is_running()


ANSWERS = {
    "garbage": (b"\x00\xff\n", "said what it must not"),
    "no item": (b"{}\n", "more in the file than is kept"),
    "unknown": (b'{"item": 1}\n', "said what it must not"),
    "code": (b'{"document": {"__reduce__": "os.system"}}\n', "said what it must not"),
    "no end": (b'{"reason": "a"', "said what it must not"),
    "other file": (b'{"wanted": "/etc/passwd"}\n', "a file that is none of them"),
    "bad document": (b'{"document": {"document_id": "a\\n", "title": 1}}\n', "said what it must not"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_what_is_answered_is_checked(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that was taken over can lie about a file, and nothing else."""
    written, why = ANSWERS[name]
    program = f"import sys\nsys.stdin.buffer.readline()\nsys.stdout.buffer.write({written!r})\n"
    (tmp_path / "lying_reader.py").write_text(program, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    there = wrapped(LOADERS["pdf"], Readers("lying_reader"))
    with pytest.raises(ValueError, match=why):
        list(there.load(EXAMPLES["pdf"][0], source="a.pdf"))


def test_an_endless_answer_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = b'{"rejected": {"reason": "%s", "place": "1"}}\n' % (b"a" * 1_000_000)
    program = f"import sys\nwhile True:\n    sys.stdout.buffer.write({line!r})\n"
    (tmp_path / "talking_reader.py").write_text(program, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    loader = plugins.build("loaders", "pdf")
    monkeypatch.setattr(loader, "confined", Confined(memory=1_000_000), raising=False)
    items = wrapped(loader, Readers("talking_reader")).load(EXAMPLES["pdf"][0], source="a.pdf")
    with pytest.raises(ValueError, match="more in the file than is kept"):
        list(islice(items, 1_000))


def test_a_process_that_cannot_be_started_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(ValueError, match="cannot be started: No such file"):
        list(wrapped(LOADERS["pdf"], Readers("a")).load(b"", source="a.pdf"))

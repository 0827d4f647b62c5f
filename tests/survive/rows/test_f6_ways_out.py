"""F6: an import reads and writes nothing outside of what it was given, whatever a name or a link says."""

from __future__ import annotations

import io
import os
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from docgraph.domain.report import IngestReport
from docgraph.orchestration.docgraph import Docgraph
from docgraph.plugins.stores import memory
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import opened

ROW = Row(
    row="F6",
    what="ways out of an import: ../, absolute, drive, UNC, NUL, links in archives and folder, FIFO, sockets, devices",
    rule="nothing read or written outside of the chosen root; refused by name",
    n=47,
    short=47,
    case="a name or a link",
)
SECRET = "the-text-of-a-file-outside"
NAMES = (
    "../outside.md",
    "../../outside.md",
    "a/../../outside.md",
    "a/b/../../../outside.md",
    "..\\outside.md",
    "a\\..\\..\\outside.md",
    "/outside.md",
    "//server/share/outside.md",
    "\\\\server\\share\\outside.md",
    "C:\\outside.md",
    "C:outside.md",
    "c:/outside.md",
    "outside.md\x00.txt",
    "\x00outside.md",
    "a\nb.md",
    "a\x1b[31m.md",
    "..",
    ".",
    "\x00",
    "./../outside.md",
    "....//outside.md",
    "%2e%2e/outside.md",
    "a/./../../outside.md",
    "~/outside.md",
)


def _archive(name: str, data: bytes = b"# Inside\n\nText.\n", mode: int = stat.S_IFREG | 0o644) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        entry = zipfile.ZipInfo("x")
        entry.filename = entry.orig_filename = name
        entry.create_system, entry.external_attr = 3, mode << 16
        archive.writestr(entry, data)
        archive.writestr("good.md", "# Good\n\nText.\n")
    return made.getvalue()


def _tar(name: str, kind: bytes, leads_to: str) -> bytes:
    """A good file, an entry of this kind, and nothing else."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        good = tarfile.TarInfo("good.md")
        good.size = len(b"# Good\n\nText.\n")
        archive.addfile(good, io.BytesIO(b"# Good\n\nText.\n"))
        entry = tarfile.TarInfo(name)
        entry.type, entry.linkname = kind, leads_to
        archive.addfile(entry)
    return made.getvalue()


IN_A_TAR = {
    "a hard link to a file of the archive": (tarfile.LNKTYPE, "way.md", "good.md"),
    "a hard link to a file outside": (tarfile.LNKTYPE, "way.md", "../outside.md"),
    "a symbolic link": (tarfile.SYMTYPE, "way.md", "good.md"),
    "a FIFO": (tarfile.FIFOTYPE, "way.md", ""),
    "a device": (tarfile.CHRTYPE, "way.md", ""),
    "a name that leads out": (tarfile.REGTYPE, "../way.md", ""),
    "an absolute name": (tarfile.REGTYPE, "/way.md", ""),
}


def _tree(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def _nothing_of_outside(dg: Docgraph, report: IngestReport) -> None:
    texts = [chunk.text for document in dg.documents.list() for chunk in dg.documents.chunks(document.document_id)]
    assert SECRET not in " ".join(texts)
    for document in dg.documents.list():
        where = document.source.replace("\\", "/")
        assert not where.startswith("/"), where
        assert ".." not in where.split("/"), where
    assert all(each.reason for each in report.outcomes if each.outcome == "rejected")


LINKS: dict[str, Callable[[Path, Path], object]] = {
    "a link to a file outside": lambda way, outside: way.symlink_to(outside / "secret.md"),
    "a relative link outside": lambda way, outside: way.symlink_to(f"../{outside.name}/secret.md"),
    "a link to a folder outside": lambda way, outside: way.with_suffix("").symlink_to(outside),
    "a link to a link": lambda way, outside: (
        (outside / "link.md").symlink_to(outside / "secret.md"),
        way.symlink_to(outside / "link.md"),
    ),
    "a link to itself": lambda way, outside: way.symlink_to(way),
    "a link to the root": lambda way, outside: way.with_suffix("").symlink_to("/"),
    "a link to its own folder": lambda way, outside: way.with_suffix("").symlink_to(way.parent),
    "a link that leads nowhere": lambda way, outside: way.symlink_to(outside / "nobody.md"),
    "a FIFO": lambda way, outside: os.mkfifo(way),
    "a link to a FIFO": lambda way, outside: (os.mkfifo(outside / "f"), way.symlink_to(outside / "f")),
    "a link to a device": lambda way, outside: way.symlink_to("/dev/zero"),
    "a link to memory": lambda way, outside: way.symlink_to("/proc/self/environ"),
    "a folder with the name of a file": lambda way, outside: way.mkdir(),
}


@pytest.mark.timeout(120)
def test_f6_an_import_stays_inside(tally: Tally, tmp_path: Path) -> None:
    for number, (name, make) in enumerate(LINKS.items()):
        with tally.trying(name), opened(memory.build()) as dg:
            root, outside = tmp_path / f"{number}" / "root", tmp_path / f"{number}" / "outside"
            root.mkdir(parents=True)
            outside.mkdir()
            (outside / "secret.md").write_text(f"# Secret\n\n{SECRET}\n")
            (root / "good.md").write_text("# Good\n\nText.\n")
            make(root / "way.md", outside)
            report = dg.ingest(root)
            assert {document.document_id for document in dg.documents.list()} == {"good"}
            _nothing_of_outside(dg, report)
    before = _tree(tmp_path)
    for name in NAMES:
        with tally.trying(f"an entry {name!r}"), opened(memory.build()) as dg:
            uploaded = dg.ingest_files([(name, b"# Inside\n\nText.\n"), ("x.zip", _archive(name))])
            _nothing_of_outside(dg, uploaded)
            assert "good" in {document.document_id for document in dg.documents.list()}
    with tally.trying("a link in an archive"), opened(memory.build()) as dg:
        data = _archive("link.md", b"/etc/passwd", stat.S_IFLNK | 0o777)
        report = dg.ingest_files([("x.zip", data)])
        assert {document.document_id for document in dg.documents.list()} == {"good"}
        assert report.n_rejected == 1
    for kind, (type_, name, leads_to) in IN_A_TAR.items():
        with tally.trying(f"{kind} in a tar archive"), opened(memory.build()) as dg:
            report = dg.ingest_files([("x.tar", _tar(name, type_, leads_to))])
            assert {document.document_id for document in dg.documents.list()} == {"good"}
            assert report.n_rejected == 1
            _nothing_of_outside(dg, report)
    with tally.trying("nothing was written"):
        assert _tree(tmp_path) == before
    with tally.trying("a device by name"), opened(memory.build()) as dg, pytest.raises(Exception, match="device"):
        dg.ingest("/dev/zero")

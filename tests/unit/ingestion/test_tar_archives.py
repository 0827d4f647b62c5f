"""Rules of tar archives: regular files inside the folder, within limits, read from front to back with flat memory."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import tracemalloc
from collections.abc import Mapping
from pathlib import Path

import pytest

from docgraph.ingestion.archive_rules import BOMB, ArchiveLimits
from docgraph.ingestion.archives import scan_archive, scan_uploads
from docgraph.ingestion.scanning import Scan
from tests.unit.ingestion.importer import ingestion, reasons


def tarred(files: Mapping[str, bytes | tarfile.TarInfo], *, mode: str = "w:gz") -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode) as packed:  # type: ignore[call-overload]
        for name, content in files.items():
            if isinstance(content, tarfile.TarInfo):
                packed.addfile(content)
                continue
            info = tarfile.TarInfo(name)
            info.size = len(content)
            packed.addfile(info, io.BytesIO(content))
    return data.getvalue()


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def taken(scan: Scan) -> dict[str, bytes]:
    return {source.name: source.read() for source in scan.sources}


@pytest.mark.parametrize(("name", "mode"), [("up.tar", "w"), ("up.tar.gz", "w:gz"), ("UP.TGZ", "w:gz")])
def test_an_archive_of_one_folder_is_that_folder_and_system_files_stay_out(name: str, mode: str) -> None:
    data = tarred({"c/a.md": b"alpha", "c/sub/b.md": b"beta", "c/.hidden": b"x", "c/e.md": b""}, mode=mode)
    scan = scan_uploads([(name, data)])
    assert (taken(scan), scan.refused) == ({"a.md": b"alpha", "sub/b.md": b"beta", "e.md": b""}, [])


@pytest.mark.parametrize("name", ["../evil.md", "/abs.md", "a/../../evil.md", "C:/x.md"])
def test_an_entry_that_leads_out_is_refused_and_the_others_are_taken(name: str) -> None:
    scan = scan_uploads([("up.tar.gz", tarred({name: b"evil", "good.md": b"good"}))])
    assert taken(scan) == {"good.md": b"good"}
    assert len(scan.refused) == 1


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_links_and_devices_are_refused(kind: bytes) -> None:
    files = {"a.md": b"alpha", "link.md": special("link.md", kind, "/etc/passwd")}
    scan = scan_uploads([("up.tar.gz", tarred(files))])
    assert taken(scan) == {"a.md": b"alpha"}
    assert scan.refused == [("up.tar.gz: link.md", "a symbolic link or device in an archive")]


def test_bombs_and_too_many_files_are_refused_within_limits() -> None:
    bomb = tarred({f"{n}.md": bytes(9_000_000) for n in range(4)})
    scan = scan_uploads([("bomb.tar.gz", bomb), ("good.md", b"x")])
    assert taken(scan) == {"good.md": b"x"}
    assert scan.refused == [("bomb.tar.gz", BOMB)]
    few = ArchiveLimits(max_entries=10)
    scan = scan_uploads([("many.tar", tarred({f"{n}.md": b"x" for n in range(20)}, mode="w"))], few)
    assert (taken(scan), "at most 10 are allowed" in scan.refused[0][1]) == ({}, True)
    folders = {f"d{n}": special(f"d{n}", tarfile.DIRTYPE) for n in range(200)}
    assert "at most 10" in scan_uploads([("dirs.tar", tarred(folders, mode="w"))], few).refused[0][1]


def test_a_header_that_claims_to_be_huge_is_refused_and_never_held() -> None:
    header = tarfile.TarInfo("pax")
    header.type, header.size = tarfile.XHDTYPE, 300_000_000
    data = gzip.compress(header.tobuf() + bytes(50_000_000), 1)
    tracemalloc.start()
    scan = scan_uploads([("pax.tar.gz", data)])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (scan.sources, len(scan.refused)) == ([], 1)
    assert most < 10_000_000


@pytest.mark.parametrize(
    "data", [b"", b"no tar", tarred({"a.md": os.urandom(5_000)})[:-2_000], b"\x1f\x8b" + b"x" * 99]
)
def test_a_damaged_archive_is_one_rejection(data: bytes) -> None:
    report = ingestion().ingest_files([("up.tar.gz", data)])
    assert (report.n_in, report.n_rejected) == (1, 1)


def test_an_archive_on_disk_is_imported_with_flat_memory(tmp_path: Path) -> None:
    path = tmp_path / "docs.tar.gz"
    path.write_bytes(tarred({f"docs/{n:02}.md": os.urandom(250_000).hex().encode() for n in range(40)}))
    tracemalloc.start()
    scan = scan_archive(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 8_000_000, "20 MB are in it"
    assert [len(source.read()) for source in scan.sources] == [500_000] * 40


def test_opening_an_archive_is_told_from_its_first_file_and_can_be_stopped() -> None:
    data = tarred({f"{n}.md": b"x" for n in range(100)})
    told: list[str] = []

    def stop(done: int, total: int, what: str) -> bool:
        told.append(what)
        return done > 0

    scan = scan_uploads([("up.tar.gz", data)], report=stop)
    assert told[0] == "opening up.tar.gz: 0.md"
    assert not scan.complete


@pytest.mark.parametrize("name", ["blank.tar", "blank.tar.gz"])
@pytest.mark.parametrize("n_bytes", [1024, 10_240, 1_000_000])
def test_an_archive_of_zeros_is_called_empty(name: str, n_bytes: int) -> None:
    data = gzip.compress(bytes(n_bytes)) if name.endswith("gz") else bytes(n_bytes)
    assert reasons(ingestion().ingest_files([(name, data)])) == {name: "the archive is empty: there is no file in it"}


def test_links_without_end_are_told_in_bounds() -> None:
    some = tarred({f"{n}.md": special(f"{n}.md", tarfile.SYMTYPE, "/etc/passwd") for n in range(1_500)}, mode="w")
    scan = scan_uploads([("links.tar", some)])
    assert len(scan.refused) == 1_000
    assert dict(scan.refusals)["links.tar: 500 more entries"] == "a symbolic link or device in an archive"
    report = ingestion().ingest_files([("links.tar", some)])
    assert (report.n_in, report.n_rejected) == (1_001, 1_001)
    scan = scan_uploads([("links.tar", some)], ArchiveLimits(max_entries=100))
    assert len(scan.refused) == 102
    assert "101 files; at most 100" in scan.refused[-1][1]

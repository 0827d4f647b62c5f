"""Only regular files inside the root are read; everything else is refused by name."""

from __future__ import annotations

import io
import os
import stat
import time
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from docgraph.errors import IngestionError
from docgraph.ingestion.archive_rules import BOMB, ArchiveLimits
from docgraph.ingestion.archives import scan_archive, scan_uploads
from docgraph.ingestion.names import safe_name
from docgraph.ingestion.scanning import Scan, scan_path
from tests.unit.ingestion.importer import ingestion, reasons


def names(scan: object) -> list[str]:
    return [source.name for source in scan.sources]  # type: ignore[attr-defined]


def test_files_come_sorted_by_name_and_hidden_ones_are_no_sources(tmp_path: Path) -> None:
    for name in ("b.md", "a/z.md", "a/b/c.md", ".git/config", ".hidden.md", "node_modules/x.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x", encoding="utf-8")
    assert names(scan_path(tmp_path)) == ["a/b/c.md", "a/z.md", "b.md"]


@pytest.mark.skipif(os.name != "posix", reason="symbolic links, FIFOs and sockets are a POSIX matter")
def test_links_out_of_the_root_fifos_and_devices_are_refused_by_name(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (outside / "secret.md").write_text("secret", encoding="utf-8")
    (root / "good.md").write_text("good", encoding="utf-8")
    (root / "inner.md").symlink_to(root / "good.md")
    (root / "out.md").symlink_to(outside / "secret.md")
    (root / "folder").symlink_to(outside)
    (root / "loop").symlink_to(root)
    (root / "nowhere.md").symlink_to(root / "gone")
    (root / "null.md").symlink_to("/dev/zero")
    os.mkfifo(root / "pipe.md")
    scan = scan_path(root)
    assert names(scan) == ["good.md", "inner.md"]
    assert sorted(name for name, _ in scan.refused) == ["folder", "loop", "nowhere.md", "null.md", "out.md", "pipe.md"]
    report = ingestion().ingest_path(root)
    assert reasons(report)["pipe.md"] == "a FIFO, not a file"
    assert "secret" not in report.model_dump_json().replace("secret.md", "")


def test_a_file_that_vanishes_or_changes_into_a_link_after_the_scan_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a", encoding="utf-8")
    (source,) = scan_path(tmp_path).sources
    (tmp_path / "a.md").unlink()
    with pytest.raises(FileNotFoundError):
        source.read()
    if os.name == "posix":
        (tmp_path / "a.md").symlink_to("/etc/hostname")
        with pytest.raises(OSError, match="symbolic links"):
            source.read()


@pytest.mark.skipif(os.name != "posix", reason="symbolic links are a POSIX matter")
def test_a_folder_that_becomes_a_link_after_the_scan_is_no_way_out(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    for folder, text in ((root / "sub" / "deep", "inside"), (outside / "deep", "secret")):
        folder.mkdir(parents=True)
        (folder / "a.md").write_text(text, encoding="utf-8")
    (source,) = scan_path(root).sources
    (root / "sub").rename(tmp_path / "away")
    (root / "sub").symlink_to(outside)
    assert source.read() == b"inside", "the folder that was opened is still at hand"
    (root / "b.md").write_text("b", encoding="utf-8")
    assert names(scan_path(root)) == ["b.md"]
    assert reasons(ingestion().ingest_path(root)) == {"sub": "a symbolic link that leads out of the folder"}


@pytest.mark.skipif(os.name != "posix", reason="symbolic links are a POSIX matter")
def test_the_root_is_what_was_named_however_it_is_spelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs" / "sub").mkdir(parents=True)
    (tmp_path / "docs" / "sub" / "a.md").write_text("a", encoding="utf-8")
    (tmp_path / "linked").symlink_to("docs")
    (tmp_path / "file.md").symlink_to("docs/sub/a.md")
    monkeypatch.chdir(tmp_path / "docs" / "sub")
    for named in (tmp_path / "docs", tmp_path / "linked", Path(".."), Path("../../linked/sub/.."), Path("../sub/../")):
        assert [(each.name, each.read()) for each in scan_path(named).sources] == [("sub/a.md", b"a")], named
    for named in (Path("a.md"), Path("../../file.md"), tmp_path / "linked" / "sub" / "a.md"):
        assert [(each.name, each.read()) for each in scan_path(named).sources] == [("a.md", b"a")], named


def test_folders_so_deep_that_no_name_is_taken_are_refused_and_not_walked(tmp_path: Path) -> None:
    here = tmp_path
    try:
        for _ in range(60):
            here = here / ("deep" * 10)
            here.mkdir()
    except OSError:
        pytest.skip("the file system takes no path of this length")
    (here / "a.md").write_text("too deep", encoding="utf-8")
    (tmp_path / "b.md").write_text("good", encoding="utf-8")
    scan = scan_path(tmp_path)
    assert names(scan) == ["b.md"]
    assert [reason for _, reason in scan.refused] == ["the path of the folder is too long: up to 1,000 characters"]
    assert scan.complete


def test_what_is_refused_is_named_up_to_a_bound_and_counted_beyond() -> None:
    scan = Scan()
    for n in range(10_050):
        scan.refuse(f"{n}.md", "a FIFO, not a file" if n % 2 else f"{n} is odd")
    told = dict(scan.refusals)
    assert len(scan.refused) == 10_000
    assert told["25 more files"] == "a FIFO, not a file"
    assert sum(int(name.split()[0]) for name in told if name.endswith("more files")) <= 50
    assert len(told) <= 10_000 + 22
    assert scan.beyond.total() == 50
    assert not scan.complete, "a prune removes nothing that may be among them"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_what_may_not_be_read_is_rejected_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a", encoding="utf-8")
    (tmp_path / "a.md").chmod(0)
    assert "Permission denied" in reasons(ingestion().ingest_path(tmp_path))["a.md"]


def test_a_huge_file_is_rejected_without_being_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.md").open("wb") as file:
        file.truncate(200_000_000)
    started = time.process_time()
    report = ingestion().ingest_path(tmp_path)
    assert "200,000,000 bytes; at most 100,000,000" in reasons(report)["huge.md"]
    assert time.process_time() - started < 5


@pytest.mark.parametrize("path", ["missing", "bad\x00name"])
def test_a_path_that_is_not_there_is_one_clear_error(tmp_path: Path, path: str) -> None:
    with pytest.raises(IngestionError, match="cannot be read"):
        ingestion().ingest_path(tmp_path / path)


def test_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(IngestionError, match="there is nothing to import"):
        ingestion().ingest_path(tmp_path)


def test_empty_binary_and_unknown_files_are_rejections_beside_good_ones(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("good", encoding="utf-8")
    (tmp_path / "empty.md").write_bytes(b"")
    (tmp_path / "latin.md").write_bytes(b"caf\xe9")
    (tmp_path / "image.png").write_bytes(b"\x89PNG")
    (tmp_path / "LICENSE").write_text("text", encoding="utf-8")
    report = ingestion().ingest_path(tmp_path)
    assert (report.n_stored, sorted(reasons(report))) == (1, ["LICENSE", "empty.md", "image.png", "latin.md"])
    assert reasons(report)["image.png"] == "no loader reads .png"


BAD_NAMES = [
    "../a.md",
    "a/../../b.md",
    "/etc/passwd",
    "C:\\x.md",
    "c:x.md",
    "\\\\host\\x.md",
    "..\\x.md",
    "a\x00.md",
    "a\n.md",
    "",
    ".",
    "x" * 300 + ".md",
    "\ud800.md",
]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_that_could_lead_out_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="the name"):
        safe_name(name)
    report = ingestion().ingest_files([(name, b"text"), ("good.md", b"text")])
    assert (report.n_stored, report.n_rejected) == (1, 1)
    report.model_dump_json()


def archive(entries: dict[str, bytes], mode: int | None = None) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in entries.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (mode or stat.S_IFREG | 0o644) << 16
            file.writestr(info, content)
    return data.getvalue()


def test_an_archive_of_one_folder_is_that_folder_and_system_files_stay_out() -> None:
    data = archive({"corpus/a.md": b"alpha", "corpus/sub/b.md": b"beta", "corpus/.DS_Store": b"x"})
    assert names(scan_uploads([("up.zip", data)])) == ["a.md", "sub/b.md"]


@pytest.mark.parametrize("name", ["../evil.md", "/abs.md", "a/../../evil.md", "C:/x.md", "\\\\h\\x.md"])
def test_an_entry_that_leads_out_is_refused_and_the_others_are_taken(name: str) -> None:
    scan = scan_uploads([("up.zip", archive({name: b"evil", "good.md": b"good"}))])
    assert names(scan) == ["good.md"]
    assert len(scan.refused) == 1


def test_a_symbolic_link_in_an_archive_is_refused() -> None:
    scan = scan_uploads([("up.zip", archive({"link.md": b"/etc/passwd"}, mode=stat.S_IFLNK | 0o777))])
    assert scan.refused == [("up.zip: link.md", "a symbolic link or device in an archive")]


def test_bombs_are_refused_within_limits() -> None:
    bomb = archive({f"{i}.md": bytes(9_000_000) for i in range(4)})
    started = time.process_time()
    scan = scan_uploads([("bomb.zip", bomb), ("good.md", b"x")])
    assert (names(scan), scan.refused) == (
        ["good.md"],
        [("bomb.zip", BOMB)],
    )
    many = scan_uploads([("many.zip", archive({f"{i}.md": b"x" for i in range(20)}))], ArchiveLimits(max_entries=10))
    assert "20 files; at most 10" in many.refused[0][1]
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    "data", [b"", b"not a zip", archive({"a.md": b"alpha" * 99})[:-30], archive({"a.md": b"x"})[40:]]
)
def test_a_damaged_archive_is_one_rejection(data: bytes) -> None:
    report = ingestion().ingest_files([("up.zip", data)])
    assert (report.n_in, report.n_rejected) == (1, 1)


def test_a_wrong_checksum_in_an_archive_rejects_that_entry() -> None:
    data = bytearray(archive({"a.md": b"alpha"}))
    data[data.find(b"a.md") + 5] ^= 0xFF
    report = ingestion().ingest_files([("up.zip", bytes(data))])
    assert (report.n_stored, report.n_rejected) == (0, 1)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_entry_that_takes_long_to_expand_is_refused_by_its_method(method: int) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr("slow.md", "slow", compress_type=method)
        file.writestr("good.md", "good", compress_type=zipfile.ZIP_DEFLATED)
    scan = scan_uploads([("up.zip", data.getvalue())])
    assert names(scan) == ["good.md"]
    assert [name for name, _ in scan.refused] == ["up.zip: slow.md"]
    assert "only deflate is read: pack it anew" in scan.refused[0][1]


@pytest.mark.parametrize("data", [archive({}), archive({"folder/": b""})], ids=["no entry", "a folder"])
def test_an_archive_without_a_file_is_called_empty(data: bytes) -> None:
    assert reasons(ingestion().ingest_files([("up.zip", data)])) == {
        "up.zip": "the archive is empty: there is no file in it"
    }


@pytest.mark.skipif(os.name != "posix", reason="a FIFO is a POSIX matter")
def test_an_archive_that_is_none_or_gone_is_one_clear_error(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.zip")
    for name, said in (("pipe.zip", "a FIFO, not a file"), ("gone.zip", "No such file")):
        with pytest.raises(IngestionError, match=f"cannot be read: {said}"):
            ingestion().ingest_path(tmp_path / name)


def test_a_zip_in_the_path_is_expanded(tmp_path: Path) -> None:
    (tmp_path / "up.zip").write_bytes(archive({"a.md": b"alpha"}))
    assert ingestion().ingest_path(tmp_path / "up.zip").n_stored == 1


def test_an_archive_on_disk_is_read_entry_by_entry_and_never_held_whole(tmp_path: Path) -> None:
    path = tmp_path / "docs.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for n in range(40):
            packed.writestr(f"docs/{n:02}.md", os.urandom(500_000).hex())
    tracemalloc.start()
    scan = scan_archive(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 10_000_000, "40 MB are in it"
    assert names(scan)[:2] == ["00.md", "01.md"]
    assert len(scan.sources[0].read()) == 1_000_000
    assert ingestion().ingest_path(path, dry_run=True).n_in == 40


def test_an_archive_that_changes_between_the_look_and_the_reading_is_an_error_in_words(tmp_path: Path) -> None:
    path = tmp_path / "docs.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("a.md", "text " * 1_000)
    [source] = scan_archive(path).sources
    path.write_bytes(b"\0" * path.stat().st_size)
    with pytest.raises(ValueError, match="the archive changed while being read"):
        source.read()

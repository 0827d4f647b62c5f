"""What is read in a folder lies in it: by open folders, and by paths where a system opens nothing relative to one."""

from __future__ import annotations

import errno
import gc
import os
import socket
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from docgraph.boundary.files import folders
from docgraph.boundary.files.folders import BY_DESCRIPTOR, KEPT, LeadsOutError, RootedFolder
from docgraph.boundary.files.regular import NotAFileError, named_file, read_within, size_of

pytestmark = pytest.mark.skipif(os.name != "posix", reason="symbolic links, FIFOs and sockets are a POSIX matter")
SECRET = b"secret"


@pytest.fixture(params=["by descriptor", "by path", "by path, and the system is not asked"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(folders, "BY_DESCRIPTOR", request.param == "by descriptor")
    if request.param.endswith("asked"):
        monkeypatch.setattr(folders, "place_of", lambda descriptor: None)
    return str(request.param)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder ``inside`` with files in it, and one beside it that is nobody's business."""
    for name in ("inside/a.md", "inside/sub/b.md", "inside/sub/deep/c.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "outside" / "deep").mkdir(parents=True)
    for name in ("a.md", "b.md", "deep/c.md"):
        (tmp_path / "outside" / name).write_bytes(SECRET)
    return tmp_path


def test_files_are_read_and_folders_listed_by_relative_names(place: Path, way: str) -> None:
    root = RootedFolder(place / "inside")
    assert root.path == place / "inside"
    assert root.read("sub/deep/c.md", 100) == b"inside/sub/deep/c.md"
    assert [(each.name, each.is_folder, each.is_file) for each in root.entries()] == [
        ("a.md", False, True),
        ("sub", True, False),
    ]
    assert [each.name for each in root.entries("sub")] == ["b.md", "deep"]
    assert root.stat("a.md").st_size == len("inside/a.md")
    with root.open("sub/b.md") as file:
        assert size_of(file) == len("inside/sub/b.md")
    for missing in ("none.md", "none/b.md", "a.md/b.md"):
        with pytest.raises(OSError, match=r"No such file|Not a directory"):
            root.read(missing, 100)


@pytest.mark.parametrize(
    "name", ["../outside/a.md", "sub/../../outside/a.md", "/etc/passwd", "sub//b.md", ".", "..", ""]
)
def test_a_name_that_leads_elsewhere_is_none(place: Path, way: str, name: str) -> None:
    root = RootedFolder(place / "inside")
    for read in (lambda: root.read(name, 100), lambda: root.stat(name), lambda: root.open(name)):
        with pytest.raises(ValueError, match="the name"):
            read()


@pytest.mark.parametrize("part", ["a.md", "sub", "sub/deep"])
def test_a_part_that_became_a_link_is_not_read(place: Path, way: str, part: str) -> None:
    root = RootedFolder(place / "inside")
    name = {"a.md": "a.md", "sub": "sub/b.md", "sub/deep": "sub/deep/c.md"}[part]
    (place / "inside" / part).rename(place / "away")
    (place / "inside" / part).symlink_to(place / "outside" / part.removeprefix("sub/"))
    if part == "sub":
        (place / "inside" / part).unlink()
        (place / "inside" / part).symlink_to(place / "outside")
    with pytest.raises(OSError, match="symbolic links"):
        root.read(name, 100)
    if part != "a.md":
        with pytest.raises(OSError, match="symbolic links"):
            root.entries(part)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="the system does not say where an open file lies")
def test_by_paths_what_was_opened_is_asked_where_it_lies(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder becomes a link after it was held to be none, and is a folder again before anybody looks."""
    monkeypatch.setattr(folders, "BY_DESCRIPTOR", False)
    root, opening = RootedFolder(place / "inside"), os.open

    def swapped(path: str | Path, *given: int) -> int:
        (place / "inside" / "sub").rename(place / "away")
        (place / "inside" / "sub").symlink_to(place / "outside")
        try:
            return opening(path, *given)
        finally:
            (place / "inside" / "sub").unlink()
            (place / "away").rename(place / "inside" / "sub")

    monkeypatch.setattr(folders.os, "open", swapped)
    with pytest.raises(OSError, match="symbolic links"):
        root.read("sub/b.md", 100)


LINKS: dict[str, tuple[Callable[[Path], str], str]] = {
    "beside": (lambda place: "a.md", "a.md"),
    "into a folder": (lambda place: "sub/deep/c.md", "sub/deep/c.md"),
    "up and down again": (lambda place: "sub/../a.md", "a.md"),
    "by a link to a folder": (lambda place: "to-deep/c.md", "sub/deep/c.md"),
    "by a link to a link": (lambda place: "to-a", "a.md"),
    "absolute": (lambda place: f"{place}/inside/sub/b.md", "sub/b.md"),
    "absolute, not straight": (lambda place: f"{place}/outside/../inside/./sub/b.md", ""),
    "absolute, by the name that was given": (lambda place: f"{place}/alias/sub/b.md", "sub/b.md"),
    "out and in again": (lambda place: "../inside/a.md", "a.md"),
    "to the folder itself": (lambda place: ".", ""),
}


@pytest.mark.parametrize("kind", LINKS)
def test_a_link_within_the_folder_leads_to_a_name_without_links(place: Path, way: str, kind: str) -> None:
    led, wanted = LINKS[kind][0](place), LINKS[kind][1]
    (place / "inside" / "to-deep").symlink_to("sub/deep")
    (place / "inside" / "to-a").symlink_to("a.md")
    (place / "inside" / "link").symlink_to(led)
    (place / "alias").symlink_to(place / "inside")
    root = RootedFolder(place / "alias")
    if kind == "absolute, not straight":
        with pytest.raises(LeadsOutError):
            root.target("link")
        return
    assert root.target("link") == wanted
    if wanted:
        assert root.read(wanted, 100) == f"inside/{wanted}".encode()


@pytest.mark.parametrize(
    ("led", "error"),
    [
        ("../outside/a.md", LeadsOutError),
        ("/etc/passwd", LeadsOutError),
        ("/", LeadsOutError),
        ("sub/../../../../../../../etc/passwd", LeadsOutError),
        ("../inside-of-another/a.md", LeadsOutError),
        ("to-outside/a.md", LeadsOutError),
        ("nobody.md", OSError),
        ("link", OSError),
        ("a.md/b.md", OSError),
    ],
)
def test_a_link_that_leads_out_or_nowhere_is_an_error(
    place: Path, way: str, led: str, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "inside" / "to-outside").symlink_to(place / "outside")
    (place / "inside" / "link").symlink_to(led)
    root = RootedFolder(place / "inside")
    with pytest.raises(error):
        root.target("link")


@pytest.fixture
def odd() -> Iterator[dict[str, Path]]:
    """What is called like a file and is none."""
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listening:
        made = {name: Path(folder, name) for name in ("fifo", "socket", "folder")}
        os.mkfifo(made["fifo"])
        listening.bind(str(made["socket"]))
        made["folder"].mkdir()
        yield made


@pytest.mark.parametrize("kind", ["fifo", "socket", "folder"])
def test_what_is_no_regular_file_is_not_read_and_not_waited_for(odd: dict[str, Path], way: str, kind: str) -> None:
    root = RootedFolder(odd[kind].parent)
    with pytest.raises((OSError, NotAFileError)):
        root.read(kind, 100)
    with pytest.raises((OSError, NotAFileError)):
        named_file(odd[kind])
    (entry,) = [each for each in root.entries() if each.name == kind]
    assert (entry.is_file, entry.is_link, entry.is_folder) == (False, False, kind == "folder")
    assert kind == "folder" or stat.S_IFMT(entry.mode) in (stat.S_IFIFO, stat.S_IFSOCK)


def test_a_device_that_was_named_is_not_read() -> None:
    with pytest.raises(NotAFileError, match="a device, not a file"):
        named_file("/dev/zero")


def test_bounds_are_those_of_what_was_opened(place: Path, way: str) -> None:
    root = RootedFolder(place / "inside")
    with pytest.raises(ValueError, match="11 bytes; at most 8 are read"):
        root.read("a.md", 8)
    file = root.open("a.md")
    grown = place / "inside" / "a.md"
    grown.write_text("x" * 50)
    assert len(read_within(root.open("a.md"), 50)) == 50
    with pytest.raises(ValueError, match="50 bytes; at most 49"):
        read_within(file, 49)


@pytest.mark.skipif(not BY_DESCRIPTOR, reason="a path has a limit")
def test_a_tree_that_is_deeper_than_a_path_may_be_long_is_read_with_few_descriptors(tmp_path: Path) -> None:
    depth, part = 300, "folder-with-a-long-name"
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(part, dir_fd=here)
        below = os.open(part, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    for name in ("a.md", "b.md"):
        with os.fdopen(os.open(name, os.O_WRONLY | os.O_CREAT, dir_fd=here), "w") as file:
            file.write(name)
    os.close(here)
    folder = "/".join([part] * depth)
    with pytest.raises(OSError, match="too long"):
        (tmp_path / folder / "a.md").read_text()
    root, before = RootedFolder(tmp_path), _n_open()
    for name in ("a.md", "b.md"):
        assert root.read(f"{folder}/{name}", 100) == name.encode()
    assert [each.name for each in root.entries(folder)] == ["a.md", "b.md"]
    assert _n_open() - before <= KEPT + 1
    middle = "/".join([part] * (depth - KEPT - 5))
    assert [each.name for each in root.entries(middle)] == [part]
    assert root.read(f"{folder}/a.md", 100) == b"a.md"
    assert [each.name for each in root.entries()] == [part]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open descriptors are not listed")
def test_nothing_stays_open_when_a_folder_is_let_go_of(place: Path, way: str) -> None:
    gc.collect()
    before = _n_open()
    root = RootedFolder(place / "inside")
    read = root.read
    (place / "inside" / "link").symlink_to(place / "outside")
    for name in ("a.md", "sub/b.md", "sub/deep/c.md", "none.md", "link", "link/a.md", "sub", ""):
        for max_bytes in (100, 0):
            with suppress(OSError, ValueError):
                read(name, max_bytes)
        with suppress(OSError, ValueError):
            root.entries(name)
        with suppress(OSError, ValueError):
            root.stat(name)
    del root
    assert read("a.md", 100) == b"inside/a.md"
    del read
    gc.collect()
    assert _n_open() == before


def _n_open() -> int:
    return len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").is_dir() else 0


def test_a_folder_that_was_moved_is_read_where_it_is_now(place: Path) -> None:
    if not BY_DESCRIPTOR:
        pytest.skip("by paths it is lost")
    root = RootedFolder(place / "inside")
    (place / "inside").rename(place / "moved")
    (place / "inside").symlink_to(place / "outside")
    assert root.read("a.md", 100) == b"inside/a.md"


def test_names_that_are_not_utf_8_are_read_as_the_file_system_has_them(place: Path, way: str) -> None:
    raw = os.fsencode(place / "inside") + b"/caf\xe9.md"
    with open(raw, "wb") as file:
        file.write(b"coffee")
    root = RootedFolder(place / "inside")
    (name,) = [each.name for each in root.entries() if each.name.startswith("caf")]
    assert root.read(name, 100) == b"coffee"


@pytest.mark.parametrize("path", ["a.md", "nobody", "nobody/at/all", "bad\x00name"])
def test_what_is_no_folder_is_an_error(place: Path, way: str, path: str) -> None:
    with pytest.raises((OSError, ValueError)) as caught:
        RootedFolder(place / "inside" / path)
    if path == "a.md":
        assert isinstance(caught.value, NotADirectoryError)
        assert caught.value.errno == errno.ENOTDIR

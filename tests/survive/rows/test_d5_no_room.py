"""D5: no room for what is written, or it may not be written: one typed error, nothing by half, then it works."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest

from docgraph import plugins
from docgraph.cli.files import write_file, write_files
from docgraph.errors import EnvironmentProblem, UserError
from docgraph.orchestration.docgraph import Docgraph
from tests.survive.rows.test_r4_full_disk import LARGE, MEGABYTE, _present, small_disk
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import DOCUMENTS, EDGE, opened

ROW = Row(
    row="D5",
    what="the disk full or read-only under backup, restore, exports, kept outcomes, runs; a read-only data folder",
    rule="one typed error with the way out, nothing by half, what was there is whole; after freeing it works",
    n=52,
    short=10,
    case="something that is written, over an older one or not, and the room that is left for it in pages",
)
PAGE = 4_096
ROOMS: tuple[int | None, ...] = (0, 1, 2, 3, 5, None)
"""Pages that are left; None = the disk may only be read."""
TEXT = "é" * 30_000
QUESTIONS = [{"query": f"queue {i} {n}", "grades": {i: 2}} for i in "abcd" for n in range(4)]


def _backup(dg: Docgraph, place: Path) -> bytes:
    dg.backups.write(place / "b.docgraph", workspaces=["w"])
    dg.backups.read(place / "b.docgraph")
    return b""


def _file(dg: Docgraph, place: Path) -> bytes:
    write_file(str(place / "x.html"), [TEXT.encode()] * 2, instead="x.html")
    return (place / "x.html").read_bytes()


def _files(dg: Docgraph, place: Path) -> bytes:
    write_files(str(place), [(f"{n}.md", TEXT.encode()) for n in range(2)])
    return b"".join((place / f"{n}.md").read_bytes() for n in range(2))


def _outcomes(dg: Docgraph, place: Path) -> bytes:
    made = dg.evaluate(QUESTIONS, workers=1, keep=place / "kept")
    assert len(made.outcomes) == len(QUESTIONS)
    return b""


WAYS: tuple[Callable[[Docgraph, Path], bytes], ...] = (_backup, _file, _files, _outcomes)


@contextmanager
def _filled(place: Path, room: int | None) -> Iterator[None]:
    """A disk with that room left; what fills it is ``filler``."""
    block = b"x" * PAGE
    with open(place / "filler", "wb", buffering=0) as filler:
        try:
            while True:
                filler.write(block)
        except OSError:
            filler.truncate(filler.tell() // PAGE * PAGE - PAGE * (room or 0))
    if room is None:
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
    yield
    if room is None:
        subprocess.run(["mount", "-o", "remount,rw", str(place)], check=True)
    (place / "filler").unlink()


def _held(place: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in place.iterdir() if each.name not in ("filler", "kept")}


def _tried(dg: Docgraph, way: Callable[[Docgraph, Path], bytes], place: Path, room: int | None, older: bool) -> None:
    """Once without room and once with it. What was there before stays while it cannot be replaced."""
    place.mkdir()
    with small_disk(place, 1):
        if older:
            for name in ("b.docgraph", "x.html", "0.md"):
                (place / name).write_bytes(b"older")
        before = _held(place)
        with _filled(place, room):
            try:
                way(dg, place)
            except UserError as error:
                assert error.hint
                assert "\n" not in str(error)
                there = _held(place)
                if way is not _files:  # of several files each is whole or not there
                    assert there == before, "something was written by half"
                assert {*there.values()} <= {b"older", TEXT.encode()}
            else:
                assert room, "nothing was said"
        written = way(dg, place)
        assert written in (b"", TEXT.encode() * 2)


def _database_full(tally: Tally, made_folder: Path, disk: Path) -> None:
    """Small disks beside a server, then its own: full under a restore, in the whole form under saved runs too."""
    disk.mkdir()
    with small_disk(disk, LARGE):
        (disk / "postgres").mkdir()
        subprocess.run(["cp", "-a", str(made_folder / "pgdata"), str(disk / "postgres")], check=True)
        with opened(plugins.build("stores", "postgres", data_dir=str(disk))) as dg:
            dg.ingest_records([each.model_copy(update={"text": f"{each.text} {TEXT}"}) for each in DOCUMENTS], [EDGE])
            for number, (way, room, older) in enumerate(tally.some(list(product(WAYS, ROOMS, (False, True))))):
                with tally.trying(f"{way.__name__[1:]}, room {room}, older {older}"):
                    _tried(dg, way, disk.parent / f"small{number}", room, older)
            backup = disk.parent / "whole.docgraph"
            dg.backups.write(backup, workspaces=["w"])
            acts: dict[str, Callable[[], object]] = {
                "restore": lambda: dg.backups.restore(backup, names={"w": f"w{len(dg.workspaces())}"}),
                "saved runs": lambda: dg.runs.save(dg.run("queue a"), name="x"),
            }
            for what, act in list(acts.items())[: None if tally.whole else 1]:
                with tally.trying(f"the database's disk full under {what}"), _full_server(disk):
                    _until_told(act)
                with tally.trying(f"{what} once there is room"):
                    assert _present(dg) == {each.document_id for each in DOCUMENTS}
                    act()
                    assert all(each.n_documents == len(DOCUMENTS) for each in dg.workspaces())
                    assert all(each.ok for each in dg.backups.verify())


def _until_told(act: Callable[[], object]) -> None:
    for _ in range(5_000):
        try:
            act()
        except EnvironmentProblem as error:
            assert error.hint
            assert "\n" not in str(error)
            return
    raise AssertionError("the disk was never full")


@contextmanager
def _full_server(disk: Path) -> Iterator[None]:
    """Two megabytes are left."""
    there = os.statvfs(disk)
    used = (there.f_blocks - there.f_bfree) * there.f_frsize // MEGABYTE
    subprocess.run(["mount", "-o", f"remount,size={used + 2}m", str(disk)], check=True)
    try:
        yield
    finally:
        subprocess.run(["mount", "-o", f"remount,size={LARGE}m", str(disk)], check=True)


@pytest.mark.timeout(1_200)
def test_d5_without_room_nothing_is_written_by_half(tally: Tally, made_folder: Path) -> None:
    for there in (True, False):
        place = made_folder / f"read-only-{there}"
        place.mkdir()
        with small_disk(place, 1), tally.trying(f"a data folder on a disk that is read-only, there: {there}"):
            if there:
                (place / "data").mkdir()
            subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
            with pytest.raises(EnvironmentProblem) as told:
                opened(plugins.build("stores", "postgres", data_dir=str(place / "data"))).documents.list()
            assert told.value.hint
            assert "\n" not in str(told.value)
    _database_full(tally, made_folder, made_folder / "disk")

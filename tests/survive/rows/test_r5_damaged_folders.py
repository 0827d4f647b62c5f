"""R5: a damaged data folder gives an equal answer or a named error with the way out, never a wrong one."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from docgraph import plugins
from docgraph.errors import DocgraphError
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import REQUEST, fill, opened

ROW = Row(
    row="R5",
    what="damaged embedded folder: one byte flipped in 20 files, stale and foreign lock files, another version",
    rule="never a wrong answer: a named error with the way out, or an equal result",
    n=29,
    short=5,
    case="a bit of a file, or a damage that is staged",
)
Damage = Callable[[Path], object]


def flip(path: Path, rng: random.Random) -> None:
    """Change one bit of one byte in the used part of a file."""
    data = bytearray(path.read_bytes())
    place = rng.randrange(len(data))
    data[place] ^= 1 << rng.randrange(8)
    path.write_bytes(data)


def _lock(data: Path, process: str) -> None:
    lock, owner = data / "postmaster.pid", data.stat()
    lock.write_text(f"{process}\n{data}\n1700000000\n5432\n/tmp\n\n  1 2\nready   \n")
    lock.chmod(0o600)
    shutil.chown(lock, owner.st_uid, owner.st_gid)


def _misspell(folder: Path, text: bytes) -> None:
    """Change one letter of a stored text wherever it lies."""
    found = [path for path in folder.rglob("[0-9]*") if path.is_file() and text in path.read_bytes()]
    assert found, "the text lies nowhere as it is"
    for path in found:
        path.write_bytes(path.read_bytes().replace(text, text[:-2] + b"D."))


STAGED: dict[str, Damage] = {
    "a stale lock": lambda data: _lock(data, "99999999"),
    "a lock of init": lambda data: _lock(data, "1"),
    "a lock that says nothing": lambda data: _lock(data, ""),
    "another version": lambda data: (data / "PG_VERSION").write_text("9\n"),
    "a version that is none": lambda data: (data / "PG_VERSION").write_text("x"),
    "no control file": lambda data: (data / "global" / "pg_control").unlink(),
    "a cut control file": lambda data: (data / "global" / "pg_control").write_bytes(b"x" * 100),
    "no log": lambda data: shutil.rmtree(data / "pg_wal"),
    "another letter in a text": lambda data: _misspell(data / "base", b"The queue a is bounded."),
}


def _attempt(folder: Path) -> tuple[object, ...] | str:
    """What a question, its evidence and the documents are; or the error, which says what to do next."""
    (folder / "postgres").symlink_to(folder)
    try:
        with opened(plugins.build("stores", "postgres", data_dir=str(folder))) as dg:
            run = dg.run(REQUEST)
            return run.plan, run.context, tuple(dg.documents.list()), tuple(dg.relationships.list())
    except DocgraphError as error:
        assert error.hint, f"no way out: {error}"
        assert "\n" not in str(error)
        return str(error)


RECOVERED = ("a stale lock", "a lock of init", "a lock that says nothing")
"""What is no damage of the data: it is put aside, and the answer is the right one."""


@pytest.mark.timeout(1_800)
def test_r5_a_damaged_folder_gives_no_wrong_answer(tally: Tally, made_folder: Path) -> None:
    (made_folder / "postgres").symlink_to(made_folder)
    with opened(plugins.build("stores", "postgres", data_dir=str(made_folder))) as dg:
        fill(dg)
    (made_folder / "postgres").unlink()
    sound = made_folder / "copies" / "sound"
    sound.mkdir(parents=True)
    subprocess.run(["cp", "-a", str(made_folder / "pgdata"), str(sound)], check=True)
    right = _attempt(sound)
    (sound / "postgres").unlink()
    assert not isinstance(right, str), right
    named = 0
    staged = list(STAGED.items()) if tally.whole else list(STAGED.items())[::4]
    for number in range(len(staged) + tally.n - len(staged)):
        rng = random.Random(f"R5:{tally.seed}:{number}")
        copy = made_folder / "copies" / f"{number}"
        copy.mkdir()
        subprocess.run(["cp", "-a", str(sound / "pgdata"), str(copy)], check=True)
        if number < len(staged):
            name, damage = staged[number]
            damage(copy / "pgdata")
        else:
            tables = sorted(p for p in (copy / "pgdata" / "base").rglob("[0-9]*") if p.is_file() and p.stat().st_size)
            latest = sorted(tables, key=lambda path: int(path.name.split("_")[0].split(".")[0]))[-60:]
            path = rng.choice(latest if rng.random() < 0.7 else tables)
            name = f"{path.parent.name}/{path.name}, case {number} of seed {tally.seed}"
            flip(path, rng)
        with tally.trying(name):
            found = _attempt(copy)
            named += isinstance(found, str)
            may_refuse = name not in RECOVERED
            assert found == right or (may_refuse and isinstance(found, str)), f"another answer: {str(found)[:200]}"
        shutil.rmtree(copy, ignore_errors=True)
    tally.more["named_errors"] = named

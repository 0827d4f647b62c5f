"""``docgraph imports`` and ``ingest --watch``: lists, differences, a feed; a watch imports what has settled."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from docgraph.bootstrap import connect
from docgraph.cli import edge
from docgraph.cli.watching import Changes, watched
from tests.command_line import Command, filled_workspace

pytestmark = pytest.mark.integration
WORKSPACE = "cli-imports"
PATIENCE = 120.0


@pytest.fixture
def environment(embedded_database_url: str) -> Iterator[None]:
    with filled_workspace(embedded_database_url, WORKSPACE, (), ()):
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    here = tmp_path / "plans"
    here.mkdir()
    _write(here, "a", "requires: [b]")
    _write(here, "b", "status: Final")
    return here


def _write(folder: Path, name: str, fields: str) -> None:
    """As editors do: beside it, then in its place."""
    beside = folder / f".{name}.md.swp"
    beside.write_text(f"---\nid: {name}\ntitle: Plan {name.upper()}\n{fields}\n---\nText.\n")
    beside.rename(folder / f"{name}.md")


@pytest.fixture
def docgraph(environment: None, capsys: pytest.CaptureFixture[str]) -> Command:
    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = edge.run(list(arguments))
        written = capsys.readouterr()
        return code, written.out, written.err

    return run


def test_imports_are_listed_compared_and_fed(docgraph: Command, folder: Path, tmp_path: Path) -> None:
    assert "No imports yet" in docgraph("imports")[1]
    assert docgraph("imports", "diff")[0] == 1
    docgraph("ingest", str(folder))
    _write(folder, "b", "status: Withdrawn")
    _write(folder, "a", "see_also: [b]")
    docgraph("ingest", str(folder))
    listed = json.loads(docgraph("imports", "--json")[1])["imports"]
    assert [(each["import_id"], each["source"], each["n_in"]) for each in listed] == [(2, "plans", 2), (1, "plans", 2)]
    code, out, _ = docgraph("imports", "diff")
    assert code == 0
    assert "1 relationship of another type, 1 target withdrawn" in out
    assert "Plan A —see_also→ Plan B" in out
    said = json.loads(docgraph("imports", "diff", "1", "2", "--json")[1])
    assert said["diff"]["withdrawn"][0]["document_id"] == "b"
    assert json.loads(docgraph("imports", "diff", "--since", "1999-01-01", "--json")[1]) == said
    path = tmp_path / "imports.atom"
    assert docgraph("imports", "feed", str(path))[0] == 0
    assert b"<feed" in path.read_bytes()
    assert docgraph("imports", "feed")[1].startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("imports", "diff", "7"), "no import"),
        (("imports", "diff", "1", "--since", "2026-01-01"), "cannot be combined"),
        (("ingest", "{folder}", "--watch", "--dry-run"), "--watch and --dry-run"),
        (("ingest", "{folder}", "--watch", "--profile-out", "x.toml"), "--watch and --profile-out"),
        (("ingest", "{folder}/a.md", "--watch"), "is not a folder"),
        (("ingest", "/no/such/folder", "--watch"), "is not a folder"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_done(
    docgraph: Command, folder: Path, arguments: tuple[str, ...], said: str
) -> None:
    code, _, err = docgraph(*(each.format(folder=folder) for each in arguments))
    assert code in (1, 2)
    assert said in err


def _until(found: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.1)


LISTENING = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from docgraph.cli import main; main()"
)
"""Ctrl+C reaches it also where the tests run in the background of a shell, which lets its children ignore it."""


@pytest.mark.slow
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_a_watch_imports_every_change_and_ends_kindly(environment: None, folder: Path, ending: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", LISTENING, "ingest", str(folder), "--watch", "--prune", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    )
    try:
        with connect() as dg:
            _until(lambda: len(dg.imports.list()) >= 1)
            _write(folder, "b", "status: Withdrawn")
            _until(lambda: any(w.document_id == "b" for w in dg.imports.diff(1).withdrawn))
            (folder / "broken.pdf").write_bytes(b"no pdf")
            _until(lambda: dg.imports.list()[0].n_rejected == 1)
            (folder / "broken.pdf").unlink()
            (folder / "b.md").unlink()
            _until(lambda: [d.document_id for d in dg.imports.diff(1).documents] == ["b"])
        process.send_signal(ending)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert "Watching" in err
    every = [json.loads(each) for each in out.splitlines()]
    assert every[0]["diff"] is None
    assert [each["diff"]["before"]["import_id"] for each in every[1:]] == [e["import"]["import_id"] for e in every[:-1]]


class _Event:
    """What an observer tells."""

    def __init__(self, path: str, kind: str = "modified", *, folder: bool = False) -> None:
        self.src_path, self.dest_path, self.event_type, self.is_directory = path, "", kind, folder


@pytest.mark.parametrize(
    ("event", "counts"),
    [
        (_Event("a.md"), True),
        (_Event("sub/a.md", "deleted"), True),
        (_Event("sub", "deleted", folder=True), True),
        (_Event("a.md", "opened"), False),
        (_Event("a.md", "closed_no_write"), False),
        (_Event("sub", folder=True), False),
        (_Event(".git/index"), False),
        (_Event(".a.md.swp"), False),
        (_Event("data/pgdata/base/1"), False),
    ],
)
def test_what_is_hidden_read_or_docgraphs_own_is_no_change(tmp_path: Path, event: _Event, counts: bool) -> None:
    changes = Changes(tmp_path, besides=tmp_path / "data")
    event.src_path = str(tmp_path / event.src_path)
    changes.on_any_event(event)  # type: ignore[arg-type]
    assert bool(changes._n) is counts


LEFT_OUT = [
    ("build/out.md", "gitignore"),
    ("build", "gitignore"),
    ("docs/notes.tmp", "gitignore"),
    ("docs/drafts/a.md", "gitignore of a folder"),
    ("logs/app.log", "exclude"),
    ("logs/deep/app.log", "exclude"),
    ("node_modules/left-pad/README.md", "always"),
    ("docs/__pycache__/x.pyc", "always"),
]


@pytest.mark.parametrize(("path", "by"), LEFT_OUT)
def test_what_no_import_takes_starts_none(tmp_path: Path, path: str, by: str) -> None:
    """A log that is written every second had the folder imported again and again."""
    (tmp_path / "docs").mkdir()
    (tmp_path / ".gitignore").write_text("build/\n*.tmp\n!kept.tmp\n")
    (tmp_path / "docs" / ".gitignore").write_text("/drafts/\n")
    kinds: list[tuple[dict[str, Any], bool]] = [
        ({}, by == "exclude"),
        ({"exclude": ("*.log",)}, False),
        ({"exclude": ("*.log",), "gitignore": False}, by.startswith("gitignore")),
    ]
    for ways, counts in kinds:
        changes = Changes(tmp_path, **ways)
        changes.on_any_event(_Event(str(tmp_path / path), folder="." not in path, kind="created"))  # type: ignore[arg-type]
        assert bool(changes._n) is counts, ways


def test_what_a_gitignore_file_says_is_a_change_and_counts_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docgraph.cli.watching.LOOK", 0.0)
    changes = Changes(tmp_path)
    (tmp_path / ".gitignore").write_text("*.log\n")
    changes.on_any_event(_Event(str(tmp_path / ".gitignore")))  # type: ignore[arg-type]
    assert changes._n == 1
    changes.wait()
    changes.on_any_event(_Event(str(tmp_path / "a.log")))  # type: ignore[arg-type]
    (tmp_path / "a.log").write_text("x")
    assert not changes._n
    assert not changes._is_seen_to_change()
    (tmp_path / ".gitignore").write_text("*.tmp\n")
    assert changes._is_seen_to_change()
    changes.on_any_event(_Event(str(tmp_path / ".git" / ".gitignore")))  # type: ignore[arg-type]
    assert not changes._n


def test_a_change_made_while_nobody_waits_is_not_lost(tmp_path: Path) -> None:
    changes = Changes(tmp_path)
    changes.on_any_event(_Event(str(tmp_path / "a.md")))  # type: ignore[arg-type]
    changes.wait()
    assert changes._n == 0


def test_a_change_that_the_system_does_not_tell_of_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may run out of watches, or the folder be removed and made again."""
    monkeypatch.setattr("docgraph.cli.watching.LOOK", 0.0)
    (tmp_path / "docs").mkdir()
    changes = Changes(tmp_path / "docs", besides=tmp_path / "docs" / "data")
    assert not changes._is_seen_to_change()
    for name in (".hidden", "data/base"):
        (tmp_path / "docs" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "docs" / name).write_text("x")
    assert not changes._is_seen_to_change()
    (tmp_path / "docs" / "new").mkdir()
    (tmp_path / "docs" / "new" / "a.md").write_text("x")
    changes.wait()
    (tmp_path / "docs" / "new" / "a.md").write_text("xy")
    changes.wait()
    (tmp_path / "docs").rename(tmp_path / "gone")
    changes.wait()
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "b.md").write_text("x")
    changes.wait()
    assert not changes._is_seen_to_change()


def test_another_file_of_the_same_size_and_time_is_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As copying with times leaves one."""
    monkeypatch.setattr("docgraph.cli.watching.LOOK", 0.0)
    for name in ("one", "two"):
        (tmp_path / f"{name}.md").write_text(name)
    os.utime(tmp_path / "one.md", (1, 1))
    (tmp_path / "link.md").symlink_to("one.md")
    changes = Changes(tmp_path)
    (tmp_path / "one.md").write_text("six")
    os.utime(tmp_path / "one.md", (1, 1))
    assert changes._is_seen_to_change()
    (tmp_path / "link.md").unlink()
    (tmp_path / "link.md").symlink_to("two.md")
    assert changes._is_seen_to_change()
    assert not changes._is_seen_to_change()


def test_a_change_is_imported_at_last_even_if_more_come_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docgraph.cli.watching.AT_MOST", 0.3)
    monkeypatch.setattr("docgraph.cli.watching.SETTLED", 30.0)
    changes = Changes(tmp_path)
    changes.on_any_event(_Event(str(tmp_path / "a.md")))  # type: ignore[arg-type]
    changes.wait()  # it would take half a minute


def test_a_watch_looks_for_itself_where_the_system_has_nothing_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left() -> None:
        raise OSError(24, "inotify instance limit reached")

    monkeypatch.setattr("docgraph.cli.watching.Observer", none_left)
    said: list[str] = []
    with watched(tmp_path, besides=None, say=said.append):
        assert said == ["File notifications are not available; polling every 2 s."]

"""Back up in the Library: made in the background by what ``docgraph backup`` does, fetched under a secret address."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from docgraph.domain.workspace import WorkspaceName
from docgraph.errors import StoreError
from docgraph.orchestration.backups import Backups
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ports import Backup, KeptWorkspace, Progress
from docgraph.ports.progress import Stopped
from docgraph.ui.frame import resources
from docgraph.ui.parts.backups import BACKUP, MAX_KEPT, PATH, BackupJob, Shelf, shelf
from docgraph.ui.shell import downloads, server
from docgraph.views.words.counts import size
from tests.ui.conftest import SECONDS, Open, page_text, press

Write = Callable[[IO[bytes], Progress], None]
ASKED: list[Any] = []


@pytest.fixture
def writes(monkeypatch: pytest.MonkeyPatch) -> Callable[[Write], None]:
    """The store in memory cannot be backed up: what stands in the file is given."""
    ASKED.clear()

    def use(write: Write) -> None:
        def written(self: Backups, file: IO[bytes], *, workspaces: Any = None, progress: Progress) -> Backup:
            ASKED.append(workspaces)
            write(file, progress)
            names: tuple[WorkspaceName, ...] = tuple(workspaces or ("harbor", "other"))
            each = tuple(KeptWorkspace(name=name) for name in names)
            return Backup(docgraph="0", made_at="2026-03-02T09:14:07+00:00", workspaces=each)

        monkeypatch.setattr(Backups, "write", written)

    return use


def _job(at: AppTest) -> BackupJob:
    job: BackupJob = at.session_state["docgraph.state"].page[BACKUP]
    return job


def _ended(at: AppTest) -> str:
    assert _job(at).wait(SECONDS)
    at.run()
    assert not at.exception
    return page_text(at)


def _files() -> list[Path]:
    return sorted(shelf().folder.iterdir())


def _link(at: AppTest) -> str:
    found = re.search(rf'<a class="dg-download" href="({PATH}/[^"]+)" target="_self" download>', page_text(at))
    assert found, page_text(at)
    return found[1]


def test_a_backup_is_made_with_its_size_and_fetched_from_its_file_byte_by_byte(
    harbor: Docgraph, open_page: Open, writes: Callable[[Write], None]
) -> None:
    writes(lambda file, _: file.writelines([b"PK"] * 20_600))
    at = press(open_page("library", show="Workspaces"), "docgraph.library.backup")
    assert "<b>41 kB</b>" in _ended(at)
    assert ASKED == [("harbor",)]
    first = _link(at)
    client = TestClient(Starlette(routes=[downloads.route()]))
    answer = client.get(first)
    assert (answer.status_code, answer.content) == (200, b"PK" * 20_600)
    assert answer.headers["content-disposition"].startswith('attachment; filename="harbor-')
    assert answer.headers["cache-control"] == "no-store"
    assert client.get(f"{PATH}/{first[-20:]}").status_code == 404

    at.selectbox(key="docgraph.library.backup_of").select_index(-1).run()
    press(at, "docgraph.library.backup")
    _ended(at)
    assert ASKED[-1] is None
    assert client.get(first).status_code == 404, "a session has one backup: the last"
    assert client.get(_link(at)).status_code == 200


def test_a_backup_that_is_stopped_leaves_nothing(
    harbor: Docgraph, open_page: Open, writes: Callable[[Write], None]
) -> None:
    before, begun = _files(), threading.Event()

    def write(file: IO[bytes], progress: Progress) -> None:
        file.write(b"PK")
        progress.update(1, 6, "harbor: vector_chunks")
        begun.set()
        while not progress.cancelled():
            threading.Event().wait(0.01)
        raise Stopped

    writes(write)
    at = press(open_page("library", show="Workspaces"), "docgraph.library.backup")
    assert begun.wait(SECONDS)
    at.run()
    press(at, "docgraph.library.backup_stop")
    assert "was stopped, and no file was made" in _ended(at)
    assert "dg-download" not in page_text(at)
    assert _files() == before


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (OSError(28, "No space left on device"), "could not be written on the server: No space left on device"),
        (StoreError("the database went away"), "The database went away"),
    ],
)
def test_a_backup_that_fails_says_why_and_leaves_nothing(
    harbor: Docgraph, open_page: Open, writes: Callable[[Write], None], problem: Exception, said: str
) -> None:
    before = _files()

    def write(file: IO[bytes], progress: Progress) -> None:
        raise problem

    writes(write)
    at = press(open_page("library", show="Workspaces"), "docgraph.library.backup")
    assert said in _ended(at)
    assert _files() == before


def test_who_is_no_admin_is_offered_none(harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "may", lambda act: False)
    at = open_page("library", show="Workspaces")
    assert "Only admins can create, back up and delete workspaces" in page_text(at)
    assert not [button for button in at.button if button.key == "docgraph.library.backup"]


def test_only_so_many_wait_and_each_goes_with_its_file() -> None:
    kept, said = Shelf(), Backup(docgraph="0", made_at="", workspaces=())
    waiting = []
    for n in range(MAX_KEPT + 2):
        file = kept.folder / str(n)
        file.write_bytes(b"PK")
        waiting.append(kept.put(file, said, f"{n}.backup"))
    assert [kept.get(each.word) is None for each in waiting] == [True, True] + [False] * MAX_KEPT
    assert sorted(each.name for each in kept.folder.iterdir()) == [str(n) for n in range(2, MAX_KEPT + 2)]
    assert len({each.word for each in waiting}) == len(waiting)
    assert kept.folder.stat().st_mode & 0o077 == 0
    kept.close()
    assert not kept.folder.exists()


def test_the_end_of_the_server_takes_all_backups_away() -> None:
    """A signal ends the process before anything of its own is cleaned up: the folder stayed, with every text in it."""
    folder = shelf().folder
    (folder / "left").write_bytes(b"PK")
    server._close()
    assert not folder.exists()
    assert shelf().folder != folder


@pytest.mark.parametrize(
    ("n_bytes", "said"),
    [(1, "1 byte"), (999, "999 bytes"), (41_200, "41 kB"), (999_600, "1.0 MB"), (1_254_000_000, "1.25 GB")],
)
def test_a_size_is_said_in_the_units_of_a_download(n_bytes: int, said: str) -> None:
    assert size(n_bytes) == said

"""Files that commands are given: a regular one that was named, or one of a folder that lies in it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from docgraph.boundary.imports.profile_toml import profile_of
from docgraph.cli.commands.check import rules_in
from docgraph.cli.commands.run import _plan_bytes
from docgraph.cli.files import read_file
from docgraph.cli.query_files import query_set_of
from docgraph.cli.watching import Changes
from docgraph.errors import UserError
from docgraph.orchestration.backups import read_backup

pytestmark = pytest.mark.skipif(os.name != "posix", reason="symbolic links and FIFOs are a POSIX matter")
QUESTION = '{"_id": "q1", "text": "Why is the queue bounded?"}\n'
QRELS = "query-id\tcorpus-id\tscore\nq1\tADR-003\t1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of questions, and one beside it."""
    for name in ("set", "elsewhere"):
        (tmp_path / name / "qrels").mkdir(parents=True)
        (tmp_path / name / "queries.jsonl").write_text(QUESTION.replace("queue", name), encoding="utf-8")
        (tmp_path / name / "qrels" / "test.tsv").write_text(QRELS, encoding="utf-8")
    return tmp_path / "set"


def test_a_folder_of_questions_is_read_with_its_judgments_also_by_links_within(folder: Path) -> None:
    (folder / "queries.jsonl").rename(folder / "all.jsonl")
    (folder / "queries.jsonl").symlink_to("all.jsonl")
    (query,) = query_set_of(str(folder), None).queries
    assert query.query == "Why is the set bounded?"
    assert set(query.grades) == {"ADR-003"}


@pytest.mark.parametrize("name", ["queries.jsonl", "qrels/test.tsv", "qrels"])
def test_what_leads_out_of_a_folder_of_questions_is_not_read(folder: Path, name: str) -> None:
    (folder / name).rename(folder.parent / "away")
    (folder / name).symlink_to(folder.parent / "elsewhere" / name)
    with pytest.raises(UserError, match="is a symbolic link that leaves 'set'") as caught:
        query_set_of(str(folder), None)
    assert caught.value.hint == "name the target file itself"
    (folder / name).unlink()
    (folder / name).symlink_to(folder.parent / "nobody")
    with pytest.raises(UserError, match="is a symbolic link that leaves"):
        query_set_of(str(folder), None)


def test_a_link_that_was_named_is_followed(folder: Path) -> None:
    (folder.parent / "link.jsonl").symlink_to(folder / "queries.jsonl")
    assert query_set_of(str(folder.parent / "link.jsonl"), None).queries[0].query == "Why is the set bounded?"


READERS: dict[str, Callable[[str], object]] = {
    "questions": lambda name: query_set_of(name, None),
    "judgments": lambda name: query_set_of(str(Path(name).parent), name),
    "rules": rules_in,
    "a profile": profile_of,
    "a plan": _plan_bytes,
    "a backup": lambda name: read_backup(None, name),  # type: ignore[arg-type]
    "any file": lambda name: read_file(name, max_bytes=10, hint="name a file"),
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("reader", READERS)
def test_a_fifo_is_not_waited_for_and_a_device_not_read(tmp_path: Path, reader: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, kind in ((str(tmp_path / "pipe"), "a FIFO"), ("/dev/zero", "a device")):
        with pytest.raises(UserError, match=f"{kind}, not a file"):
            READERS[reader](name)


def test_a_watch_looks_at_nothing_outside_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "docs" / ".hidden").mkdir(parents=True)
    (tmp_path / "docs" / "a.md").write_text("a")
    (tmp_path / "docs" / ".hidden" / "b.md").write_text("b")
    (tmp_path / "outside.md").write_text("o")
    (tmp_path / "docs" / "out.md").symlink_to(tmp_path / "outside.md")
    (tmp_path / "docs" / "in.md").symlink_to(".hidden/b.md")
    changes = Changes(tmp_path / "docs")
    before = changes._look()
    (tmp_path / "outside.md").write_text("other")
    assert changes._look() == before
    (tmp_path / "docs" / ".hidden" / "b.md").write_text("other")
    assert changes._look() != before, "it is read by way of a link"
    (tmp_path / "docs" / "a.md").unlink()
    assert changes._look() not in (before, hash(()))


@pytest.mark.timeout(20)
def test_a_watch_reads_no_gitignore_from_outside_and_waits_for_none(tmp_path: Path) -> None:
    (tmp_path / "docs" / "sub").mkdir(parents=True)
    (tmp_path / "rules").write_text("*.md\n")
    (tmp_path / "docs" / ".gitignore").symlink_to(tmp_path / "rules")
    os.mkfifo(tmp_path / "docs" / "sub" / ".gitignore")
    changes = Changes(tmp_path / "docs")
    assert changes._counts(str(tmp_path / "docs" / "sub" / "a.md"))
    (tmp_path / "docs" / ".gitignore").unlink()
    (tmp_path / "docs" / ".gitignore").write_text("*.md\n")
    changes._look()
    assert not changes._counts(str(tmp_path / "docs" / "sub" / "a.md"))

"""The independent count is independent, agrees with imports where both are right, and notices where one is not."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.referee import __main__ as command
from tests.referee import compare
from tests.referee.compare import compared, repositories
from tests.referee.count import DIALECTS, counted
from tests.referee.excerpts import EXCERPTS, PROSE, Excerpt

COUNT = Path(__file__).parent / "count"


def written(root: Path, excerpt: Excerpt) -> Path:
    """The excerpt as files."""
    for name, text in excerpt.files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def test_what_counts_imports_nothing_of_docgraph() -> None:
    for path in COUNT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [each for each in names if each.split(".")[0] == "docgraph"], path
            assert not [each for each in names if each.startswith(("markdown_it", "mdit_py"))], path


@pytest.mark.parametrize("excerpt", EXCERPTS, ids=lambda each: each.dialect)
def test_count_and_import_agree_on_every_pair(tmp_path: Path, excerpt: Excerpt) -> None:
    root = written(tmp_path, excerpt)
    assert counted(root, excerpt.dialect) == excerpt.pairs
    found = compared(root, excerpt.dialect, ends=excerpt.ends)
    assert found.found == excerpt.pairs
    assert (found.missed, found.extra) == (frozenset(), frozenset())
    assert found.share == 1


def test_every_dialect_has_an_excerpt() -> None:
    assert {each.dialect for each in EXCERPTS} == set(DIALECTS)
    assert {dialect for each in repositories() for dialect in each.dialects} <= set(DIALECTS)


def test_a_relationship_that_the_import_lacks_or_has_to_another_document_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = written(tmp_path, EXCERPTS[0])
    right = counted(root, "github")
    first = ("docs/leases.md", "docs/cranes.md")
    moved = (right - {first}) | {("docs/cranes.md", "README.md")}
    monkeypatch.setattr(compare, "counted", lambda root, *dialects: moved)
    found = compared(root, "github")
    assert found.missed == {("docs/cranes.md", "README.md")}
    assert found.extra == {first}
    assert found.share < 1


def test_a_mere_mention_is_no_relationship_that_was_stated(tmp_path: Path) -> None:
    files = {"a.md": f"# Leases of crates\n\n{PROSE}\n", "b.md": f"# B\n\n{PROSE} Mind Leases of crates.\n"}
    found = compared(written(tmp_path, Excerpt("github", files, frozenset())), "github")
    assert found.made == frozenset()


def test_the_command_prints_the_folder_and_ends_with_one_where_something_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = written(tmp_path, EXCERPTS[0])
    monkeypatch.setattr("sys.argv", ["referee", str(root), "--dialect", "github"])
    assert command.main() == 0
    assert "5 pairs counted, 5 found (100.0%)" in capsys.readouterr().out
    monkeypatch.setattr(compare, "counted", lambda root, *dialects: frozenset({("docs/cranes.md", "README.md")}))
    assert command.main() == 1
    assert "docs/cranes.md -> README.md" in capsys.readouterr().out


def test_the_table_names_repositories_that_are_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path / "TSC", EXCERPTS[0])
    monkeypatch.setattr("sys.argv", ["referee", "--repositories", str(tmp_path)])
    assert command.main() == 0
    told = capsys.readouterr()
    assert "| nodejs/TSC | 5 | 5 (100.0%) | 0 | 0 |" in told.out
    assert "rust-lang/rust-forge, src" in told.err

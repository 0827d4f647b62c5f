"""A link to a file that is no page means that file, and no other one of its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.importing import imported


def linked(folder: Path, target: str, stored: str) -> bool:
    """Whether a link to ``target`` leads to the document that lies there as ``stored``."""
    suffix = stored.rpartition(".")[2]
    text = "<h1>Paper</h1><p>Words.</p>" if suffix == "html" else "# Paper\n\nWords.\n"
    (folder / stored).write_text(r"{\rtf1 Paper. Words.}" if suffix == "rtf" else text, encoding="utf-8")
    (folder / "a.md").write_text(f"# A\n\nSee [it]({target}).\n", encoding="utf-8")
    with imported(folder) as case:
        assert "paper" in case.titles
        return ("a", "links_to", "paper") in case.edges


@pytest.mark.parametrize(
    ("target", "stored"), [("paper.pdf", "paper.rtf"), ("paper.pdf", "paper.md"), ("paper.docx", "paper.html")]
)
def test_another_file_of_that_name_is_not_meant(tmp_path: Path, target: str, stored: str) -> None:
    assert not linked(tmp_path, target, stored)


@pytest.mark.parametrize(
    ("target", "stored"),
    [
        ("paper.html", "paper.md"),
        ("paper", "paper.md"),
        ("paper", "paper.rtf"),
        ("paper.rtf", "paper.rtf"),
        ("paper.md", "paper.html"),
    ],
)
def test_a_page_may_be_called_by_the_suffix_that_its_site_gives_it(tmp_path: Path, target: str, stored: str) -> None:
    assert linked(tmp_path, target, stored)


def test_the_index_of_a_folder_may_be_made_of_its_readme(tmp_path: Path) -> None:
    """mdBook and the forges' sites make ``two/index.html`` of ``two/README.md``; it dangled as ``two/index``."""
    (tmp_path / "two").mkdir()
    (tmp_path / "one.md").write_text("# One\n\n[two](two/index.html#x), [none](two/index.md)\n", encoding="utf-8")
    (tmp_path / "two/README.md").write_text("# Two\n\n[one](../one.html)\n", encoding="utf-8")
    with imported(tmp_path) as case:
        links = {("one", "two/README"), ("one", "two/index"), ("two/README", "one")}
        assert {(a, b) for a, kind, b in case.edges if kind == "links_to"} == links

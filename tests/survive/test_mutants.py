"""Planted weaknesses: each can be put in, every row has some, the pages tell what became of them, six are tried."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.survive.mutants import Copy, Trial
from tests.survive.planted import Mutant, keep_tried, planted, quickest, read_tried
from tests.survive.programme import programme

LEAST = 2
"""Weaknesses of each row."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Copy]:
    """A copy of the tree; where this is no checkout, there is none."""
    folder = tmp_path_factory.mktemp("mutants")
    try:
        yield Copy(folder)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a checkout of a repository, or no git")


def test_every_weakness_can_be_put_into_the_tree_as_it_is(copy: Copy) -> None:
    """A patch that does not apply any more is written anew: the weakness is still to be noticed."""
    for mutant in planted():
        before = {name: (copy.folder / name).read_bytes() for name in mutant.touched}
        assert before, f"{mutant.name} changes nothing"
        with copy.planted(mutant):
            assert all((copy.folder / name).read_bytes() != data for name, data in before.items()), mutant.name
        assert all((copy.folder / name).read_bytes() == data for name, data in before.items()), mutant.name


def test_every_row_has_weaknesses_of_its_own() -> None:
    rows = [row.row for row in programme()]
    n_planted = Counter(mutant.row for mutant in planted())
    assert set(n_planted) <= set(rows)
    assert not [row for row in rows if n_planted[row] < LEAST], "rows with fewer than two planted weaknesses"
    assert all(mutant.name.startswith(f"{mutant.row.lower()}_") for mutant in planted())


def test_a_weakness_changes_the_product_and_not_the_programme() -> None:
    for mutant in planted():
        assert all(name.startswith(("docgraph/", "pages/", "app.py")) for name in mutant.touched), mutant.name


def test_a_row_says_what_one_case_is() -> None:
    assert not [row.row for row in programme() if not row.case]


def test_what_was_tried_is_what_is_planted() -> None:
    """``python -m tests.survive.mutants NAME`` tries one."""
    tried = read_tried()
    assert list(tried) == [mutant.name for mutant in planted()]
    for mutant in planted():
        line = tried[mutant.name]
        assert (line["row"], line["weakness"], line["form"]) == (mutant.row, mutant.weakness, mutant.form)
        assert line["noticed"] != bool(mutant.unnoticed), f"{mutant.name}: {line['how']}"
        assert mutant.form == "short" or mutant.because, f"{mutant.name} says nothing of why the short form cannot"


def test_a_head_without_its_lines_is_refused(tmp_path: Path) -> None:
    (tmp_path / "f1_x.patch").write_text("Row: F1\n\n--- a/docgraph/x.py\n+++ b/docgraph/x.py\n")
    with pytest.raises(ValueError, match="Weakness"):
        planted(tmp_path)


def test_the_quickest_are_of_as_many_rows() -> None:
    there = [Mutant(Path(f"{name}.patch"), row, "w") for name, row in (("a", "F1"), ("b", "F1"), ("c", "R1"))]
    tried = {
        "a": {"noticed": True, "seconds": 2},
        "b": {"noticed": True, "seconds": 1},
        "c": {"noticed": True, "seconds": 3},
    }
    assert [mutant.name for mutant in quickest(there, tried)] == ["b", "c"]
    assert [mutant.name for mutant in quickest(there, {**tried, "b": {"noticed": False, "seconds": 1}})] == ["a", "c"]


def test_lines_of_what_is_planted_no_more_go(tmp_path: Path) -> None:
    path, one, two = tmp_path / "lines.jsonl", *(Mutant(Path(f"{name}.patch"), "F1", "w") for name in "ab")
    keep_tried([{"mutant": "a"}, {"mutant": "b"}], [one, two], path)
    keep_tried([{"mutant": "b", "noticed": True}], [two], path)
    assert read_tried(path) == {"b": {"mutant": "b", "noticed": True}}


@pytest.mark.slow
@pytest.mark.integration
@pytest.mark.timeout(600)
@pytest.mark.parametrize("mutant", quickest(planted(), read_tried()), ids=lambda mutant: mutant.name)
def test_the_row_notices_what_is_planted(copy: Copy, mutant: Mutant) -> None:
    """The short form; all of them: make survive-mutants. The rows as they are run beside it."""
    line = Trial(copy, sound_first=False).of(mutant)
    assert line["noticed"], line

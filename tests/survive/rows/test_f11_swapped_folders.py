"""F11: parts of a folder become links out of it while it is read; nothing of what lies outside is ever read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.survive.swaps import WAYS, Swapped, foreign_texts, planted, swapping
from tests.survive.tally import Row, Tally

ROW = Row(
    row="F11",
    what="folders, files become links out of the root and back during imports, watches, looks, patches: at any call",
    rule="no text from outside is read, neither from open folders nor, where a system has none, by paths (each sixth)",
    n=1200,
    short=32,
    case="a way to read and the call before which the folder is swapped; swapped all the time, the way alone",
    situations=610,
)
BY_DESCRIPTOR = "docgraph.boundary.files.folders.BY_DESCRIPTOR"


@pytest.mark.skipif(os.name != "posix", reason="symbolic links are a POSIX matter")
@pytest.mark.timeout(300)
def test_f11_a_folder_that_is_swapped_meanwhile_leads_nowhere(
    tally: Tally, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of the cases at a moment of their own, half while another process swaps as fast as it can."""
    root, outside = planted(tmp_path)
    assert all(foreign_texts(way, outside) for way in WAYS), "a text from outside would be noticed on every way"
    swapped = Swapped(root, outside)
    for case in tally.cases(tally.n // 2):
        way = list(WAYS)[case.number % len(WAYS)]
        monkeypatch.setattr(BY_DESCRIPTOR, case.number % 6 != 5)
        with tally.trying(case), swapped.watching(monkeypatch):
            swapped.arm(-1, brief=False)
            assert not foreign_texts(way, root)
            swapped.arm(case.rng.randrange(swapped.n_calls), brief=case.rng.random() < 0.5)
            assert not foreign_texts(way, root), f"{way} read what lies outside of its folder"
    with swapping(root, outside):
        for number in range(tally.n - tally.n // 2):
            way = list(WAYS)[number % len(WAYS)]
            monkeypatch.setattr(BY_DESCRIPTOR, number % 6 != 5)
            with tally.trying(f"{way}, swapped by another process"):
                assert not foreign_texts(way, root), f"{way} read what lies outside of its folder"

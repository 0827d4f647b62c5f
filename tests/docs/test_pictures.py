"""The pictures of README.md and docs: each is in the album and used, and what is compared of their words."""

from __future__ import annotations

import re

import pytest

from tests import ROOT
from tools.pictures.__main__ import main
from tools.pictures.album import ALBUM
from tools.pictures.words import Line, differences, written

FOLDER = ROOT / "docs" / "images"
USED = {
    (page.parent / path).resolve()
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
    for found in re.findall(r"""(?:src|srcset)="([^"]+)"|!\[[^]]*\]\(([^)\s]+)""", page.read_text("utf-8"))
    for path in filter(None, found)
}
PAGE = [
    Line("Plan"),
    Line("4 seeds → 2 more documents, 69 ms"),
    Line("rev 88ad9f"),
    Line("the last line", at_edge=True),
]


def test_every_picture_of_the_album_is_used_and_no_other_lies_there() -> None:
    files = {FOLDER / f"{picture.name}-{theme}.png" for picture in ALBUM for theme in picture.themes}
    assert files == USED
    texts = {FOLDER / f"{picture.name}.txt" for picture in ALBUM}
    assert files <= set(FOLDER.iterdir()) <= files | texts


def test_the_names_of_the_album_differ() -> None:
    assert len({picture.name for picture in ALBUM}) == len(ALBUM)
    assert all(list(picture.themes) == ["light", "dark"] for picture in ALBUM)


def test_counts_days_and_revisions_may_differ() -> None:
    kept = "Plan\n3 seeds → 12 more documents, 1,069.5 ms\nrev 0a1b2c3d\nthe last line\n"
    assert differences(kept, PAGE) == []
    assert differences("Checked 1 Jun 2026, 12:00 UTC\n", [Line("Checked 28 Nov 2026, 9:07 UTC")]) == []


def test_a_word_that_changed_is_told_from_both_sides() -> None:
    kept = written(PAGE).replace("Plan", "Ask")
    assert differences(kept, PAGE) == ["- Ask", "+ Plan"]


@pytest.mark.parametrize("missing", range(3))
def test_a_line_that_went_or_came_is_told(missing: int) -> None:
    fewer = [line for number, line in enumerate(PAGE) if number != missing]
    assert differences(written(PAGE), fewer) == [f"- {PAGE[missing].text}"]
    assert differences(written(fewer), PAGE) == [f"+ {PAGE[missing].text}"]


def test_the_order_of_the_lines_counts() -> None:
    assert differences(written(PAGE[::-1]), PAGE) != []


def test_a_line_at_an_edge_may_be_cut_off() -> None:
    assert differences(written(PAGE[:-1]), PAGE) == []
    assert differences(written(PAGE), PAGE) == []
    assert differences(written(PAGE), [line._replace(at_edge=False) for line in PAGE]) == []
    assert differences(written([*PAGE, Line("below")]), PAGE) == ["- below"]


def test_a_name_that_is_no_pictures_is_told_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plann"]) == 2
    told = capsys.readouterr().err
    assert "no picture is called plann" in told
    assert all(name in told for name in (picture.name for picture in ALBUM))

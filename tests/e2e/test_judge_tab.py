"""Judging passages in a real browser, by keyboard: graded, taken back, and compared with a second judge."""

from __future__ import annotations

from pathlib import Path

import pytest

import docgraph
from tests.e2e.conftest import Screen

pytest.importorskip("playwright.sync_api", reason="no browser tests: pip install playwright")

from playwright.sync_api import expect

SET = "judged by keyboard"
QUESTION = "What keeps a hold from being used twice?"


def test_passages_are_judged_by_keyboard_and_two_judges_are_compared(screen: Screen, app_folder: Path) -> None:
    with docgraph.connect(data_dir=app_folder, workspace="harbor") as opened:
        opened.query_sets.keep([QUESTION], name=SET)
        opened.query_sets.run(SET)
        pool = opened.query_sets.pool(SET)
        for passage in pool.passages:
            opened.judgments.judge_passage(passage.query, passage.chunk_id, 2, by="Tom Reyes")
    page = screen.open(f"/query_sets?workspace=harbor&tab=judge&set={SET}")
    page.get_by_label("Your name").fill("Mira Holt")
    page.keyboard.press("Enter")
    judged, equal = page.locator(".qj-progress strong"), page.locator(".qj-equal")
    n = len(pool.passages)
    expect(judged).to_have_text(f"0 of {n}")
    expect(page.locator(".st-key-qj-agreement")).to_contain_text("No passage is graded by both yet")
    place = page.locator(".qj-place")
    for done, key in enumerate("301", start=1):
        before = place.inner_text()
        screen.press(key)
        expect(judged).to_have_text(f"{done} of {n}")
        expect(place).not_to_have_text(before)
    expect(equal).to_have_text("1 of 2 passages judged twice agree")
    expect(page.locator(".qj-last")).to_contain_text("Can't judge")

    third = place.inner_text()
    screen.press("u")
    expect(judged).to_have_text(f"2 of {n}")
    expect(place).not_to_have_text(third)
    expect(equal).to_have_text("1 of 1 passages judged twice agree")
    screen.press("u")
    screen.press("u")
    expect(judged).to_have_text(f"0 of {n}")

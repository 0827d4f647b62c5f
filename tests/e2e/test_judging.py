"""Judging in a real browser, by keyboard: said on the Plan page, measured on the Compare page."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

from tests.e2e.conftest import Screen

pytest.importorskip("playwright.sync_api", reason="no browser tests: pip install playwright")

from playwright.sync_api import expect

QUESTION = "Who has to be told when personal data is lost?"


def test_documents_are_judged_by_keyboard_and_compare_shows_the_figure(screen: Screen) -> None:
    address = f"/compare?workspace=harbor&query={quote(QUESTION)}"
    page = screen.open(address)
    tile = page.locator(".st-key-cp_judged")
    expect(tile).to_contain_text("not judged")
    tile.get_by_role("link", name=re.compile(r"judge \d+ documents")).focus()
    page.keyboard.press("Enter")
    page.locator(".st-key-jg_line").wait_for()
    screen.settle()
    cards = page.locator(".pl-card").count()
    graph = page.locator("canvas").first.element_handle()

    page.get_by_role("button", name="Judge").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Your name").fill("Mira Holt")
    page.keyboard.press("Enter")
    groups = page.locator('[class*="st-key-jg-said-"] [role="radiogroup"]')
    expect(groups).to_have_count(cards)
    screen.settle()
    counted, said = page.locator(".jg-counted"), groups.first.get_by_role("radio")
    said.first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(counted).to_contain_text("1 not relevant")
    screen.settle()
    expect(said.nth(1)).to_be_focused()
    page.keyboard.press("Space")
    expect(counted).to_contain_text(f"None of {cards} documents is judged")
    screen.settle()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    expect(counted).to_contain_text(f"1 of {cards} documents is judged for this question1 relevant")
    expect(page.locator(".jg-by").first).to_have_attribute("title", re.compile("judged relevant by Mira Holt"))
    assert graph is not None
    assert graph.evaluate("canvas => canvas.isConnected"), "the plan is not drawn anew"

    screen.open(address)
    figure = re.compile(r"nDCG@\d+\s+\d\.\d\d → \d\.\d\d\s+judge \d+ documents")
    expect(tile).to_contain_text(figure, use_inner_text=True)

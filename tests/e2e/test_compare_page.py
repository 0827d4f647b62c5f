"""The Compare page in a real browser: everything that counts is clickable, and links show the same elsewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from tests.e2e.conftest import Screen

pytest.importorskip("playwright.sync_api", reason="no browser tests: pip install playwright")

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

QUESTION = "Why is the queue limited to 400 bookings per route?"
ROW, TABLE_HEAD = 32, 36
WORDS = ".st-key-cp_opened svg text"
INK = f"() => {{ const word = document.querySelector('{WORDS}'); return word && getComputedStyle(word).fill }}"
"""The colour of the chart's words; null while it is drawn anew."""
HIDDEN_BY_UNFOLDING = """word => {
  const part = word.closest('details')
  word.closest('summary').click()
  return part.scrollHeight - part.clientHeight }"""
"""Unfolds what a summary belongs to; pixels of it that do not show yet: what still moves can be missed by a press."""


def _open(screen: Screen, query: str = QUESTION, **inputs: str) -> Page:
    address = "&".join(f"{name}={quote(value)}" for name, value in {"query": query, **inputs}.items())
    page = screen.open(f"/compare?{address}")
    page.locator('.ul[data-ready="1"]').last.wait_for()
    screen.settle()
    return page


def _bands(page: Page, name: str = " ") -> Locator:
    """The rows of the chart (half of one on each side that a chunk is on)."""
    return page.locator(f'.st-key-cp_opened svg path[aria-label*="{name}"]')


def _titles(page: Page) -> list[str]:
    return [re.sub(r"\s+", " ", text) for text in page.locator(".cp-tabletitle").all_inner_texts()]


def _sentence(page: Page) -> str:
    return re.sub(r"\s+", " ", page.locator(".st-key-cp_sentence").inner_text()).strip()


def _copied(screen: Screen, label: str, part: str) -> str:
    screen.page.get_by_role("button", name=label).click()
    screen.page.wait_for_function(f"() => navigator.clipboard.readText().then(text => text.includes('{part}'))")
    return str(screen.page.evaluate("() => navigator.clipboard.readText()"))


def _unfold(screen: Screen, name: str) -> None:
    screen.page.locator('[class*="compare-fold"] button', has_text=name).click()
    screen.page.locator(".st-key-cp_opened").wait_for()
    screen.settle()


def test_chips_numbers_chart_and_tables_lead_to_the_same_rows(screen: Screen) -> None:
    page = _open(screen, workspace="harbor")
    chips = page.locator('[class*="compare-chips"] button')
    n = int(chips.nth(1).inner_text().split()[0])
    chips.nth(1).click()
    expect(page.locator(".cp-tabletitle")).to_contain_text(f"{n} of")
    expect(page).to_have_url(re.compile("rows=documents_added"))

    number = page.locator('[class*="st-key-cp-number-"] button', has_text="left").first
    n = int(number.inner_text().split()[0])
    number.click()
    expect(page.locator(".cp-tabletitle")).to_contain_text(f"Chunks{n} of")
    expect(page).to_have_url(re.compile("rows=left"))
    screen.settle()
    left = _bands(page, "left: ").first
    spoken = str(left.get_attribute("aria-label"))
    left.click()
    screen.settle()
    _unfold(screen, "Both texts")
    expect(page.locator(".cp-moved.cp-left")).to_be_visible()
    page.wait_for_function("spoken => spoken.includes(document.querySelector('.cp-read h2')?.innerText)", arg=spoken)
    expect(page.locator(".cp-text")).to_have_text(re.compile(r"\S"))

    chips.first.click()
    screen.settle()
    _unfold(screen, "Passages")
    expect(page.locator(".cp-tabletitle")).to_contain_text("Passages")  # another fold stood open before
    screen.settle()
    table = page.locator('[data-testid="stDataFrame"]').first

    def open_a_row() -> None:
        table.click(position={"x": 16, "y": TABLE_HEAD + ROW * 0.5})
        page.locator(WORDS).first.wait_for()

    open_a_row()
    screen.settle()
    page.wait_for_function(f"() => ({INK})() !== null")
    light = page.evaluate(INK)
    screen.choose_theme("dark")
    screen.settle()
    page.reload()  # with another theme the grid is mounted anew, with or without its row: begin as a visitor does
    page.locator('.ul[data-ready="1"]').last.wait_for()
    screen.settle()
    _unfold(screen, "Passages")
    open_a_row()
    page.wait_for_function(f"light => ![light, null].includes(({INK})())", arg=light)


def test_a_live_link_reproduces_the_inputs_and_a_frozen_one_the_run(screen: Screen, elsewhere: Screen) -> None:
    other = elsewhere
    inputs = {"workspace": "harbor", "docs": "7", "chunks": "8", "baseline": "plain", "types": "decision_for"}
    page = _open(screen, **inputs)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=screen.url)
    page.get_by_role("button", name="Share").click()
    link = _copied(screen, "Copy live link", "query=")
    said = {name: values[-1] for name, values in parse_qs(urlsplit(link).query).items()}
    assert said == {"query": QUESTION, **inputs}
    other.open(link.removeprefix(screen.url))
    other.page.locator(".cp-contract").wait_for()
    assert _sentence(other.page) == _sentence(page)
    assert other.text_of(".cp-limits") == screen.text_of(".cp-limits")
    baselines = other.page.get_by_role("radiogroup", name="Baseline A")
    expect(baselines.get_by_role("radio", name="Plain vector search")).to_be_checked()

    assert page.get_by_text("Save as run, for a frozen link").evaluate(HIDDEN_BY_UNFOLDING) == 0
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="Copy link to this version", exact=True).wait_for()
    screen.settle()
    frozen = _copied(screen, "Copy link to this version", "run=")
    other.open(frozen.removeprefix(screen.url))
    other.page.locator(".rn-identity").wait_for()
    assert re.search(r"run=[0-9a-f]{12}", frozen)
    assert other.text_of("h1") == QUESTION
    numbers = other.page.locator(".cp-numbers").all_inner_texts()
    assert numbers == page.locator(".cp-numbers").all_inner_texts()
    assert (other.foreign, other.errors, other.dialogs) == ([], [], [])

    page.keyboard.press("Escape")
    page.get_by_role("link", name="Present").click()
    page.locator('.dgp-stage[data-step="1"]').wait_for()
    assert (screen.text_of(".dgp-question"), "docs=7" in page.url) == (QUESTION, True)


def test_hostile_titles_stay_text_and_a_typed_question_is_compared(screen: Screen) -> None:
    page = screen.open("/compare?workspace=hostile")
    page.get_by_role("textbox", name="Question").fill("The text of image")
    page.keyboard.press("Control+Enter")
    page.locator(".cp-contract").wait_for()
    screen.settle()
    page.locator(".ul .box .title").first.wait_for()
    _unfold(screen, "Passages")
    _bands(page).first.hover()
    page.locator("#vg-tooltip-element.visible").wait_for()
    _bands(page).first.click()
    screen.settle()
    assert page.locator(".stMain img, .stMain iframe, .stMain script, #vg-tooltip-element img").count() == 0

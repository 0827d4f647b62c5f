"""The Compare page in a real browser: everything that counts is clickable, and links show the same elsewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from tests.e2e.conftest import HOSTILE, Screen

pytest.importorskip("playwright.sync_api", reason="no browser tests: pip install playwright")

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

QUESTION = "Why do bookings get rejected when the queue is full?"
ROW, TABLE_HEAD = 32, 36
INK = "() => getComputedStyle(document.querySelector('.st-key-cp_slope svg text')).fill"


def _open(screen: Screen, query: str = QUESTION, **inputs: str) -> Page:
    address = "&".join(f"{name}={quote(value)}" for name, value in {"query": query, **inputs}.items())
    page = screen.open(f"/compare?{address}")
    page.locator(".st-key-cp_slope svg path[aria-label]").first.wait_for()
    screen.settle()
    return page


def _bands(page: Page, name: str = " ") -> Locator:
    """The rows of the chart (half of one on each side that a chunk is on)."""
    return page.locator(f'.st-key-cp_slope svg path[aria-label*="{name}"]')


def _titles(page: Page) -> list[str]:
    return [re.sub(r"\s+", " ", text) for text in page.locator(".cp-tabletitle").all_inner_texts()]


def _elsewhere(screen: Screen, link: str) -> Screen:
    """The link in a browser that knows nothing of this one."""
    assert screen.page.context.browser is not None
    context = screen.page.context.browser.new_context(viewport={"width": 1280, "height": 720})
    other = Screen(context.new_page(), screen.url)
    other.watch()
    other.open(link.removeprefix(screen.url))
    other.page.locator(".cp-contract").wait_for()
    return other


def _sentence(page: Page) -> str:
    return re.sub(r"\s+", " ", page.locator(".st-key-cp_sentence").inner_text()).strip()


def _copied(screen: Screen, label: str, part: str) -> str:
    screen.page.get_by_role("button", name=label).click()
    screen.page.wait_for_function(f"() => navigator.clipboard.readText().then(text => text.includes('{part}'))")
    return str(screen.page.evaluate("() => navigator.clipboard.readText()"))


def test_chips_numbers_chart_and_tables_lead_to_the_same_rows(screen: Screen) -> None:
    page = _open(screen, workspace="harbor")
    chips = page.locator('[class*="compare-chips"] button')
    added = chips.nth(1).inner_text()
    n = int(added.split()[0])
    assert n >= 1
    chips.nth(1).click()
    expect(page.locator(".cp-tabletitle").first).to_contain_text(added)
    assert _titles(page)[0].startswith(f"Chunks{n} of")
    expect(page).to_have_url(re.compile("rows=added"))

    number = page.locator('[class*="st-key-cp-number-"] button', has_text="document").first
    n = int(number.inner_text().split()[0])
    number.click()
    expect(page.locator(".cp-tabletitle").nth(1)).to_contain_text(f"Documents{n} of")
    expect(page).to_have_url(re.compile("rows=documents_"))
    chips.first.click()
    expect(page.locator(".cp-tabletitle").first).to_contain_text("all ")
    screen.settle()

    left = _bands(page, "left: ").first
    spoken = str(left.get_attribute("aria-label"))
    left.click()
    expect(page.locator(".cp-moved.cp-left")).to_be_visible()
    assert page.locator(".cp-read h2").inner_text() in spoken
    assert page.locator(".cp-text").inner_text().strip()

    screen.settle()
    table = page.locator('[data-testid="stDataFrame"]').first
    table.scroll_into_view_if_needed()
    table.click(position={"x": 16, "y": TABLE_HEAD + ROW * 0.5})
    expect(page.locator(".cp-moved.cp-left")).to_have_count(0)
    screen.settle()
    first = page.locator(".cp-read h2").inner_text()
    chosen = _bands(page, first).first.evaluate("band => getComputedStyle(band).fill")
    assert chosen != "rgba(0, 0, 0, 0)", "the chart shows the row that was chosen in the table"

    light = page.evaluate(INK)
    screen.choose_theme("dark")
    page.wait_for_function(f"light => ({INK})() !== light", arg=light)


def test_a_live_link_reproduces_the_inputs_and_a_frozen_one_the_run(screen: Screen) -> None:
    inputs = {"workspace": "harbor", "docs": "7", "chunks": "8", "baseline": "ms3_grouped", "types": "decision_for"}
    page = _open(screen, **inputs)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=screen.url)
    link = _copied(screen, "Copy live link", "query=")
    said = {name: values[-1] for name, values in parse_qs(urlsplit(link).query).items()}
    assert said == {"query": QUESTION, **inputs}
    other = _elsewhere(screen, link)
    assert _sentence(other.page) == _sentence(page)
    assert other.text_of(".cp-limits") == screen.text_of(".cp-limits")
    assert other.page.get_by_text("Baseline A: MS3 grouped").count() == 1

    page.get_by_role("button", name="Save as run").click()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="Copy frozen link").wait_for()
    screen.settle()
    frozen = _copied(screen, "Copy frozen link", "run=")
    other.open(frozen.removeprefix(screen.url))
    other.page.locator(".rn-identity").wait_for()
    assert re.search(r"run=[0-9a-f]{12}", frozen)
    assert other.text_of("h1") == QUESTION
    numbers = other.page.locator(".cp-numbers").all_inner_texts()
    assert numbers == page.locator(".cp-numbers").all_inner_texts()
    other.page.context.close()
    assert (other.foreign, other.errors, other.dialogs) == ([], [], [])

    page.get_by_role("link", name="Present").click()
    page.locator('.dgp-stage[data-step="1"]').wait_for()
    assert (screen.text_of(".dgp-question"), "docs=7" in page.url) == (QUESTION, True)


def test_hostile_titles_stay_text_and_a_typed_question_is_compared(screen: Screen) -> None:
    page = screen.open("/compare?workspace=hostile")
    page.get_by_role("textbox", name="Question").fill("The text of image")
    page.keyboard.press("Control+Enter")
    page.locator(".cp-contract").wait_for()
    screen.settle()
    assert HOSTILE["script"] in page.locator(".st-key-cp_because").inner_text()
    _bands(page).first.hover()
    page.locator("#vg-tooltip-element.visible").wait_for()
    _bands(page).first.click()
    screen.settle()
    assert page.locator(".stMain img, .stMain iframe, .stMain script, #vg-tooltip-element img").count() == 0

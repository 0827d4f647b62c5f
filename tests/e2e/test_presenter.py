"""Presenter mode in a real browser, by keyboard alone: the demo from the start screen to the verdict and back out."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

from playwright.sync_api import Page, expect

from tests.e2e.conftest import HOSTILE, Screen

BOXES = """() => Object.fromEntries([...document.querySelectorAll('.dgp-box:not(.dgp-is-related)')]
  .map(e => [e.dataset.document, JSON.stringify(e.getBoundingClientRect())]))"""
OVERFLOW = """() => { const main = document.querySelector('.stMain')
  const out = [...document.querySelectorAll('.dgp-stage *, .st-key-dgp button')].filter(e => {
    const r = e.getBoundingClientRect(); return r.width && (r.right > innerWidth + 1 || r.bottom > innerHeight + 1) })
  return [document.documentElement.scrollHeight <= innerHeight, main.scrollHeight <= innerHeight,
    main.scrollWidth <= innerWidth, out.map(e => e.className)] }"""


def press(screen: Screen, key: str, selector: str) -> Page:
    """Press a key wherever the focus is (once it is listened to), and wait for what it leads to."""
    screen.listens_to(key)
    screen.page.keyboard.press(key)
    expect(screen.page.locator(selector).first).to_be_visible()
    screen.settle()
    return screen.page


def step(n: int) -> str:
    return f'.dgp-stage[data-step="{n}"]'


def fits(page: Page) -> bool:
    found = page.evaluate(OVERFLOW)
    assert found == [True, True, True, []], json.dumps(found)
    return True


def test_the_demo_runs_by_keyboard_alone_and_nothing_scrolls(screen: Screen) -> None:
    page = screen.open("/?present=1")
    assert page.locator('[data-testid="stHeader"]').is_hidden()
    expect(page.locator(".dgp-card")).to_have_count(6)
    assert fits(page)
    press(screen, "1", step(1))
    expect(page.locator(".dgp-h1")).to_have_text(re.compile(r"Similarity alone finds \d+ documents?, \d+ passages?\."))
    before = page.evaluate(BOXES)
    assert fits(page)
    press(screen, "ArrowRight", step(2))
    expect(page).to_have_url(re.compile("step=2"))
    after = page.evaluate(BOXES)
    assert before.items() <= after.items(), "what was found stays at its pixel"
    expect(page.locator(".dgp-why b").first).to_have_text(re.compile(r"^\w+$"))
    assert fits(page)
    press(screen, "PageDown", step(3))
    expect(page.locator(".dgp-h1")).to_contain_text("The price: ")
    expect(page.locator(".dgp-facts")).to_contain_text("Contract 8 of 8")
    assert fits(page)
    press(screen, "Enter", ".dgp-paper blockquote")
    assert fits(page)
    page.keyboard.press("ArrowLeft")
    press(screen, "Escape", ".cp-head, .dg-h1, .dg-h2")  # typed ahead: it waits for the step before it, and is not lost
    expect(page).to_have_url(re.compile(r"/(compare|plan)\?.*query=Why"))
    assert "present" not in page.url


def test_the_second_sample_changes_nothing_and_keys_leave_typing_alone(screen: Screen) -> None:
    page = screen.open("/?present=1")
    card = page.locator(".dgp-card").filter(has_text="Nothing changes").locator("kbd").inner_text()
    press(screen, card, step(1))
    press(screen, " ", step(2))
    press(screen, "ArrowRight", step(3))
    expect(page.locator(".dgp-h1")).to_contain_text("that is the point")
    assert fits(page)
    press(screen, "n", step(1))
    press(screen, "Home", ".dgp-start h1")
    box = page.get_by_label("Question")
    box.click()
    page.keyboard.type("one 1 n queue")
    expect(box).to_have_value("one 1 n queue")
    expect(page.locator(".dgp-start h1")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".dgp-question")).to_have_text("one 1 n queue")


def test_the_stage_grows_with_the_window_and_shows_hostile_text_as_text(screen: Screen) -> None:
    page = screen.open(f"/?present=1&workspace=hostile&step=2&query={quote(HOSTILE['everything'])}")
    expect(page.locator(".dgp-question")).to_have_text(HOSTILE["everything"])
    assert page.locator(".dgp-stage img, .dgp-stage script, .dgp-stage a").count() == 0
    assert fits(page)
    page.set_viewport_size({"width": 1600, "height": 1000})
    assert page.locator(".dgp-h1").evaluate("e => getComputedStyle(e).fontSize") == "60px"
    assert fits(page)
    press(screen, "ArrowRight", step(3))
    assert fits(page)

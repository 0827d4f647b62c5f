"""Both plans in one picture in a real browser: kept documents never move, hands and keys, hostile titles."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import HOSTILE, Screen

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

QUESTION = "Why do bookings get rejected when the queue is full?"
FOCUSED = """() => { let e = document.activeElement
  while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement
  return e?.dataset?.key ?? '' }"""
OFFSETS = """canvas => {
  const from = canvas.getBoundingClientRect(), round = n => Math.round(n * 100) / 100
  return Object.fromEntries([...canvas.querySelectorAll('.box')].map(box => {
    const at = box.getBoundingClientRect()
    return [box.dataset.key, [at.x - from.x, at.y - from.y, at.width, at.height].map(round)] })) }"""
BARS = """canvas => Object.fromEntries([...canvas.querySelectorAll('.box.kept')].map(box =>
  [box.dataset.key, [box.querySelector('.bar i').style.width, box.querySelector('.meta b').textContent]]))"""
QUESTIONS = (QUESTION, "Why is the queue limited to 400 bookings per route?", "How do we cancel sailings in a storm?")


def _open(screen: Screen, query: str = QUESTION, workspace: str = "harbor") -> Page:
    page = screen.open(f"/compare?query={quote(query)}&workspace={workspace}")
    page.locator('.ul[data-ready="1"]').last.wait_for()
    screen.settle()
    return page


def _canvas(page: Page) -> Locator:
    return page.locator(".ul .canvas")


def _show(screen: Screen, view: str) -> None:
    name = {"Change": "change", "Without": "a", "With": "b"}[view]
    screen.page.get_by_role("radio", name=view, exact=True).click()
    screen.page.locator(f'.ul[data-view="{name}"]').wait_for()
    screen.settle()


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_change_stands_above_the_fold_and_flipping_the_runs_moves_no_kept_box_and_no_kept_bar(
    screen: Screen, question: str
) -> None:
    page = _open(screen, question)
    if question != QUESTION:
        _stands_above_the_fold(page)
    places, bars = {}, {}
    for view in ("Without", "With", "Change"):
        _show(screen, view)
        places[view], bars[view] = _canvas(page).evaluate(OFFSETS), _canvas(page).evaluate(BARS)
    assert places["Without"] == places["With"] == places["Change"]
    assert len(bars["With"]) >= 2
    assert bars["With"].items() <= bars["Without"].items()


def _stands_above_the_fold(page: Page) -> None:
    """At 1280 × 720."""
    for selector in ('[class*="st-key-cp_verdict"]', ".ul .canvas", ".st-key-cp_places", ".st-key-cp_foot"):
        box = page.locator(selector).first.bounding_box()
        assert box is not None, selector
        assert box["y"] + box["height"] <= 720, (selector, box)
    assert page.locator('[data-testid="stDataFrame"]').count() == 0
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 1280


def test_a_document_is_picked_by_hand_and_by_keys_and_keeps_the_focus_over_reruns(screen: Screen) -> None:
    page = _open(screen)
    target = page.locator(".ul .box.expanded").first
    key, title = target.get_attribute("data-key"), target.locator(".title").inner_text()
    target.hover()
    expect(page.locator(".ul.dim")).to_have_count(1)
    expect(page.locator(".ul .tip")).to_contain_text(title)
    target.click()
    expect(page.locator(f'.ul .box[data-key="{key}"].chosen')).to_have_count(1)
    screen.settle()
    assert page.evaluate(FOCUSED) == key, "the rerun did not take the focus away"
    page.keyboard.press("ArrowLeft")
    seed = page.evaluate(FOCUSED)
    assert seed.startswith("seed:")
    page.keyboard.press("Enter")
    expect(page.locator(f'.ul .box[data-key="{seed}"].chosen')).to_have_count(1)
    screen.settle()
    assert page.evaluate(FOCUSED) == seed
    page.keyboard.press("Escape")
    expect(page.locator(".ul .box.chosen")).to_have_count(0)


def test_hostile_titles_and_types_stay_text(screen: Screen) -> None:
    page = _open(screen, query="the text of everything", workspace="hostile")
    titles = page.locator(".ul .box .title").all_inner_texts()
    assert titles
    assert any(HOSTILE["script"][:8] in title for title in titles)
    assert page.locator(".ul :is(script, img, iframe)").count() == 0

"""The twin lanes in a real browser: kept documents at the same pixel, hands and keys, hostile titles."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

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


def _open(screen: Screen, query: str = QUESTION, workspace: str = "harbor") -> Page:
    page = screen.open(f"/compare?query={quote(query)}&workspace={workspace}")
    page.locator('.tl[data-ready="1"]').wait_for()
    screen.settle()
    return page


def _side(page: Page, side: str) -> Locator:
    return page.locator(f'.tl section[data-side="{side}"]')


def test_kept_documents_stand_at_the_same_pixel_in_both_pictures(screen: Screen) -> None:
    page = _open(screen)
    places = {side: _side(page, side).locator(".canvas").evaluate(OFFSETS) for side in "ab"}
    kept = _side(page, "b").locator(".box.kept")
    assert kept.count() >= 2
    assert _side(page, "b").locator(".box.added").count() >= 1
    assert places["a"] == places["b"], "kept documents share a pixel, and the places of the others are kept free"


def test_a_document_is_picked_by_hand_and_by_keys_and_keeps_the_focus_over_reruns(screen: Screen) -> None:
    page = _open(screen)
    b = _side(page, "b")
    target = b.locator(".box.expanded").first
    key, title = target.get_attribute("data-key"), target.locator(".title").inner_text()
    target.hover()
    expect(page.locator(".tl.dim")).to_have_count(1)
    expect(page.locator(".tl .tip")).to_contain_text(title)
    target.click()
    expect(page.locator(f'.tl .box[data-key="{key}"].chosen')).to_have_count(2)
    screen.settle()
    assert page.evaluate(FOCUSED) == key, "the rerun did not take the focus away"
    page.keyboard.press("ArrowLeft")
    seed = page.evaluate(FOCUSED)
    assert seed.startswith("seed:")
    page.keyboard.press("Enter")
    expect(page.locator(f'.tl .box[data-key="{seed}"].chosen')).to_have_count(2)
    screen.settle()
    assert page.evaluate(FOCUSED) == seed
    page.keyboard.press("Escape")
    expect(page.locator(".tl .box.chosen")).to_have_count(0)


def test_hostile_titles_and_types_stay_text(screen: Screen) -> None:
    page = _open(screen, query="the text of everything", workspace="hostile")
    titles = page.locator(".tl .box .title").all_inner_texts()
    assert titles
    assert any(HOSTILE["script"][:8] in title for title in titles)
    assert page.locator(".tl :is(script, img, iframe)").count() == 0

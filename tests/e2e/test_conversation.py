"""One conversation in a real browser: all four actions, settings, export and import, and hostile documents."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.e2e.conftest import HOSTILE, PLACE, Screen

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

IN_SIGHT = """() => {
  const [turns, last] = ['turns', 'choices'].map(name => document.querySelector(`.st-key-cv-${name}`))
  const box = turns.getBoundingClientRect(), y = last.getBoundingClientRect().y
  return box.y <= y && y <= box.y + box.height }"""
"""The newest turn is where one looks."""


def shown(page: Page, number: int, action: str) -> str:
    """Wait until turn ``number`` is the one that is shown, with this action; returns how it was made."""
    page.locator(f".st-key-cv-turn-{number}-shown .cv-reply.cv-is-{action}").wait_for()
    return page.locator(f".cv-making.cv-of-{number}").inner_text()


def ask(page: Page, text: str) -> None:
    page.locator(".st-key-cv-ask textarea").fill(text)
    page.keyboard.press("Enter")


def test_the_cursor_waits_in_an_input_that_is_drawn_late(screen: Screen) -> None:
    """Streamlit fetches the script of an input when the first one is drawn; on a busy machine that takes its time."""
    held: list[Route] = []
    screen.page.route(re.compile("/static/js/ChatInput"), lambda route: held.append(route))
    with screen.page.expect_request(re.compile("/static/js/ChatInput")):
        screen.page.goto(f"{screen.url}/conversation?workspace=harbor")
    screen.page.get_by_role("button", name="Why do bookings get rejected when the queue is full?").wait_for()
    screen.page.wait_for_timeout(500)
    assert held
    assert screen.page.locator(".st-key-cv-ask textarea").count() == 0
    for route in held:
        route.continue_()
    screen.page.wait_for_function("() => document.activeElement.tagName === 'TEXTAREA'")


def test_one_conversation_goes_through_all_four_actions(screen: Screen, tmp_path: Path) -> None:
    page = screen.open("/conversation?workspace=harbor")
    page.wait_for_function("() => document.activeElement.tagName === 'TEXTAREA'")

    page.get_by_role("button", name="Why do bookings get rejected when the queue is full?").click()
    assert "threshold met" in shown(page, 1, "proceed")
    card = page.locator(".cv-card").first
    card.locator("summary").click()
    expect(card).to_contain_text("cosine", use_inner_text=True)
    page.get_by_role("button", name="Next: and when a sailing is cancelled").click()
    assert "takes the place of" in shown(page, 2, "proceed")
    expect(page.locator(".cv-diff ins").first).to_have_text(re.compile(r"\S"))

    ask(page, "What does the lighthouse keeper have for breakfast?")
    made = shown(page, 3, "clarify")
    assert "threshold missed" in made
    assert "Ask back" in made
    page.wait_for_function(IN_SIGHT)
    page.locator(".st-key-cv-sidehead h2").click()
    page.keyboard.press("2")  # no input has the cursor: the number presses the choice
    assert "answers the question" in shown(page, 4, "proceed")

    ask(page, "Why is the queue limited to 400 bookings per route? Only in the policies")
    assert "CHANNEL_MISMATCH" in shown(page, 5, "escalate")
    with page.expect_download() as packet:
        page.get_by_role("button", name="Download the packet").click()
    given = json.loads(Path(packet.value.path()).read_text(encoding="utf-8"))
    assert given["response"]["next_action"]["action"] == "escalate"

    page.get_by_role("button", name="Search settings").click()
    for name in ("memory", "graph", "semantic"):
        page.get_by_role("checkbox", name=name).locator("xpath=ancestor::label").click()
        page.locator(".cv-changed").get_by_text(name).wait_for()
    page.keyboard.press("Escape")
    ask(page, "Where are the zeppelins?")
    assert "EMPTY_SET" in shown(page, 6, "fallback")
    page.get_by_role("button", name="Ask again with the default settings").click()
    page.locator(".st-key-cv-turn-6-shown .cv-is-clarify").first.wait_for()

    page.get_by_role("button", name="How it was found").first.click()
    shown(page, 1, "proceed")
    page.get_by_role("link", name="Plan for this question").click()
    page.wait_for_url("**/plan?query=Why+do+bookings**")
    screen.settle()
    page.locator(PLACE).filter(has_text="Conversation").click()
    page.locator(".cv-said").nth(5).wait_for()

    page.get_by_role("button", name="Export", exact=True).click()
    with page.expect_download() as state:
        page.get_by_role("button", name="Export conversation").click()
    kept = tmp_path / "state.json"
    kept.write_bytes(Path(state.value.path()).read_bytes())
    assert json.loads(kept.read_text(encoding="utf-8"))["n_turns"] == 6
    page.keyboard.press("Escape")
    page.get_by_role("button", name="New conversation").click()
    page.get_by_text("No messages yet").wait_for()
    page.get_by_role("button", name="Export", exact=True).click()
    page.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(kept)
    page.locator(".cv-past").nth(5).wait_for(state="attached")
    page.keyboard.press("Escape")
    ask(page, "thanks")
    shown(page, 7, "reply")


def test_hostile_documents_are_text_in_a_conversation(screen: Screen) -> None:
    page = screen.open("/conversation?workspace=hostile")
    ask(page, HOSTILE["everything"])
    page.locator(".st-key-cv-turn-1-shown .cv-reply").wait_for()
    screen.settle()
    page.locator(".cv-cards").wait_for()
    expect(page.locator(".cv-said")).to_contain_text(HOSTILE["script"], use_inner_text=True)
    page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true })")
    expect(page.locator(".st-key-cv-turns")).to_contain_text(HOSTILE["handler"], use_inner_text=True)
    page.locator(".st-key-cv-sidehead").get_by_text("JSON", exact=True).click()
    screen.settle()
    page.get_by_role("button", name="Export", exact=True).click()
    page.locator(".cv-memoryline").wait_for()
    assert page.locator(".st-key-cv-page img, .st-key-cv-page script").count() == 0

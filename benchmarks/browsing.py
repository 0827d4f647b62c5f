"""A browser on a Streamlit page, timed from inside the page: from a click, or from navigation, to what is painted."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")
PATIENCE = 120_000
SETTLED = """() => {
  const app = document.querySelector('[data-testid="stApp"]')
  return app && app.dataset.testScriptState === 'notRunning' && app.dataset.testConnectionState === 'CONNECTED'
    && !document.querySelector('[data-testid="stSkeleton"]') }"""
ARM = """() => {
  const is_ready = READY, it = window.timed = { start: null, took: null }
  document.addEventListener('click', () => { it.start = performance.now() }, { once: true, capture: true })
  const look = () => {
    if (it.start !== null && is_ready()) it.took = performance.now() - it.start
    else requestAnimationFrame(look) }
  requestAnimationFrame(look) }"""
SINCE_NAVIGATION = """() => {
  const is_ready = READY, it = window.timed = { took: null }
  const look = () => { if (is_ready()) it.took = performance.now(); else requestAnimationFrame(look) }
  look() }"""
COUNT_RUNS = """() => {
  const is_counted = window.runs !== undefined // by one observer: two would count each run twice
  window.runs = 0
  if (is_counted) return
  const app = document.querySelector('[data-testid="stApp"]')
  let before = app.dataset.testScriptState
  new MutationObserver(() => {
    const now = app.dataset.testScriptState
    if (now === 'notRunning' && before !== 'notRunning') window.runs += 1
    before = now
  }).observe(app, { attributes: true, attributeFilter: ['data-test-script-state'] }) }"""


@contextmanager
def browser() -> Iterator[Browser]:
    """A headless Chromium: ``DOCGRAPH_CHROMIUM``, one on the path, or Playwright's own."""
    from playwright.sync_api import sync_playwright

    names = ("chromium", "chromium-browser", "google-chrome")
    path = os.environ.get("DOCGRAPH_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, headless=True, args=list(FLAGS))
        yield started
        started.close()


def opened(browser: Browser, url: str) -> Page:
    """A page in a profile of its own, settled."""
    page = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce").new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(url)
    settle(page)
    return page


def settle(page: Page) -> None:
    """Wait until the script has run and everything is drawn."""
    page.wait_for_function(SETTLED)


def first_load(browser: Browser, url: str, ready: str) -> float:
    """Milliseconds from navigation until ``ready`` (a function of JavaScript), with nothing in the browser's cache."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    try:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(url, wait_until="commit")
        page.evaluate(SINCE_NAVIGATION.replace("READY", ready))
        return _took(page)
    finally:
        context.close()


def from_click(page: Page, button: Any, ready: str) -> float:
    """Milliseconds from the click on ``button`` until ``ready`` holds in a painted frame."""
    page.evaluate(ARM.replace("READY", ready))
    button.click()
    return _took(page)


def from_key(page: Page, key: str, ready: str) -> float:
    """Milliseconds from just before ``key`` is pressed until ``ready`` holds in a painted frame.

    Pages may keep a press from whoever listens later, so the way of the press into the browser counts too.
    """
    page.evaluate(ARM.replace("start: null", "start: performance.now()").replace("READY", ready))
    page.keyboard.press(key)
    return _took(page)


def reruns(page: Page, n: int) -> int:
    """Let the page's script run ``n`` times with nothing changed (Streamlit's own key), each drawn before the next."""
    page.evaluate(COUNT_RUNS)
    page.evaluate("() => document.activeElement?.blur()")
    for i in range(n):
        page.keyboard.press("r")
        page.wait_for_function("n => window.runs >= n", arg=i + 1)
        settle(page)
    seen = int(page.evaluate("() => window.runs"))
    if seen != n:
        raise SystemExit(f"{n} runs were asked for, {seen} were seen: something else lets the page run")
    return seen


def _took(page: Page) -> float:
    page.wait_for_function("() => window.timed && window.timed.took !== null")
    return float(page.evaluate("() => window.timed.took"))

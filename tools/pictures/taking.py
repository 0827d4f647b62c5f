"""A browser goes to where a picture is taken, reads its words and photographs it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tools.pictures.album import Picture, Theme
from tools.pictures.words import READ, Line

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")
PATIENCE, PAUSE = 60_000, 400
READINGS = 50
SETTLED = """() => {
  const app = document.querySelector('[data-testid="stApp"]')
  return app && app.dataset.testScriptState === 'notRunning' && app.dataset.testConnectionState === 'CONNECTED'
    && !document.querySelector('[data-testid="stSkeleton"], [data-stale="true"]') }"""
STEADY = r"""() => {
  const now = new Date(), day = `${now.getUTCDate()} ${now.toUTCString().slice(8, 11)}`
  const changing = [
    [new RegExp(`\\b${day}\\b(?: ${now.getUTCFullYear()})?`, 'g'), found => found.length > 6 ? '1 Jun 2026' : '1 Jun'],
    [/\b\d\d:\d\d UTC/g, '12:00 UTC'],
    [/\b(\d+ steps?), [\d,]+ ms\b/g, '$1, 70 ms'],
  ]
  const walk = node => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = changing.reduce((text, [what, by]) => text.replace(what, by), node.data)
      if (text !== node.data) node.data = text
    }
    if (node.shadowRoot) walk(node.shadowRoot)
    node.childNodes.forEach(walk)
  }
  walk(document.body) }"""
"""This day, this moment and how long it took become the same ones in every picture."""


@contextmanager
def started_browser() -> Iterator[Browser]:
    """A headless Chromium: ``DOCGRAPH_CHROMIUM``, one on the path, or Playwright's own."""
    from playwright.sync_api import sync_playwright

    names = ("chromium", "chromium-browser", "google-chrome")
    path = os.environ.get("DOCGRAPH_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=list(FLAGS))
        yield browser
        browser.close()


@contextmanager
def seen_in(browser: Browser, theme: Theme) -> Iterator[BrowserContext]:
    """A profile that asks for a theme, and for less motion."""
    context = browser.new_context(color_scheme=theme, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@contextmanager
def visited(context: BrowserContext, url: str, picture: Picture) -> Iterator[Page]:
    """A new page where the picture is taken, each step done and everything drawn."""
    width, height = picture.size
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": height})
    page.goto(url + picture.address)
    settle(page)
    for number, step in enumerate(picture.steps, start=1):
        try:
            step(page)
        except Exception as problem:
            problem.add_note(f"step {number} of the picture {picture.name} (tools/pictures/album.py)")
            raise
        settle(page)
    page.evaluate("() => document.activeElement?.blur()")  # nothing is pointed at, and no tip is open
    page.mouse.move(-1, -1)
    settle(page)
    page.evaluate(STEADY)
    yield page
    page.close()


def settle(page: Page) -> None:
    """Wait until the script has run and what stands on the page stays as it is."""
    before: list[Line] | None = None
    for _ in range(READINGS):
        page.wait_for_function(SETTLED)
        now = words(page)
        if now and now == before:
            return
        before = now
        page.wait_for_timeout(PAUSE)
    raise RuntimeError(f"{page.url} does not come to rest")


def words(page: Page) -> list[Line]:
    """What the page says where it is seen."""
    return [Line(*line) for line in page.evaluate(READ)]


def photograph(page: Page, file: Path) -> None:
    """The page as a PNG."""
    page.screenshot(path=file, animations="disabled", caret="hide")

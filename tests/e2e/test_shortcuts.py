"""Keys typed ahead, in a page of their own: each waits for the answer to the one before it, and for nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import docgraph

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MODULE = Path(docgraph.__file__).parent / "ui/frame/shortcuts.js"
PAGE = """
<div data-testid="stApp" data-test-script-state="notRunning"></div>
<div class="st-key-next"><button>next</button></div>
<ol></ol>
"""
SERVER = """
const place = document.querySelector('ol')
let turn = 0
window.pressed = 0
document.querySelector('button').onclick = () => { window.pressed += 1 }
window.says = (state) => { app().dataset.testScriptState = state }
window.answers = () => draw({
  data: { keys: { j: 'next' }, fields: [], opens: [], slow: {}, place: 'queue', turn: ++turn },
  parentElement: place,
})
answers()
"""


@contextmanager
def _opened(browser: Browser, *scripts: str) -> Iterator[Page]:
    """A page with one button, which the key j presses, and a clock that stands; ``answers()`` draws the keys anew."""
    context = browser.new_context()
    opened = context.new_page()
    opened.clock.install()
    opened.set_content(PAGE)
    script = MODULE.read_text(encoding="utf-8").replace("export default function", "const draw = function")
    opened.add_script_tag(content="\n".join((script, SERVER, *scripts)), type="module")
    opened.wait_for_function("() => document.body.dataset.keys === 'j'")
    opened.clock.pause_at(opened.evaluate("() => Date.now() + 60000"))
    yield opened
    context.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with _opened(browser) as opened:
        yield opened


@pytest.fixture
def slow_page(browser: Browser) -> Iterator[Page]:
    with _opened(browser, SLOW) as opened:
        yield opened


def _pressed(page: Page, *, after: int = 0) -> int:
    page.clock.run_for(after)
    n: int = page.evaluate("() => window.pressed")
    return n


def test_a_press_that_was_answered_frees_the_next_one_although_the_page_never_said_that_it_ran(page: Page) -> None:
    """A page that is drawn at once goes from rest to rest: the next press waited ten seconds, and the one after the
    second such wait was deleted."""
    for _ in range(4):
        page.keyboard.press("j")
    assert [_pressed(page, after=200) for _ in range(2)] == [1, 1], "nothing was answered yet"
    for n in (2, 3, 4, 4):
        page.evaluate("() => answers()")
        assert _pressed(page, after=200) == n


def test_no_press_goes_before_the_one_ahead_of_it_is_drawn_whatever_else_runs(page: Page) -> None:
    page.evaluate("() => says('running')")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.evaluate("() => says('notRunning')")
    assert _pressed(page, after=200) == 1
    page.evaluate("() => says('running')")
    page.evaluate("() => answers()")
    assert _pressed(page, after=5000) == 1, "it is still being drawn"
    page.evaluate("() => says('notRunning')")
    assert _pressed(page, after=200) == 2


def test_a_press_waits_as_long_as_those_before_it_are_being_drawn(page: Page) -> None:
    """What was typed twenty seconds ago was dropped, also where each draw before it took five."""
    for _ in range(6):
        page.keyboard.press("j")
    for n in range(1, 6):
        page.evaluate("() => says('running')")
        assert _pressed(page, after=6000) == n
        page.evaluate("() => answers()")
        page.evaluate("() => says('notRunning')")
        page.clock.run_for(200)
    assert _pressed(page) == 6


def test_a_press_that_nothing_answers_holds_the_next_one_for_a_while_only(page: Page) -> None:
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert _pressed(page, after=9000) == 1
    assert _pressed(page, after=2000) == 2


SLOW = """
const sign = document.createElement('p')
sign.className = 'dg-slow'; sign.dataset.key = 'j'; sign.dataset.says = 'saving…'
document.body.append(sign)
window.deals = 0
window.answers = () => draw({
  data: { keys: { j: 'next' }, fields: [], opens: [], slow: { j: window.deals }, place: 'queue', turn: ++turn },
  parentElement: place,
})
answers()
"""


def test_a_press_that_takes_longer_than_a_moment_is_said_until_it_is_dealt_with(slow_page: Page) -> None:
    """One Enter in 24 took ten seconds without a sign."""
    page = slow_page
    sign = page.locator(".dg-slow")
    page.keyboard.press("j")
    assert _pressed(page, after=200) == 1
    assert sign.inner_text() == ""
    page.clock.run_for(200)
    assert sign.inner_text() == "saving…"
    page.evaluate("() => answers()")
    page.clock.run_for(200)
    assert sign.inner_text() == "saving…", "drawn anew, and not dealt with yet"
    page.evaluate("() => { window.deals += 1; answers() }")
    page.clock.run_for(200)
    assert sign.inner_text() == ""

"""A dashboard in a process of its own and a browser on it, for rows that break what stands behind them."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from tests.e2e.conftest import FLAGS, SMALL, START_SECONDS, WAIT_MS, Screen, chromium, served_dashboard
from tests.survive.tally import Tally

Result = TypeVar("Result")
ANSWERED = '.dg[data-ready="1"]'
SAID = '[role="alert"]'


def browsing(url: str, work: Callable[[Screen], Result]) -> Result:
    """What ``work`` makes of a screen; in a thread of its own, because other tests may hold Playwright's loop."""

    def drive() -> Result:
        api = pytest.importorskip("playwright.sync_api", reason="no browser tests: pip install playwright")
        with api.sync_playwright() as playwright:
            try:
                browser = playwright.chromium.launch(executable_path=chromium(), headless=True, args=list(FLAGS))
            except api.Error as error:
                pytest.skip(f"no browser could be started: {str(error).splitlines()[0]}")
            context = browser.new_context(**SMALL, reduced_motion="reduce")
            context.set_default_timeout(START_SECONDS * 1000)
            screen = Screen(context.new_page(), url)
            screen.watch()
            try:
                return work(screen)
            finally:
                browser.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(drive).result()


@contextmanager
def kept_asking(data: Path, tally: Tally) -> Iterator[None]:
    """Meanwhile a browser asks a dashboard over this data folder, again and again; at the end it is answered.

    What the page says when it cannot answer is a message, never a traceback.
    """
    stop, asked = threading.Event(), {"asked": 0, "answered": 0}

    def ask(screen: Screen) -> None:
        while not stop.is_set():
            page = screen.open(f"/plan?workspace=w&query=first+queue+{asked['asked']}")
            page.locator(f"{ANSWERED}, {SAID}").first.wait_for(timeout=WAIT_MS)
            asked["asked"] += 1
            asked["answered"] += bool(page.locator(ANSWERED).count())
            said = page.locator(SAID).all_inner_texts()
            assert len(said) <= 1, said
            assert not page.get_by_test_id("stException").count(), page.get_by_test_id("stException").inner_text()
        page = screen.open("/plan?workspace=w&query=first+queue")
        page.locator(ANSWERED).first.wait_for(timeout=WAIT_MS)
        assert asked["answered"], "never answered meanwhile"
        screen.check()

    place = Path(tempfile.mkdtemp(prefix="docgraph-test-"))
    with served_dashboard(data, place) as url, ThreadPoolExecutor(1) as pool:
        asking = pool.submit(browsing, url, ask)
        try:
            yield
        finally:
            stop.set()
            with tally.trying("the page that stayed open is answered at the end"):
                asking.result()
            tally.more.update({"page_asked": asked["asked"], "page_answered": asked["answered"]})

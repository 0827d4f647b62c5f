"""A folder of many files handed to the Import page: until preview and import, and how long the tab is silent.

A browser without a window shows no dialog to choose a folder in. A folder is dropped instead, by the protocol that
drives the browser, and its handle is what the dialog would have given: the same object, over the same files.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import browsing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

N_FILES, N_MANY = 949, 3000
ROUNDS = 3
HEARTBEAT_MS = 4
HEARTBEAT = """every => {
  let last = performance.now()
  window.longestGap = 0
  const beat = () => {
    const now = performance.now()
    window.longestGap = Math.max(window.longestGap, now - last)
    last = now
    setTimeout(beat, every)
  }
  beat() }"""
HANDED = """() => { window.given = new Promise(give => addEventListener('drop', async event => {
  event.preventDefault()
  event.stopPropagation()
  const folder = await event.dataTransfer.items[0].getAsFileSystemHandle()
  window.showDirectoryPicker = async () => folder
  give(folder.kind) }, { once: true, capture: true })) }"""
SENTENCE = "What is done is written down here, by whom it was asked for and until when it has to be there. "


def chosen_folder(browser: Browser, url: str, *, n: int = N_FILES, rounds: int = ROUNDS) -> dict[str, Any]:
    """Seconds from the choice until the preview and the report of the import, and the tab's longest silence meanwhile.

    ``until_packed_ms`` = the longest silence from the choice until the preview, the worst of several
    rounds, for every way in and number of files.
    """
    with tempfile.TemporaryDirectory(prefix="docgraph-bench-") as folder:
        _write(Path(folder), n)
        page = _import_view(browser, url)
        hand(page, folder)
        page.evaluate(HEARTBEAT, HEARTBEAT_MS)
        started = time.perf_counter()
        choose(page, folder)
        page.locator(".dg-looktitle").wait_for()
        preview = time.perf_counter() - started
        page.get_by_role("button", name=f"Import {n:,} documents").click()
        page.locator(".dg-sum", has_text=f"{n:,} stored").wait_for()
        imported = time.perf_counter() - started
        gap = page.evaluate("() => window.longestGap")
        page.context.close()
    found = {"files": n, "preview_seconds": round(preview, 1), "imported_seconds": round(imported, 1)}
    ways: dict[str, Callable[[Page, str], None]] = {"chosen": choose, "dropped": drop, "listed": listed}
    silences = {
        way: {str(many): _silence(browser, url, act, n=many, rounds=rounds) for many in (n, N_MANY)}
        for way, act in ways.items()
    }
    return {**found, "longest_gap_ms": round(gap), "until_packed_ms": silences}


def drop(page: Page, folder: str) -> None:
    """Drop a folder of this machine where the page takes one."""
    box = page.locator(".folder .zone").bounding_box()
    assert box is not None
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    driver = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver", "drop"):
        data = {"items": [], "files": [folder], "dragOperationsMask": 1}
        driver.send("Input.dispatchDragEvent", {"type": kind, **at, "data": data})
    driver.detach()


def hand(page: Page, folder: str) -> None:
    """Let the page's dialog to choose a folder give this one."""
    page.evaluate(HANDED)
    drop(page, folder)
    page.evaluate("() => window.given")


def choose(page: Page, _: str) -> None:
    """Choose the folder that was handed to the dialog."""
    page.get_by_role("button", name="Choose a folder").click()


def listed(page: Page, folder: str) -> None:
    """Choose by the field of browsers without that dialog: the browser lists the folder itself."""
    page.locator("input[webkitdirectory]").set_input_files(folder)


def _silence(browser: Browser, url: str, act: Callable[[Page, str], None], *, n: int, rounds: int) -> int:
    """Milliseconds of the tab's longest silence until the preview, the worst of the rounds."""
    worst = 0.0
    with tempfile.TemporaryDirectory(prefix="docgraph-bench-") as folder:
        _write(Path(folder), n)
        for _ in range(rounds):
            page = _import_view(browser, url)
            if act is choose:
                hand(page, folder)
            page.evaluate(HEARTBEAT, HEARTBEAT_MS)
            act(page, folder)
            page.locator(".dg-looktitle").wait_for()
            worst = max(worst, page.evaluate("() => window.longestGap"))
            page.context.close()
    return round(worst)


def _import_view(browser: Browser, url: str) -> Page:
    """The Import view, with a folder as its source, of a workspace of its own."""
    page = browsing.opened(browser, f"{url}/library?tab=workspaces")
    page.get_by_label("Title", exact=True).fill(f"Folder {time.time_ns()}")
    page.get_by_role("button", name="Create", exact=True).click()
    page.get_by_role("button", name="Choose a folder").wait_for()
    browsing.settle(page)
    return page


def _write(folder: Path, n: int) -> None:
    for i in range(n):
        text = f"# Note {i}\n\nSee [the next one](note-{(i + 1) % n}.md).\n\n" + f"{SENTENCE}\n\n" * 60
        (folder / f"note-{i}.md").write_text(text, encoding="utf-8")

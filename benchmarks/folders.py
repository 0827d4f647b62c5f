"""A folder of many files chosen on the Import page: until preview and import, and how long the tab is silent."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import browsing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

N_FILES = 949
HEARTBEAT_MS = 50
HEARTBEAT = """every => {
  let last = performance.now()
  window.longestGap = 0
  setInterval(() => {
    const now = performance.now()
    window.longestGap = Math.max(window.longestGap, now - last)
    last = now
  }, every) }"""
SENTENCE = "What is done is written down here, by whom it was asked for and until when it has to be there. "


def chosen_folder(browser: Browser, url: str, *, n: int = N_FILES) -> dict[str, Any]:
    """Seconds from the choice until the preview and until the report of the import, and the tab's longest silence."""
    with tempfile.TemporaryDirectory(prefix="docgraph-bench-") as folder:
        _write(Path(folder), n)
        page = browsing.opened(browser, f"{url}/library?show=Workspaces")
        page.get_by_label("Name", exact=True).fill("chosen-folder")
        page.get_by_role("button", name="Create").click()
        page.get_by_role("radio", name="Import").click()
        page.get_by_role("radio", name="Upload a folder").click()
        page.get_by_role("button", name="Choose a folder").wait_for()
        browsing.settle(page)
        page.evaluate(HEARTBEAT, HEARTBEAT_MS)
        started = time.perf_counter()
        page.locator("input[webkitdirectory]").set_input_files(folder)
        page.get_by_role("button", name="Look first").click()
        page.locator(".dg-looktitle").wait_for()
        preview = time.perf_counter() - started
        page.get_by_role("button", name=f"Import {n:,} documents").click()
        page.get_by_text(f"{n:,} in = {n:,} stored").first.wait_for()
        imported = time.perf_counter() - started
        gap = page.evaluate("() => window.longestGap")
        page.context.close()
    found = {"files": n, "preview_seconds": round(preview, 1), "imported_seconds": round(imported, 1)}
    return {**found, "longest_gap_ms": round(gap)}


def _write(folder: Path, n: int) -> None:
    for i in range(n):
        text = f"# Note {i}\n\nSee [the next one](note-{(i + 1) % n}.md).\n\n" + f"{SENTENCE}\n\n" * 60
        (folder / f"note-{i}.md").write_text(text, encoding="utf-8")

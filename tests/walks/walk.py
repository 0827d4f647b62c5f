"""One first run: an empty dashboard, a folder, first questions, and what relationships do to the first of them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import folders

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

MAX_ACTS, MAX_SECONDS = 8, 180.0
JUDGED = 4
"""Documents that are judged at most: the last acts of the walk."""
WAIT_MS = 170_000
_UNKNOWN = re.compile(r"(?<![\w-])--(?![\w-])")
_ANSWER = re.compile(r"\d+ → \d+ of [\d,]+ relevant documents?")
_BUSY = "() => !document.querySelector('[data-testid=\"stStatusWidget\"]')"


@dataclass
class Walk:
    """What a walk came to; ``acts`` = clicks, drops and typings, ``answer`` = the sentence that Compare says."""

    folder: str
    acts: list[str] = field(default_factory=list)
    seconds: float = 0.0
    answer: str = ""
    unknown: list[str] = field(default_factory=list)
    """Places where the page said ``--``."""

    @property
    def line(self) -> str:
        """One line on it."""
        return f"{self.folder:<16} {len(self.acts):>2} acts  {self.seconds:>6.1f} s  {self.answer}"


class Walker:
    """Drives a page and counts each act; after every one the page may say ``--`` nowhere."""

    def __init__(self, page: Page, url: str, folder: str) -> None:
        self.page, self.url, self.walk = page, url, Walk(folder)
        page.set_default_timeout(WAIT_MS)

    def act(self, what: str, do: Callable[[], object], then: Locator) -> None:
        """Do it, and wait for what it leads to."""
        do()
        self.walk.acts.append(what)
        then.first.wait_for()
        self._look(what)

    def _look(self, what: str) -> None:
        self.page.wait_for_function(_BUSY)
        for line in self.page.locator("body").inner_text().splitlines():
            if _UNKNOWN.search(line):
                self.walk.unknown.append(f"after {what!r}: {line.strip()[:120]}")


def walk(page: Page, url: str, root: Path) -> Walk:
    """From the empty start page to the first judged answer. ``root`` is a folder of this machine."""
    walker = Walker(page, url, root.name)
    find = page.get_by_role
    page.goto(url)
    zone = page.locator(".folder .zone")
    door = find("button", name="Import my documents").or_(find("link", name="Import my documents")).or_(zone)
    door.first.wait_for()
    started = time.monotonic()
    if not zone.is_visible():
        walker.act("add documents", door.first.click, zone)
    imports = find("button", name=re.compile(r"^Import [\d,]+ documents?$"))
    walker.act("drop the folder", lambda: folders.drop(page, str(root)), imports)
    asks = find("button", name=re.compile(r"^Ask (it|these \d+) without"))
    walker.act("import", imports.click, asks)
    judging = page.locator(".st-key-cp_helps")
    same = page.locator(".cp-identical")
    walker.act("ask the first questions", asks.click, judging.or_(same))
    if same.is_visible():
        walker.walk.answer = same.locator("h2").inner_text()
    else:
        _judge(walker)
    walker.walk.seconds = time.monotonic() - started
    return walker.walk


def _judge(walker: Walker) -> None:
    """Say of each document that came or left whether it helps: what came does, what left does not."""
    page = walker.page
    for kind, word in (("added", "Helps"), ("left", "Does not help")):
        rows = page.locator(f"[class*='st-key-cp-help-{kind}-'].stHorizontalBlock")
        for at in range(rows.count()):
            if sum(each.startswith("judge") for each in walker.walk.acts) == JUDGED:
                break
            button = rows.nth(at).get_by_role("radio", name=word, exact=True)
            pressed = rows.nth(at).locator("[aria-checked=true], [data-selected]")
            walker.act(f"judge: {word}", button.click, pressed)
    said = page.locator(".st-key-cp_sentence", has_text=re.compile("relevant document"))
    said.wait_for()
    told = " ".join(said.inner_text().split())
    found = _ANSWER.search(told)
    walker.walk.answer = found[0] if found else told

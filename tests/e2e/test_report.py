"""The report as a reader gets it: out of the page or the command line, opened from disk offline, printed on paper."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from docgraph.bootstrap import connect
from docgraph.domain.comparison import Comparison
from docgraph.domain.request import RetrievalRequest
from docgraph.views.compare.tables import readable_texts
from docgraph.views.report.file import report
from tests import ROOT
from tests.e2e.conftest import PROGRAM, START_SECONDS, Screen

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

KINDS = {"One page (HTML)": "html", "Table (CSV)": "csv"}
AT = "2026-11-22T08:00:00+00:00"
QUESTION = "Why do bookings get rejected when the queue is full?"


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    with connect(store="memory", workspace="harbor") as dg:
        dg.ingest(ROOT / "sample_data" / "harbor")
        return dg.compare(RetrievalRequest(query=QUESTION))


@pytest.fixture
def opened(browser: Browser, comparison: Comparison, tmp_path: Path) -> Iterator[tuple[Page, list[str]]]:
    """The report in a browser without a network; and everything that it asked for or complained about."""
    file = tmp_path / "report.html"
    file.write_bytes(report(comparison, "html", made_at=AT))
    context = browser.new_context(offline=True, color_scheme="dark", viewport={"width": 1280, "height": 720})
    page = context.new_page()
    noticed: list[str] = []
    page.on("console", lambda message: noticed.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: noticed.append(f"error: {error}"))
    page.on("request", lambda request: noticed.append(f"request: {request.url}"))
    page.goto(file.as_uri())
    noticed.remove(f"request: {file.as_uri()}")
    yield page, noticed
    context.close()


def test_a_report_opens_from_disk_offline_in_both_themes_and_prints(
    opened: tuple[Page, list[str]], comparison: Comparison
) -> None:
    page, noticed = opened
    assert page.title() == QUESTION
    assert comparison.sentence in page.locator(".verdict").inner_text()
    pictures = page.locator("figure svg[role=img]")
    assert pictures.count() == 1
    box = pictures.first.bounding_box()
    assert box is not None
    assert box["height"] > 100
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("body")).to_have_css("background-color", "rgb(15, 19, 24)")
    page.emulate_media(color_scheme="light")
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    _reads_by_keyboard(page)
    _prints(page, comparison)
    assert noticed == []


def _reads_by_keyboard(page: Page) -> None:
    """The number of the verdict leads to its rows, and a chunk's text opens with the space bar."""
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("#documents$"))
    summary = page.locator("details > summary").first
    summary.focus()
    page.keyboard.press("Space")
    expect(page.locator("details[open] .passage").first).to_be_visible()
    page.keyboard.press("Space")
    expect(page.locator("details[open]")).to_have_count(0)


def _prints(page: Page, comparison: Comparison) -> None:
    """On A4, light, with the texts that are closed on the screen, and in a sane number of pages."""
    page.emulate_media(color_scheme="dark")
    printed = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True, print_background=True)))
    assert 3 <= len(printed.pages) <= 9
    size = printed.pages[0].mediabox
    assert (round(size.width), round(size.height)) == (595, 842)
    text = " ".join(" ".join(sheet.extract_text() for sheet in printed.pages).split())
    for chunk in comparison.chunks_with("left"):
        assert " ".join(readable_texts(comparison, chunk)[0].split())[:40] in text
    page.emulate_media(media="print")
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")


def test_the_page_downloads_what_the_command_line_writes(screen: Screen, app_folder: Path, tmp_path: Path) -> None:
    page = screen.open(f"/compare?query={QUESTION.replace(' ', '+')}&workspace=harbor&baseline=ms3")
    page.get_by_role("button", name="Share").click()
    for label in KINDS:
        with page.expect_download() as download:
            page.get_by_role("button", name=label).click()
        download.value.save_as(tmp_path / "page" / download.value.suggested_filename)
    folder = tmp_path / "line"
    folder.mkdir()
    command = [sys.executable, "-c", PROGRAM, "compare", QUESTION, "-w", "harbor"]
    files = [part for kind in KINDS.values() for part in (f"--{kind}", str(folder))]
    environment = {**os.environ, "DOCGRAPH_DATA_DIR": str(app_folder), "PYTHONPATH": str(ROOT)}
    subprocess.run([*command, *files], env=environment, check=True, capture_output=True, timeout=START_SECONDS)
    names = sorted(path.name for path in folder.iterdir())
    assert [name.rpartition(".")[2] for name in names] == sorted(KINDS.values())
    assert sorted(path.name for path in (tmp_path / "page").iterdir()) == names
    for name in names:
        one, other = ((tmp_path / by / name).read_bytes().split(b"\n") for by in ("page", "line"))
        assert len(one) == len(other)
        assert sum(a != b for a, b in zip(one, other, strict=True)) <= 1, name  # the time stamp

"""The traceability matrix in a real browser: what a click and Enter open, arrow keys, and a hole that is filled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest

from docgraph.domain.graph import Document, Relationship
from tests.e2e.conftest import Screen

pytest.importorskip("playwright.sync_api", reason="no browser tests: pip install playwright")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator

WORKSPACE = "traced"
EDGES = (("req-1", "traces_to", "goal"), ("req-1", "traces_to", "gone"), ("test-1", "verifies", "req-1"))
COLUMNS = ["traces_to →", "← traces_to", "verifies →", "← verifies"]


@pytest.fixture
def traced(app_folder: Path, app_url: str) -> Iterator[Any]:
    """Two requirements, one of which is tested; an id that wants to be HTML."""
    import docgraph

    ids = ("goal", "req-1", "req-2", "test-1", "<img src=x onerror=alert(1)>")
    documents = [Document(document_id=name, title=name.title(), text=f"About {name}.") for name in ids]
    edges = [Relationship(from_document_id=a, relation_type=via, to_document_id=b) for a, via, b in EDGES]
    with docgraph.connect(data_dir=app_folder, workspace=WORKSPACE) as opened:
        opened.create_workspace(WORKSPACE)
        opened.ingest_records(documents, edges)
        yield opened
        opened.drop_workspace(WORKSPACE)


def cell(screen: Screen, document_id: str, column: str) -> Locator:
    row = screen.page.get_by_role("row").filter(has=screen.page.get_by_role("rowheader", name=document_id, exact=True))
    return row.get_by_role("gridcell").nth(1 + COLUMNS.index(column))


def opened(screen: Screen) -> None:
    screen.open(f"/relationships?workspace={WORKSPACE}&tab=edges&view=Matrix")
    heads = screen.page.get_by_role("columnheader")
    expect(heads).to_have_text(["Document", "Title", *COLUMNS])


def address(screen: Screen) -> dict[str, str]:
    asked = parse_qs(urlsplit(screen.page.url).query)
    return {name: asked.get(name, [""])[0] for name in ("at", "type", "direction", "view")}


def test_a_click_on_a_cell_opens_its_relationships_by_their_address(screen: Screen, traced: Any) -> None:
    opened(screen)
    expect(cell(screen, "req-1", "traces_to →")).to_have_text("goal; gone (not stored)")
    cell(screen, "req-1", "traces_to →").click()
    expect(screen.page.get_by_text("2 of 3 relationships")).to_be_visible()
    assert address(screen) == {"at": "req-1", "type": "traces_to", "direction": "outgoing", "view": ""}
    screen.page.reload()
    expect(screen.page.get_by_text("2 of 3 relationships")).to_be_visible()
    opened(screen)
    screen.page.get_by_role("rowheader", name="req-1").click()
    expect(screen.page.get_by_text("3 relationships", exact=False).first).to_be_visible()
    assert address(screen) == {"at": "req-1", "type": "", "direction": "", "view": ""}


def test_arrow_keys_move_and_enter_opens(screen: Screen, traced: Any) -> None:
    """The grid is one stop of Tab; no arrow key opens anything."""
    opened(screen)
    page = screen.page
    assert page.locator(".matrix [tabindex='0']").count() == 1
    page.locator(".matrix [tabindex='0']").focus()
    page.keyboard.press("Control+Home")
    expect(page.get_by_role("rowheader", name="<img src=x onerror=alert(1)>")).to_be_focused()
    for key in ("ArrowDown", "ArrowDown", "End"):
        page.keyboard.press(key)
    expect(cell(screen, "req-1", "← verifies")).to_be_focused()
    assert page.locator(".matrix [tabindex='0']").count() == 1
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 of 3 relationships")).to_be_visible()
    assert address(screen) == {"at": "req-1", "type": "verifies", "direction": "incoming", "view": ""}


def test_a_hole_offers_to_add_what_is_missing_and_it_is_added(screen: Screen, traced: Any) -> None:
    opened(screen)
    page = screen.page
    cell(screen, "req-2", "← verifies").click()
    expect(page.get_by_text("Nothing leads to Req-2 as verifies")).to_be_visible()
    expect(page.get_by_text("Switch editing on to add a relationship")).to_be_visible()
    page.get_by_role("button", name="Editing off").click()
    page.get_by_label("Your name").fill("Ann")
    page.get_by_test_id("stPopoverBody").get_by_role("button", name="Editing on").click()
    page.get_by_role("button", name="Add one…").click()
    expect(page.get_by_label("To", exact=True)).to_have_value("Req-2")
    page.get_by_role("button", name="Discard draft").click()
    expect(page.get_by_role("heading", name="Add a relationship")).to_have_count(0)
    page.get_by_role("button", name="Show all relationships").click()
    expect(page.get_by_text("3 relationships", exact=True)).to_be_visible()
    page.get_by_role("radio", name="Matrix").click()
    expect(page.get_by_role("columnheader")).to_have_text(["Document", "Title", *COLUMNS])
    cell(screen, "req-2", "traces_to →").click()
    expect(page.get_by_role("heading", name="Add a relationship")).to_be_visible()
    expect(page.get_by_label("From", exact=True)).to_have_value("Req-2")
    page.get_by_label("To", exact=True).fill("goal")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Save: add").click()
    expect(page.get_by_text(re.compile("1 of 4 relationships"))).to_be_visible()
    assert ("req-2", "traces_to", "goal") in {edge.key for edge in traced.relationships.list()}

"""Two people edit one relationship in two browsers; one entry in the middle is undone, and the plan follows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from docgraph.domain.edit import Edit
from docgraph.domain.overrides import EdgeKey, edge_text
from tests.e2e.conftest import ROOT, WAIT_MS, Screen

pytest.importorskip("playwright.sync_api", reason="no browser tests: pip install playwright")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

QUESTION = "Why do bookings get rejected when the queue is full?"
WORKSPACE = "edits"


@pytest.fixture
def fired(app_folder: Path, app_url: str) -> Iterator[tuple[Any, EdgeKey, EdgeKey]]:
    """A workspace of its own; the only relationship that brings a document into the plan, and another one."""
    import docgraph
    from docgraph import RetrievalRequest

    with docgraph.connect(data_dir=app_folder, workspace=WORKSPACE) as opened:
        opened.ingest(ROOT / "sample_data")
        plan = opened.save_run(RetrievalRequest(query=QUESTION), name=QUESTION).run.plan
        (reason, document), *_ = [(d.reasons[0], d) for d in plan.expanded_documents if len(d.reasons) == 1]
        key = (reason.from_document_id, reason.via, document.document_id)
        other = next(edge.key for edge in opened.relationships() if key[2] not in (edge.key[0], edge.key[2]))
        yield opened, key, other


@contextmanager
def somebody(browser: Browser, screen: Screen, name: str, key: EdgeKey) -> Iterator[Page]:
    """Another person's browser with the relationship open and editing on."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    context.set_default_timeout(WAIT_MS)
    theirs = Screen(context.new_page(), screen.url)
    theirs.watch()
    begin(theirs, name, key)
    yield theirs.page
    context.close()
    assert (theirs.foreign, theirs.errors) == ([], [])


def begin(screen: Screen, name: str, key: EdgeKey) -> None:
    """Open a relationship and switch editing on."""
    page = screen.open(f"/relationships?workspace={WORKSPACE}&tab=edges&edge={quote(edge_text(key))}")
    page.get_by_role("button", name="Editing off").click()
    page.get_by_label("Your name").fill(name)
    page.get_by_test_id("stPopoverBody").get_by_role("button", name="Editing on").click()
    expect(page.get_by_text(re.compile(f"Editing on, as {name}"))).to_be_visible()


def planned(screen: Screen) -> set[str]:
    """The documents in the plan, as the Plan page draws it now."""
    page = screen.open(f"/plan?workspace={WORKSPACE}&query={quote(QUESTION)}")
    page.locator('.dg[data-ready="1"]').wait_for()
    return set(page.locator(".dg").evaluate("host => host.docgraph.nodes.getIds()"))


def draft(page: Page, action: str, reason: str) -> None:
    """Choose what to do and say why."""
    page.locator(".st-key-docgraph-edge-action button", has_text=re.compile(f"^{action}$")).click()
    field = page.locator(".st-key-re-save").get_by_label("Reason (optional)")
    field.fill(reason)
    field.press("Tab")
    expect(page.get_by_role("button", name=f"Save: {action.lower()}")).to_be_enabled()


def test_two_browsers_edit_one_relationship_and_an_entry_in_the_middle_is_undone(
    screen: Screen, browser: Browser, fired: tuple[Any, EdgeKey, EdgeKey]
) -> None:
    docgraph, key, other = fired
    target = f"doc:{key[2]}"
    begin(screen, "Ann", key)
    screen.page.locator('.fg[data-ready="1"] .link text').last.click()  # the relationship in question is drawn last
    expect(screen.page.get_by_role("link", name="Open this relationship")).to_be_visible()
    with somebody(browser, screen, "Ben", key) as ben:
        draft(ben, "Remove", "nobody needs it")
        changes = ben.get_by_role("link", name=f"Compare: {QUESTION}")
        expect(changes).to_have_attribute("href", re.compile(r"compare\?run=\w+&edits=\w+"))
        draft(screen.page, "Accept", "both texts say so")
        screen.page.get_by_role("button", name="Save: accept").click()
        expect(screen.page.locator(".re-history")).to_contain_text("Ann accepted")
        ben.get_by_role("button", name="Save: remove").click()
        expect(ben.locator(".dg-card-error")).to_contain_text(re.compile("Ann accepted .*both texts say so"))
        assert key in [edge.key for edge in docgraph.relationships()], "nothing was lost"
        again = ben.get_by_role("button", name="Decide again on what is there now")
        again.click()
        expect(again).to_have_count(0)
        expect(ben.locator(".st-key-re-save").get_by_label("Reason (optional)")).to_have_value("nobody needs it")
        ben.get_by_role("button", name="Save: remove").click()
        expect(ben.locator(".st-key-re-detail")).to_have_count(0)
        assert target not in planned(screen)
        docgraph.edit([Edit(action="accept", key=other)], by="Cy")
        ben.locator(".st-key-rl-tabs").get_by_role("link", name=re.compile("^History")).click()
        row = ben.locator(".st-key-rh-entry-2")
        expect(row).to_contain_text("removed")
        row.get_by_role("button", name="Undo…").click()
        ben.get_by_role("button", name="Undo entry 2").click()
        expect(row).to_contain_text("undone by 4")
    assert target in planned(screen)
    assert [entry.edit.action for entry in docgraph.history()][1:] == ["accept", "remove", "accept"]

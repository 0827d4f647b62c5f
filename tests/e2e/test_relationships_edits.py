"""Two people edit one relationship in two browsers; one entry in the middle is undone, and the plan follows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import pytest

from docgraph.domain.edit import Edit
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.overrides import EdgeKey, edge_text
from docgraph.domain.request import RetrievalRequest
from docgraph.views.words.address import inputs_of
from tests.e2e.conftest import Screen

pytest.importorskip("playwright.sync_api", reason="no browser tests: pip install playwright")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

QUESTION = "How do we limit the queue?"
REQUEST = RetrievalRequest(query=QUESTION, seed_document_ids=("guide",), max_documents=3)
WORKSPACE = "edits"
KEY, OTHER = ("guide", "depends_on", "limit"), ("notes", "references", "guide")
TEXTS = {
    "guide": "How to limit the queue: see the limit that was decided.",
    "limit": "The queue holds 400 bookings.",
    "notes": "Notes on worker restarts.",
    "lonely": "How the coffee machine is cleaned.",
}


@pytest.fixture
def fired(app_folder: Path, app_url: str) -> Iterator[Any]:
    """A workspace of its own with a saved question; the relationship at ``KEY`` brings the limit into its plan."""
    import docgraph

    documents = [Document(document_id=name, title=name.title(), text=text) for name, text in TEXTS.items()]
    edges = [Relationship(from_document_id=a, relation_type=via, to_document_id=b) for a, via, b in (KEY, OTHER)]
    with docgraph.connect(data_dir=app_folder, workspace=WORKSPACE) as opened:
        opened.create_workspace(WORKSPACE)
        opened.ingest_records(documents, edges)
        plan = opened.runs.save(REQUEST, name=QUESTION).run.plan
        assert [document.document_id for document in plan.expanded_documents] == ["limit"]
        yield opened


def begin(screen: Screen, name: str, key: EdgeKey) -> None:
    """Open a relationship and switch editing on."""
    page = screen.page
    page.goto(f"{screen.url}/relationships?workspace={WORKSPACE}&tab=edges&edge={quote(edge_text(key))}")
    page.get_by_role("button", name="Editing off").click()
    page.get_by_label("Your name").fill(name)
    page.get_by_test_id("stPopoverBody").get_by_role("button", name="Editing on").click()
    expect(page.get_by_text(re.compile(f"Editing on, as {name}"))).to_be_visible()


def planned(screen: Screen) -> set[str]:
    """The documents in the plan, as the Plan page draws it now."""
    screen.page.goto(f"{screen.url}/plan?{urlencode(inputs_of(REQUEST, WORKSPACE), doseq=True)}")
    page = screen.page
    page.locator('.dg[data-ready="1"]').last.wait_for()
    return set(page.locator(".dg").evaluate("host => host.docgraph.nodes.getIds()"))


def draft(page: Page, action: str, reason: str) -> None:
    """Choose what to do and say why."""
    page.locator(".st-key-docgraph-edge-action button", has_text=re.compile(f"^{action}$")).click()
    field = page.locator(".st-key-re-save").get_by_label("Reason (optional)")
    field.fill(reason)
    field.press("Tab")
    expect(page.get_by_role("button", name=f"Save: {action.lower()}")).to_be_enabled()


def test_two_browsers_edit_one_relationship_and_an_entry_in_the_middle_is_undone(
    screen: Screen, elsewhere: Screen, fired: Any
) -> None:
    docgraph, key, target = fired, KEY, f"doc:{KEY[2]}"
    begin(screen, "Ann", key)
    begin(elsewhere, "Ben", key)
    ben = elsewhere.page
    draft(ben, "Remove", "nobody needs it")
    ben.get_by_role("button", name="Compare the answers").click()
    changes = ben.get_by_role("link", name=QUESTION)
    expect(changes).to_have_attribute("href", re.compile(r"compare\?.*edits=\w+"))
    ben.keyboard.press("Escape")
    draft(screen.page, "Accept", "both texts say so")
    screen.page.get_by_role("button", name="Save: accept").click()
    expect(screen.page.locator(".re-history")).to_contain_text("Ann accepted")
    ben.get_by_role("button", name="Save: remove").click()
    expect(ben.locator(".dg-card-error")).to_contain_text(re.compile("Ann accepted .*both texts say so"))
    assert key in [edge.key for edge in docgraph.relationships.list()], "nothing was lost"
    again = ben.get_by_role("button", name="Use the current state")
    again.click()
    expect(again).to_have_count(0)
    expect(ben.locator(".st-key-re-save").get_by_label("Reason (optional)")).to_have_value("nobody needs it")
    save = ben.get_by_role("button", name="Save: remove", disabled=False)  # the one that was drawn before is disabled
    expect(save).to_have_count(1)
    save.click()
    expect(ben.locator(".st-key-re-detail")).to_have_count(0)
    assert target not in planned(screen)
    docgraph.relationships.edit([Edit(action="accept", key=OTHER)], by="Cy")
    ben.locator(".st-key-rl-tabs").get_by_role("link", name=re.compile("^History")).click()
    row = ben.locator(".st-key-rh-entry-2")
    expect(row).to_contain_text("removed")
    row.get_by_role("button", name="Undo…").click()
    ben.get_by_role("button", name="Undo entry 2").click()
    expect(row).to_contain_text("undone by 4")
    assert target in planned(screen)
    assert [entry.edit.action for entry in docgraph.relationships.history()][1:] == ["accept", "remove", "accept"]

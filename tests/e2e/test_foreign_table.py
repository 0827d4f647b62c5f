"""The dashboard over a table that a library made: every page shows it, and no button asks for what cannot be kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import database_beside, reachable_folder
from tests.e2e.conftest import SMALL, Screen, served_dashboard

MADE = Path(__file__).parents[1] / "integration" / "foreign_tables" / "llamaindex.sql"
WHY = "only reads the table public.data_notes (LlamaIndex) and stores nothing beside it"
PAGES = {
    "/relationships": ("Findings are read-only", "Next"),
    "/": ("Build plan",),
    "/plan?query=Why+is+the+queue+bounded%3F": ("ADR-1: Bounded queue",),
    "/relationships?tab=edges": ("relationships",),
    "/relationships?tab=vocabulary": ("Types",),
    "/relationships?tab=suggestions": ("Suggestions",),
    "/relationships?tab=history": ("History",),
    "/relationships?tab=exchange": ("Uploads are off",),
    "/library": ("ADR-1: Bounded queue",),
    "/library?show=Import": ("Imports are off",),
    "/library?show=Changes": ("Imports are off",),
    "/library?show=Workspaces": ("Select a row to switch to it",),
    "/library?show=Health": ("Vector search",),
    "/query_sets": ("stores nothing beside it",),
    "/runs": ("stores nothing beside it",),
}
"""Address → words that stand there."""
IMPOSSIBLE = (
    "Assign",
    "Check settings",
    "Save",
    "Save and next",
    "Accept",
    "Change type",
    "Remove",
    "Ignore",
    "Undo",
    "Nothing to undo",
    "Editing off",
    "Merge types…",
    "Select",
    "Import",
    "Create",
    "Delete workspace",
    "Create patch",
    "Back up",
    "Delete",
)
"""Buttons of a workspace that is written."""


@pytest.fixture(scope="module")
def foreign(browser: Browser, embedded_database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    """A page on a dashboard over the table of a library."""
    with database_beside(embedded_database_url) as url, pytest.MonkeyPatch.context() as patch:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(MADE.read_bytes())
        settings = {"DATABASE_URL": url, "TABLE": "data_notes", "EMBEDDER_DIMENSION": "64"}
        for name, value in settings.items():
            patch.setenv(f"DOCGRAPH_{name}", value)
        with served_dashboard(reachable_folder(), tmp_path_factory.mktemp("table")) as served:
            context = browser.new_context(**SMALL, color_scheme="light", reduced_motion="reduce")
            context.set_default_timeout(60_000)
            screen = Screen(context.new_page(), served)
            screen.watch()
            yield screen
            context.close()


def impossible(page: Page) -> list[str]:
    """Names of enabled or disabled buttons that ask for what nobody can do here."""
    names = [str(name).strip() for name in page.get_by_role("button").all_inner_texts()]
    return [name for name in names if name.split("\n")[0].rstrip(":") in IMPOSSIBLE]


def test_the_pane_of_a_finding_says_in_one_line_why_nobody_decides_it(foreign: Screen) -> None:
    page = foreign.read("/relationships")
    expect(page.locator(".rl-off")).to_have_text(f"Findings are read-only: docgraph {WHY}.")
    expect(page.locator(".rl-off")).to_have_count(1)
    expect(page.locator(".st-key-rl-actfoot button")).to_have_count(2)
    foreign.check()


@pytest.mark.parametrize("address", PAGES)
def test_a_page_over_a_foreign_table_offers_nothing_that_would_have_to_be_kept(foreign: Screen, address: str) -> None:
    page = foreign.read(address)
    for words in PAGES[address]:
        expect(page.get_by_test_id("stMain")).to_contain_text(words)
    foreign.settle()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_text("Read-only table")).to_be_visible()
    assert impossible(page) == []
    foreign.check()

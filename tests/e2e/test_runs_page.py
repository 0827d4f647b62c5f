"""Saved runs in a real browser: a frozen link means the same run everywhere, and deleting is undone with one click."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.conftest import HOSTILE, Screen

pytest.importorskip("playwright.sync_api", reason="no browser tests: pip install playwright")

QUESTION = "Why do bookings get rejected when the queue is full?"


def _saved(folder: Path) -> tuple[str, str]:
    """Save a run beside the running dashboard; returns its id and its whole hash."""
    import docgraph
    from docgraph.domain.request import RetrievalRequest

    with docgraph.connect(data_dir=folder, workspace="harbor") as opened:
        run = opened.runs.save(RetrievalRequest(query=QUESTION), name=HOSTILE["everything"], note=HOSTILE["handler"])
        return run.run_id, run.content_hash


def test_a_frozen_link_shows_the_same_hash_elsewhere_and_a_deleted_run_comes_back(
    screen: Screen, elsewhere: Screen, app_folder: Path
) -> None:
    run_id, content_hash = _saved(app_folder)
    page, context = screen.open("/runs"), screen.page.context
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=screen.url)

    row = page.locator(f'[class*="st-key-rn-row-{run_id}"]')
    assert HOSTILE["script"] in row.inner_text()
    row.get_by_role("link").focus()
    page.keyboard.press("Enter")
    page.locator(".rn-hash").wait_for()
    assert screen.text_of(".rn-hash") == content_hash
    assert HOSTILE["handler"] in screen.text_of(".rn-note")

    page.get_by_role("button", name="Copy frozen link").click()
    page.get_by_text("Copied", exact=True).first.wait_for()
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert link == f"{screen.url}/plan?run={run_id}"

    elsewhere.open(f"/plan?run={run_id}")
    identity = elsewhere.page.locator(".rn-identity")
    identity.wait_for()
    assert identity.locator("code").first.inner_text() == run_id
    assert identity.locator("code").first.get_attribute("title") == content_hash
    elsewhere.page.get_by_role("link", name="Open live").click()
    elsewhere.page.wait_for_url("**/plan?query=**")
    assert "run=" not in elsewhere.page.url
    elsewhere.settle()
    elsewhere.open(f"/runs?run={run_id}")
    assert elsewhere.text_of(".rn-hash") == content_hash
    assert (elsewhere.foreign, elsewhere.errors, elsewhere.dialogs) == ([], [], [])

    page.get_by_text("The contract is kept", exact=True).click()
    page.get_by_text("1 of 5 ticked").wait_for()
    page.get_by_role("button", name="Mark as approved").click()
    page.get_by_role("button", name="Withdraw approval").wait_for()
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as report:
        page.get_by_role("button", name="HTML page").click()
    assert content_hash[:12] in Path(report.value.path()).read_text(encoding="utf-8")
    page.keyboard.press("Escape")

    page.get_by_role("button", name="Delete", exact=True).click()
    page.locator(".st-key-rn-undo").get_by_role("button", name="Undo").click()
    page.locator(".rn-hash").wait_for()
    assert screen.text_of(".rn-hash") == content_hash
    assert "Approved" in screen.text_of(".rn-titleline")

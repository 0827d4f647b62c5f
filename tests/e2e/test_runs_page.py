"""Saved runs in a real browser: a link means the same run everywhere, and deleting is undone with one click."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.conftest import HOSTILE, Screen

QUESTION = "Why do bookings get rejected when the queue is full?"


def _saved(folder: Path) -> tuple[str, str]:
    """Save a run compared with the running dashboard; returns its id and its whole hash."""
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

    page.get_by_role("link", name=f"Open {QUESTION}").focus()
    page.keyboard.press("Enter")
    row = page.locator(f'[class*="st-key-qn-version-{run_id}"]')
    expect(row).to_contain_text(HOSTILE["script"], use_inner_text=True)
    row.get_by_role("link").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".rn-hash")).to_have_text(content_hash)
    expect(page.locator(".rn-note")).to_contain_text(HOSTILE["handler"], use_inner_text=True)

    page.get_by_role("button", name="Copy link to this version").click()
    page.get_by_text("Copied", exact=True).first.wait_for()
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert link == f"{screen.url}/plan?run={run_id}&workspace=harbor"

    elsewhere.open(f"/plan?run={run_id}")
    identity = elsewhere.page.locator(".rn-identity")
    expect(identity.locator("code").first).to_have_text(run_id)
    expect(identity.locator("code").first).to_have_attribute("title", content_hash)
    elsewhere.page.get_by_role("link", name="Ask with current data").click()
    elsewhere.page.wait_for_url("**/plan?query=**")
    expect(elsewhere.page).not_to_have_url(re.compile("run="))
    elsewhere.settle()
    elsewhere.open(f"/runs?run={run_id}")
    expect(elsewhere.page.locator(".rn-hash")).to_have_text(content_hash)
    assert (elsewhere.foreign, elsewhere.errors, elsewhere.dialogs) == ([], [], [])

    page.get_by_text("The contract is kept", exact=True).click()
    page.get_by_text("1 of 5 checked").wait_for()
    page.get_by_role("button", name="Mark as approved").click()
    page.get_by_role("button", name="Withdraw approval").wait_for()
    with page.expect_download() as answer:
        page.get_by_role("button", name="Export").click()
    assert content_hash in Path(answer.value.path()).read_text(encoding="utf-8")

    page.get_by_role("button", name="Delete", exact=True).click()
    page.locator(".st-key-rn-undo").get_by_role("button", name="Undo").click()
    expect(page.locator(".rn-hash")).to_have_text(content_hash)
    expect(page.locator(".rn-titleline")).to_contain_text("Approved")

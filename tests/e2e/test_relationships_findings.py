"""A whole queue of findings by keyboard in a real browser; the plan follows each decision and its undo at once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from docgraph.domain.finding import Rule
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.request import RetrievalRequest
from docgraph.views.words.address import inputs_of
from tests.e2e.conftest import HOSTILE, Screen

if TYPE_CHECKING:
    from playwright.sync_api import Page

WORKSPACE = "judging"
QUESTION = RetrievalRequest(query="How do we limit the queue?", seed_document_ids=("guide",), max_documents=3)
OFF = ("edge_without_mention", "hub", "never_fires", "look_alike_types", "unusual_pair", "inverse_missing")
DRAFTS = {
    "Target superseded or inactive": "p",
    "Missing document": "x",
    "Link to itself": "p",
    "Both directions of a one-way type": "x",
    "Document without relationships": "i",
}
REASON = "it is read by people only"


@pytest.fixture(scope="module")
def judging(app_folder: Path, app_url: str) -> str:
    """A workspace with five faults, one of each kind, and one saved question that follows the first."""
    import docgraph

    texts = {
        "guide": "How to limit the queue: see the limit that was decided.",
        "old-limit": "The queue holds 400 bookings.",
        "new-limit": "The queue holds 900 bookings.",
        "notes": "Notes on worker restarts.",
        "lonely": "How the coffee machine is cleaned.",
    }
    edges = [
        ("guide", "depends_on", "old-limit"),
        ("new-limit", "supersedes", "old-limit"),
        ("guide", "references", "nowhere"),
        ("notes", "references", "notes"),
        ("notes", "depends_on", "guide"),
        ("guide", "depends_on", "notes"),
    ]
    documents = [
        Document(document_id=name, title=name.replace("-", " ").title(), text=text) for name, text in texts.items()
    ]
    relationships = [Relationship(from_document_id=a, relation_type=via, to_document_id=b) for a, via, b in edges]
    with docgraph.connect(data_dir=app_folder, workspace=WORKSPACE) as opened:
        opened.create_workspace(WORKSPACE)
        opened.ingest_records(documents, relationships)
        opened.rules.set({check_id: Rule(on=False) for check_id in OFF})
        plan = opened.runs.save(QUESTION, name="The limit").run.plan
        assert {"old-limit", "new-limit"} & set(plan.document_ids) == {"old-limit"}
        found = {finding.check_id for finding in opened.check().queue}
    expected = {"superseded_target", "missing_endpoint", "self_link", "opposite_directions", "orphan"}
    assert found == expected
    return WORKSPACE


def _title(page: Page) -> str:
    return page.locator(".rl-h2").inner_text().strip()


def _documents(screen: Screen, other: Page) -> set[str]:
    """Which of the two limits the plan of the question reads, asked anew in another tab."""
    other.goto(f"{screen.url}/plan?{urlencode(inputs_of(QUESTION, WORKSPACE), doseq=True)}")
    other.locator('.dg[data-ready="1"]').last.wait_for()
    ids = other.locator(".dg").evaluate("host => host.docgraph.nodes.get().map(node => String(node.id))")
    return {name for name in ("old-limit", "new-limit") if any(name in each for each in ids)}


def _decide(page: Page) -> str:
    """Judge the finding that is open by its keys alone; returns its title."""
    title = _title(page)
    opened = page.evaluate("() => document.querySelector('.rl-h2')?.dataset.decision")
    page.keyboard.press(DRAFTS[title])
    if DRAFTS[title] == "i":
        reason = page.get_by_placeholder("Reason (required)")
        expect(reason).to_be_focused()
        page.keyboard.type(REASON)
    page.keyboard.press("Enter")
    page.wait_for_function(
        "old => document.querySelector('.rl-h2')?.dataset.decision !== old", arg=opened
    )  # nobody waits for the checks
    return title


def test_a_queue_is_worked_through_by_keyboard_and_the_plan_follows_each_decision_and_its_undo(
    screen: Screen, judging: str
) -> None:
    other = screen.page.context.new_page()
    page = screen.open(f"/relationships?workspace={judging}")
    expect(page.locator(".rl-progress")).to_contain_text("0 of 5 decided")
    expect(page.locator(".st-key-docgraph-act-remove button").first).to_be_disabled()
    page.get_by_role("button", name="Editing off").click()
    page.get_by_label("Your name").fill("Mira Holt")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-docgraph-act-remove button").first).to_be_enabled()
    screen.settle()

    assert _title(page) == "Target superseded or inactive", "the one that a saved question depends on comes first"
    expect(page.locator(".rl-consequence")).to_contain_text("the one saved question")
    rows = page.locator(".rl-row")
    for key in "jjjkk":  # nobody waits: each press meets what the one before it has drawn
        page.keyboard.press(key)
    expect(rows.nth(1)).to_have_class(re.compile("rl-row-open"))
    page.keyboard.press("k")
    expect(page.locator(".rl-h2")).to_have_text("Target superseded or inactive")
    page.keyboard.press("x")
    expect(page.locator(".st-key-rl-effect-remove")).to_contain_text("1 of 1")
    expect(page.locator(".rl-consequence")).to_contain_text("Remove: Old Limit removed in 1")
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-docgraph-relationships-save button").first).to_be_disabled()

    judged = {_decide(page) for _ in range(len(DRAFTS))}
    assert judged == set(DRAFTS)
    expect(page.get_by_text("Nothing left to review")).to_be_visible()
    expect(page.locator(".rl-progress")).to_contain_text("5 of 5 decided")
    assert _documents(screen, other) == {"new-limit"}

    page.get_by_text("Ignored", exact=True).first.click()
    expect(page.locator(".rl-ignoredrow")).to_contain_text(REASON)
    _undo_in_the_middle(page)
    assert _documents(screen, other) == {"old-limit"}, "the plan follows the undo as well"


def _undo_in_the_middle(page: Page) -> None:
    """Take back the first of four changes on the History tab; the three after it stay."""
    page.locator(".st-key-rl-tab-history a").click()
    page.locator(".st-key-docgraph-history-undo-1 button").first.click()
    page.locator(".st-key-docgraph-history-undo button").first.click()
    expect(page.locator(".st-key-rl-tab-review-shown, .st-key-rl-tab-review").first).to_contain_text("1")


def test_hostile_titles_types_and_texts_stay_text_in_queue_and_pane(screen: Screen) -> None:
    page = screen.open("/relationships?workspace=hostile")
    expect(page.locator(".rl-row").first).to_be_visible()
    screen.settle()
    expect(page.locator(".rl-sentence")).to_contain_text(HOSTILE["everything"], use_inner_text=True)
    expect(page.locator(".rl-arrow").first).to_contain_text(HOSTILE["script"], use_inner_text=True)
    expect(page.locator(".rl-text").first).to_contain_text(HOSTILE["handler"])
    assert page.locator("script:not([src])", has_text="alert(1)").count() == 0

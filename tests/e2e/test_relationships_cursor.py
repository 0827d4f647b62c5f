"""The cursor of the judging pane in a real browser: it goes where a person asks; a pane drawn anew never takes it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from docgraph.domain.graph import Document, Relationship
from tests.e2e.conftest import Screen

if TYPE_CHECKING:
    from playwright.sync_api import Page

WORKSPACE = "cursor"
CLASSES = ("almanac", "bulletin", "catalogue", "directory", "errata", "folio")
NOTES = ("note-0", "note-1")
REASON = "just kept: printed on paper, in Ulm"
"""Its letters are keys of the page as well: j, u, k, p, i, t, x and a."""

SAVE = ".st-key-docgraph-relationships-save button"
LONG_ENOUGH = 700
"""Milliseconds in which a field would have taken the cursor."""


@pytest.fixture(scope="module")
def missing(app_folder: Path, app_url: str) -> str:
    """Six targets that two documents miss each."""
    import docgraph

    documents = [Document(document_id=name, title=name.title(), text=f"Text of {name}.") for name in NOTES]
    ends = [(start, "references", target) for target in CLASSES for start in NOTES] + [
        (NOTES[0], "continues", NOTES[1])
    ]
    edges = [Relationship(from_document_id=a, relation_type=via, to_document_id=b) for a, via, b in ends]
    with docgraph.connect(data_dir=app_folder, workspace=WORKSPACE) as opened:
        opened.create_workspace(WORKSPACE)
        opened.ingest_records(documents, edges)
        opened.rules.set({"edge_without_mention": {"on": False}})
        assert len(opened.check().decisions) == len(CLASSES)
    return WORKSPACE


@pytest.fixture
def page(screen: Screen, missing: str, app_folder: Path) -> Page:
    """The queue with editing on, at its first decision; nothing is ignored and the cursor is in no field."""
    import docgraph

    with docgraph.connect(data_dir=app_folder, workspace=missing) as opened:
        opened.rules.withdraw([each.subject_id for each in opened.rules.dismissals()])
    page = screen.open(f"/relationships?workspace={missing}")
    page.get_by_role("button", name="Editing off").press("Enter")
    page.get_by_label("Your name").press_sequentially("Mira Holt")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-docgraph-act-ignore button").first).to_be_enabled()
    screen.settle()
    screen.listens_to("i")
    _holds(page, CLASSES[0])
    return page


def _holds(page: Page, label: str) -> None:
    """Wait until the pane holds the decision about this target, and the row of it is marked."""
    expect(page.locator(".rl-h2")).to_have_text(f"{len(NOTES)} × {label}: decided together")
    held = page.locator(".rl-h2").get_attribute("data-decision")
    expect(page.locator(f".st-key-rl-row-{held} .rl-row-open")).to_have_count(1)


def _cursor(page: Page) -> str:
    return str(page.evaluate("() => document.activeElement.tagName"))


def _draft_to_ignore(page: Page) -> None:
    page.keyboard.press("i")
    expect(page.get_by_placeholder("Reason (required)")).to_be_focused()
    expect(page.locator(SAVE).first).to_be_enabled()


def _ignore_ahead(page: Page, *, n: int) -> None:
    """Ignore the decision that is open without waiting for anything but the count of it."""
    page.keyboard.press("i")
    page.keyboard.type(REASON)
    page.keyboard.press("Enter")
    expect(page.locator(".rl-progress")).to_contain_text(f"{n} of {len(CLASSES)} decided")


def _left_alone(screen: Screen, page: Page, *, then: str) -> None:
    """The pane that was drawn anew does not take the cursor; J is obeyed and leads to ``then``."""
    expect(page.get_by_placeholder("Reason (required)")).to_be_visible()
    screen.settle()
    screen.listens_to("j")
    page.wait_for_timeout(LONG_ENOUGH)
    assert _cursor(page) != "INPUT", "drawn anew, the pane took the cursor"
    page.keyboard.press("j")
    _holds(page, then)


def _reasons(page: Page) -> list[str]:
    """What stands in the fields of reasons, also in those that are about to go."""
    found = page.locator("[class*='st-key-docgraph-relationships-reason-'] input")
    return [str(each) for each in found.evaluate_all("all => all.map(field => field.value)")]


def test_a_pane_that_comes_back_with_its_tab_does_not_take_the_cursor(screen: Screen, page: Page) -> None:
    _draft_to_ignore(page)
    page.locator(".st-key-rl-tab-all a").click()
    expect(page.locator(".rl-h2")).to_have_count(0)
    screen.settle()
    page.locator(".st-key-rl-tab-review a").click()
    _holds(page, CLASSES[0])
    _left_alone(screen, page, then=CLASSES[1])


def test_a_pane_that_is_drawn_anew_under_a_filter_does_not_take_the_cursor(screen: Screen, page: Page) -> None:
    _ignore_ahead(page, n=1)
    _holds(page, CLASSES[1])
    screen.settle()
    _draft_to_ignore(page)
    chips = page.locator(".st-key-docgraph-relationships-chip")
    chips.get_by_text("Ignored").click()
    expect(page.locator(".rl-ignoredrow")).to_contain_text(REASON)
    screen.settle()
    chips.get_by_text("Findings", exact=True).click()
    page.keyboard.press("j")  # the pane is on its way: the key waits for it
    _holds(page, CLASSES[2])
    page.keyboard.press("k")
    _holds(page, CLASSES[1])
    _left_alone(screen, page, then=CLASSES[2])


def test_what_is_typed_after_the_key_that_asks_for_a_reason_is_the_reason(
    page: Page, missing: str, app_folder: Path
) -> None:
    import docgraph

    page.keyboard.press("j")  # being drawn while the next keys come
    page.keyboard.press("k")
    _ignore_ahead(page, n=1)
    _holds(page, CLASSES[1])
    assert _cursor(page) != "INPUT"
    with docgraph.connect(data_dir=app_folder, workspace=missing) as opened:
        found = {(each.relationships[0][2], each.reason) for each in opened.rules.dismissals()}
        assert found == {(CLASSES[0], REASON)}
        assert not any(edge.relationship_metadata.get("review") for edge in opened.relationships.list())


def test_two_undos_in_a_row_take_back_two_acts_and_are_typed_nowhere(screen: Screen, page: Page) -> None:
    for n, _ in enumerate(CLASSES[:4], start=1):
        _ignore_ahead(page, n=n)
        _holds(page, CLASSES[n])
    for n in (2, 0):
        page.keyboard.press("u")
        page.keyboard.press("u")
        expect(page.locator(".rl-progress")).to_contain_text(f"{n} of {len(CLASSES)} decided")
        _holds(page, CLASSES[n])
    screen.settle()
    page.wait_for_timeout(LONG_ENOUGH)
    assert _cursor(page) != "INPUT"
    assert {REASON, ""} >= set(_reasons(page)), "a key was typed into a reason"


def test_escape_leaves_the_reason_and_saving_without_one_asks_for_it_once(screen: Screen, page: Page) -> None:
    _draft_to_ignore(page)
    page.keyboard.press("Escape")
    expect(page.locator(SAVE).first).to_be_disabled()
    assert _cursor(page) != "INPUT", "what is typed next is meant for the page"
    page.keyboard.press("j")
    _holds(page, CLASSES[1])
    _draft_to_ignore(page)
    page.keyboard.press("Enter")
    expect(page.locator(".rl-missingreason")).to_be_visible()
    expect(page.get_by_placeholder("Reason (required)")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(SAVE).first).to_be_disabled()
    page.keyboard.press("k")
    _holds(page, CLASSES[0])
    screen.settle()
    page.wait_for_timeout(LONG_ENOUGH)
    assert _cursor(page) != "INPUT"

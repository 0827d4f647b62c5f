"""A queue of thirty decisions worked by keyboard alone in a real browser; a class comes back whole."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from docgraph.domain.graph import Document, Relationship
from tests.e2e.conftest import Screen

if TYPE_CHECKING:
    from playwright.sync_api import Page

WORKSPACE = "deciding"
CLASSES = (
    "almanac",
    "bulletin",
    "catalogue",
    "directory",
    "errata",
    "folio",
    "gazette",
    "handbook",
    "index",
    "journal",
)
SINGLES = ("kettle", "lantern", "mirror", "needle", "orchard", "parcel", "quarry", "ribbon", "saddle", "timber")
LONELY = ("urn", "valley", "whistle", "xylem", "yard", "zephyr", "acorn", "badger", "cedar", "dune")
EACH = 4
N = len(CLASSES) + len(SINGLES) + len(LONELY)
REASON = "printed on paper only"


@pytest.fixture(scope="module")
def deciding(app_folder: Path, app_url: str) -> str:
    """Ten targets that four documents miss each, ten that one misses, ten documents alone, each of its own kind."""
    import docgraph

    notes = [f"note-{number}" for number in range(EACH)]
    documents = [Document(document_id=name, title=name.title(), text=f"Text of {name}.") for name in notes]
    documents += [
        Document(document_id=name, title=name.title(), doc_type=f"kind of {name}", text=f"On its own: {name}.")
        for name in LONELY
    ]
    ends = [(start, "references", target) for target in CLASSES for start in notes]
    ends += [(notes[0], "cites", target) for target in SINGLES]
    ends += [(start, "continues", end) for start, end in pairwise(notes)]
    edges = [Relationship(from_document_id=a, relation_type=via, to_document_id=b) for a, via, b in ends]
    with docgraph.connect(data_dir=app_folder, workspace=WORKSPACE) as opened:
        opened.create_workspace(WORKSPACE)
        opened.ingest_records(documents, edges)
        opened.rules.set({"edge_without_mention": {"on": False}})
        report = opened.check()
    assert len(report.decisions) == N
    assert len(report.findings) == len(CLASSES) * EACH + len(SINGLES) + len(LONELY)
    return WORKSPACE


def _opened(page: Page) -> str:
    return str(page.evaluate("() => document.querySelector('.rl-h2')?.dataset.decision"))


def _decide(page: Page, act: str, *, n: int) -> None:
    """Judge the decision that is open, by its keys alone, and wait for the next one and for ``n`` to be counted."""
    opened = _opened(page)
    page.keyboard.press(act)
    if act == "i":
        # of this decision: that of the one before may still stand beside it for a moment
        expect(page.locator(f".st-key-docgraph-relationships-reason-{opened} input")).to_be_focused()
        page.keyboard.type(REASON)
    page.keyboard.press("Enter")
    expect(page.locator(".rl-progress")).to_contain_text(f"{n} of {N} decided")
    page.wait_for_function("old => document.querySelector('.rl-h2')?.dataset.decision !== old", arg=opened)


def _take_back(page: Page, label: str, *, n: int) -> None:
    """Undo the last act by its key, and wait for its decision and for ``n`` to be counted."""
    page.keyboard.press("u")
    expect(page.locator(".rl-h2")).to_have_text(f"{EACH} × {label}: decided together")
    expect(page.locator(".rl-examplen")).to_have_text(f"Example 1 of {EACH}")
    expect(page.locator(".rl-progress")).to_contain_text(f"{n} of {N} decided")


def test_thirty_decisions_are_worked_by_keyboard_alone_and_a_class_comes_back_whole(
    screen: Screen, deciding: str, app_folder: Path
) -> None:
    import docgraph

    page = screen.open(f"/relationships?workspace={deciding}")
    expect(page.locator(".rl-progress")).to_contain_text(f"0 of {N} decided")
    page.get_by_role("button", name="Editing off").press("Enter")
    expect(page.get_by_label("Your name")).to_be_visible()
    page.get_by_label("Your name").press_sequentially("Mira Holt")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-docgraph-act-ignore button").first).to_be_enabled()
    screen.settle()
    expect(page.locator(".rl-h2")).to_have_text(f"{EACH} × {CLASSES[0]}: decided together")

    page.keyboard.press("j")
    expect(page.locator(".rl-h2")).to_have_text(f"{EACH} × {CLASSES[1]}: decided together")
    page.keyboard.press("k")
    expect(page.locator(".rl-h2")).to_have_text(f"{EACH} × {CLASSES[0]}: decided together")
    page.keyboard.press("x")
    expect(page.locator(".st-key-docgraph-relationships-save button").first).to_be_enabled()
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-docgraph-relationships-save button").first).to_be_disabled()

    for place in range(len(CLASSES)):
        _decide(page, "xi"[place % 2], n=place + 1)
    _take_back(page, CLASSES[9], n=9)  # ignored
    _take_back(page, CLASSES[8], n=8)  # removed
    with docgraph.connect(data_dir=app_folder, workspace=deciding) as opened:
        back = [edge for edge in opened.relationships.list() if edge.to_document_id == CLASSES[8]]
        assert len(back) == EACH
        assert not any(edge.relationship_metadata.get("review") for edge in back)
        ignored = {key[2] for each in opened.rules.dismissals() for key in each.relationships}
        assert ignored == {*CLASSES[1:9:2]}
    for place in (8, 9):
        _decide(page, "xi"[place % 2], n=place + 1)

    for n, _ in enumerate(SINGLES, start=len(CLASSES) + 1):
        _decide(page, "x", n=n)
    for n, _ in enumerate(LONELY, start=len(CLASSES) + len(SINGLES) + 1):
        _decide(page, "i", n=n)
    expect(page.get_by_text("Nothing left to review")).to_be_visible()
    expect(page.locator(".rl-progress")).to_contain_text(f"{N} of {N} decided")
    with docgraph.connect(data_dir=app_folder, workspace=deciding) as opened:
        assert not opened.check().findings
        left = {edge.to_document_id for edge in opened.relationships.list() if edge.relation_type != "continues"}
        assert left == {*CLASSES[1::2]}
        assert len(opened.rules.dismissals()) == len(CLASSES[1::2]) * EACH + len(LONELY)
    page.keyboard.press("u")
    expect(page.locator(".rl-h2")).to_contain_text("Document without relationships")
    expect(page.locator(".rl-progress")).to_contain_text(f"{N - 1} of {N} decided")


def test_a_decision_is_given_away_with_a_day_and_a_comment_and_taken_back(
    screen: Screen, deciding: str, app_folder: Path
) -> None:
    import docgraph

    with docgraph.connect(data_dir=app_folder, workspace=deciding) as opened:
        opened.ingest_records([Document(document_id="loft", title="Loft", text="Alone.", doc_type="kind of loft")])
        decision = next(each for each in opened.check().decisions if "Loft" in each.label)
    page = screen.open(f"/relationships?workspace={deciding}&finding={decision.decision_id}")
    page.get_by_role("button", name="Editing off").press("Enter")
    page.get_by_label("Your name").fill("Mira Holt")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-docgraph-act-ignore button").first).to_be_enabled()
    screen.settle()
    page.get_by_role("button", name="Assign", exact=True).click()
    who = page.get_by_label("Assigned to")
    who.fill("Jonas <b>Brandt</b>")
    who.press("Enter")
    page.get_by_test_id("stDateInput").get_by_role("spinbutton").first.focus()
    page.keyboard.type("20011120")
    page.get_by_label("Comment").click()
    page.keyboard.type("asked the loft team")  # no key of the page: i, j, k, x, t and a are read as text
    page.get_by_role("button", name="Save", exact=True).click()
    said = "Jonas <b>Brandt</b>, overdue since 20 Nov 2001, 1 comment"
    expect(page.locator(".rl-row-open .rl-triage")).to_have_text(said)
    with docgraph.connect(data_dir=app_folder, workspace=deciding) as opened:
        known = {each.decision_id: each.triage for each in opened.check().decisions}
        assert [(each.kind, each.text, each.by) for each in known[decision.decision_id].entries] == [
            ("assigned", "Jonas <b>Brandt</b>", "Mira Holt"),
            ("due", "2001-11-20", "Mira Holt"),
            ("comment", "asked the loft team", "Mira Holt"),
        ]
    page.get_by_label("Owner or assignee").click()
    expect(page.get_by_role("option").filter(has_text="Due")).to_have_count(1)
    page.keyboard.press("Escape")
    screen.settle()
    page.locator(".st-key-rl-title").get_by_role("button", name="Jonas").click()
    page.get_by_role("button", name="Withdraw").first.click()
    expect(page.locator(".rl-row-open .rl-triage")).to_have_text(said.removesuffix(", 1 comment"))


@pytest.mark.parametrize("width", [1280, 1600])
def test_the_chips_of_the_queue_stand_in_one_line(reader: Screen, deciding: str, width: int) -> None:
    """Seven chips with their names wrapped in a queue of 317 pixels; severities are signs there, people a list."""
    page = reader.read(f"/relationships?workspace={deciding}")
    reader.resize(width, 720)
    chips = page.locator(".st-key-docgraph-relationships-chip button")
    expect(chips.first).to_be_visible()
    reader.settle()
    assert len({round(box["y"]) for each in chips.all() if (box := each.bounding_box())}) == 1
    for severity in ("Errors", "Warning", "Info"):
        for each in page.get_by_role("radio", name=severity).all():
            expect(each).to_have_accessible_name(re.compile(severity))

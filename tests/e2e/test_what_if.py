"""Drafts and saved runs in a real browser: a draft changes nothing stored, and links open both as they were."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Screen

if TYPE_CHECKING:
    from playwright.sync_api import Page

QUESTION = "Why do bookings get rejected when the queue is full?"
PLAN = f"/plan?query={quote(QUESTION)}"


def _ready(screen: Screen) -> dict[str, Any]:
    """Everything in the picture: id → its place in the panel and what the draft does to it."""
    page = screen.page
    page.locator('.dg[data-ready="1"]').last.wait_for()
    screen.settle()
    page.wait_for_function("() => !document.querySelector('[data-stale=true]')")
    script = """host => { const it = host.docgraph, found = {}
      for (const node of it.nodes.get()) {
        const lane = node.kind === "seed" ? 1 : node.kind === "expanded" ? 2 : 0, box = it.boxes[lane]
        found[node.id] = { x: box.x + box.w / 2, y: node.y, lane, change: node.change } }
      return found }"""
    return dict(page.locator(".dg").evaluate(script))


def _pixels(page: Page) -> float:
    """Where the graph begins on the screen."""
    box = page.locator(".dg").bounding_box()
    assert box is not None
    return box["x"]


def _double_click(page: Page, place: dict[str, Any]) -> None:
    box = page.locator(".dg .net").bounding_box()
    assert box is not None
    page.mouse.dblclick(box["x"] + place["x"], box["y"] + place["y"])


def _kept_places(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Whoever was there stands where it stood, leaving or not (a seed that is added changes lane)."""
    same = [i for i in before if i in after and after[i]["lane"] == before[i]["lane"]]
    return len(same) >= len(before) - 1 and all(after[i]["y"] == before[i]["y"] for i in same)


def test_a_draft_says_what_it_changes_moves_nobody_and_ends_where_it_began(screen: Screen) -> None:
    page = screen.open(PLAN)
    before, left = _ready(screen), _pixels(page)
    page.locator(".st-key-plan_details summary").first.click()
    page.locator(".st-key-types button", has_text=re.compile("^explains$")).click()
    bar = page.locator(".pl-drafted")
    expect(bar).to_contain_text("explains off")
    expect(bar.locator(".pl-chip")).not_to_have_count(0)
    drafted = _ready(screen)
    assert _kept_places(before, drafted)
    assert {"left", "added"} <= {place["change"] for place in drafted.values()}
    assert _pixels(page) == left
    page.reload()
    assert _ready(screen) == drafted, "the link carries the draft and its base"
    page.get_by_role("button", name="Discard").click()
    expect(bar).to_have_count(0)
    assert _ready(screen) == before
    # One edge, in the panel of the document that it adds.
    page.get_by_role("button", name="Try without this relationship").first.click()
    expect(bar).to_contain_text("1 relationship off")
    expect(page).to_have_url(re.compile("no_edge="))
    assert _kept_places(before, _ready(screen))
    expect(page.locator(".pl-evidence .pl-left-card")).to_be_visible()
    page.get_by_role("button", name="Discard").click()
    expect(bar).to_have_count(0)
    # A double click makes a seed of an expanded document, and of one in a cut list.
    _double_click(page, next(place for place in _ready(screen).values() if place["lane"] == 2))
    expect(bar).to_contain_text("1 match added")
    assert _kept_places(before, _ready(screen))
    page.locator(".dg button.row[aria-label$='not in the plan: why?']").first.dblclick()
    expect(bar).to_contain_text("2 matches added")


def test_a_draft_is_compared_with_its_base_and_the_way_back_brings_it_again(screen: Screen) -> None:
    edge = "design-booking-queue-back-pressure|explains|api-reservations-v3"
    page = screen.open(f"{PLAN}&docs=7&no_edge={quote(edge)}&no_edge=junk&base={quote('?docs=6')}")
    expect(page.locator(".pl-ignored")).to_contain_text("no_edge “junk”")
    expect(page.locator(".pl-drafted")).to_contain_text("1 relationship off, documents 6 → 7")
    drafted = _ready(screen)
    page.get_by_role("link", name="Compare with base").click()
    expect(page).to_have_url(re.compile(r"/compare\?.*baseline=%3Fdocs%3D6"))
    expect(page.locator(".st-key-cp_headrow")).to_contain_text(QUESTION)
    screen.settle()
    page.go_back()
    expect(page.locator(".pl-drafted")).to_contain_text("1 relationship off, documents 6 → 7")
    assert _ready(screen) == drafted


@pytest.fixture
def frozen(app_folder: Any, app_url: str) -> str:
    """The id of a run that was saved compared with the running dashboard."""
    import docgraph
    from docgraph import RetrievalRequest

    with docgraph.connect(data_dir=app_folder, workspace="harbor") as opened:
        return opened.runs.save(RetrievalRequest(query=QUESTION, max_documents=7), name="for the demo").run_id


def test_a_frozen_link_shows_the_same_hash_in_any_browser_and_drafts_leave_it_alone(
    screen: Screen, elsewhere: Screen, frozen: str
) -> None:
    page = screen.open(f"/plan?run={frozen}")
    pictures = [_ready(screen)]
    expect(page.locator(".rn-identity code").first).to_have_text(frozen)
    elsewhere.page.emulate_media(color_scheme="dark")
    elsewhere.open(f"/plan?run={frozen}")
    expect(elsewhere.page.locator(".rn-identity code").first).to_have_text(frozen)
    pictures.append(_ready(elsewhere))
    assert pictures[0] == pictures[1]
    page.get_by_role("button", name=re.compile("^API: Reservations")).first.click()
    page.get_by_role("button", name="Try without this relationship").first.click()
    expect(page.locator(".pl-drafted")).to_contain_text("1 relationship off")
    expect(page).to_have_url(re.compile(f"base={frozen}"))
    assert _kept_places(pictures[0], _ready(screen))
    page.get_by_role("button", name="Discard").click()
    expect(page.locator(".rn-identity code").first).to_have_text(frozen)
    assert _ready(screen) == pictures[0]

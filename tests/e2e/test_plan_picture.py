"""How the plan's picture is looked at in a real browser: zoom, moving, dragging, the overview, and the narrow list."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from docgraph.domain.graph import Document, Relationship, Section
from tests.e2e.conftest import HOSTILE, Screen

if TYPE_CHECKING:
    from playwright.sync_api import Page

QUESTION = "Why do bookings get rejected when the queue is full?"
PLAN = f"/plan?query={quote(QUESTION)}"
LARGE = "/plan?workspace=many&query=signal&docs=60&expanding=20&fan_out=5&chunks=60"
N_SIGNALS, N_RELATED = 60, 24
PICTURE = """host => { const it = host.docgraph, { view } = it, box = it.stage.getBoundingClientRect(), spots = {}
  for (const node of it.nodes.get()) {
    const x = box.x + view.x + node.x * view.scale, y = box.y + view.y + node.y * view.scale
    spots[node.id] = { x, y, kind: node.kind } }
  return { scale: view.scale, x: view.x, y: view.y, moved: [...view.moved.keys()], selected: it.selected, spots,
    left: box.x, top: box.y, width: box.width, height: box.height } }"""


def _open(screen: Screen, path: str = PLAN) -> Page:
    page = screen.open(path)
    page.locator('.dg[data-ready="1"]').last.wait_for()
    screen.settle()
    return page


def _read(reader: Screen, *, last: bool = False) -> Page:
    page = reader.read(PLAN, last=last)
    page.locator('.dg[data-ready="1"]').last.wait_for()
    reader.settle()
    return page


def _open_selected(screen: Screen) -> Page:
    """The plan with its first match selected."""
    page = _open(screen)
    page.locator(".dg").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".st-key-plan_selected .pl-facts").first).to_contain_text("Match, position 1 of")
    screen.settle()
    return page


def _picture(page: Page) -> dict[str, Any]:
    return dict(page.locator(".dg").evaluate(PICTURE))


@pytest.fixture(scope="module")
def many(app_folder: Path) -> None:
    """A workspace whose plans have sixty documents: many about one thing, and what they lead to."""
    import docgraph

    words = [(f"signal-{n:02}", f"Signal {n}", f"The signal {n} is a signal.") for n in range(N_SIGNALS)]
    words += [(f"tide-{n:02}", f"Tide {n}", f"Water comes, {n}.") for n in range(N_RELATED)]
    documents = [
        Document(document_id=i, title=title, sections=(Section(heading_path=(title,), text=text),), source=i)
        for i, title, text in words
    ]
    edges = [
        Relationship(from_document_id=i, relation_type="explains", to_document_id=f"tide-{n % N_RELATED:02}")
        for n, (i, _, _) in enumerate(words[:N_SIGNALS])
    ]
    with docgraph.connect(data_dir=app_folder, workspace="many") as opened:
        opened.create_workspace("many", title="Many")
        opened.ingest_records(documents, edges)


def _other(picture: dict[str, Any], kind: str = "expanded") -> str:
    """A document that is not selected."""
    return next(i for i, spot in picture["spots"].items() if spot["kind"] == kind and i != picture["selected"])


def _below(picture: dict[str, Any], document: str) -> float:
    """How far a document stands below the picture's upper edge: the page itself may have scrolled."""
    return float(picture["spots"][document]["y"] - picture["top"])


def _drag(page: Page, start: dict[str, float], dx: float, dy: float) -> None:
    page.mouse.move(start["x"], start["y"])
    page.mouse.down()
    page.mouse.move(start["x"] + dx, start["y"] + dy, steps=5)
    page.mouse.up()


def _free(picture: dict[str, Any]) -> dict[str, float]:
    """Free ground: in the first lane, below the question."""
    return {"x": picture["left"] + 60, "y": picture["top"] + 380}


def _tool(page: Page, name: str) -> Any:
    return page.locator(".dg").get_by_role("button", name=name)


def test_buttons_and_keys_zoom_in_and_out_and_fit(reader: Screen) -> None:
    """In the end it stands as it did."""
    page = _read(reader)
    expect(page.locator(".dg .hint")).to_have_text("Ctrl + scroll to zoom, drag to move")
    expect(_tool(page, "Fit")).to_be_hidden()
    expect(_tool(page, "Reset")).to_be_hidden()
    _tool(page, "Zoom in").click()
    assert _picture(page)["scale"] == 1.25
    page.locator(".dg").focus()
    page.keyboard.press("+")
    assert _picture(page)["scale"] == pytest.approx(1.25**2)
    page.keyboard.press("-")
    page.keyboard.press("-")
    assert _picture(page)["scale"] == 1
    page.keyboard.press("-")
    assert _picture(page)["scale"] == 0.8
    page.keyboard.press("0")
    assert _picture(page)["scale"] == 1
    _tool(page, "Zoom in").click()
    _tool(page, "Fit").click()
    expect(_tool(page, "Fit")).to_be_hidden()
    assert _picture(page)["scale"] == 1


def test_a_document_that_is_dragged_stays_over_a_rerun_and_returns_on_reset(reader: Screen) -> None:
    page = _read(reader, last=True)
    before = _picture(page)
    wanted = _other(before)
    home = before["spots"][wanted]
    _drag(page, home, -50, 90)
    dragged = _picture(page)
    assert dragged["spots"][wanted]["x"] == pytest.approx(home["x"] - 50, abs=1)
    assert _below(dragged, wanted) == pytest.approx(_below(before, wanted) + 90, abs=1)
    _tool(page, "Zoom in").click()
    held = _picture(page)
    page.locator(".dg .link", has_text="more").first.click()  # a list unfolds: the same plan, drawn anew
    expect(page.locator(".dg .link", has_text="fewer")).to_be_visible()
    after = _picture(page)
    assert (after["scale"], after["moved"]) == (1.25, [wanted])
    assert after["spots"][wanted]["x"] == held["spots"][wanted]["x"]
    assert _below(after, wanted) == pytest.approx(_below(held, wanted))
    _tool(page, "Reset").click()
    now = _picture(page)
    assert now["spots"][wanted]["x"] == home["x"]
    assert _below(now, wanted) == pytest.approx(_below(before, wanted))
    expect(_tool(page, "Reset")).to_be_hidden()


def test_the_wheel_zooms_at_the_pointer_with_ctrl_and_scrolls_the_page_without(screen: Screen) -> None:
    page = _open_selected(screen)
    before = _picture(page)
    spot = before["spots"][before["selected"]]
    page.mouse.move(spot["x"], spot["y"])
    page.keyboard.down("Control")
    page.mouse.wheel(0, -60)
    page.keyboard.up("Control")
    page.wait_for_function(
        "() => document.querySelector('.stBidiComponent [data-testid=stBidiComponentIsolated]')"
        ".shadowRoot.querySelector('.dg').docgraph.view.scale > 1"
    )
    after = _picture(page)
    now = after["spots"][after["selected"]]
    assert abs(now["x"] - spot["x"]) < 2
    assert abs(now["y"] - spot["y"]) < 2
    page.mouse.wheel(0, 120)
    page.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollTop > 0")
    assert _picture(page)["scale"] == after["scale"]


def test_a_document_is_selected_where_it_stands_when_the_picture_is_zoomed_and_moved(screen: Screen) -> None:
    page = _open(screen)
    page.locator(".dg").focus()
    page.keyboard.press("+")
    page.keyboard.press("+")
    before = _picture(page)
    _drag(page, _free(before), -40, -30)
    moved = _picture(page)
    assert (moved["x"], moved["y"]) == (pytest.approx(before["x"] - 40), pytest.approx(before["y"] - 30))
    assert moved["selected"] == before["selected"], "the end of a drag is no click"
    page.locator(".dg").focus()
    page.keyboard.press("Shift+ArrowLeft")
    assert _picture(page)["x"] == pytest.approx(moved["x"] + 60)
    picture = _picture(page)
    wanted = next(
        i
        for i, spot in picture["spots"].items()
        if spot["kind"] == "seed"
        and picture["top"] + 10 < spot["y"] < 640
        and spot["x"] < picture["left"] + picture["width"]
    )
    page.mouse.click(picture["spots"][wanted]["x"], picture["spots"][wanted]["y"])
    assert _picture(page)["selected"] == wanted
    expect(page.locator(".st-key-plan_selected .pl-facts").first).to_contain_text("Match,")


def test_another_plan_begins_afresh(screen: Screen) -> None:
    page = _open(screen)
    before = _picture(page)
    _drag(page, before["spots"][_other(before)], -50, 90)
    _tool(page, "Zoom in").click()
    page.get_by_label("Question").fill("What is a hold?")
    page.keyboard.press("Control+Enter")
    screen.asked("What is a hold?")
    after = _picture(page)
    assert (after["scale"], after["x"], after["moved"]) == (1, 0, [])


def test_the_selected_document_is_dragged_by_keys_too(screen: Screen) -> None:
    page = _open_selected(screen)
    before = _picture(page)
    page.locator(".dg").focus()
    page.keyboard.press("Alt+Shift+ArrowDown")
    after = _picture(page)
    chosen = before["selected"]
    assert after["moved"] == [chosen]
    assert _below(after, chosen) == pytest.approx(_below(before, chosen) + 12)


@pytest.mark.usefixtures("many")
def test_sixty_documents_are_an_overview_from_which_a_click_leads_in(screen: Screen) -> None:
    page = _open(screen, LARGE)
    picture = _picture(page)
    assert picture["scale"] < 1
    assert len(page.locator(".dg").evaluate("host => host.docgraph.data.leads")) > 10
    assert picture["top"] + picture["height"] <= 720, "the whole picture is in sight"
    fonts = page.locator(".dg").evaluate("h => h.docgraph.least * h.docgraph.view.scale")
    assert fonts >= 10.99, "no text is smaller than 11 pixels"
    tools = page.locator(".dg .bar").bounding_box()
    assert tools is not None
    assert all(spot["y"] < tools["y"] for spot in picture["spots"].values()), "the controls cover no document"
    wanted = _other(picture)
    page.mouse.click(picture["spots"][wanted]["x"], picture["spots"][wanted]["y"])
    assert _picture(page)["selected"] == wanted
    assert _picture(page)["scale"] == picture["scale"], "a click on a document selects it"
    group = page.locator(".dg").evaluate(
        """host => { const it = host.docgraph, group = it.data.groups[it.data.groups.length - 1], { scale } = it.view
          const box = it.stage.getBoundingClientRect()
          return { x: box.x + (it.boxes[2].x - 30) * scale, y: box.y + group.y * scale, middle: group.y } }"""
    )
    page.mouse.click(group["x"], group["y"])
    full = _picture(page)
    assert full["scale"] == 1
    assert 48 < full["top"] + group["middle"] < 720, "the group is in sight at full size"
    page.locator(".dg").focus()
    page.keyboard.press("0")
    assert _picture(page)["scale"] == picture["scale"]


@pytest.mark.parametrize(
    ("width", "height", "ratio"), [(390, 844, 1), (640, 360, 2)], ids=["phone", "zoomed to 200 percent"]
)
def test_a_narrow_window_has_a_list_of_matches_and_what_each_leads_to(
    screen: Screen, width: int, height: int, ratio: int
) -> None:
    page = screen.page
    page.set_viewport_size({"width": width, "height": height})
    page = _open(screen)
    wide = page.locator(".dg").evaluate("host => [host.scrollWidth, host.clientWidth]")
    assert wide[0] <= wide[1], "nothing scrolls sideways"
    expect(page.locator(".dg .stage")).to_be_hidden()
    drawn = page.locator(".dg").evaluate(
        """host => ({ seeds: host.docgraph.data.nodes.filter(node => node.kind === "seed").map(node => node.id),
          leads: host.docgraph.data.leads.map(lead => [lead.from, lead.type, lead.to]),
          cut: host.docgraph.data.blocks.map(block => block.head) })"""
    )
    listed = page.locator(".dg .matches").first.evaluate(
        """list => [...list.children].map(item => [item.querySelector(".entry").dataset.id,
          [...item.querySelectorAll(".leads > li")].map(lead =>
            [lead.querySelector(".type").textContent, lead.querySelector(".entry").dataset.id])])"""
    )
    assert [seed for seed, _ in listed] == drawn["seeds"]
    assert [[seed, *lead] for seed, leads in listed for lead in leads] == drawn["leads"]
    assert [block.inner_text() for block in page.locator(".dg .block .bhead .title").all()] == drawn["cut"]
    entry = page.locator(".dg .leads .entry").last
    entry.click()
    expect(entry).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".st-key-plan_selected .pl-facts").first).to_contain_text("Related,")
    entry.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator(".dg .via[aria-pressed=true]")).to_have_count(1)
    expect(page.locator(".st-key-plan_selected")).to_contain_text("Relationship, 1 hop, outgoing")


def test_a_list_becomes_lanes_again_with_the_same_selection_when_there_is_room(screen: Screen) -> None:
    page = _open_selected(screen)
    chosen = _picture(page)["selected"]
    page.set_viewport_size({"width": 390, "height": 844})
    pressed = page.locator(".dg .entry[aria-pressed=true]").first
    expect(pressed).to_have_attribute("data-id", chosen)
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(page.locator(".dg .net canvas")).to_be_visible()
    assert _picture(page)["selected"] == chosen


def test_hostile_titles_are_text_in_the_list(screen: Screen) -> None:
    page = screen.page
    page.set_viewport_size({"width": 390, "height": 844})
    page = _open(screen, "/plan?workspace=hostile&query=everything")
    expect(page.locator(".dg .entry").first).to_be_visible()
    texts = page.locator(".dg .entry .name").all_inner_texts()
    assert any(HOSTILE["script"] in text for text in texts)
    assert page.locator(".dg").evaluate("host => host.querySelectorAll('script, img, .list style').length") == 0


def test_both_plans_of_a_comparison_are_a_list_on_a_phone(screen: Screen) -> None:
    page = screen.page
    page.set_viewport_size({"width": 390, "height": 844})
    page = screen.open(f"/compare?query={quote(QUESTION)}")
    page.locator('.ul[data-ready="1"]').last.wait_for()
    wide = page.locator(".ul").evaluate("host => [host.scrollWidth, host.clientWidth]")
    assert wide[0] <= wide[1], "nothing scrolls sideways"
    related = page.locator(".ul .stack .leads .box").first
    expect(related).to_be_visible()
    related.click()
    expect(related).to_have_attribute("aria-pressed", "true")

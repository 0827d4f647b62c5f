"""The Plan page in a real browser: the graph's clicks and keys, the switch to MS3, shared links, hostile text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from playwright.sync_api import expect

from tests.e2e.conftest import HOSTILE, Screen

if TYPE_CHECKING:
    from playwright.sync_api import Page

QUESTION = "Why do bookings get rejected when the queue is full?"
PLAN = f"/plan?query={quote(QUESTION)}"
Boxes = dict[str, dict[str, float]]


def _open(screen: Screen, path: str = PLAN) -> Page:
    page = screen.open(path)
    page.locator('.dg[data-ready="1"]').last.wait_for()
    return page


def _read(reader: Screen, *, last: bool = False) -> Page:
    page = reader.read(PLAN, last=last)
    page.locator('.dg[data-ready="1"]').last.wait_for()
    return page


def _open_details(page: Page) -> None:
    page.locator(".st-key-plan_details summary").first.click()
    expect(page.locator(".st-key-plan_settings")).to_be_visible()


def _documents(page: Page) -> Boxes:
    """Node id → the middle of its card and its height in the panel, as the canvas draws it."""
    script = """host => { const it = host.docgraph, found = {}
      for (const node of it.nodes.get()) {
        const lane = node.kind === "seed" ? 1 : node.kind === "expanded" ? 2 : 0, box = it.boxes[lane]
        found[node.id] = { x: box.x + box.w / 2, y: node.y, lane } }
      return found }"""
    return dict(page.locator(".dg").evaluate(script))


def _lines(page: Page) -> list[dict[str, float | str]]:
    script = """host => { const it = host.docgraph
      return it.edges.get().filter(e => e.kind === "edge" && !e.route.aside)
        .map(e => ({ id: e.ids[0], type: e.label, x: it.boxes[2].x - 40, y: e.route.to_y, to: e.to })) }"""
    return list(page.locator(".dg").evaluate(script))


def _click(page: Page, x: float, y: float) -> None:
    box = page.locator(".dg .net").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + x, box["y"] + y)


def _selected(page: Page) -> str | None:
    return page.locator(".dg").evaluate("host => host.docgraph.selected")


def _select_first_related(page: Page) -> None:
    box = next(d for d in _documents(page).values() if d["lane"] == 2)
    _click(page, box["x"], box["y"])
    expect(page.locator(".st-key-plan_selected .pl-facts").first).to_contain_text("Related,")


def test_a_click_on_a_document_shows_all_its_reasons(screen: Screen) -> None:
    page = _open(screen)
    target = next(d for d in _documents(page).items() if d[1]["lane"] == 2 and d[0] != _selected(page))
    title = page.locator(".dg").evaluate("(host, id) => host.docgraph.nodes.get(id).label", target[0])
    _click(page, target[1]["x"], target[1]["y"])
    expect(page.locator(".st-key-plan_selected .pl-title")).to_have_text(title)
    expect(page.locator(".st-key-plan_selected .pl-reason").first).to_be_visible()


def test_a_click_on_an_edge_shows_where_it_comes_from(screen: Screen) -> None:
    page = _open(screen)
    line = _lines(page)[0]
    _click(page, float(line["x"]), float(line["y"]))
    expect(page.locator(".st-key-plan_selected .pl-title")).to_have_text(str(line["type"]))
    expect(page.locator(".st-key-plan_selected")).to_contain_text("Relationship, 1 hop, outgoing")


def test_the_graph_works_by_keyboard_alone(screen: Screen) -> None:
    page = _open(screen)
    page.locator(".dg").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".st-key-plan_selected .pl-facts")).to_contain_text("Match, position 1 of")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".st-key-plan_selected")).to_contain_text("Relationship, 1 hop, outgoing")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".st-key-plan_selected .pl-facts").first).to_contain_text("Related,")
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-plan_selected")).to_contain_text("What is read")


def test_escape_clears_wherever_the_focus_is_but_where_something_else_takes_it(screen: Screen) -> None:
    page = _open(screen)
    _select_first_related(page)
    question = page.get_by_label("Question")
    question.focus()
    page.keyboard.press("Escape")
    more = page.get_by_role("button", name="Left out")
    more.click()
    page.get_by_test_id("stPopoverBody").wait_for()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
    screen.settle()
    assert _selected(page) is not None, "what is typed in, or closed, is not the selection"
    more.focus()
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-plan_selected")).to_contain_text("What is read")


def test_looking_without_relationships_and_back_moves_no_match(screen: Screen) -> None:
    page = _open(screen)
    before = _documents(page)
    page.get_by_role("radio", name="Without").click()
    expect(page.locator(".pl-sentence")).to_contain_text("Relationships are switched off")
    screen.settle()
    page.wait_for_function("() => !document.querySelector('[data-stale=true]')")
    without = _documents(page)
    seeds = {i for i, d in before.items() if d["lane"] == 1}
    stayed = {i for i, d in without.items() if d["lane"] == 1} & seeds
    assert stayed
    assert all(without[i] == before[i] for i in stayed)
    page.get_by_role("radio", name="With", exact=True).click()
    expect(page.locator(".pl-sentence")).to_contain_text("related to")
    screen.settle()
    assert _documents(page) == before


def test_the_cut_list_answers_why_not_and_lets_the_next_one_in(screen: Screen) -> None:
    page = _open(screen)
    n_before = len(_documents(page))
    page.locator(".dg button.row[aria-label$='not in the plan: why?']").first.click()
    expect(page.locator(".st-key-plan_why_not")).to_contain_text("Not in the plan:")
    page.locator(".dg .link", has_text="Raise limit to 7").click()
    expect(page).to_have_url(re.compile("docs=7"))
    page.wait_for_function(
        "n => document.querySelector('.stBidiComponent [data-testid=stBidiComponentIsolated]')"
        ".shadowRoot.querySelector('.dg').docgraph.nodes.length > n",
        arg=n_before,
    )


def test_switching_a_type_off_strikes_its_edges_out(screen: Screen) -> None:
    page = _open(screen)
    gone = str(_lines(page)[0]["type"])
    _open_details(page)
    page.locator(".st-key-types button", has_text=re.compile(f"^{gone}$")).click()
    expect(page).to_have_url(re.compile("types="))
    screen.settle()
    page.wait_for_function(
        "type => document.querySelector('.stBidiComponent [data-testid=stBidiComponentIsolated]')"
        ".shadowRoot.querySelector('.dg').docgraph.edges.get().filter(edge => edge.label === type)"
        ".every(edge => edge.change === 'off')",
        arg=gone,
    )


def test_a_shared_link_opens_the_same_plan(screen: Screen) -> None:
    page = _open(screen, PLAN + "&stage=MS5&docs=8&seeds=5&tab=Trace")
    expect(page.get_by_label("Documents in total", exact=True)).to_have_value("8")
    expect(page.locator(".pl-trace")).to_contain_text("embed query")
    page.goto(page.url.replace("&details=Trace", ""))
    page.locator('.dg[data-ready="1"]').last.wait_for()
    expect(page.locator(".pl-differs")).to_have_text("8 documents · 5 matches")
    expect(page.get_by_label("Documents in total", exact=True)).to_be_hidden()


def test_table_and_graph_share_one_selection(screen: Screen) -> None:
    page = _open(screen)
    page.get_by_role("radio", name=re.compile("^Table")).click()
    table = page.locator(".st-key-docgraph-plan-table canvas").first
    expect(table).to_be_visible()
    screen.settle()
    box = table.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 16, box["y"] + 35 + 16)
    expect(page.locator(".st-key-plan_selected .pl-facts").first).to_contain_text("Match, position 1 of")
    screen.settle()
    assert _selected(page) == next(i for i, d in _documents(page).items() if d["lane"] == 1)


def test_the_question_is_built_with_control_enter(screen: Screen) -> None:
    page = screen.open("/plan")
    page.get_by_label("Question").fill("What is a hold?")
    page.keyboard.press("Control+Enter")
    expect(page).to_have_url(re.compile("query=What"))
    expect(page.locator(".pl-sentence")).to_contain_text("will be read")


def test_hovering_keeps_neighbours_and_dims_the_rest(reader: Screen) -> None:
    page = _read(reader)
    line = _lines(page)[0]
    target = _documents(page)[str(line["to"])]
    box = page.locator(".dg .net").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + target["x"], box["y"] + target["y"])
    expect(page.locator(".dg")).to_have_class(re.compile("dim"))
    near = page.locator(".dg").evaluate("host => [...host.docgraph.near]")
    assert {str(line["to"]), "query"} <= set(near)
    assert len(near) < len(_documents(page)) + len(_lines(page))


def test_from_the_question_to_the_graph_it_is_a_few_presses_of_tab(reader: Screen) -> None:
    page = _read(reader)
    page.get_by_label("Question").focus()
    inside = "() => document.activeElement.shadowRoot?.activeElement?.classList.contains('dg') ?? false"
    for _ in range(8):
        page.keyboard.press("Tab")
        if page.evaluate(inside):
            break
    assert page.evaluate(inside)


SIZES = ((1280, 720), (1600, 1000), (1024, 768), (390, 844), (320, 640))


def test_nothing_is_wider_than_the_screen(reader: Screen) -> None:
    """Also with the drawer open, and in a window as narrow as WCAG 1.4.10 asks for."""
    page = _read(reader, last=True)
    main = "() => document.querySelector('[data-testid=stMain]').scrollWidth"
    for width, height in SIZES:
        reader.resize(width, height)
        assert page.evaluate(main) <= width, "with the drawer closed"
    _open_details(page)
    for width, height in SIZES[::-1]:
        reader.resize(width, height)
        assert page.evaluate(main) <= width
        strip = page.locator(".pl-contract")
        assert strip.evaluate("strip => strip.scrollWidth <= strip.clientWidth"), f"at {width} the checks are cut off"


def test_the_drawer_stays_open_while_its_settings_are_changed_and_works_by_keyboard(screen: Screen) -> None:
    page = _open(screen)
    page.locator(".st-key-plan_details summary").first.focus()
    page.keyboard.press("Enter")
    documents = page.get_by_label("Documents in total", exact=True)
    expect(documents).to_be_visible()
    documents.fill("4")
    documents.press("Enter")
    expect(page).to_have_url(re.compile("docs=4"))
    expect(page.locator(".pl-differs")).to_have_text("4 documents")
    expect(documents).to_be_visible()
    page.get_by_role("button", name="Reset", exact=True).click()
    expect(page.locator(".pl-differs")).to_have_text("Default settings")
    expect(page).not_to_have_url(re.compile("docs="))


def test_the_change_is_drawn_with_what_enters_and_what_leaves(screen: Screen) -> None:
    page = _open(screen)
    page.get_by_role("radio", name="Change").click()
    expect(page).to_have_url(re.compile("display=Change"))
    entered = page.locator(".ul button", has_text=re.compile("."))
    expect(entered.first).to_be_visible()
    page.reload()
    expect(page.get_by_role("radio", name="Change")).to_be_checked()
    expect(page.locator(".ul")).to_be_visible()


def test_hostile_documents_are_shown_as_text_in_every_panel(screen: Screen) -> None:
    page = _open(screen, f"/plan?workspace=hostile&docs={len(HOSTILE)}&query={quote('The text of the image link')}")
    expect(page.locator(".pl-card")).to_have_count(len(HOSTILE))
    _open_details(page)
    for tab in ("Context", "Plan JSON", "Trace"):
        page.locator(".st-key-details button", has_text=tab).click()
        expect(page).to_have_url(re.compile("details=" + tab.replace(" ", ".+")))
        screen.settle()
        assert page.locator(".stMain img, .stMain script, .pl-chunks a, .pl-evidence svg").count() == 0, tab
    page.get_by_role("radio", name=re.compile("^Table")).click()
    expect(page.locator(".st-key-docgraph-plan-table canvas").first).to_be_visible()


def test_a_filter_is_written_shown_shared_by_its_address_and_taken_away(screen: Screen) -> None:
    page = _open(screen)
    _open_details(page)
    page.locator(".pl-filterable summary").click()
    expect(page.locator(".pl-fields")).to_contain_text("status")
    box = page.locator(".st-key-where input").first
    box.fill("status=live")
    box.press("Enter")
    expect(page).to_have_url(re.compile("where=status%3Dlive"))
    expect(page.locator(".pl-differs")).to_have_text("filter status=live")
    screen.settle()
    shared = page.url
    page.goto(shared)
    expect(page.locator(".pl-differs")).to_have_text("filter status=live")
    _open_details(page)
    page.locator(".st-key-where [aria-label^='Remove']").first.click()
    expect(page).not_to_have_url(re.compile("where="))
    expect(page.locator(".pl-differs")).to_have_text("Default settings")

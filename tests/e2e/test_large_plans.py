"""A plan of many documents in a real browser: the page scrolls, lines of several edges are clicked through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Screen

if TYPE_CHECKING:
    from playwright.sync_api import Page

QUESTION = "Why do bookings get rejected when the queue is full?"
PLAN = f"/plan?query={quote(QUESTION)}&docs=30&expanding=6&fan_out=5&chunks=40"
LITERAL = f"/plan?query={quote('Why was the old queue replaced?')}&preset=literal"


def _spots(page: Page) -> dict[str, Any]:
    """Node id → what a reader sees of it: left edge, middle, bar and score."""
    script = """host => { const it = host.docgraph
      return Object.fromEntries(it.nodes.get().filter(n => n.kind === "seed")
        .map(n => [n.id, [it.boxes[1].x, it.boxes[1].w, n.y, n.bar, n.score]])) }"""
    return dict(page.locator(".dg").evaluate(script))


def _read(reader: Screen, *, last: bool = False) -> Page:
    page = reader.read(PLAN, last=last)
    page.locator('.dg[data-ready="1"]').last.wait_for()
    return page


@pytest.mark.parametrize("size", [(1280, 720), (1600, 1000)])
def test_the_page_scrolls_and_nothing_in_it_does(reader: Screen, size: tuple[int, int]) -> None:
    page = _read(reader)
    reader.resize(*size)
    tall, wide = (
        page.locator(".dg").evaluate(f"host => [host.scroll{name}, host.client{name}]") for name in ("Height", "Width")
    )
    assert tall[0] <= tall[1]
    assert wide[0] <= wide[1]
    said = page.locator(".pl-sentence").evaluate("e => [e.scrollWidth, e.clientWidth]")
    assert said[0] <= said[1], "the whole sentence is in sight"


def test_switching_relationships_off_moves_no_seed_and_changes_no_bar(reader: Screen) -> None:
    page = _read(reader, last=True)
    before = _spots(page)
    page.get_by_role("radio", name="Without").click()
    expect(page.locator(".pl-sentence")).to_contain_text("Relationships are switched off")
    page.wait_for_function(
        "() => !document.querySelector('.stBidiComponent [data-testid=stBidiComponentIsolated]')"
        ".shadowRoot.querySelector('.dg').docgraph.nodes.get().some(node => node.kind === 'expanded')"
    )
    after = _spots(page)
    kept = before.keys() & after.keys()
    assert len(kept) > 5
    assert {i: after[i] for i in kept} == {i: before[i] for i in kept}


def test_clicks_on_a_line_of_several_edges_select_one_after_the_other(screen: Screen) -> None:
    page = screen.open(LITERAL)
    page.locator('.dg[data-ready="1"]').last.wait_for()
    group = page.locator(".dg").evaluate(
        """host => { const it = host.docgraph
          const main = group => group.lines.map(id => it.edges.get(id)).find(line => line.main)
          const one = it.data.groups.find(group => main(group).targets.length > 1), line = main(one)
          return { x: it.boxes[2].x - 20, y: one.y, ids: line.ids } }"""
    )
    page.locator(".st-key-plan_picture").evaluate("picture => picture.scrollIntoView()")
    seen = []
    for _ in group["ids"]:
        page.locator(".dg .net").click(position={"x": group["x"], "y": group["y"]})
        expect(page.locator(".st-key-plan_selected .pl-edge")).to_be_visible()
        seen.append(page.locator(".dg").evaluate("host => host.docgraph.selected"))
        page.wait_for_timeout(600)  # two clicks in half a second are a double click
    assert seen == group["ids"]

"""Presenter mode in a real browser, by keyboard alone: the demo from the start screen to the verdict and back out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Page, expect

import docgraph
from docgraph.domain.comparison import Comparison
from tests.e2e.conftest import HOSTILE, Screen

BOXES = """() => Object.fromEntries([...document.querySelectorAll('.dgp-box:not(.dgp-is-related)')]
  .map(e => [e.dataset.document, JSON.stringify(e.getBoundingClientRect())]))"""
OVERFLOW = """() => { const main = document.querySelector('.stMain')
  const out = [...document.querySelectorAll('.dgp-stage *, .st-key-dgp button')].filter(e => {
    const r = e.getBoundingClientRect(); return r.width && (r.right > innerWidth + 1 || r.bottom > innerHeight + 1) })
  return [document.documentElement.scrollHeight <= innerHeight, main.scrollHeight <= innerHeight,
    main.scrollWidth <= innerWidth, out.map(e => e.className)] }"""


def press(screen: Screen, key: str, selector: str) -> Page:
    """Press a key wherever the focus is (once it is listened to), and wait for what it leads to."""
    screen.listens_to(key)
    screen.page.keyboard.press(key)
    expect(screen.page.locator(selector).first).to_be_visible()
    screen.settle()
    return screen.page


def step(n: int) -> str:
    return f'.dgp-stage[data-step="{n}"]'


def fits(page: Page) -> bool:
    found = page.evaluate(OVERFLOW)
    assert found == [True, True, True, []], json.dumps(found)
    return True


def test_the_demo_runs_by_keyboard_alone_and_nothing_scrolls(screen: Screen) -> None:
    page = screen.open("/?present=1")
    assert page.locator('[data-testid="stHeader"]').is_hidden()
    expect(page.locator(".dgp-card")).to_have_count(6)
    assert fits(page)
    press(screen, "1", step(1))
    expect(page.locator(".dgp-h1")).to_have_text(re.compile(r"Without relationships: \d+ documents?, \d+ passages?\."))
    before = page.evaluate(BOXES)
    assert fits(page)
    press(screen, "ArrowRight", step(2))
    expect(page).to_have_url(re.compile("step=2"))
    after = page.evaluate(BOXES)
    assert before.items() <= after.items(), "what was found stays at its pixel"
    chosen = page.locator(".dgp-is-related.on > span").nth(1).inner_text()
    expect(page.locator(".dgp-why")).to_contain_text("and this passage is now read")
    expect(page.locator(".dgp-why q b")).to_have_text(chosen)  # the sentence that names it
    assert fits(page)
    press(screen, "PageDown", step(3))
    expect(page.locator(".dgp-h1")).to_contain_text("Relationships add ")
    expect(page.locator(".dgp-facts")).to_contain_text("Checks passed: 9 of 9")
    assert fits(page)
    press(screen, "Enter", ".dgp-paper blockquote")
    assert fits(page)
    page.keyboard.press("ArrowLeft")
    press(screen, "Escape", ".cp-head, .dg-h1, .dg-h2")  # typed ahead: it waits for the step before it, and is not lost
    expect(page).to_have_url(re.compile(r"/(compare|plan)\?.*query=Why"))
    assert "present" not in page.url


def test_every_sentence_of_the_demo_says_the_numbers_of_the_api(screen: Screen, app_folder: Path) -> None:
    """Three minutes: the samples one after the other, every step, each number read off the stage and counted anew."""
    with docgraph.connect(data_dir=app_folder, workspace="harbor") as opened:
        page = screen.open("/?present=1")
        questions = page.locator(".dgp-card p").all_inner_texts()
        outcomes = page.locator(".dgp-card small").all_inner_texts()
        assert any("same result" in outcome for outcome in outcomes)
        for n, (question, outcome) in enumerate(zip(questions, outcomes, strict=True)):
            made = opened.compare(question)
            press(screen, "1" if n == 0 else "n", step(1))
            expect(page.locator(".dgp-question")).to_have_text(question)
            a = made.a.run
            assert numbers(page, ".dgp-h1") == [len(a.plan.document_ids), a.context.n_chunks]
            press(screen, "ArrowRight", step(2))
            _second_step(page, made)
            press(screen, "ArrowRight", step(3))
            _third_step(page, made, outcome)
            assert fits(page)


def numbers(page: Page, selector: str) -> list[int]:
    """The numbers that a sentence says, in order; ``no`` counts as 0. What it says of the passage has none."""
    lines = page.locator(selector).first.inner_text().splitlines()
    text = "\n".join(line for line in lines if not line.startswith("The answering passage"))
    return [
        0 if n in ("no", "none") else int(n.replace(",", "")) for n in re.findall(r"\b(?:no|none|\d[\d,]*)\b", text)
    ]


def _second_step(page: Page, made: Comparison) -> None:
    plans = made.a.run.plan, made.b.run.plan
    heads = [re.findall(r"\d+", text) for text in page.locator(".dgp-lane em").all_inner_texts()]
    for head, lane in zip(heads, ("seed_documents", "expanded_documents"), strict=False):
        assert [int(n) for n in head] == [len(getattr(plan, lane)) for plan in plans]
    assert page.locator(".dgp-is-related").count() == min(len(plans[1].expanded_documents), 4)
    if not made.identical:
        assert numbers(page, ".dgp-facts")[:2] == [len(made.documents_with(c)) for c in ("added", "left")]


def _third_step(page: Page, made: Comparison, outcome: str) -> None:
    if made.identical:
        expect(page.locator(".dgp-h1")).to_contain_text("as promised")
        return
    moved = [len(made.documents_with("added")), len(made.documents_with("left"))]
    before, after, n = (sum(d.in_a for d in made.relevant), sum(d.in_b for d in made.relevant), len(made.relevant))
    headline = numbers(page, ".dgp-h1")
    assert headline[-2:] == moved if any(moved) else True
    assert numbers(page, ".dgp-facts")[:2] == moved
    for column, change in ((0, "added"), (1, "left")):
        said = page.locator(".dgp-hd em").nth(column).inner_text()
        found = [0 if x == "no" else int(x) for x in re.findall(r"no|\d+", said)]
        assert found == [len(made.documents_with(change)), len(made.chunks_with(change))]  # type: ignore[arg-type]
    assert page.locator(".dgp-read").count() == min(n, 5) + 1
    assert headline[:1] == ([len(made.lost)] if made.lost else [after])
    assert outcome.startswith(f"{before} → {after} of {n} relevant documents read")


def test_the_second_sample_changes_nothing_and_keys_leave_typing_alone(screen: Screen) -> None:
    page = screen.open("/?present=1")
    card = page.locator(".dgp-card").filter(has_text="same result").locator("kbd").inner_text()
    press(screen, card, step(1))
    press(screen, " ", step(2))
    press(screen, "ArrowRight", step(3))
    expect(page.locator(".dgp-h1")).to_contain_text("as promised")
    assert fits(page)
    press(screen, "n", step(1))
    press(screen, "Home", ".dgp-start h1")
    box = page.get_by_label("Question")
    box.click()
    page.keyboard.type("one 1 n queue")
    expect(box).to_have_value("one 1 n queue")
    expect(page.locator(".dgp-start h1")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".dgp-question")).to_have_text("one 1 n queue")


def test_the_stage_grows_with_the_window_and_shows_hostile_text_as_text(screen: Screen) -> None:
    page = screen.open(f"/?present=1&workspace=hostile&step=2&query={quote(HOSTILE['everything'])}")
    expect(page.locator(".dgp-question")).to_have_text(HOSTILE["everything"])
    assert page.locator(".dgp-stage img, .dgp-stage script, .dgp-stage a").count() == 0
    assert fits(page)
    page.set_viewport_size({"width": 1600, "height": 1000})
    assert page.locator(".dgp-h1").evaluate("e => getComputedStyle(e).fontSize") == "60px"
    assert fits(page)
    press(screen, "ArrowRight", step(3))
    assert fits(page)

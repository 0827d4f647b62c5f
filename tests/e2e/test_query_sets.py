"""A query set in a real browser: run, stopped, gone on with, filtered, walked through by keyboard."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import docgraph
from docgraph.domain.query_set import JudgedQuery
from tests.e2e.conftest import Screen

pytest.importorskip("playwright.sync_api", reason="no browser tests: pip install playwright")

from playwright.sync_api import expect

SET, LONG = "asked in a browser", "too many to wait for"
QUESTIONS = [
    {"query": "What keeps a hold from being used twice?", "grades": {"adr-016": 2}},
    {
        "query": "Why is the queue limited to 400 bookings per route?",
        "grades": {"adr-011": 2, "api-reservations-v3": 2},
    },
    {"query": "May I repeat a call with the same key and get the same answer?", "grades": {"adr-016": 2}},
    {"query": "Who feeds the cat?"},
]


def number(text: str) -> int:
    """The first number in a text."""
    found = re.search(r"\d[\d,]*", text)
    assert found is not None, text
    return int(found[0].replace(",", ""))


def test_a_set_is_run_walked_through_by_keyboard_and_opened_in_compare(screen: Screen, app_folder: Path) -> None:
    with docgraph.connect(data_dir=app_folder, workspace="harbor") as opened:
        opened.query_sets.keep(QUESTIONS, name=SET)
    page = screen.open(f"/query_sets?workspace=harbor&set={SET}")
    page.get_by_role("button", name="Evaluate", exact=True).click()
    expect(page.locator(".qs-sentence")).to_contain_text("1 is not judged")
    expect(page.get_by_role("button", name="Evaluate again")).to_be_visible()
    opened_row = page.locator(".qs-row-open .qs-q")  # two of them for a moment: the one before goes when all is drawn
    expect(opened_row).to_have_count(1)
    first = opened_row.inner_text()
    screen.press("j")
    expect(opened_row.filter(has_text=first)).to_have_count(0)
    expect(opened_row).to_have_count(1)
    screen.press("k")
    expect(opened_row.filter(has_text=first)).to_have_count(1)
    expect(opened_row).to_have_count(1)
    page.get_by_role("radio", name="1 not judged").or_(page.get_by_role("button", name="1 not judged")).click()
    expect(opened_row.filter(has_text="Who feeds the cat?")).to_have_count(1)
    expect(opened_row).to_have_count(1)
    page.get_by_role("button", name="Open in Compare").click()
    page.wait_for_url(re.compile("/compare"))
    expect(page.get_by_text("Who feeds the cat?").first).to_be_visible()


KINDS = ["Answered by a neighbour", "Superseded decisions of a conflict", "Displaced by a limit of documents", "Cut"]


def test_every_kind_is_in_sight_with_its_whole_name(screen: Screen, app_folder: Path) -> None:
    """At 1440 pixels the row ran out of the box on the right, and names ended after 24 letters."""
    queries = [JudgedQuery(query_id=f"q{n}", query=f"What is {n}?", kind=kind) for n, kind in enumerate(KINDS)]
    with docgraph.connect(data_dir=app_folder, workspace="harbor") as opened:
        opened.query_sets.keep(queries, name="kinds")
        opened.query_sets.run("kinds")
    page = screen.open("/query_sets?workspace=harbor&set=kinds")
    row = page.get_by_role("region", name="Kinds")
    for width, height in ((1280, 720), (1440, 900), (1600, 1000)):
        screen.resize(width, height)
        expect(row.locator(".qs-kind > span")).to_have_text([re.compile(f"^{each} 1$") for each in sorted(KINDS)])
        hidden = "box => box.scrollWidth - box.clientWidth + box.scrollHeight - box.clientHeight"
        assert row.evaluate(hidden) <= 0
        assert row.locator(".qs-kind > span").evaluate_all("all => all.every(e => e.scrollWidth <= e.clientWidth)")


def test_what_is_stopped_keeps_what_is_finished_and_goes_on_from_there(screen: Screen, app_folder: Path) -> None:
    questions = [
        {"query": f"Which rule has the number {each}, and why?", "grades": {"adr-011": 2}} for each in range(600)
    ]
    with docgraph.connect(data_dir=app_folder, workspace="harbor") as opened:
        opened.query_sets.keep(questions, name=LONG)
    page = screen.open(f"/query_sets?workspace=harbor&set={LONG}")
    stop, resume = page.get_by_role("button", name="Stop and save"), page.get_by_role("button", name="Resume")
    page.get_by_role("button", name="Evaluate", exact=True).click()
    stop.click()
    expect(resume).to_be_visible()
    left = number(resume.inner_text())
    assert 0 < left <= len(questions)
    with docgraph.connect(data_dir=app_folder, workspace="harbor") as opened:
        (kept,) = opened.query_sets.runs(LONG)
        assert (kept.n, kept.whole) == (len(questions) - left, False)
    resume.click()
    stop.click()
    expect(resume).to_be_visible()
    assert number(resume.inner_text()) <= left
    with docgraph.connect(data_dir=app_folder, workspace="harbor") as opened:
        (again,) = opened.query_sets.runs(LONG)
        assert again.evaluation_id == kept.evaluation_id
        assert again.n >= kept.n

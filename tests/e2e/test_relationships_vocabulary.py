"""Types merged, suggestions judged by key, a file downloaded, edited, uploaded, saved and taken back, in a browser."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from docgraph.domain.graph import Document, Relationship
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from tests.e2e.conftest import Screen

pytest.importorskip("playwright.sync_api", reason="no browser tests: pip install playwright")
from playwright.sync_api import Page, expect

WORKSPACE = "words"
TEXTS = {
    "queue": ("Booking queue", "The booking queue holds bookings until a worker of the ferry takes them."),
    "limit": ("ADR Queue limit", "The booking queue of a ferry holds at most four hundred bookings."),
    "guide": ("Guide to bookings", "Bookings wait in the Booking queue for a worker. Read ADR Queue limit before."),
}
EDGES = (
    ("limit", "explains", "queue"),
    ("queue", "explains", "limit"),
    ("queue", "explains", "gone"),
    ("limit", "explains", "gone"),
    ("limit", "explain", "queue"),
)
NAMED = (("guide", "queue"), ("guide", "limit"))


@pytest.fixture
def words(app_folder: Path, app_url: str) -> Iterator[Docgraph]:
    """Three documents; ``explain`` is a slip of the pen, and the guide names two documents without a relationship."""
    import docgraph

    documents = [
        Document(document_id=name, title=title, text=text, summary=text) for name, (title, text) in TEXTS.items()
    ]
    edges = [Relationship(from_document_id=a, relation_type=via, to_document_id=b) for a, via, b in EDGES]
    edges += [
        Relationship(
            from_document_id=a,
            relation_type="mentions",
            to_document_id=b,
            relationship_metadata={"extractor": "title_mentions", "text": TEXTS["guide"][1]},
        )
        for a, b in NAMED
    ]
    with docgraph.connect(data_dir=app_folder, workspace=WORKSPACE) as opened:
        opened.create_workspace(WORKSPACE)
        opened.ingest_records(documents, edges)
        opened.runs.save(RetrievalRequest(query="How many bookings does the queue hold?"), name="How many?")
        yield opened


def keys(docgraph: Docgraph) -> set[tuple[str, str, str]]:
    return {edge.key for edge in docgraph.relationships.list() if edge.relation_type != "mentions"}


def suggestions(page: Page) -> None:
    """The pill of the suggestions, in the queue of what is to be reviewed."""
    page.locator(".st-key-rl-tab-review a, .st-key-rl-tab-review-shown a").click()
    page.locator(".st-key-docgraph-relationships-chip").get_by_text("Suggestions", exact=True).click()
    page.wait_for_url(re.compile("show=suggestions"))


def files(page: Page) -> None:
    """Import and export, a panel of all relationships."""
    page.locator(".st-key-rl-tab-all a, .st-key-rl-tab-all-shown a").click()
    page.get_by_role("button", name="Import, export…").click()
    page.wait_for_url(re.compile("panel=files"))


def test_words_suggestions_and_files_are_settled_on_the_page(screen: Screen, words: Docgraph, tmp_path: Path) -> None:
    before = keys(words)
    page = screen.open(f"/relationships?workspace={WORKSPACE}&tab=vocabulary")
    page.get_by_role("button", name="Editing off").click()
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Your name").press("Enter")
    expect(page.get_by_text("Editing on, as Ann")).to_be_visible()

    # a slip of the pen is merged, as one act
    page.get_by_role("button", name="Merge into explains").click()
    expect(page.locator(".rv-preview p")).to_contain_text("already exists as explains")
    expect(page.locator(".rm-effect")).to_contain_text("1 saved question")
    page.get_by_role("button", name=re.compile("^Save: merge 1")).click()
    expect(page.locator(".st-key-re-undo-vocabulary")).to_contain_text("merged explain into explains")
    assert keys(words) == before - {("limit", "explain", "queue")}
    expect(page.get_by_role("button", name="Merge into explains")).to_have_count(0)
    page.get_by_role("button", name="Undo the merge").click()
    expect(page.get_by_role("button", name="Merge into explains")).to_be_visible()
    assert keys(words) == before

    # suggestions, by key
    suggestions(page)
    expect(page.locator(".rs-head small")).to_have_text("Suggestion, 1 of 2 open")
    screen.press("f")
    expect(page.locator(".rl-arrow.rl-judged[aria-label*='from B to A']")).to_be_visible()
    screen.press("f")
    expect(page.locator(".rl-arrow.rl-judged[aria-label*='from A to B']")).to_be_visible()
    screen.press("a")
    expect(page.locator(".rs-head small")).to_have_text("Suggestion, 1 of 1 open")
    (made,) = keys(words) - before
    assert made[0] == "guide"
    assert words.relationships.history()[0].edit.suggested
    screen.press("x")
    expect(page.get_by_text("Nothing to suggest")).to_be_visible()
    screen.press("u")
    expect(page.locator(".rs-head small")).to_have_text("Suggestion, 1 of 1 open")
    screen.press("u")
    expect(page.locator(".rs-head small")).to_have_text("Suggestion, 1 of 2 open")
    assert keys(words) == before

    # a file: down, edited, up, looked at, saved, taken back
    files(page)
    with page.expect_download() as found:
        page.get_by_role("button", name="CSV", exact=True).click()
    data = Path(found.value.path()).read_bytes()
    assert data == b"".join(words.relationships.export("csv"))
    file = tmp_path / "edited.csv"
    file.write_text(edited(data.decode("utf-8-sig")), encoding="utf-8")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator(".rx-row-remove")).to_contain_text("it never said so")
    expect(page.locator(".rx-row-add")).to_contain_text("Guide to bookings")
    assert keys(words) == before
    page.get_by_role("button", name="Save: 1 added, 1 removed").click()
    expect(page.locator(".st-key-re-undo-exchange")).to_contain_text("From edited.csv: 1 added, 1 removed")
    assert keys(words) == before - {("limit", "explain", "queue")} | {("guide", "explains", "queue")}
    page.get_by_role("button", name="Undo the whole file").click()
    expect(page.locator(".st-key-re-undo-exchange")).to_have_count(0)
    assert keys(words) == before

    # texts of the hostile workspace stay texts in every section
    page = screen.open("/relationships?workspace=hostile&tab=vocabulary")
    expect(page.locator(".st-key-rl-section-types")).to_be_visible()
    suggestions(page)
    expect(page.locator(".st-key-rl-queuefoot")).to_contain_text("Compared")
    screen.settle()
    files(page)
    expect(page.locator(".st-key-re-files")).to_be_visible()
    screen.settle()


def edited(text: str) -> str:
    """One relationship is removed for a reason, another one added."""
    rows = list(csv.DictReader(io.StringIO(text)))
    (wrong,) = [row for row in rows if row["type"] == "explain"]
    wrong.update(decision="remove", reason="it never said so")
    rows.append(dict.fromkeys(rows[0], "") | {"from": "guide", "type": "explains", "to": "queue"})
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()

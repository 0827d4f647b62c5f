"""The page of a workspace: documents and adding some, its health with what is done now and then, people."""

from __future__ import annotations

import threading

import pytest
from pydantic import SecretStr

from docgraph.domain.report import IngestReport
from docgraph.errors import IngestionError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ports import Progress
from docgraph.settings import Settings
from docgraph.ui.bar.workspace_menu import SWITCHER
from docgraph.ui.library.health import flat, request_table, settings_table
from docgraph.ui.library.page import PLACE_KEY
from docgraph.ui.parts.background import HowFar
from docgraph.ui.parts.ingestion.job import ImportJob, progress_sentence
from tests.ui.conftest import SECONDS, Open, page_text

PATH = "docgraph.library.path"

PLACES = {
    "Documents": "Documents",
    "Import": "Documents",
    "Workspaces": "Health",
    "Changes": "Health",
    "Health": "Health",
    "Limits": "Health",
    "People": "People",
}
"""What was a view of its own → the place that holds it now."""


@pytest.mark.parametrize(("view", "place"), PLACES.items())
def test_a_link_to_what_was_a_view_opens_the_place_that_holds_it(
    harbor: Docgraph, open_page: Open, view: str, place: str
) -> None:
    for address in ({"show": view}, {"tab": view.lower()}):
        assert open_page("library", **address).segmented_control(key=PLACE_KEY).value == place


def test_what_an_address_names_under_health_is_open_and_the_rest_is_folded(harbor: Docgraph, open_page: Open) -> None:
    limits = page_text(open_page("library", tab="limits"))
    assert "Limits of a request" in limits
    assert "Delete or reset" not in limits
    backup = page_text(open_page("library", tab="backup"))
    assert "Delete or reset" in backup
    assert "Limits of a request" not in backup


def test_adding_documents_is_one_click_away_from_every_place(harbor: Docgraph, open_page: Open) -> None:
    for tab in ("documents", "health", "people"):
        at = open_page("library", tab=tab)
        at.button(key="dg-add").click().run()
        assert at.query_params["tab"] == "import"
        assert "You see a preview before anything is stored" in page_text(at)


@pytest.mark.parametrize("view", PLACES)
def test_every_view_has_words_for_an_empty_database(docgraph: Docgraph, open_page: Open, view: str) -> None:
    assert page_text(open_page("library", show=view))


def test_junk_in_the_link_falls_back(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("library", show="<script>", doc_type="none", relation="x", document="no such")
    assert at.segmented_control(key=PLACE_KEY).value == "Documents"
    assert "This document is not in the workspace" in page_text(at)
    assert not [box for box in at.selectbox if box.key == SWITCHER], "there is one workspace alone"


def test_the_filter_keeps_documents_by_title_or_id(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("library")
    assert list(at.dataframe[0].value["Id"]) == ["adr-1", "glossary", "queue"]
    at.text_input(key="filter").set_value("QUEUE").run()
    assert list(at.dataframe[0].value["Id"]) == ["adr-1", "queue"]
    assert "2 of 3 documents" in page_text(at)
    at.text_input(key="filter").set_value("nothing has this").run()
    assert "No document matches" in page_text(at)


def test_a_document_shows_its_chunks_with_heading_path_and_tokens(harbor: Docgraph, open_page: Open) -> None:
    text = page_text(open_page("library", document="adr-1"))
    assert "<span>Decision</span>" in text
    assert "At most 400 bookings." in text
    assert "tokens</small>" in text


def test_an_address_that_names_a_chunk_shows_it_first_and_marked(harbor: Docgraph, open_page: Open) -> None:
    chunk = harbor.documents.chunks("adr-1")[-1]
    text = page_text(open_page("library", document="adr-1", chunk=chunk.chunk_id))
    assert text.count("dg-is-marked") == 1
    marked = text[text.index("dg-is-marked") :]
    assert chunk.text in marked
    assert marked.count("<article") <= 1
    gone = page_text(open_page("library", document="adr-1", chunk="<script>"))
    assert "dg-is-marked" not in gone
    assert "no longer in this document" in gone


def test_a_document_shows_relationships_in_and_out_and_which_have_no_target(harbor: Docgraph, open_page: Open) -> None:
    table = open_page("library", document="adr-1").dataframe[1].value
    assert sorted(zip(table[""], table["Type"], table["Other document"], table["Target"], strict=True)) == [
        ("out", "explains", "Booking queue", "there"),
        ("out", "references", "gone", "missing"),
    ]
    table = open_page("library", document="queue").dataframe[1].value
    assert list(zip(table[""], table["Type"], table["Other document"], strict=True)) == [
        ("in", "explains", "Bounded queue")
    ]


def test_the_old_address_of_relationships_leads_to_the_one_table_with_its_filters(
    harbor: Docgraph, open_page: Open
) -> None:
    at = open_page("library", show="Relationships", relation="references", dangling="true")
    assert at.query_params["tab"] == "all"
    assert at.toggle(key="dangling").value
    assert list(at.dataframe[0].value["To"]) == ["gone (not stored)"]


def test_a_workspace_is_created_by_its_title_and_documents_are_added_next(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("library", tab="workspaces")
    assert at.button(key="docgraph.library.create").disabled
    at.text_input(key="docgraph.library.new_title").set_value("  Harbor ").run()
    assert "Its id: <code>harbor-2</code>" in page_text(at)
    at.button(key="docgraph.library.create").click().run()
    assert not at.exception
    assert at.selectbox(key=SWITCHER).value == "harbor-2"
    assert {each.name: each.title for each in harbor.workspaces()}["harbor-2"] == "Harbor"
    assert at.query_params["tab"] == "import"


def test_dropping_asks_for_the_name_to_be_typed(harbor: Docgraph, open_page: Open) -> None:
    harbor.create_workspace("other")
    at = open_page("library", show="Workspaces", workspace="other")
    assert at.button(key="docgraph.library.drop").disabled
    at.text_input(key="docgraph.library.confirm_drop").set_value("othe").run()
    assert at.button(key="docgraph.library.drop").disabled
    at.text_input(key="docgraph.library.confirm_drop").set_value("other").run()
    at.button(key="docgraph.library.drop").click().run()
    assert not at.exception
    assert [workspace.name for workspace in harbor.workspaces()] == ["harbor"]


def test_a_job_stops_when_asked_and_keeps_its_report() -> None:
    asked, reported = threading.Event(), threading.Event()

    def work(progress: Progress) -> IngestReport:
        progress.update(1, 3, "first")
        reported.set()
        assert asked.wait(SECONDS)
        assert progress.cancelled()
        return IngestReport(workspace="w", n_in=3, n_stored=1, n_skipped=0, n_rejected=0, stopped=True)

    job = ImportJob(work, workspace="w", what="a folder")
    assert reported.wait(SECONDS)
    assert (job.how_far.done, job.how_far.total, job.running) == (1, 3, True)
    job.stop()
    assert job.stopping
    asked.set()
    assert job.wait(SECONDS)
    assert job.report is not None
    assert job.report.stopped
    assert not job.running


def test_a_job_that_fails_ends_with_its_error() -> None:
    def work(progress: Progress) -> IngestReport:
        raise IngestionError("cannot read it")

    job = ImportJob(work, workspace="w", what="a folder")
    assert job.wait(SECONDS)
    assert job.error is not None
    assert job.error.message == "cannot read it"


def test_a_job_that_meets_a_bug_ends_too(caplog: pytest.LogCaptureFixture) -> None:
    def work(progress: Progress) -> IngestReport:
        raise ZeroDivisionError

    job = ImportJob(work, workspace="w", what="a folder")
    assert job.wait(SECONDS)
    assert job.error is not None
    assert "ZeroDivisionError" in caplog.text


def test_progress_says_n_of_n_and_a_rate_only_when_there_is_one() -> None:
    far = HowFar(done=12, total=60, message="", seconds=4.0)
    assert progress_sentence("/docs", far, dry_run=False) == "Importing /docs: 12 of 60, 3.0 a second"
    far = HowFar(done=0, total=60, message="", seconds=4.0)
    assert progress_sentence("/docs", far, dry_run=True) == "Checking /docs: 0 of 60"
    far = HowFar(done=0, total=0, message="", seconds=0.0)
    assert progress_sentence("/docs", far, dry_run=False) == "Importing /docs: reading"


def test_unknown_facts_are_dashes_and_never_zero() -> None:
    facts = dict(flat({"version": None, "ready": True, "free_bytes": 2_500_000_000, "more": {"size": 0}}))
    assert facts == {"version": "--", "ready": "yes", "free bytes": "2.5 GB", "more size": "0"}


def test_every_limit_of_a_request_stands_in_the_table_with_its_bounds() -> None:
    table = request_table().set_index("Field")
    assert table.loc["max_chunks", ["Default", "Minimum", "Maximum"]].tolist() == ["--", "1", "500"]
    assert table.loc["max_fan_out", ["Default", "Minimum", "Maximum"]].tolist() == ["3", "1", "100"]
    assert table.loc["mode", "Choices"] == "accurate, fast"


def test_secrets_and_addresses_are_not_repeated_on_the_page() -> None:
    settings = Settings(database_url=SecretStr("postgresql://me:hunter2@db/x"), embedder_url="http://me:pw@host/v1")
    shown = settings_table(settings).to_csv()
    assert "hunter2" not in shown
    assert "pw@" not in shown
    assert "set (not shown)" in shown

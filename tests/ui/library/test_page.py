"""Library: documents, relationships, import, workspaces, health, limits, people."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
import streamlit as st
from pydantic import SecretStr
from streamlit.testing.v1 import AppTest

from docgraph.domain.report import IngestReport
from docgraph.errors import IngestionError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ports import Progress
from docgraph.settings import Settings
from docgraph.ui.bar.workspace_menu import SWITCHER
from docgraph.ui.frame import visitor
from docgraph.ui.frame.escape import html
from docgraph.ui.frame.visitor import is_local
from docgraph.ui.library.health import flat
from docgraph.ui.library.limits import request_table, settings_table
from docgraph.ui.parts.background.work import HowFar
from docgraph.ui.parts.ingestion.job import IMPORT, ImportJob
from docgraph.ui.parts.ingestion.looking import LOOK
from docgraph.ui.parts.ingestion.progress import progress_sentence
from docgraph.ui.parts.ingestion.report import NOTHING_LEADS
from tests.ui.conftest import SECONDS, Open, job_done, page_text

VIEWS = ("Documents", "Import", "Workspaces", "Health", "Limits", "People")


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_opens_by_its_link(harbor: Docgraph, open_page: Open, view: str) -> None:
    assert open_page("library", show=view).segmented_control(key="show").value == view


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_has_words_for_an_empty_database(docgraph: Docgraph, open_page: Open, view: str) -> None:
    assert page_text(open_page("library", show=view))


def test_junk_in_the_link_falls_back(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("library", show="<script>", doc_type="none", relation="x", document="no such")
    assert at.segmented_control(key="show").value == "Documents"
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
    assert sorted(zip(table[""], table["Type"], table["Other end"], table["Target"], strict=True)) == [
        ("out", "explains", "Booking queue", "there"),
        ("out", "references", "gone", "missing"),
    ]
    table = open_page("library", document="queue").dataframe[1].value
    assert list(zip(table[""], table["Type"], table["Other end"], strict=True)) == [("in", "explains", "Bounded queue")]


def test_the_old_address_of_relationships_leads_to_the_one_table_with_its_filters(
    harbor: Docgraph, open_page: Open
) -> None:
    at = open_page("library", show="Relationships", relation="references", dangling="true")
    assert at.query_params["tab"] == "all"
    assert at.toggle(key="dangling").value
    assert list(at.dataframe[0].value["To"]) == ["gone (not stored)"]


def test_a_dry_run_writes_nothing_and_then_the_import_does(harbor: Docgraph, open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "new.md").write_text("# New\n\nSomething new.\n", encoding="utf-8")
    (tmp_path / "bad.md").write_bytes(b"\x00\x01\x02\xff" * 50)
    at = open_page("library", show="Import")
    at.segmented_control(key="docgraph.library.kind").set_value("Path on this machine").run()
    at.text_input(key="docgraph.library.path").set_value(str(tmp_path)).run()
    at.button(key="docgraph.library.dry").click().run()
    job_done(at)
    assert harbor.workspace.n_documents == 3
    text = page_text(at)
    assert "nothing was written" in text
    assert "<b>2</b> in" in text
    assert list(at.dataframe[0].value["Source"]) == ["bad.md"]
    assert all(at.dataframe[0].value["Reason"])
    at.button(key="docgraph.library.confirm").click().run()
    job_done(at)
    assert harbor.workspace.n_documents == 4


def test_an_import_that_ends_while_the_page_is_drawn_is_announced_and_the_header_shows_its_revision(
    harbor: Docgraph, open_page: Open, tmp_path: Path
) -> None:
    """A small import can end between the header and the page: nobody then polled it, and its note was lost."""
    (tmp_path / "new.md").write_text("# New\n\nSomething new.\n", encoding="utf-8")
    at = open_page("library", show="Import")
    job = ImportJob(lambda progress: harbor.ingest(tmp_path, progress=progress), workspace="harbor", what="a folder")
    assert job.wait(SECONDS)
    at.session_state["docgraph.state"].page[IMPORT] = job
    at.run()
    text = page_text(at)
    assert "1 in = 1 stored + 0 updated + 0 skipped + 0 rejected" in text
    assert harbor.workspace.revision[:6] in text
    assert "1 in = 1 stored" not in page_text(at.run())


def test_a_path_without_anything_is_said_in_words(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("library", show="Import")
    at.segmented_control(key="docgraph.library.kind").set_value("Path on this machine").run()
    at.text_input(key="docgraph.library.path").set_value("/no/such/folder").run()
    assert "There is nothing at" in page_text(at)
    assert at.button(key="docgraph.library.import").disabled


def test_an_import_of_nothing_is_an_error_with_the_way_out_and_makes_no_workspace(
    docgraph: Docgraph, open_page: Open, tmp_path: Path
) -> None:
    at = open_page("library", show="Import")
    at.segmented_control(key="docgraph.library.kind").set_value("Path on this machine").run()
    at.text_input(key="docgraph.library.path").set_value(str(tmp_path)).run()
    at.button(key="docgraph.library.import").click().run()
    text = page_text(job_done(at))
    assert "There is nothing to import in" in text
    assert "name a folder or a file with documents" in text.lower()
    (tmp_path / "photo.png").write_bytes(b"\x89PNG")
    at.button(key="docgraph.library.import").click().run()
    assert "no loader reads .png" in str(list(job_done(at).dataframe[0].value["Reason"]))
    assert docgraph.workspaces() == ()


@pytest.mark.parametrize(
    ("switched_on", "told_by_the_edge", "offered", "told"),
    [
        ("true", "local", True, ""),
        ("true", "remote", False, "only visitors who sit at that machine"),
        ("true", None, False, "only visitors who sit at that machine"),
        ("", "local", False, "DOCGRAPH_IMPORT_FROM_PATH=true"),
        ("", "remote", False, "DOCGRAPH_IMPORT_FROM_PATH=true"),
    ],
)
def test_a_path_is_offered_where_it_is_switched_on_and_only_to_visitors_at_this_machine(
    harbor: Docgraph,
    open_page: Open,
    monkeypatch: pytest.MonkeyPatch,
    switched_on: str,
    told_by_the_edge: str | None,
    offered: bool,
    told: str,
) -> None:
    """Whoever reaches the page over a network could otherwise read every file that the server can read."""
    headers = {} if told_by_the_edge is None else {visitor.HEADER: told_by_the_edge}
    monkeypatch.setenv("DOCGRAPH_IMPORT_FROM_PATH", switched_on)
    monkeypatch.setattr(visitor, "is_local", is_local)
    monkeypatch.setattr(type(st.context), "headers", property(lambda _: headers))
    at = open_page("library", show="Import")
    assert ("docgraph.library.kind" in at.session_state) is offered
    assert "docgraph ingest FOLDER" in page_text(at)
    assert told in page_text(at)


def test_a_workspace_is_created_and_becomes_current(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("library", show="Workspaces")
    at.text_input(key="docgraph.library.new_name").set_value("second")
    at.button(key="docgraph.library.create").click().run()
    assert not at.exception
    assert at.selectbox(key=SWITCHER).value == "second"
    assert {workspace.name for workspace in harbor.workspaces()} == {"harbor", "second"}


def test_an_impossible_workspace_name_is_refused_in_words(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("library", show="Workspaces")
    at.text_input(key="docgraph.library.new_name").set_value("Not A Name")
    at.button(key="docgraph.library.create").click().run()
    assert not at.exception
    assert "No workspace can be called" in page_text(at)
    assert len(harbor.workspaces()) == 1


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
    assert table.loc["max_chunks", ["Default", "Least", "Most"]].tolist() == ["--", "1", "500"]
    assert table.loc["max_fan_out", ["Default", "Least", "Most"]].tolist() == ["3", "1", "100"]
    assert table.loc["mode", "Choices"] == "accurate, fast"


def test_secrets_and_addresses_are_not_repeated_on_the_page() -> None:
    settings = Settings(database_url=SecretStr("postgresql://me:hunter2@db/x"), embedder_url="http://me:pw@host/v1")
    shown = settings_table(settings).to_csv()
    assert "hunter2" not in shown
    assert "pw@" not in shown
    assert "set (not shown)" in shown


def looked_at(at: AppTest, folder: Path) -> AppTest:
    """The Import view after a look at a folder of plans that name each other from the root of their site."""
    for n in range(1, 7):
        head = f"---\nreferences: /plans/plan-{'abcdef'[n % 6]}.md\n---\n# Plan {n}\n\n"
        text = "A plan says what is to be done, by whom and until when. " * 8
        (folder / f"plan-{'abcdef'[n - 1]}.md").write_text(head + text, encoding="utf-8")
    at.segmented_control(key="docgraph.library.kind").set_value("Path on this machine").run()
    at.text_input(key="docgraph.library.path").set_value(str(folder)).run()
    at.button(key="docgraph.library.look").click().run()
    job = at.session_state["docgraph.state"].page[LOOK]
    assert job.wait(SECONDS)
    return at.run()


def test_a_switch_says_how_many_relationships_it_adds(harbor: Docgraph, open_page: Open, tmp_path: Path) -> None:
    text = page_text(looked_at(open_page("library", show="Import"), tmp_path))
    assert "6 documents; the proposals add 6 relationships." in text
    assert '<p class="dg-count"><b>+6</b>relationships</p>' in text


def test_an_import_offers_what_to_do_next_with_its_documents(harbor: Docgraph, open_page: Open, tmp_path: Path) -> None:
    at = looked_at(open_page("library", show="Import"), tmp_path)
    assert not links_of(at) & {"Ask your first question", "See what the checks find"}
    at.button(key="docgraph.library.look.import").click().run()
    job_done(at)
    at.run()
    assert {"Ask your first question", "See what the checks find"} <= links_of(at)


def test_an_import_that_finds_no_relationship_says_so(harbor: Docgraph, open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "alone.md").write_text("# Alone\n\nA text that names nothing else at all.\n", encoding="utf-8")
    at = open_page("library", show="Import")
    at.segmented_control(key="docgraph.library.kind").set_value("Path on this machine").run()
    at.text_input(key="docgraph.library.path").set_value(str(tmp_path)).run()
    at.button(key="docgraph.library.import").click().run()
    job_done(at)
    at.run()
    assert NOTHING_LEADS in page_text(at)
    assert "Ask your first question" in links_of(at)
    assert "See what the checks find" not in links_of(at)


def links_of(at: AppTest) -> set[str]:
    """The labels of the links to other pages."""
    return {each.proto.label for each in at.get("page_link")}


def test_the_profile_is_edited_as_text_checked_by_line_and_imported_as_it_was_written(
    harbor: Docgraph, open_page: Open, tmp_path: Path
) -> None:
    at = looked_at(open_page("library", show="Import"), tmp_path)
    at.button(key="docgraph.library.profile.edit").click().run()
    mine = "# mine\nversion = 1\n\n[links]\nroot = ['plans']\n"
    at.text_area(key="docgraph.library.profile.text").set_value(mine).run()
    assert "line 5: links.root of docgraph.toml has" in page_text(at).lower()
    at.button(key="docgraph.library.profile.use").click().run()
    assert at.text_area(key="docgraph.library.profile.text").value == mine, "what cannot be read is not used"
    right = mine.replace("'plans'", "'/plans/'")
    at.text_area(key="docgraph.library.profile.text").set_value(right).run()
    at.button(key="docgraph.library.profile.use").click().run()
    assert "read by the profile as it was edited" in page_text(at)
    assert at.toggle(key="docgraph.library.proposal.root").disabled
    assert html(right.strip()) in page_text(at)
    at.button(key="docgraph.library.look.import").click().run()
    job_done(at)
    assert len(list(harbor.relationships.list())) == 8
    assert harbor.workspace.n_documents == 9


def test_the_switches_count_again_after_the_edited_text_is_given_up(
    harbor: Docgraph, open_page: Open, tmp_path: Path
) -> None:
    at = looked_at(open_page("library", show="Import"), tmp_path)
    at.button(key="docgraph.library.profile.edit").click().run()
    at.text_area(key="docgraph.library.profile.text").set_value("version = 1\n").run()
    at.button(key="docgraph.library.profile.use").click().run()
    at.button(key="docgraph.library.profile.back").click().run()
    assert "the proposals add 6 relationships" in page_text(at)
    assert not at.toggle(key="docgraph.library.proposal.root").disabled

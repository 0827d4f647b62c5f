"""Adding documents: dropped or named, looked at, imported, and asked first questions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from docgraph import plugins
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.bar.workspace_menu import SWITCHER
from docgraph.ui.frame import visitor
from docgraph.ui.frame.escape import html
from docgraph.ui.frame.visitor import is_local
from docgraph.ui.parts.ingestion.job import IMPORT, LOOK, ImportJob
from docgraph.ui.parts.ingestion.report import NOTHING_LEADS
from tests.ui.conftest import SECONDS, Open, job_done, page_text
from tests.walks.small import NOTES

PATH = "docgraph.library.path"


def test_a_dry_run_writes_nothing_and_then_the_import_does(harbor: Docgraph, open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "new.md").write_text("# New\n\nSomething new.\n", encoding="utf-8")
    (tmp_path / "bad.md").write_bytes(b"\x00\x01\x02\xff" * 50)
    at = seen(open_page("library", tab="import"), tmp_path)
    at.button(key="docgraph.library.look.dry").click().run()
    job_done(at)
    at.run()
    assert harbor.workspace.n_documents == 3
    assert "What will be stored" in page_text(at)
    at.button(key="docgraph.library.look.import").click().run()
    job_done(at)
    at.run()
    assert harbor.workspace.n_documents == 4
    assert "<b>2</b> in" in page_text(at)
    assert list(at.dataframe[0].value["Source"]) == ["bad.md"]
    assert all(at.dataframe[0].value["Reason"])


def test_an_import_into_a_new_workspace_makes_its_id_from_the_title(
    harbor: Docgraph, open_page: Open, tmp_path: Path
) -> None:
    (tmp_path / "new.md").write_text("# New\n\nSomething new.\n", encoding="utf-8")
    harbor.create_workspace("my-bakery")
    at = seen(open_page("library", tab="import"), tmp_path)
    at.segmented_control(key="docgraph.library.into").set_value("new").run()
    assert at.text_input(key="docgraph.library.into_title").value == tmp_path.name
    at.text_input(key="docgraph.library.into_title").set_value("My Bäckery").run()
    assert "id: <code>my-backery</code>" in page_text(at)
    at.text_input(key="docgraph.library.into_title").set_value("My Bakery").run()
    assert "id: <code>my-bakery-2</code>" in page_text(at)
    at.button(key="docgraph.library.look.import").click().run()
    job_done(at)
    at.run()
    made = {each.name: each for each in harbor.workspaces()}
    assert (made["my-bakery-2"].title, made["my-bakery-2"].n_documents) == ("My Bakery", 1)
    assert made["harbor"].n_documents == 3
    assert at.selectbox(key=SWITCHER).value == "my-bakery-2"


def test_an_import_that_ends_while_the_page_is_drawn_is_announced_and_the_header_shows_its_revision(
    harbor: Docgraph, open_page: Open, tmp_path: Path
) -> None:
    """A small import can end between the header and the page: nobody then polled it, and its note was lost."""
    (tmp_path / "new.md").write_text("# New\n\nSomething new.\n", encoding="utf-8")
    at = open_page("library", tab="import")
    job = ImportJob(lambda progress: harbor.ingest(tmp_path, progress=progress), workspace="harbor", what="a folder")
    assert job.wait(SECONDS)
    at.session_state["docgraph.state"].page[IMPORT] = job
    at.run()
    text = page_text(at)
    assert "1 in = 1 stored + 0 updated + 0 skipped + 0 rejected" in text
    assert harbor.workspace.revision[:6] in text
    assert "1 in = 1 stored" not in page_text(at.run())


def test_a_path_without_anything_is_said_in_words(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("library", tab="import")
    assert at.button(key="docgraph.library.look").disabled
    at.text_input(key=PATH).set_value("/no/such/folder").run()
    at.button(key="docgraph.library.look").click().run()
    assert "There is nothing at" in page_text(at)
    assert LOOK not in at.session_state["docgraph.state"].page


def test_a_folder_of_nothing_is_an_error_with_the_way_out_and_makes_no_workspace(
    docgraph: Docgraph, open_page: Open, tmp_path: Path
) -> None:
    at = seen(open_page("library", tab="import"), tmp_path)
    text = page_text(at)
    assert "There is nothing to import in" in text
    assert "then a folder or file with documents" in text.lower()
    at.button(key="docgraph.library.look.other").click().run()
    (tmp_path / "photo.png").write_bytes(b"\x89PNG")
    at = seen(at, tmp_path)
    assert "no loader reads .png" in page_text(at)
    assert at.button(key="docgraph.library.look.import").disabled
    assert docgraph.workspaces() == ()


@pytest.mark.parametrize(
    ("switched_on", "told_by_the_edge", "offered", "told"),
    [
        ("true", "local", True, ""),
        ("true", "remote", False, "Only users of that machine"),
        ("true", None, False, "Only users of that machine"),
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
    at = open_page("library", tab="import")
    assert (PATH in [each.key for each in at.text_input]) is offered
    assert "docgraph ingest FOLDER" in page_text(at)
    assert told in page_text(at)


def seen(at: AppTest, folder: Path) -> AppTest:
    """The preview of a folder that is named by its path."""
    at.text_input(key=PATH).set_value(str(folder)).run()
    at.button(key="docgraph.library.look").click().run()
    job = at.session_state["docgraph.state"].page[LOOK]
    assert job.wait(SECONDS)
    return at.run()


def looked_at(at: AppTest, folder: Path) -> AppTest:
    """The preview of a folder of plans that name each other from the root of their site."""
    for n in range(1, 7):
        head = f"---\nreferences: /plans/plan-{'abcdef'[n % 6]}.md\n---\n# Plan {n}\n\n"
        text = "A plan says what is to be done, by whom and until when. " * 8
        (folder / f"plan-{'abcdef'[n - 1]}.md").write_text(head + text, encoding="utf-8")
    return seen(at, folder)


def test_a_switch_says_how_many_relationships_it_adds(harbor: Docgraph, open_page: Open, tmp_path: Path) -> None:
    text = page_text(looked_at(open_page("library", tab="import"), tmp_path))
    assert "6 documents; the proposals add 6 relationships." in text
    assert '<p class="dg-count"><b>+6</b>relationships</p>' in text


def test_an_import_offers_what_to_do_next_with_its_documents(harbor: Docgraph, open_page: Open, tmp_path: Path) -> None:
    at = looked_at(open_page("library", tab="import"), tmp_path)
    assert not links_of(at) & {"Ask your first question", "Show check results"}
    at.button(key="docgraph.library.look.import").click().run()
    job_done(at)
    at.run()
    assert {"Ask your first question", "Show check results"} <= links_of(at)
    assert not any("without a target" in each for each in links_of(at))


def test_an_import_leads_to_what_has_no_target(docgraph: Docgraph, open_page: Open, tmp_path: Path) -> None:
    """The report said "8 without a target" and the checks "nothing found": which eight was nowhere to be seen."""
    (tmp_path / "a.md").write_text("---\nreferences: [b, gone]\n---\n# A\n\nA text.\n", encoding="utf-8")
    (tmp_path / "b.md").write_text("# B\n\nA text.\n", encoding="utf-8")
    at = seen(open_page("library", tab="import"), tmp_path)
    at.button(key="docgraph.library.look.import").click().run()
    job_done(at)
    at.run()
    assert "Show 1 without a target" in links_of(at)


def test_an_import_that_finds_no_relationship_says_so_and_what_to_do(
    docgraph: Docgraph, open_page: Open, tmp_path: Path
) -> None:
    (tmp_path / "alone.md").write_text("# Alone\n\nA text that names nothing else at all.\n", encoding="utf-8")
    at = seen(open_page("library", tab="import"), tmp_path)
    at.button(key="docgraph.library.look.import").click().run()
    job_done(at)
    at.run()
    assert NOTHING_LEADS in page_text(at)
    at = proposed(at)
    assert "No relationships yet" in page_text(at)
    assert "Ask your first question" in links_of(at)
    assert "Show check results" not in links_of(at)


def proposed(at: AppTest) -> AppTest:
    """The page once questions were made."""
    jobs = at.session_state["docgraph.state"].page["background.first questions made"]
    [job] = jobs._kept.values()
    assert job.wait(SECONDS)
    return at.run()


def test_first_questions_are_reworded_asked_both_ways_and_kept_once(
    docgraph: Docgraph, open_page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measures = tuple(plugins.build("measures", name) for name in plugins.available("measures"))
    monkeypatch.setattr(docgraph.session, "adapters", replace(docgraph.session.adapters, measures=measures))
    for name, (title, text, links) in NOTES.items():
        (tmp_path / f"{name}.md").write_text(
            f"---\nreferences: [{', '.join(links)}]\n---\n# {title}\n\n{text}\n", encoding="utf-8"
        )
    at = seen(open_page("library", tab="import"), tmp_path)
    at.button(key="docgraph.library.look.import").click().run()
    job_done(at)
    at = proposed(at.run())
    boxes = [each for each in at.text_input if str(each.key).startswith("docgraph.library.first")]
    assert len(boxes) == 5, page_text(at)
    assert "→ references →" in page_text(at)
    assert "without a language model" in page_text(at)
    boxes[0].set_value("When does the shop close?").run()
    at.button(key="docgraph.library.first.ask").click().run()
    [asking] = at.session_state["docgraph.state"].page["background.first questions asked"]._kept.values()
    assert asking.wait(SECONDS)
    at.run()
    assert not at.exception
    assert (asking.told, asking.error) == (True, None)
    assert docgraph.query_sets.get("First questions").query_set.queries[0].query == "When does the shop close?"
    [kept] = docgraph.query_sets.list()
    assert (kept.name, kept.n, kept.n_judged, kept.n_runs) == ("First questions", 5, 0, 1)
    assert [each.name for each in docgraph.query_sets.runs(kept.name)[0].configurations] == ["off", "on"]
    again = open_page("library", tab="import")
    assert "docgraph.library.first.ask" not in [each.key for each in again.button]


def links_of(at: AppTest) -> set[str]:
    """The labels of the links to other pages."""
    return {each.proto.label for each in at.get("page_link")}


def test_the_profile_is_edited_as_text_checked_by_line_and_imported_as_it_was_written(
    harbor: Docgraph, open_page: Open, tmp_path: Path
) -> None:
    at = looked_at(open_page("library", tab="import"), tmp_path)
    at.button(key="docgraph.library.profile.edit").click().run()
    mine = "# mine\nversion = 1\n\n[links]\nroot = ['plans']\n"
    at.text_area(key="docgraph.library.profile.text").set_value(mine).run()
    assert "line 5: links.root of docgraph.toml has" in page_text(at).lower()
    at.button(key="docgraph.library.profile.use").click().run()
    assert at.text_area(key="docgraph.library.profile.text").value == mine, "what cannot be read is not used"
    right = mine.replace("'plans'", "'/plans/'")
    at.text_area(key="docgraph.library.profile.text").set_value(right).run()
    at.button(key="docgraph.library.profile.use").click().run()
    assert "read with the edited profile" in page_text(at)
    assert at.toggle(key="docgraph.library.proposal.root").disabled
    assert html(right.strip()) in page_text(at)
    at.button(key="docgraph.library.look.import").click().run()
    job_done(at)
    assert len(list(harbor.relationships.list())) == 8
    assert harbor.workspace.n_documents == 9


def test_the_switches_count_again_after_the_edited_text_is_given_up(
    harbor: Docgraph, open_page: Open, tmp_path: Path
) -> None:
    at = looked_at(open_page("library", tab="import"), tmp_path)
    at.button(key="docgraph.library.profile.edit").click().run()
    at.text_area(key="docgraph.library.profile.text").set_value("version = 1\n").run()
    at.button(key="docgraph.library.profile.use").click().run()
    at.button(key="docgraph.library.profile.back").click().run()
    assert "the proposals add 6 relationships" in page_text(at)
    assert not at.toggle(key="docgraph.library.proposal.root").disabled

"""Home: the corpus in one line, the question, the samples, the doors, the empty and the error state."""

from __future__ import annotations

import threading
from typing import NoReturn

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.finding import CheckReport
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import StoreError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ports import Progress
from docgraph.ui.frame import resources
from docgraph.ui.parts.curation import state
from docgraph.ui.parts.samples import corpus
from docgraph.ui.parts.samples.card import counting
from docgraph.ui.parts.samples.corpus import Sample, a_few, samples
from docgraph.views.words.counts import plural
from docgraph.views.words.outcome import outcome
from tests.ui.conftest import SECONDS, Open, job_done, on_page, page_text


def _links(at: AppTest) -> list[str]:
    return [link.proto.label for link in on_page(at, "page_link")]


def test_home_counts_what_the_workspace_holds(harbor: Docgraph, open_page: Open) -> None:
    labels = _links(open_page())
    workspace = harbor.workspace
    assert labels[1:4] == ["3 documents", "2 relationships", f"{workspace.n_chunks} passages"]


def test_every_number_leads_to_its_rows(harbor: Docgraph, open_page: Open) -> None:
    queries = [link.proto.query_string for link in on_page(open_page(), "page_link")][1:4]
    assert queries == [f"{query}&workspace=harbor" for query in ("tab=documents", "tab=edges", "tab=documents")]


def test_the_last_check_stands_behind_the_corpus_once_it_is_known_and_is_never_waited_for(
    harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = threading.Event()
    check = harbor.check

    def slow(*, progress: Progress | None = None) -> CheckReport:
        assert may_end.wait(SECONDS)
        return check(progress=progress)

    monkeypatch.setattr(harbor, "check", slow)
    at = open_page()
    assert "Last check" not in page_text(at)
    assert "--" not in page_text(at)
    may_end.set()
    assert state.checking("harbor").wait(SECONDS)
    at.run()
    report = harbor.check()
    numbers = {link.proto.label: link.proto.query_string for link in at.get("page_link")}
    n = len([decision for decision in report.decisions if decision.severity == "error"])
    assert "Last check:" in page_text(at)
    assert (
        numbers[f"{plural(n, 'decision')} on errors" if n else "no errors"]
        == "tab=findings&show=error&workspace=harbor"
    )
    assert "tab=findings&show=warning&workspace=harbor" in numbers.values()


def test_no_door_is_dead(harbor: Docgraph, open_page: Open) -> None:
    at = open_page()
    doors = [
        html.proto.body for html in at.get("html") if "dg-door" in html.proto.body and "<style>" not in html.proto.body
    ]
    assert len(doors) == 3
    assert [label for label in _links(at) if label.startswith("Open ")] == [
        "Open Plan",
        "Open Compare",
        "Open Relationships",
    ]


def test_without_saved_runs_there_are_no_recent_ones(harbor: Docgraph, open_page: Open) -> None:
    assert "Recently saved" not in page_text(open_page())


def test_recent_runs_are_the_pinned_and_the_newest_and_open_frozen(harbor: Docgraph, open_page: Open) -> None:
    runs = [harbor.runs.save(RetrievalRequest(query="Why wait?", max_chunks=n), name=f"Run {n}") for n in range(1, 7)]
    pinned = harbor.runs.describe(runs[0].run_id, name="<b>Base</b>", pinned=True)
    at = open_page()
    text = page_text(at)
    assert "5 of 6" in text
    assert "&lt;b&gt;Base&lt;/b&gt;" in text
    queries = [link.proto.query_string for link in at.get("page_link")]
    frozen = [query for query in queries if query.startswith("run=")]
    assert len(frozen) == 5
    assert frozen[0] == f"run={pinned.run_id}&workspace=harbor"
    assert "All questions" in _links(at)


def test_without_documents_home_offers_the_sample_and_an_import(docgraph: Docgraph, open_page: Open) -> None:
    at = open_page()
    assert "holds no documents yet" in page_text(at)
    assert [button.label for button in on_page(at, "button")] == ["Load the sample corpus", "Import my documents"]


def test_one_click_loads_the_sample(docgraph: Docgraph, open_page: Open) -> None:
    at = open_page()
    at.button(key="docgraph.home.sample").click().run()
    assert not at.exception
    job_done(at)
    assert docgraph.use_workspace("harbor").workspace.n_documents >= 40
    judged = {(each.query, each.document_id) for each in docgraph.use_workspace("harbor").judgments.list()}
    assert judged == {(sample.query, i) for sample in samples("harbor") for i in sample.relevant}
    assert any("documents" in label for label in _links(open_page()))


def test_an_empty_question_asks_for_one_instead_of_failing(harbor: Docgraph, open_page: Open) -> None:
    at = open_page()
    at.text_input(key="docgraph.home.question").set_value("   ")
    at.button(key="docgraph.home.ask").click().run()
    assert not at.exception
    assert "Type a question first" in page_text(at)


def test_samples_belong_to_the_sample_corpus_alone() -> None:
    assert samples("peps") == ()


def test_without_marks_one_sample_is_shown_for_each_effect_in_their_own_order() -> None:
    given = tuple(Sample(str(n), f"question {n}", effect, "") for n, effect in enumerate(["b", "a", "b", "c", "a"]))
    assert [sample.id for sample in a_few(given)] == ["0", "1", "3"]


def test_marked_samples_are_the_few_on_home() -> None:
    given = tuple(Sample(str(n), "question", "same", "", shown=n in (1, 3)) for n in range(5))
    assert [sample.id for sample in a_few(given)] == ["1", "3"]


def test_the_few_of_the_sample_corpus_show_every_effect_that_changes_what_is_read() -> None:
    everything = samples("harbor")
    assert len(everything) >= 25
    shown = {sample.effect for sample in a_few(everything)}
    assert shown == {sample.effect for sample in everything} - {"found_anyway"}
    assert "document_lost" in shown, "an honest loss stands beside the gains"


@pytest.mark.parametrize(
    ("effect", "title", "sign"),
    [
        ("evidence_added", "Evidence added", ("added", "added")),
        ("document displaced", "Document displaced", ("left", "cut")),
        ("cap_cut", "Left out by limit", ("cut", "cut")),
        ("nothing_to_expand", "Nothing to follow", ("kept", "kept")),
    ],
)
def test_an_effect_has_words_and_a_drawn_sign(effect: str, title: str, sign: tuple[str, str]) -> None:
    sample = Sample("q", "question", effect, "")
    assert (sample.title, sample.sign) == (title, sign)


def test_sample_cards_carry_the_question_to_the_plan(
    harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = (Sample("q1", "Why *not* wait?", "evidence added", "two documents enter"),)
    monkeypatch.setattr(corpus, "_read", lambda path: given)
    at = open_page()
    link = next(link.proto for link in at.get("page_link") if link.proto.query_string.startswith("query="))
    assert link.query_string == "query=Why+%2Anot%2A+wait%3F&workspace=harbor"
    assert r"\*not\*" in link.label
    assert "Why *not* wait?" in page_text(at)


def test_cards_say_what_relationships_change_as_the_comparison_counts_it(
    harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Sample("q1", "Why wait?", "evidence added", "two documents enter")
    monkeypatch.setattr(corpus, "_read", lambda path: (asked,))
    at = open_page()
    assert counting([asked], "harbor").wait(SECONDS)
    at.run()
    counted = outcome(harbor.compare(asked.query), asked.effect)
    assert f"<b>{counted.value}</b>{counted.rest}" in page_text(at)


def test_a_database_that_cannot_be_opened_is_said_in_words_with_one_next_click(
    open_page: Open, docgraph: Docgraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: object) -> NoReturn:
        raise StoreError(
            "the database at 10.0.0.1:5432 does not answer", hint="start it, or check DOCGRAPH_DATABASE_URL"
        )

    with monkeypatch.context() as broken:
        broken.setattr(resources, "connect", refuse)
        resources.reconnect()
        at = open_page()
        text = page_text(at)
        assert "The set-up needs attention" in text
        assert "10.0.0.1:5432 does not answer" in text
        assert "start it, or check DOCGRAPH_DATABASE_URL" in text
    at.button(key="docgraph.retry").click().run()
    assert not at.exception
    assert "holds no documents yet" in page_text(at)

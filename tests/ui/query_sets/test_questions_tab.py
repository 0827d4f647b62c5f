"""The Questions and History tabs: the counts of the API, filters, rows, what stops and goes on, and hostile text."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from docgraph import plugins
from docgraph.domain.evaluation import KeptEvaluation
from docgraph.errors import StoreError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.evaluating import evaluate as asking
from docgraph.ui.frame import resources
from docgraph.ui.parts.samples.corpus import samples
from docgraph.ui.query_sets import evaluating as background
from docgraph.ui.query_sets.adding import read_file
from tests.ui.conftest import SECONDS, Open, page_text, press

SET = "harbor questions"
HOSTILE = "<img src=x onerror=alert(1)> [x](https://evil.example/)"
QUESTIONS = [
    {"query": "Why is the queue bounded?", "grades": {"queue": 2, "adr-1": 2}, "kind": "why"},
    {"query": "How many bookings are there at most?", "grades": {"queue": 2}, "kind": "why"},
    {"query": "What is a slot?", "grades": {"glossary": 2}, "kind": HOSTILE},
    {"query": HOSTILE},
]
FEW = {"max_documents": 1, "max_expanded": 0}


@pytest.fixture
def kept(harbor: Docgraph, monkeypatch: pytest.MonkeyPatch) -> Docgraph:
    measures = tuple(plugins.build("measures", name) for name in ("ndcg", "recall", "reciprocal_rank"))
    monkeypatch.setattr(harbor.session, "adapters", replace(harbor.session.adapters, measures=measures))
    harbor.query_sets.keep(QUESTIONS, name=SET)
    return harbor


@pytest.fixture
def run(kept: Docgraph) -> KeptEvaluation:
    return kept.query_sets.run(SET, {"few": FEW, "many": {"max_documents": 3}}, by=HOSTILE, note=HOSTILE)


def rows(at: AppTest) -> list[str]:
    """The questions' rows as text, in their order."""
    found = [block.proto.body for block in at.get("html") if block.proto.body.startswith('<div class="qs-row')]
    return [re.sub(r"<[^>]*>", " ", each) for each in found]


def ended(at: AppTest, docgraph: Docgraph) -> None:
    """Wait for the evaluation that the page began, then draw anew."""
    job = background._jobs().get(f"harbor {SET}")
    assert job is not None
    assert job.wait(SECONDS)
    at.run()
    assert not at.exception
    assert docgraph.query_sets.runs(SET)[0].whole


def test_the_verdict_the_chips_and_the_rows_say_what_the_evaluation_counts(
    kept: Docgraph, run: KeptEvaluation, open_page: Open
) -> None:
    found = kept.query_sets.result(run.evaluation_id)
    told = found.difference("many", found.measures[0])
    assert told is not None
    assert told.improved
    assert told.not_judged == 1
    at = open_page("query_sets", set=SET)
    text = page_text(at)
    noun = "question improves" if told.improved == 1 else "questions improve"
    assert f"{told.improved} {noun}, {told.worse}" in text
    for half in ("tune", "hold_out", "all"):
        at.query_params["half"] = half
        at.run()
        asked = {each.query for each in found.outcomes if half in ("all", each.half)}
        assert len(rows(at)) == len(asked)
    at.query_params["change"] = "not_judged"
    at.run()
    (row,) = rows(at)
    assert "evil.example" in row
    assert "--" in row


def test_the_sample_questions_are_added_with_the_passages_that_answer(harbor: Docgraph, open_page: Open) -> None:
    """Without their evidence the set led with documents, whatever the file of the questions says of passages."""
    press(open_page("query_sets"), "docgraph.questions.samples.add")
    kept = harbor.query_sets.get("Sample questions")
    assert {each.query_id: each.evidence for each in kept.query_set.queries} == {
        sample.id: sample.evidence for sample in samples("harbor")
    }
    assert kept.query_set.knows_passages


def test_relevant_documents_read_are_counted_whatever_the_k_of_the_measures(kept: Docgraph, open_page: Open) -> None:
    kept.query_sets.run(SET, {"few": FEW, "many": {"max_documents": 3}}, measures=["recall@1"])
    first = next(each for each in rows(open_page("query_sets", set=SET)) if "Why is the queue" in each)
    assert "1 → 2 of 2" in first


def test_an_open_question_says_what_came_and_leads_to_compare(run: KeptEvaluation, open_page: Open) -> None:
    at = open_page("query_sets", set=SET, question="q1")
    assert "judged relevant" in page_text(at)
    assert not at.button(key="qs-compare").disabled
    press(at, "qs-next")
    assert at.query_params["question"] != ["q1"]


def test_text_of_questions_kinds_people_and_notes_stays_text(run: KeptEvaluation, open_page: Open) -> None:
    for tab in ("questions", "history"):
        text = page_text(open_page("query_sets", set=SET, tab=tab))
        assert "<img" not in text
        assert "&lt;img src=x" in text


def test_a_set_is_run_by_its_button_and_a_stopped_one_goes_on(
    kept: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = open_page("query_sets", set=SET)
    assert "Not evaluated yet" in page_text(at)
    with monkeypatch.context() as patch:
        patch.setattr(asking.WayToAsk, "outcome", _fails)
        press(at, "qs-run")
        job = background._jobs().get(f"harbor {SET}")
        assert job is not None
        assert job.wait(SECONDS)
    at.run()
    assert "The database went away" in page_text(at)
    (begun,) = kept.query_sets.runs(SET)
    assert (begun.n, begun.whole) == (0, False)
    press(at, "qs-resume")
    ended(at, kept)
    (whole,) = kept.query_sets.runs(SET)
    assert whole.evaluation_id == begun.evaluation_id
    assert len(rows(at)) == len(QUESTIONS)


def _fails(*_: object) -> None:
    raise StoreError("the database went away", hint="start it")


def test_evaluations_are_pinned_and_removed_in_the_history(
    kept: Docgraph, run: KeptEvaluation, open_page: Open
) -> None:
    later = kept.query_sets.run(SET)
    at = open_page("query_sets", set=SET, tab="history")
    press(at, f"qs-pin-{run.evaluation_id}")
    assert [each.pinned for each in kept.query_sets.runs(SET)] == [False, True]
    assert "Pinned:" in page_text(open_page("query_sets", set=SET))
    press(at, f"qs-remove-{later.evaluation_id}")
    assert [each.evaluation_id for each in kept.query_sets.runs(SET)] == [run.evaluation_id]


def test_who_may_not_write_reads_and_is_given_no_button_that_writes(
    run: KeptEvaluation, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "may", lambda act: False)
    for tab in ("questions", "history"):
        at = open_page("query_sets", set=SET, tab=tab)
        keys = {each.key or "" for each in at.button}
        assert not [key for key in keys if key.startswith(("qs-run", "qs-resume", "qs-pin", "qs-remove", "qs-keep"))]
    assert len(rows(open_page("query_sets", set=SET))) == len(QUESTIONS)


def test_an_archive_without_questions_is_refused() -> None:
    with pytest.raises(Exception, match="cannot be opened"):
        read_file(b"PK no archive", name="set.zip")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("queries.jsonl", '{"query": "Why?"}')
    with pytest.raises(Exception, match=r"'queries\.jsonl' cannot be opened: it is compressed by LZMA"):
        read_file(packed.getvalue(), name="set.zip")


def test_a_retriever_of_the_settings_is_offered_asked_and_asked_again(kept: Docgraph, open_page: Open) -> None:
    adapters = replace(kept.session.adapters, retrievers={"ours": lambda _: [("queue", 3.0), (HOSTILE, 1.0)]})
    object.__setattr__(kept.session, "adapters", adapters)
    kept.query_sets.run(SET)
    at = open_page("query_sets", set=SET)
    at.session_state["qs-configuration"] = True
    at.run()
    own = [each for each in at.button if (each.key or "").startswith("qs-own-")]
    assert [each.label for each in own] == ["ours"]
    press(at, "qs-own-0")
    assert "Next evaluation: off, on, ours" in page_text(at)
    press(at, "qs-run")
    ended(at, kept)
    newest = kept.query_sets.runs(SET)[0]
    assert [(each.name, each.source) for each in newest.configurations][2] == ("ours", "retriever")
    assert "Asked next" not in page_text(open_page("query_sets", set=SET))


def test_what_a_retriever_of_the_settings_left_goes_on_while_they_name_it(kept: Docgraph, open_page: Open) -> None:
    def stops(_: str) -> list[tuple[str, float]]:
        progress.stop = True
        return [("queue", 3.0)]

    progress = Stopping()
    named = replace(kept.session.adapters, retrievers={"ours": stops})
    object.__setattr__(kept.session, "adapters", named)
    begun = kept.query_sets.run(SET, {"off": "off", "mine": "ours"}, workers=1, progress=progress)
    assert 0 < begun.n < len(QUESTIONS)
    object.__setattr__(kept.session, "adapters", replace(named, retrievers={}))
    assert "qs-resume" not in [each.key for each in open_page("query_sets", set=SET).button]
    object.__setattr__(kept.session, "adapters", named)
    at = open_page("query_sets", set=SET)
    press(at, "qs-resume")
    ended(at, kept)
    assert [each.evaluation_id for each in kept.query_sets.runs(SET)] == [begun.evaluation_id]


class Stopping:
    """Stops once it is told to."""

    stop = False

    def update(self, done: int, total: int, current: str) -> None:
        del done, total, current

    def cancelled(self) -> bool:
        return self.stop

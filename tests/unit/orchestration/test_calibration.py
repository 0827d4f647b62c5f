"""``calibrate``: from questions to constants that retrieval uses, in the API and on the command line."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

import docgraph
from docgraph import Docgraph
from docgraph.aio import aconnect
from docgraph.domain.calibration import CalibrationReport, LabelledQuestion
from docgraph.domain.frozen import fingerprint
from docgraph.domain.packet import PacketRequest
from docgraph.errors import NotFoundError, UserError
from docgraph.orchestration.calibration import MIN_GAIN
from docgraph.retrieval.calibration import SHIPPED, calibration_id, shipped_calibrations
from tests import ROOT

SAMPLE = ROOT / "sample_data"
QUESTIONS = [json.loads(line) for line in (SAMPLE / "queries.jsonl").read_text(encoding="utf-8").splitlines()]
FOREIGN = (
    "When did Lothair II's mother die?",
    "Which film was released first, Aas Ka Panchhi or Phoolwari?",
    "How do annotations for generic classes work in the type system?",
    "Which composer wrote the music of the opera about a Roman general?",
    "How long must dough rest before it is baked?",
    "What are the rules of offside in football?",
)


NEARBY = (
    "Who painted the booking office?",
    "What colour is the checkout page?",
    "How much does a captain earn in summer?",
    "Which ferry is the oldest of the fleet?",
    "When does the canteen of the payment team open?",
    "How many languages does the support team speak?",
    "Who cleans the harbour office at night?",
)
UNANSWERABLE = [{"query": query, "relevant": []} for query in NEARBY]


@pytest.fixture(scope="module")
def sample() -> Iterator[Docgraph]:
    with docgraph.connect(store="memory", workspace="harbor") as opened:
        opened.ingest(SAMPLE / "harbor")
        yield opened


@pytest.fixture
def opened(sample: Docgraph) -> Iterator[Docgraph]:
    sample.calibration.reset()
    yield sample
    sample.calibration.reset()


@pytest.fixture
def sanguine(opened: Docgraph, monkeypatch: pytest.MonkeyPatch) -> Docgraph:
    """The sample where what is shipped is too sure of everything: a fit is better."""
    shipped = SHIPPED[0].model_copy(update={"slope": 9.3594, "intercept": -1.0, "words": 0.0})
    monkeypatch.setattr("docgraph.orchestration.calibration.shipped_calibrations", lambda _: {"cosine": shipped})
    return opened


FEW = QUESTIONS[:24]
"""So few that a fit on other folds of them is no better than one on all."""


def shipping_the_best(opened: Docgraph, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the constants that come with docgraph had been fitted on just these questions."""
    best = opened.calibration.fit(FEW, dry_run=True).calibration
    monkeypatch.setattr("docgraph.orchestration.calibration.shipped_calibrations", lambda _: {"cosine": best})


def test_a_report_says_what_was_fitted_on_what(sanguine: Docgraph) -> None:
    report = sanguine.calibration.fit([*QUESTIONS, *UNANSWERABLE])
    fitted = report.calibration
    assert (report.n_questions, report.n_left_out, report.candidates, report.n_folds) == (39, 0, 20, 5)
    assert fitted.n_pairs == 39 == sum(b.n_pairs for b in report.reliability_after)
    assert fitted.slope > 0
    assert fitted.calibration_id.startswith("wordllama:l2_supercat:256/cosine@")
    assert report.error_shipped is not None
    assert report.error_after < report.error_shipped - MIN_GAIN, "out of fold"
    assert (fitted.error_before, fitted.error_after) == (report.error_before, report.error_after)
    assert (report.why_not, report.stored) == ("", True)
    assert report.rates.answerable_met is not None
    assert report.rates.answerable_met > 0.8
    assert CalibrationReport.model_validate_json(report.model_dump_json()) == report


def test_a_fit_that_is_no_better_than_the_shipped_constants_is_told_and_not_kept(
    opened: Docgraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without questions that have no answer here a fit was worse than what it replaced, and kept: nothing is as hard to
    tell from an answer as the same question without its documents."""
    shipping_the_best(opened, monkeypatch)
    report = opened.calibration.fit(FEW)
    assert report.calibration.n_pairs == 2 * len(FEW), "each once without its documents"
    assert report.error_shipped is not None
    assert report.error_after >= report.error_shipped - MIN_GAIN
    assert report.why_not == (
        f"the fit is no better than the shipped constants on questions it never saw ({report.error_after:.3f}, "
        f"{report.error_shipped:.3f}): give 5 questions or more that have no answer here"
    )
    assert not report.stored
    assert opened.calibration.list() == SHIPPED


def test_a_fit_that_is_not_kept_leaves_the_one_that_is(sanguine: Docgraph, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = sanguine.calibration.fit([*QUESTIONS, *UNANSWERABLE])
    monkeypatch.undo()
    shipping_the_best(sanguine, monkeypatch)
    again = sanguine.calibration.fit(FEW)
    assert (again.stored, again.replaced) == (False, None)
    assert sanguine.calibration.list() == (kept.calibration,)


def test_retrieval_uses_it_until_it_is_reset(sanguine: Docgraph) -> None:
    opened = sanguine

    def used() -> tuple[set[str], list[str]]:
        packet = opened.retrieve(PacketRequest(query=QUESTIONS[0]["query"])).context_packet
        found = packet.candidates
        assert len({c.confidence for c in found}) == len(found) == 5, "passages are told apart"
        assert max(c.confidence for c in found) == packet.summary.top_confidence
        return {c.metadata["calibration_id"] for c in found}, [c.id for c in found]

    shipped, order = used()
    assert shipped == {SHIPPED[0].calibration_id}
    report = opened.calibration.fit([*QUESTIONS, *UNANSWERABLE])
    assert used() == ({report.calibration.calibration_id}, order)
    assert opened.calibration.list() == (report.calibration,)
    again = opened.calibration.fit([*QUESTIONS[1:], *UNANSWERABLE])
    assert again.replaced == report.calibration.calibration_id
    assert opened.calibration.reset() == 1
    assert used() == (shipped, order)
    assert opened.calibration.reset() == 0


def test_a_dry_run_keeps_nothing_and_equal_questions_give_equal_constants(opened: Docgraph) -> None:
    first, second = (
        opened.calibration.fit(QUESTIONS, dry_run=True),
        opened.calibration.fit(iter(QUESTIONS), dry_run=True),
    )
    assert not first.stored
    assert first.model_copy(update={"calibration": second.calibration}) == second
    assert first.calibration.calibration_id == second.calibration.calibration_id
    assert opened.calibration.list() == SHIPPED


def test_questions_that_cannot_be_answered_here_count_as_such(opened: Docgraph) -> None:
    foreign = [LabelledQuestion(query=query) for query in FOREIGN]
    report = opened.calibration.fit([*QUESTIONS, *foreign], dry_run=True)
    assert (report.n_unanswerable, report.rates.n_unanswerable, report.rates.n_answerable) == (6, 6, 32)
    assert report.rates.unanswerable_below == 1.0


def test_a_question_about_documents_that_are_not_here_is_left_out_and_counted(opened: Docgraph) -> None:
    strangers = [{"query": "What is a slot?", "relevant": ["no-such-document"]}]
    report = opened.calibration.fit([*QUESTIONS, *strangers], dry_run=True)
    assert (report.n_questions, report.n_left_out) == (32, 1)


@pytest.mark.parametrize(
    ("questions", "said"),
    [
        ([], "no questions"),
        ([{"query": "a"}], "question 1 has no 'relevant'"),
        ([{"query": "", "relevant": ["x"]}], "question 1: query"),
        ([{"query": "a", "relevant": "adr-011"}], "question 1: relevant"),
        ([{"query": "a", "relevant": [1]}], "question 1: relevant"),
        ([{"query": "a", "relevant": ["nothing"]}], "0 pairs of which 0 are relevant"),
        ([{"query": "a queue", "relevant": []}] * 5, "5 pairs of which 0 are relevant"),
    ],
)
def test_questions_that_nothing_can_be_fitted_on_are_refused(
    opened: Docgraph, questions: list[dict[str, Any]], said: str
) -> None:
    with pytest.raises(UserError, match=said):
        opened.calibration.fit(questions)
    assert opened.calibration.list() == SHIPPED


def test_labels_that_are_the_wrong_way_round_are_told(opened: Docgraph) -> None:
    every = [document.document_id for document in opened.documents.list()]
    wrong = [{"query": q["query"], "relevant": sorted(set(every) - set(q["relevant"]))} for q in QUESTIONS]
    with pytest.raises(UserError, match="do not rise with relevance"):
        opened.calibration.fit(wrong)


def test_a_workspace_that_is_not_there_is_told(opened: Docgraph) -> None:
    with pytest.raises(NotFoundError):
        opened.use_workspace("elsewhere").calibration.fit(QUESTIONS)


@pytest.mark.slow
def test_the_shipped_constants_separate_questions_that_the_sample_answers_from_others(opened: Docgraph) -> None:
    top = {
        q: opened.retrieve(q).context_packet.summary.top_confidence
        for q in (*(x["query"] for x in QUESTIONS), *FOREIGN)
    }
    assert sum(top[q["query"]] >= 0.6 for q in QUESTIONS) >= 0.75 * len(QUESTIONS)
    assert sum(top[query] < 0.6 for query in FOREIGN) == len(FOREIGN)


def test_a_calibrations_id_names_its_embedder_and_its_constants() -> None:
    for each in SHIPPED:
        assert each.calibration_id == calibration_id(
            each.embedder_id, each.score_kind, each.slope, each.intercept, each.words
        )
        assert shipped_calibrations(each.embedder_id)[each.score_kind] == each
    name = calibration_id("a:b:3", "cosine", 2.0, -1.0)
    assert name == f"a:b:3/cosine@{fingerprint(['a:b:3', 'cosine', '2.0', '-1.0'])[:8]}"
    assert shipped_calibrations("somebody:else:3") == {}


@pytest.mark.usefixtures("sanguine")
def test_it_can_be_awaited() -> None:
    async def trip() -> tuple[Any, ...]:
        async with aconnect(store="memory", workspace="harbor") as dg:
            await dg.ingest(SAMPLE / "harbor")
            report = await dg.calibration.fit([*QUESTIONS, *UNANSWERABLE])
            used = await dg.calibration.list()
            return report, used, await dg.calibration.reset()

    report, used, n_removed = asyncio.run(trip())
    assert (used, n_removed) == ((report.calibration,), 1)

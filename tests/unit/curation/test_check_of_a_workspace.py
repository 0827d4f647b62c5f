"""``Docgraph.check`` reads one snapshot, asks the saved questions again, and survives those that cannot be asked."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from docgraph import plugins
from docgraph.domain.finding import CheckResult, Rule
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

DOCUMENTS = tuple(
    Document(document_id=each, title=each.upper(), text=text)
    for each, text in (("a", "The queue is bounded."), ("b", "A slot holds a payment."), ("c", "The alarm rings."))
)
EDGES = tuple(
    Relationship(from_document_id=start, relation_type=via, to_document_id=end)
    for start, via, end in (("a", "explains", "b"), ("b", "references", "gone"), ("c", "explains", "c"))
)


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    ticks = itertools.count()
    adapters = Adapters(
        database=memory.build(),
        embedder=HashingEmbedder(64),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: float(next(ticks)),
        checks=tuple(plugins.build("checks", name) for name in plugins.available("checks")),
    )
    with Docgraph(adapters, "test") as docgraph:
        docgraph.ingest_records(DOCUMENTS, EDGES)
        yield docgraph


def _result(dg: Docgraph, check_id: str, **rule: object) -> CheckResult:
    report = dg.check({check_id: Rule.model_validate(rule)})
    return next(result for result in report.results if result.check_id == check_id)


def test_every_check_there_is_has_a_result(dg: Docgraph) -> None:
    report = dg.check()
    assert sorted(result.check_id for result in report.results) == list(plugins.available("checks"))
    assert (report.n_documents, report.n_relationships, report.corpus_revision) == (3, 3, dg.workspace.revision)


def test_findings_say_what_they_are_about_with_titles(dg: Docgraph) -> None:
    [missing] = _result(dg, "missing_endpoint").findings
    assert missing.sentence == "B —references→ gone: there is no document gone"
    [self_link] = _result(dg, "self_link").findings
    assert self_link.relationships == (("c", "explains", "c"),)


def test_checking_changes_nothing_and_gives_the_same_again(dg: Docgraph) -> None:
    before = dg.workspace
    assert dg.check() == dg.check()
    assert dg.workspace == before


def test_a_saved_question_that_cannot_be_planned_today_is_left_out_and_counted(dg: Docgraph) -> None:
    for seeds in ((), ("c",)):
        dg.runs.save(dg.run(RetrievalRequest(query="queue", seed_document_ids=seeds)))
    assert (dg.check().n_questions, dg.check().n_questions_left_out) == (2, 0)
    dg.documents.delete(["c"])
    report = dg.check()
    assert (report.n_questions, report.n_questions_left_out) == (1, 1)


def test_two_saved_runs_of_one_request_are_one_question(dg: Docgraph) -> None:
    dg.runs.save(dg.run(RetrievalRequest(query="queue")))
    dg.ingest_records([Document(document_id="d", title="D", text="One more queue.")])
    dg.runs.save(dg.run(RetrievalRequest(query="queue")))
    assert dg.check().n_questions == 1

"""Checks say how far they are and can be stopped: what has run to its end is kept, the rest is named as not run."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from docgraph import plugins
from docgraph.curation.checking import NOT_RUN, check_graph
from docgraph.domain.curation import Dismissal
from docgraph.domain.finding import CheckReport, Finding, Rule, Severity
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.workspace import EmbedderInfo, Workspace
from docgraph.errors import UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.ports import Outcome, Progress, RelationshipGraph
from docgraph.ports.progress import STEP
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer
from docgraph.testing.examples.checks import graph_of
from tests.builders import RecordingProgress

HERE = Workspace(name="here", embedder=EmbedderInfo(name="letters", dimension=4), revision="r1")
N = 3 * STEP
GRAPH = graph_of([(f"d{i:04}", "explains", "a") for i in range(N)])


@dataclass(frozen=True)
class Every:
    check_id: str
    severity: Severity = "warning"
    title: str = "Every relationship"
    why: str = "It is there."
    unit: str = "relationships"
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        found = [
            Finding.about(self.check_id, self.severity, "There.", relationships=(edge.key,))
            for edge in graph.each(graph.relationships)
        ]
        return Outcome(len(graph.relationships), found)


CHECKS = (Every("a", title="A"), Every("b", severity="error", title="B"), Every("c", title="C"))


class StopAfter:
    """Lets so many questions whether to stop pass, and says yes from then on."""

    def __init__(self, asked: int) -> None:
        self.left = asked

    def update(self, done: int, total: int, message: str) -> None: ...

    def cancelled(self) -> bool:
        self.left -= 1
        return self.left < 0


def _check(progress: Progress | None, **options: Any) -> CheckReport:
    return check_graph(GRAPH, CHECKS, options.pop("rules", {}), workspace=HERE, progress=progress, **options)


def test_progress_is_n_of_the_checks_that_are_on_with_the_title_of_the_one_that_runs() -> None:
    progress = RecordingProgress()
    _check(progress)
    assert progress.updates == [(0, 3, "B"), (1, 3, "A"), (2, 3, "C"), (3, 3, "")]
    progress = RecordingProgress()
    _check(progress, rules={"a": Rule(on=False)})
    assert progress.updates == [(0, 2, "B"), (1, 2, "C"), (2, 2, "")]


def test_a_report_of_which_somebody_followed_the_progress_is_the_same_to_the_byte() -> None:
    report = _check(RecordingProgress())
    assert report.model_dump_json() == _check(None).model_dump_json()
    assert (report.complete, report.not_run, report.n_run, report.n_on) == (True, (), 3, 3)


def test_a_stop_keeps_what_is_finished_worst_first_and_names_what_was_not_run() -> None:
    report = _check(RecordingProgress(cancel_after=2))  # while the second check runs
    assert (report.complete, report.not_run) == (False, ("a", "c"))
    assert (report.n_run, report.n_on) == (1, 3)
    kept, *rest = report.results
    assert (kept.check_id, kept.n_checked, len(kept.findings)) == ("b", N, N)
    assert kept == _check(None).results[0]
    assert [(r.on, r.n_checked, r.findings, r.skipped) for r in rest] == [(True, 0, (), NOT_RUN)] * 2


def test_a_long_check_can_be_stopped_on_its_way_and_so_can_the_look_at_what_it_found() -> None:
    before_any = 1
    on_its_way = before_any + 2
    looking = before_any + 3 + 2  # all three batches of the search, then two of its findings
    for asked in (on_its_way, looking):
        progress = StopAfter(asked)
        assert _check(progress).n_run == 0
        assert progress.left < 0
    assert _check(StopAfter(before_any + 3 + 3)).n_run == 1


def test_what_a_check_put_aside_before_it_was_stopped_is_not_among_the_ignored() -> None:
    subject = _check(None).results[0].findings[0]
    ignored = [Dismissal(subject_id=subject.finding_id, kind="finding", by="Ann", at="2026-01-01T00:00:00Z")]
    assert len(_check(StopAfter(7), dismissals=ignored).ignored) == 1
    assert _check(StopAfter(6), dismissals=ignored).ignored == ()


def test_a_check_that_is_off_is_never_among_those_that_were_not_run() -> None:
    report = _check(RecordingProgress(cancel_after=0), rules={"a": Rule(on=False)})
    assert report.not_run == ("b", "c")
    assert [(r.check_id, r.skipped) for r in report.results if not r.on] == [("a", "")]


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
        docgraph.ingest_records(
            [Document(document_id=each, title=each, text=f"Text of {each}.") for each in ("a", "b", "c")],
            [Relationship(from_document_id="a", relation_type="explains", to_document_id="b")],
        )
        for query in ("queue", "alarm", "slot"):
            docgraph.runs.save(docgraph.run(RetrievalRequest(query=query)))
        yield docgraph


def test_planning_the_saved_questions_is_a_step_each_before_the_first_check(dg: Docgraph) -> None:
    progress = RecordingProgress()
    report = dg.check(progress=progress)
    n = len(plugins.available("checks"))
    before = [message for done, total, message in progress.updates if (done, total) == (0, n)]
    assert before[:-1] == [
        "Reading the documents: 0 of 3",
        "Reading the relationships: 0 of 1",
        *(f"Planning the saved questions: {i} of 3" for i in range(3)),
    ]
    assert before[-1] == report.results[0].title
    assert progress.updates[-1] == (n, n, "")
    assert report == dg.check()


@pytest.mark.parametrize("updates", [0, 1, 2, 4])
def test_a_stop_while_the_workspace_is_read_leaves_a_report_in_which_no_check_has_run(
    dg: Docgraph, updates: int
) -> None:
    report = dg.check(progress=RecordingProgress(cancel_after=updates))
    assert (report.complete, report.n_run, len(report.not_run)) == (False, 0, len(plugins.available("checks")))
    assert not report.findings
    assert (report.n_documents, report.n_relationships, report.n_questions) == (3, 1, 0)
    assert [r.check_id for r in report.results] == [r.check_id for r in dg.check().results]


def test_rules_that_cannot_be_meant_are_refused_before_anything_is_read(dg: Docgraph) -> None:
    progress = RecordingProgress()
    with pytest.raises(UserError, match="there is no check"):
        dg.check({"orphans": Rule()}, progress=progress)
    assert not progress.updates

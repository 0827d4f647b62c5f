"""Impact before saving on PostgreSQL: it equals what happens when the edits are made; and its command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import docgraph
from docgraph import Docgraph, RetrievalRequest
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.impact import ImpactReport
from docgraph.domain.run import Run
from tests.integration.commands import Command, said

TEXTS = {
    "queue": "The queue is bounded and drops.",
    "slot": "A slot holds a payment.",
    "alarm": "The alarm rings at night.",
    "route": "The route leads over sea.",
    "budget": "The budget is spent.",
    "retry": "A retry waits and waits.",
}
EDGES = [
    ("queue", "explains", "slot"),
    ("queue", "references", "budget"),
    ("alarm", "explains", "route"),
    ("retry", "explains", "queue"),
    ("route", "references", "gone"),
    ("budget", "explains", "budget"),
]
QUESTIONS = ("Why is the queue bounded?", "Who hears the alarm?", "How long does a retry wait?", "Where is the route?")
EDITS = [
    Edit(action="remove", key=("queue", "explains", "slot")),
    Edit(action="retype", key=("queue", "references", "budget"), relation_type="explains"),
    Edit(action="flip", key=("retry", "explains", "queue"), relation_type="explained_by"),
    Edit(action="retarget", key=("route", "references", "gone"), to_document_id="alarm"),
    Edit(action="add", key=("alarm", "Ωmega", "gone")),
]
JUDGED = {"slot": True, "budget": True, "alarm": False}
LIMITS: dict[str, Any] = {"max_documents": 2, "max_expanding_seeds": 1}


@pytest.fixture
def dg(new_database_url: str) -> Iterator[Docgraph]:
    with docgraph.connect(new_database_url, workspace="w") as opened:
        opened.ingest_records(
            [Document(document_id=i, title=i.title(), text=text) for i, text in TEXTS.items()],
            [Relationship(from_document_id=s, relation_type=via, to_document_id=end) for s, via, end in EDGES],
        )
        yield opened


def chunks(run: Run) -> set[tuple[str, str]]:
    return {(document_id, chunk.chunk_id) for document_id, chunk in run.context.ranked_chunks}


def make(dg: Docgraph, edits: list[Edit]) -> None:
    """Make the edits by the calls that there were before there were edits."""
    for edit in edits:
        if edit.action != "add":
            dg.relationships.remove(edit.key)
        if edit.result is not None:
            start, via, end = edit.result
            dg.relationships.add(Relationship(from_document_id=start, relation_type=via, to_document_id=end))


def test_what_was_foreseen_is_what_happens(dg: Docgraph) -> None:
    dg.relationships.set_off_types(["mentions"])
    asked = {dg.runs.save(RetrievalRequest(query=q, **LIMITS)).run_id: q for q in QUESTIONS}
    for document_id, relevant in JUDGED.items():
        dg.judgments.judge(QUESTIONS[0], document_id, relevant, by="Ann")
    before = {run_id: dg.runs.get(run_id).run for run_id in asked}
    fresh = dg.relationships.impact(EDITS)
    dg.relationships.set_off_types([])
    planned_anew = dg.relationships.impact(EDITS)
    assert planned_anew.questions == fresh.questions
    assert dg.relationships.effects([EDITS[:1], EDITS]) == (dg.relationships.impact(EDITS[:1]), planned_anew)
    foreseen = {run_id: dg.relationships.compare_edits(run.request, EDITS).b.run for run_id, run in before.items()}
    make(dg, EDITS)
    truth = {run_id: dg.run(run.request) for run_id, run in before.items()}
    assert fresh.n_questions == len(QUESTIONS)
    assert 0 < fresh.n_changed < len(QUESTIONS)
    found = {q.run_id: q for q in fresh.questions}
    for run_id, run in before.items():
        now = truth[run_id]
        b = foreseen[run_id]
        assert (b.context.documents, b.assembled.text) == (now.context.documents, now.assembled.text)
        assert all(check.passed for check in b.contract)
        a, b = set(run.plan.document_ids), set(now.plan.document_ids)
        question = found.get(run_id)
        if question is None:
            assert (run.context.documents, run.assembled.text) == (now.context.documents, now.assembled.text)
            continue
        helpful = {i for i, relevant in JUDGED.items() if relevant} if question.query == QUESTIONS[0] else None
        for gains, moved in ((question.gained, b - a), (question.lost, a - b)):
            assert gains.n_relevant == (None if helpful is None else len(moved & helpful))
            assert {d.document_id for d in gains.relevant} == moved & (helpful or set())
        assert {d.document_id for d in question.gained.documents} == b - a
        assert {d.document_id for d in question.lost.documents} == a - b
        assert {(c.document_id, c.chunk_id) for c in question.gained.chunks} == chunks(now) - chunks(run)
        assert {(c.document_id, c.chunk_id) for c in question.lost.chunks} == chunks(run) - chunks(now)


EDGE = "a|explains|b"


@pytest.fixture
def question(command: Command, module_url: str) -> Iterator[str]:
    """A saved question with one relationship that it follows."""
    with docgraph.connect(module_url, workspace="w") as opened:
        opened.relationships.add(Relationship(from_document_id="a", relation_type="explains", to_document_id="b"))
        request = RetrievalRequest(query="the queue of a", seed_document_ids=("a",), max_documents=2)
        saved = opened.runs.save(request, name="Evil \x1b[31m name")
        yield saved.run_id
        opened.runs.delete(saved.run_id, forever=True)
        opened.relationships.remove(("a", "explains", "b"))


def test_the_command_says_which_questions_change_and_how(command: Command, question: str) -> None:
    code, out, err = command("impact", "--retarget", f"{EDGE}=c")
    assert (code, "\x1b" in out) == (0, False), err
    assert out.startswith("1 of 1 saved question changes with 1 edit in w; 1 plan changes\n")
    assert "This edit adds 1 document; 1 document is removed. Passages: 1 added, 1 removed, 1" in " ".join(out.split())
    assert "+ c [c]" in out
    assert "− b [b]" in out
    assert "judged relevant" not in out
    assert question in out
    code, out, _ = command("impact", "--remove", EDGE, "--add", EDGE, "--json")
    report = ImpactReport.model_validate(json.loads(out))
    assert (code, report.n_questions, report.n_changed_plans) == (0, 1, 0)
    code, out, _ = command("impact", "--flip", f"{EDGE}=explained_by", "--retype", f"{EDGE}=implements")
    assert code == 1


def test_the_command_says_what_is_judged_relevant_of_it(command: Command, question: str, module_url: str) -> None:
    with docgraph.connect(module_url, workspace="w") as opened:
        opened.judgments.judge("the queue of a", "b", True, by="Ann")
        code, out, err = command("impact", "--retarget", f"{EDGE}=c")
        opened.judgments.judge("the queue of a", "b", None, by="Ann")
    assert code == 0, err
    assert "  gains 0 judged relevant, loses 1\n" in out
    assert "− b [b] (judged relevant)" in out


def test_the_command_reads_names_with_marks_in_them(command: Command, question: str) -> None:
    code, out, err = command("impact", "--retype", f"{EDGE}=50%25%3Dhalf", "--json")
    assert code == 0, err
    assert json.loads(out)["edits"][0]["relation_type"] == "50%=half"
    assert json.loads(out)["n_changed_plans"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no edit given"),
        (("--remove", "a|b"), "'a|b' does not name a relationship"),
        (("--retype", EDGE), f"--retype '{EDGE}' does not say what to change it to"),
        (("--retype", f"{EDGE}={'x' * 101}"), "--retype"),
        (("--remove", "a|explains|nowhere"), "there is no relationship"),
        (("--add", EDGE), "already"),
        (("--add", "nowhere|explains|b"), "there is no document"),
    ],
)
def test_an_edit_that_cannot_be_made_is_one_line(
    command: Command, question: str, arguments: tuple[str, ...], message: str
) -> None:
    code, out, err = command("impact", *arguments)
    assert (code, out) == (1, "")
    assert message in said(err)[0]

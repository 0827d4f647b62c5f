"""Files of questions: what is read of them, and that saving them twice changes nothing."""

from __future__ import annotations

import json

import pytest

from docgraph.boundary import json_lines
from docgraph.cli import edge
from docgraph.domain.graph import Document
from docgraph.domain.judgment import NotJudged
from docgraph.errors import UserError
from docgraph.orchestration import questions
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.questions import first, read_questions, save_questions
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

ASKED = ("Why is the queue bounded?", "What rings?", "Who cleans it?")
FILE = "\n".join(json.dumps({"query": query, "relevant": ["a"], "effect": "x"}) for query in ASKED).encode()


class Stopping:
    """Progress that stops after ``n`` questions."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.told: list[tuple[int, int]] = []

    def update(self, done: int, total: int, message: str) -> None:
        self.told.append((done, total))

    def cancelled(self) -> bool:
        return self.told[-1][0] >= self.n


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Docgraph:
    adapters = Adapters(
        database=memory.build(),
        embedder=HashingEmbedder(),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: 0.0,
        now=lambda: "2026-01-01T00:00:00Z",
    )
    docgraph = Docgraph(adapters, "harbor")
    docgraph.ingest_records([Document(document_id="a", title="Queue", text="The queue is bounded. The alarm rings.")])
    return docgraph


def test_each_line_is_a_question_once_and_a_line_without_one_is_told() -> None:
    read = read_questions(
        FILE + b'\n\n{"query": " What rings? "}\n{"q": 1}\nnonsense\n{"query": "' + b"x" * 20_001 + b'"}'
    )
    assert tuple(request.query for request in read.requests) == ASKED
    assert [each.place for each in read.rejected] == ["line 6", "line 7", "line 8"]
    assert [request.query for request in first(read, 2).requests] == list(ASKED[:2])


@pytest.mark.parametrize("data", [b"", b"\n\n", b'{"query": ""}', b"\xff\xfe\x00"])
def test_a_file_without_a_question_is_refused(data: bytes) -> None:
    with pytest.raises(UserError):
        read_questions(data)


@pytest.mark.parametrize(
    ("module", "limit", "line", "words"),
    [
        (json_lines, "MAX_REFUSED", b"{}\n", "3 of its first 3 records are refused"),
        (questions, "MAX_QUESTIONS", b'{"query": "%d"}\n', "more than 3 questions"),
    ],
)
def test_a_file_of_too_much_is_refused_before_it_is_read_to_its_end(
    monkeypatch: pytest.MonkeyPatch, module: object, limit: str, line: bytes, words: str
) -> None:
    """300,000 questions, 6 MB, took 5.9 seconds and 270 MB before the file was refused."""
    monkeypatch.setattr(module, limit, 3)
    data = b"".join(line % n if b"%" in line else line for n in range(5)) + b'{"query": "' + b"x" * 30_000 + b'"}'
    with pytest.raises(UserError, match=words):
        read_questions(data)


def test_questions_become_saved_runs_named_by_them_and_doing_it_again_changes_nothing(opened: Docgraph) -> None:
    progress = Stopping(99)
    saved = save_questions(opened, read_questions(FILE), by="sample", progress=progress)
    rows = {row.name: row for row in opened.runs.list()}
    assert set(rows) == set(ASKED)
    assert {row.saved_by for row in rows.values()} == {"sample"}
    assert (saved.n_new, saved.stopped) == (3, False)
    assert progress.told == [(0, 3), (1, 3), (2, 3), (3, 3)]
    opened.runs.describe(saved.kept[0].run_id, name="My name")
    again = save_questions(opened, read_questions(FILE), by="somebody")
    assert [each.run_id for each in again.kept] == [each.run_id for each in saved.kept]
    assert again.n_new == 0
    assert opened.runs.get(saved.kept[0].run_id).name == "My name"
    assert {row.saved_by for row in opened.runs.list()} == {"sample"}


def lines(*records: dict[str, object]) -> bytes:
    return "\n".join(map(json.dumps, records)).encode()


def test_the_relevant_documents_of_a_question_are_read_and_what_is_none_is_told() -> None:
    """A question that stands twice has the documents of both lines; nothing wrong with them rejects a question."""
    read = read_questions(
        lines(
            {"query": "A?", "relevant": ["a", "b"]},
            {"query": "B?"},
            {"query": " A? ", "relevant": ["b", "c", 1, ""]},
            {"query": "C?", "relevant": "a"},
        )
    )
    assert read.relevant == {"A?": ("a", "b", "c")}
    assert [request.query for request in read.requests] == ["A?", "B?", "C?"]
    assert [(each.query, each.reason) for each in read.not_judged] == [
        ("A?", "line 3: '1' under 'relevant' is not a document id"),
        ("A?", "line 3: '' under 'relevant' is not a document id"),
        ("C?", "line 4: 'relevant' is not a list of document ids"),
    ]
    assert first(read, 2).relevant == read.relevant


def test_what_a_file_calls_relevant_becomes_judgments_and_no_persons_judgment_is_touched(opened: Docgraph) -> None:
    person = opened.judgments.judge(ASKED[0], "a", False, by="Ann")
    file = read_questions(
        lines(
            {"query": ASKED[0], "relevant": ["a"]},
            {"query": ASKED[1], "relevant": ["nowhere", "a", 7]},
            {"query": ASKED[2]},
        )
    )
    saved = save_questions(opened, file, by="Ben")
    assert (saved.n_judgments, saved.n_judged_before) == (1, 1)
    assert saved.not_judged == (
        NotJudged(query=ASKED[1], reason="line 2: '7' under 'relevant' is not a document id"),
        NotJudged(query=ASKED[1], document_id="nowhere", reason="no document has this id"),
    )
    assert opened.judgments.list(ASKED[0]) == (person,)
    assert [(each.document_id, each.relevant, each.by) for each in opened.judgments.list(ASKED[1])] == [
        ("a", True, "Ben")
    ]
    kept = opened.judgments.list()
    again = save_questions(opened, file, by="Cem")
    assert (again.n_judgments, again.n_judged_before, opened.judgments.list()) == (0, 2, kept)


def test_without_a_name_questions_are_saved_and_nothing_is_judged(opened: Docgraph) -> None:
    saved = save_questions(opened, read_questions(FILE), by=" ")
    assert (len(saved.kept), saved.n_judgments, len(saved.not_judged)) == (3, 0, 3)
    assert {each.reason for each in saved.not_judged} == {"no name is given for the judge"}
    assert opened.judgments.list() == ()


def test_what_was_finished_before_a_stop_stays_and_the_next_time_goes_on(opened: Docgraph) -> None:
    saved = save_questions(opened, read_questions(FILE), by="", progress=Stopping(1))
    assert (saved.n, len(saved.kept), saved.stopped) == (3, 1, True)
    assert [row.name for row in opened.runs.list()] == [ASKED[0]]
    again = save_questions(opened, read_questions(FILE), by="")
    assert (len(again.kept), again.n_new) == (3, 2)


def test_a_file_that_is_not_there_is_told_before_a_database_is_opened(capsys: pytest.CaptureFixture[str]) -> None:
    assert edge.run(["runs", "save-questions", "no-such-file.jsonl"]) == 1
    assert "no-such-file.jsonl" in capsys.readouterr().err

"""Kept query sets on both stores: two at once, killed, over documents that move and change, for who may only read."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from docgraph import Document, plugins
from docgraph.domain.evaluation import Evaluation
from docgraph.errors import ForbiddenError, StoreError
from docgraph.orchestration.docgraph import Docgraph
from tests import ROOT
from tests.integration.test_reading_rights import GRANTS
from tests.survive.workspaces import DOCUMENTS, EDGE, opened

QUESTIONS = [{"query": f"queue {'abcd'[n % 4]} {n}?", "grades": {"abcd"[n % 4]: 2}} for n in range(12)]
MEASURES = ("ndcg@4", "tokens")
JUDGED = {"query": "queue a 0?", "chunk_id": "a#0", "grade": 0}
REFUSED: tuple[Callable[[Docgraph, str], object], ...] = (
    lambda dg, _: dg.query_sets.run("mine", measures=MEASURES),
    lambda dg, _: dg.query_sets.keep(["why?"], name="other"),
    lambda dg, evaluation_id: dg.query_sets.pin(evaluation_id),
    lambda dg, evaluation_id: dg.query_sets.remove_run(evaluation_id),
    lambda dg, _: dg.query_sets.remove("mine"),
    lambda dg, _: dg.judgments.judge_passage("queue a 0?", "a#0", 0, by="Ben"),
    lambda dg, _: dg.judgments.import_passages([JUDGED], by="Ben"),
)
"""What is asked of those who may only read."""
_KILLED = """
import os, sys
sys.path.insert(0, {root!r})
from tests.survive.workspaces import small
class Killed:
    def update(self, done, total, message):
        if done == {after}:
            os.kill(os.getpid(), 9)
    def cancelled(self):
        return False
small({url!r}).query_sets.run("mine", measures={measures!r}, progress=Killed())
"""


@pytest.fixture(params=["memory", "postgres"])
def dg(request: pytest.FixtureRequest) -> Iterator[Docgraph]:
    if request.param == "memory":
        database = plugins.build("stores", "memory")
    else:
        url = request.getfixturevalue("new_database_url")
        database = plugins.build("stores", "postgres", database_url=url, pool_size=4)
    with opened(database) as made:
        made.ingest_records(DOCUMENTS, [EDGE])
        yield made


def untimed(evaluation: Evaluation) -> Evaluation:
    """All but its name and how long it took."""
    return evaluation.model_copy(update={"seconds": 0.0, "name": ""})


class Meeting:
    """Progress that waits, after so many questions, until another one is as far."""

    def __init__(self, barrier: threading.Barrier) -> None:
        self.barrier, self.met = barrier, False

    def update(self, done: int, total: int, message: str) -> None:
        """How far it is."""
        if done >= 3 and not self.met:
            self.met = True
            self.barrier.wait(60)

    def cancelled(self) -> bool:
        """Never."""
        return False


def test_two_sets_in_the_middle_at_once_find_what_each_finds_alone(dg: Docgraph) -> None:
    asked = {"one": QUESTIONS, "two": QUESTIONS[::-1]}
    for name, questions in asked.items():
        dg.query_sets.keep(questions, name=name)
    both = threading.Barrier(2)
    threads = [
        threading.Thread(target=dg.query_sets.run, args=(n,), kwargs={"measures": MEASURES, "progress": Meeting(both)})
        for n in asked
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    for name in asked:
        (kept,) = dg.query_sets.runs(name)
        alone = dg.evaluate(dg.query_sets.get(name).query_set, measures=MEASURES)
        assert kept.whole
        assert untimed(dg.query_sets.result(kept.evaluation_id)) == untimed(alone)


@pytest.mark.slow
def test_what_was_killed_in_the_middle_is_gone_on_with_and_is_what_was_never_stopped(new_database_url: str) -> None:
    with opened(plugins.build("stores", "postgres", database_url=new_database_url)) as dg:
        dg.ingest_records(DOCUMENTS, [EDGE])
        dg.query_sets.keep(QUESTIONS, name="mine")
        code = _KILLED.format(root=str(ROOT), url=new_database_url, after=5, measures=MEASURES)
        ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert ended.returncode == -9, ended.stderr[-2_000:]
        (part,) = dg.query_sets.runs("mine")
        assert (part.n, part.whole, part.figures) == (5, False, ())
        told = dg.query_sets.result(part.evaluation_id)  # there are no figures in the list: they are worked out
        assert (len(told.outcomes), told.stopped, told.figures[0].n) == (5, True, 5)
        whole = dg.query_sets.run("mine", go_on=part.evaluation_id)
        assert (whole.evaluation_id, whole.n, whole.whole) == (part.evaluation_id, 12, True)
        alone = dg.evaluate(dg.query_sets.get("mine").query_set, measures=MEASURES)
        assert untimed(dg.query_sets.result(whole.evaluation_id)) == untimed(alone)
        assert (whole.figures, whole.differences) == (alone.figures, alone.differences)


def test_a_question_that_cannot_be_answered_is_told_and_the_others_are_asked(
    dg: Docgraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    dg.query_sets.keep(QUESTIONS, name="mine")
    probe = type(dg.session).probe

    def failing(session: object, query: str) -> object:
        if query == QUESTIONS[4]["query"]:
            raise StoreError("the disk is full", hint="make room")
        return probe(session, query)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(type(dg.session), "probe", failing)
        kept = dg.query_sets.run("mine", measures=MEASURES)
    assert (kept.n, kept.whole, kept.figures[0].n) == (12, True, 11)
    assert {(i, of) for i, of, _ in dg.query_sets.result(kept.evaluation_id).failures} == {("q5", "off"), ("q5", "on")}
    (difference,) = [each for each in kept.differences if each.measure == MEASURES[0]]
    assert (difference.failed, difference.n) == (1, 11)


def test_judged_passages_go_with_a_document_that_moves_and_wait_for_one_that_is_gone(
    dg: Docgraph, tmp_path: Path
) -> None:
    why, text = "why is the queue bounded?", "# Queue\n\nThe queue is bounded.\n"
    (tmp_path / "queue.md").write_text(text, encoding="utf-8")
    dg.ingest(tmp_path)
    (old,) = [each.document_id for each in dg.documents.list() if each.document_id not in "abcd"]
    dg.query_sets.keep([why], name="mine")
    first = dg.query_sets.run("mine", ["on"], measures=MEASURES)
    dg.judgments.judge_passage(why, f"{old}#0", 2, by="Ann")
    assert dg.query_sets.get("mine").query_set.queries[0].grades == {old: 2}

    (tmp_path / "queue.md").rename(tmp_path / "booking.md")
    new = dg.ingest(tmp_path).moved[old]
    assert [(each.document_id, each.chunk_id) for each in dg.judgments.passages()] == [(new, f"{new}#0")]
    assert dg.query_sets.get("mine").query_set.queries[0].grades == {new: 2}
    pool = dg.query_sets.pool("mine", [first.evaluation_id])
    assert pool.n_gone == 1, "the passage was read under its old id"
    assert old not in {each.document_id for each in pool.passages}

    dg.documents.delete([new])
    assert dg.query_sets.get("mine").query_set.queries[0].grades == {}
    assert len(dg.judgments.passages()) == 1
    dg.ingest(tmp_path)
    assert dg.query_sets.get("mine").query_set.queries[0].grades == {new: 2}

    dg.query_sets.run("mine", ["on"], measures=MEASURES)
    dg.judgments.judge_passage(why, f"{new}#0", 1, by="Ann")
    pile = dg.query_sets.pile(dg.query_sets.pool("mine"), by="Ann")
    assert f"{new}#0" not in {each.chunk_id for each in pile.passages}
    dg.ingest_records([Document(document_id=new, title="Queue", text="The queue is no longer bounded.")])
    pile = dg.query_sets.pile(dg.query_sets.pool("mine"), by="Ann")
    assert f"{new}#0" in {each.chunk_id for each in pile.passages}, "another text is judged anew"


def test_who_may_only_read_reads_kept_sets_and_is_refused_the_rest(new_database_url: str) -> None:
    role = "kept_" + new_database_url.split("/test_")[1].split("?")[0]
    reading_url = new_database_url.replace("postgres@", f"{role}@")
    with opened(plugins.build("stores", "postgres", database_url=new_database_url)) as dg:
        dg.ingest_records(DOCUMENTS, [EDGE])
        dg.query_sets.keep(QUESTIONS[:3], name="mine")
        kept = dg.query_sets.run("mine", measures=MEASURES)
        dg.judgments.judge_passage("queue a 0?", "a#0", 2, by="Ann")
        with psycopg.connect(new_database_url, autocommit=True) as connection:
            connection.execute(GRANTS.format(role=role))
        viewer = dg.acting_as({"name": "Ben", "role": "viewer"})
        with opened(plugins.build("stores", "postgres", database_url=reading_url)) as reader:
            for each, error in ((reader, StoreError), (viewer, ForbiddenError)):
                assert each.query_sets.result(kept.evaluation_id) == dg.query_sets.result(kept.evaluation_id)
                assert each.query_sets.get("mine") == dg.query_sets.get("mine")
                assert each.query_sets.pool("mine") == dg.query_sets.pool("mine")
                for act in REFUSED:
                    with pytest.raises(error) as told:
                        act(each, kept.evaluation_id)
                    assert told.value.hint
        assert dg.query_sets.runs("mine") == (kept,)
        assert [each.grade for each in dg.judgments.passages()] == [2]

"""Rules for query sets, their evaluations outcome by outcome, and judgments of passages."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.domain.evaluation import Answer, BegunEvaluation, Configuration, KeptEvaluation, Outcome
from docgraph.domain.judgment import Judgment, PassageJudgment, passage_hash
from docgraph.domain.query_set import JudgedQuery, QuerySet, StoredQuerySet
from docgraph.errors import ConflictError, NotFoundError
from docgraph.ports import Database, Store

AT = "2026-03-01T00:00:00+00:00"
REVISION = "a" * 32


def stored_set(name: str, *queries: str, **fields: Any) -> StoredQuerySet:
    """A set of these questions, of which document ``a`` is relevant to the first."""
    asked = tuple(
        JudgedQuery(query_id=f"q{n}", query=text, grades={} if n else {"a": 2}) for n, text in enumerate(queries)
    )
    return StoredQuerySet(name=name, at=AT, query_set=QuerySet(name=name, queries=asked), **fields)


def begun(evaluation_id: str, name: str = "mine", **fields: Any) -> BegunEvaluation:
    """An evaluation of two questions that has no outcome yet."""
    summary = KeptEvaluation(
        evaluation_id=evaluation_id,
        query_set=name,
        workspace="example",
        **{"at": AT, "n_asked": 2, "revision": REVISION, **fields},
        configurations=(Configuration(name="on", label="on"),),
        measures=("recall@6",),
    )
    return BegunEvaluation(summary=summary, asked="asked", questions=stored_set(name, "why?", "how?").query_set)


def outcome(query_id: str, value: float | None = 1.0) -> Outcome:
    """One that read document ``a``."""
    answers = {"on": Answer(documents=("a",), chunks=("a#0",))}
    return Outcome(query_id=query_id, query="why?", answers=answers, values={"on": {"recall@6": value}})


def passage(text: str, grade: int | None, **fields: Any) -> PassageJudgment:
    """One of Ann's about a text of document ``a``."""
    given = {"query": "why?", "document_id": "a", "chunk_id": "a#0", "by": "Ann", "at": AT, **fields}
    return PassageJudgment(**given, text_hash=passage_hash(text), grade=grade)


class QuerySetRules:
    """See ``testing.suites.stores``."""

    def test_a_set_comes_back_by_its_name_and_gives_way_to_the_next_of_it(self, database: Database) -> None:
        """Sets of other workspaces are others; evaluations stay."""
        sets = database.query_sets
        first, other = stored_set("mine", "why?", "how?", note="n", by="Ann"), stored_set("mine", "x")
        sets.keep_set("example", first)
        sets.keep_set("other", other)
        assert (sets.query_set("example", "mine"), sets.query_set("other", "mine")) == (first, other)
        sets.begin_evaluation(begun("e1"))
        newer = stored_set("mine", "when?")
        sets.keep_set("example", newer)
        (line,) = sets.query_sets("example")
        assert (line.n, line.n_judged, line.n_runs, line.fingerprint) == (1, 1, 1, newer.query_set.fingerprint)
        sets.remove_set("example", "mine")
        assert not sets.query_sets("example")
        assert not sets.evaluations("example")
        for act in (sets.query_set, sets.remove_set, sets.evaluations):
            with pytest.raises(NotFoundError, match="no query set 'mine'"):
                act("example", "mine")
        sets.remove_set("other", "mine")

    def test_outcomes_are_kept_one_by_one_in_their_order_and_gone_on_with(self, database: Database) -> None:
        """Two who go on with the same evaluation keep each outcome once."""
        sets = database.query_sets
        sets.keep_set("example", stored_set("mine", "why?", "how?"))
        sets.begin_evaluation(begun("e1"))
        a, b = sets.keep_outcomes("example", "e1"), sets.keep_outcomes("example", "e1")
        assert list(a.begin("asked", REVISION)) == list(b.begin("asked", REVISION)) == []
        a.add(outcome("q0"))
        b.add(outcome("q0"))
        assert sets.evaluation("example", "e1").summary.n == 1
        again = sets.keep_outcomes("example", "e1")
        assert list(again.begin("asked", REVISION)) == [outcome("q0")]
        again.add(outcome("q1", None))
        assert list(sets.outcomes("example", "e1")) == [outcome("q0"), outcome("q1", None)]
        with pytest.raises(ConflictError, match="something else"):
            list(sets.keep_outcomes("example", "e1").begin("other", REVISION))
        with pytest.raises(ConflictError, match="data have changed"):
            list(sets.keep_outcomes("example", "e1").begin("asked", "b" * 32))
        sets.remove_set("example", "mine")

    def test_an_evaluation_is_summed_up_pinned_and_removed(self, database: Database) -> None:
        """The newest stands first, of one second that with the last id; a pin that somebody set meanwhile stays."""
        sets = database.query_sets
        sets.keep_set("example", stored_set("mine", "why?"))
        sets.begin_evaluation(begun("e1"))
        sets.begin_evaluation(begun("e2", at="2026-04-01T00:00:00+00:00"))
        with pytest.raises(ConflictError, match="'e1' already"):
            sets.begin_evaluation(begun("e1"))
        sets.begin_evaluation(begun("e3", at="2026-04-01T00:00:00+00:00"))
        assert [each.evaluation_id for each in sets.evaluations("example", "mine")] == ["e3", "e2", "e1"]
        assert sets.pin_evaluation("example", "e1", True).pinned
        now = begun("e1", whole=True).model_copy(update={"questions": None, "seconds": 2.0})
        sets.sum_up(now)
        kept = sets.evaluation("example", "e1")
        assert (kept.summary.pinned, kept.summary.whole, kept.questions, kept.seconds) == (True, True, None, 2.0)
        keeper = sets.keep_outcomes("example", "e1")
        sets.remove_evaluation("example", "e1")
        with pytest.raises(NotFoundError, match="no evaluation 'e1'"):
            keeper.add(outcome("q0"))
        assert [each.evaluation_id for each in sets.evaluations("example")] == ["e3", "e2"]
        sets.remove_set("example", "mine")

    def test_each_judge_says_one_thing_of_a_passage(self, store: Store) -> None:
        """The newest; others about the text, and about the question, stay."""
        ann, ben = passage("x", 1), passage("x", None, by="Ben")
        assert store.judge_passages([ann, ben]) == 2
        newer = passage("x", 2, at="later", note="better")
        assert store.judge_passages([newer, passage("y", 0, query="how?")]) == 1
        assert store.passages("why?") == (newer, ben)
        store.judge([Judgment(query=each, document_id="b", relevant=False, by="Ann", at=AT) for each in ("why?", "x")])
        for query in ("why?", "how?", None):
            assert store.said(query) == (store.judgments(query), store.passages(query))
        assert len(store.passages()) == 3
        assert store.withdraw_passage("why?", "a", text_hash=ben.text_hash, by="Ben") is True
        assert store.withdraw_passage("why?", "a", text_hash=ben.text_hash, by="Ben") is False
        assert store.passages("why?") == (newer,)

"""What is different between two imports: equal to a recount by hand, empty for what came and went."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from docgraph.comparison.imports import import_diff
from docgraph.domain.imports.record import (
    AnsweredQuestion,
    ImportDiff,
    ImportedDocument,
    ImportState,
    ImportSummary,
)

AT = "2026-11-16T08:00:00+00:00"
IDS = ("a", "b", "c", "d")
STATUS = ("", "draft", "withdrawn", "superseded", "moved")
documents = st.dictionaries(
    st.sampled_from(IDS),
    st.builds(
        ImportedDocument,
        title=st.sampled_from(["One", "Two"]),
        content_hash=st.sampled_from(["1", "2"]),
        status=st.sampled_from(STATUS),
    ),
)
keys = st.tuples(st.sampled_from(IDS), st.sampled_from(["requires", "see_also"]), st.sampled_from([*IDS, "gone"]))
plans = st.none() | st.lists(st.sampled_from(IDS), unique=True).map(tuple)
questions = st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), plans).map(
    lambda found: tuple(AnsweredQuestion(run_id=k, query=f"{k}?", documents=v) for k, v in sorted(found.items()))
)
states = st.builds(
    ImportState,
    documents=documents,
    relationships=st.sets(keys).map(lambda found: tuple(sorted(found))),
    questions=questions,
)


def diff(then: ImportState, now: ImportState) -> ImportDiff:
    return import_diff(
        ImportSummary(import_id=1, at=AT, source="x"), then, ImportSummary(import_id=2, at=AT, source="x"), now
    )


@given(states)
def test_a_state_beside_itself_is_the_same(state: ImportState) -> None:
    found = diff(state, state)
    assert found.same
    assert found.n_questions == len(state.questions)


@given(states, states)
def test_every_difference_is_told_once_and_nothing_else(then: ImportState, now: ImportState) -> None:
    found = diff(then, now)
    told = {each.document_id: each.change for each in found.documents}
    assert len(told) == len(found.documents)
    assert told == _documents(then.documents, now.documents)
    came = [e.key for e in found.relationships if e.change == "added"] + [e.after for e in found.redirected]
    went = [e.key for e in found.relationships if e.change == "removed"] + [e.before for e in found.redirected]
    assert sorted(came) == sorted(set(now.relationships) - set(then.relationships))
    assert sorted(went) == sorted(set(then.relationships) - set(now.relationships))
    for each in found.redirected:
        assert each.before[0] == each.after[0]
        assert (each.before[1] == each.after[1]) != (each.before[2] == each.after[2])
    assert {m.document_id for m in found.moved} == {
        i
        for i, d in now.documents.items()
        if d.status == "moved" and (i not in then.documents or then.documents[i].status != "moved")
    }
    inactive = {"withdrawn", "superseded"}
    holds = {i for i, d in then.documents.items() if d.status not in inactive} | (
        now.documents.keys() - then.documents.keys()
    )
    assert {w.document_id: w.n_relationships for w in found.withdrawn} == {
        i: sum(key[2] == i for key in now.relationships)
        for i, d in now.documents.items()
        if d.status in inactive and i in holds
    }
    assert set(found.missing) == {
        key for key in now.relationships if key[2] in then.documents and key[2] not in now.documents
    }
    before = {q.run_id: q.documents for q in then.questions}
    assert {q.run_id: (q.before, q.after) for q in found.questions} == {
        q.run_id: (before[q.run_id], q.documents)
        for q in now.questions
        if q.run_id in before and before[q.run_id] != q.documents
    }


def _documents(then: Mapping[str, ImportedDocument], now: Mapping[str, ImportedDocument]) -> dict[str, str]:
    found = {i: "added" for i in now if i not in then} | {i: "removed" for i in then if i not in now}
    for i in then.keys() & now.keys():
        if then[i].title != now[i].title:
            found[i] = "renamed"
        elif then[i].content_hash != now[i].content_hash:
            found[i] = "changed"
    return found


@given(states, states)
def test_what_came_is_what_goes_the_other_way_round(then: ImportState, now: ImportState) -> None:
    one, other = diff(then, now), diff(now, then)
    assert [e.key for e in one.relationships] == [e.key for e in other.relationships]
    assert sorted((e.before, e.after) for e in one.redirected) == sorted((e.after, e.before) for e in other.redirected)
    assert {e.change for e in one.relationships} | {e.change for e in other.relationships} <= {"added", "removed"}
    assert {d.document_id for d in one.documents} == {d.document_id for d in other.documents}


def test_a_relationship_that_is_plainly_another_one_now_is_told_as_one() -> None:
    """Where two of a type went, nobody can say which became the new one: they are told as gone and new."""
    then = ImportState(relationships=(("a", "requires", "b"), ("a", "see_also", "c"), ("d", "x", "a"), ("d", "x", "b")))
    now = ImportState(relationships=(("a", "refines", "c"), ("a", "requires", "c"), ("d", "x", "c")))
    found = diff(then, now)
    assert [(e.before, e.after, e.retyped) for e in found.redirected] == [
        (("a", "requires", "b"), ("a", "requires", "c"), False),
        (("a", "see_also", "c"), ("a", "refines", "c"), True),
    ]
    assert [(e.key[2], e.change) for e in found.relationships] == [("a", "removed"), ("b", "removed"), ("c", "added")]

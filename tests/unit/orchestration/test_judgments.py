"""``Docgraph.judge``, ``judgments`` and ``import_judgments`` over the reference store: who, what, and what counts."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator

import pytest

from docgraph.aio import AsyncDocgraph
from docgraph.domain.graph import Document
from docgraph.domain.judgment import Judgment, JudgmentsImported, NotJudged
from docgraph.errors import NotFoundError, RequestError, UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.judgments import judgments_that_count
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

WHY = "Why is the queue bounded?"


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    """Three documents; days pass with every look at the calendar."""
    days = itertools.count(1)
    adapters = Adapters(
        database=memory.build(),
        embedder=HashingEmbedder(16),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: 0.0,
        now=lambda: f"day {next(days)}",
    )
    with Docgraph(adapters, "test") as docgraph:
        docgraph.ingest_records([Document(document_id=i, title=i, text=f"{i} queue") for i in "abc"])
        yield docgraph


def test_a_judgment_is_signed_dated_replaced_and_taken_back(dg: Docgraph) -> None:
    first = dg.judgments.judge(f"  {WHY}\n", "a", True, by=" Ann ")
    assert first is not None
    assert (first.query, first.document_id, first.relevant, first.by) == (WHY, "a", True, "Ann")
    second = dg.judgments.judge(WHY, "a", False, by="Ben")
    assert second is not None
    assert first.at != second.at
    other = dg.judgments.judge("How?", "b", True, by="Ann")
    assert dg.judgments.list() == (other, second)
    assert dg.judgments.list(f" {WHY} ") == (second,)
    assert dg.judgments.judge(WHY, "a", None, by="Ann") is None
    assert dg.judgments.judge(WHY, "a", None, by="Ann") is None
    assert dg.judgments.list() == (other,)


def test_nobody_judges_without_a_name_a_question_or_a_document(dg: Docgraph) -> None:
    with pytest.raises(UserError, match="a judgment needs a name"):
        dg.judgments.judge(WHY, "a", True, by=" ")
    with pytest.raises(RequestError, match="empty"):
        dg.judgments.judge(" ", "a", True, by="Ann")
    with pytest.raises(NotFoundError, match="no document has the id 'zz', so it cannot be judged"):
        dg.judgments.judge(WHY, "zz", True, by="Ann")
    with pytest.raises(UserError, match="needs a name"):
        dg.judgments.import_relevant({WHY: ["a"]}, by="")
    assert dg.judgments.list() == ()


def test_what_was_said_of_a_document_outlives_it_and_can_be_taken_back(dg: Docgraph) -> None:
    dg.judgments.judge(WHY, "a", True, by="Ann")
    dg.documents.delete(["a"])
    assert [each.document_id for each in dg.judgments.list()] == ["a"]
    dg.judgments.judge(WHY, "a", None, by="Ann")
    assert dg.judgments.list() == ()


def test_a_file_never_overwrites_a_person_and_invents_no_document(dg: Docgraph) -> None:
    person = dg.judgments.judge(WHY, "a", False, by="Ann")
    relevant = {f" {WHY}": ("a", "b", "nowhere", "b"), "": ("c",), "How?": ()}
    taken = dg.judgments.import_relevant(relevant, by="file")
    assert (taken.n_new, taken.n_there) == (1, 1)
    assert taken.not_judged[0] == NotJudged(query=WHY, document_id="nowhere", reason="no document has this id")
    assert [(each.query, each.document_id) for each in taken.not_judged] == [(WHY, "nowhere"), ("", "c")]
    kept = dg.judgments.list()
    assert kept[0] == person
    assert (kept[1].document_id, kept[1].relevant, kept[1].by) == ("b", True, "file")
    again = dg.judgments.import_relevant(relevant, by="file")
    assert (again.n_new, again.n_there) == (0, 2)
    assert dg.judgments.list() == kept


def test_a_workspace_that_is_gone_has_no_judgments_and_stops_no_comparison(dg: Docgraph) -> None:
    dg.judgments.judge(WHY, "a", True, by="Ann")
    assert judgments_that_count(dg.session, "test", WHY) == dg.judgments.list(WHY)
    assert judgments_that_count(dg.session, "gone", WHY) == ()
    assert judgments_that_count(dg.session, "test", "") == ()


def test_the_async_face_does_the_same(dg: Docgraph) -> None:
    async def trip() -> tuple[Judgment | None, JudgmentsImported, tuple[Judgment, ...]]:
        there = AsyncDocgraph(dg)
        made = await there.judgments.judge(WHY, "a", True, by="Ann")
        return made, await there.judgments.import_relevant({WHY: ["zz"]}, by="Ann"), await there.judgments.list(WHY)

    made, taken, listed = asyncio.run(trip())
    assert taken.not_judged == (NotJudged(query=WHY, document_id="zz", reason="no document has this id"),)
    assert listed == (made,) == dg.judgments.list()

"""A ranking of somebody's own beside docgraph's run: what matches, what is counted, what fails on one side alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from docgraph import RetrievalRequest
from docgraph.boundary.retrievers import named_retriever, parse_retrievers
from docgraph.domain.query_set import QuerySet
from docgraph.errors import RequestError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.settings import Settings, secrets_of
from tests.http_services import Service, served
from tests.unit.orchestration.evaluating.sets import QUESTIONS, workspace

ASKED = RetrievalRequest(query=QUESTIONS[0].query, max_documents=4, max_chunks=4)


@pytest.fixture(scope="module")
def opened() -> Docgraph:
    return workspace()


@pytest.fixture(scope="module")
def read(opened: Docgraph) -> tuple[str, ...]:
    """The documents that docgraph reads, in plan order."""
    return opened.run(ASKED).plan.document_ids


def test_ids_titles_and_chunks_of_a_retriever_are_matched_and_what_matches_nothing_is_named(
    opened: Docgraph, read: tuple[str, ...]
) -> None:
    other = next(f"D{i}" for i in range(24) if f"D{i}" not in read)
    results = [(read[1].lower(), 9.5), ("nobody", 8), (f"{read[0]}#1", 7), (other, 6), (read[1], 5)]
    made = opened.runs.compare_with(ASKED, lambda _: results, name="ours")
    assert [each.document_id for each in made.a.documents] == [read[1], read[0], other]
    assert [each.score for each in made.a.documents] == [9.5, 7.0, 6.0]
    assert made.a.unknown == ("nobody",)
    assert made.a.n_results == 5
    assert [(row.document_id, row.change) for row in made.rows] == [
        *((i, "kept" if i in read[:2] else "added") for i in read),
        (other, "left"),
    ]
    shared = {read[1], read[0], other} & set(read)
    jaccard = next(figure for figure in made.figures if figure.name == "jaccard")
    assert jaccard.value == pytest.approx(len(shared) / len({read[1], read[0], other} | set(read)))


def test_docgraphs_side_is_the_run_of_the_same_question_whatever_the_retriever_says(opened: Docgraph) -> None:
    run = opened.run(ASKED)
    for given in ([], [("D1", 1e9)], ["D1", "D2"]):
        made = opened.runs.compare_with(ASKED, given)
        assert made.b.plan == run.plan
        assert made.b.context == run.context
    assert opened.runs.compare_with(run, ["D1"]) == opened.runs.compare_with(ASKED, ["D1"])


def test_a_long_ranking_is_compared_as_far_as_a_plan_may_read_and_later_places_are_still_told(
    opened: Docgraph, read: tuple[str, ...]
) -> None:
    others = [f"D{i}" for i in range(24) if f"D{i}" not in read]
    made = opened.runs.compare_with(ASKED, [*others[:6], read[0]])
    assert made.k == 4
    assert len(made.rows_with("left")) == 4
    row = made.rows[0]
    assert (row.document_id, row.change, row.place_a) == (read[0], "added", 7)
    assert row.score_a is None, "a retriever that gives no score has none"


def test_judged_documents_say_how_many_each_side_finds(opened: Docgraph) -> None:
    dg = workspace()
    run = dg.run(ASKED)
    first, other = run.plan.document_ids[0], next(f"D{i}" for i in range(24) if f"D{i}" not in run.plan.document_ids)
    dg.judgments.judge(ASKED.query, first, True, by="Ann")
    dg.judgments.judge(ASKED.query, other, True, by="Ann")
    made = dg.runs.compare_with(run, [other], name="ours")
    assert made.sentence.startswith("ours finds 1, docgraph reads 1 of 2 relevant documents.")
    assert [each.document_id for each in made.lost] == [other]
    assert {f.name: (f.a, f.b) for f in made.judged}["recall"] == (0.5, 0.5)


@pytest.mark.parametrize(
    ("own", "said"),
    [
        (lambda _: 1 / 0, "ZeroDivisionError"),
        (lambda _: [("a", "high")], "score"),
        (lambda _: 5, "no list of results"),
        ({"other": ["D1"]}, "it has 'other'"),
        ({}, "it is empty"),
    ],
)
def test_what_fails_in_the_ranking_is_said_and_docgraphs_side_stands(opened: Docgraph, own: Any, said: str) -> None:
    made = opened.runs.compare_with(ASKED, own, name="ours")
    assert said in made.a.failure
    assert made.figures == ()
    assert [row.change for row in made.rows] == ["added"] * len(made.b.plan.document_ids)
    assert made.sentence.startswith("ours gave no ranking; docgraph reads")


def test_a_run_file_is_looked_up_by_id_by_text_and_by_the_ids_of_kept_sets() -> None:
    dg = workspace()
    found = {"q00": ["D7"], "What_of_the_queue_in_yard_0?": ["D8"], "x": ["D9"]}

    def first(rankings: Mapping[str, list[str]], **options: str) -> str:
        made = dg.runs.compare_with(ASKED, rankings, **options)
        return made.a.failure or made.a.documents[0].document_id

    assert first(found) == "D8"
    assert first(found, query_id="x") == "D9"
    assert "it has 'q00'" in first({"q00": ["D7"]})
    dg.query_sets.keep(QuerySet(name="kept", queries=QUESTIONS), name="kept")
    assert first({"q00": ["D7"]}) == "D7"


def test_only_retrievers_that_the_settings_name_are_known_by_name(opened: Docgraph) -> None:
    with pytest.raises(RequestError, match="there is no retriever 'ours'"):
        opened.runs.compare_with(ASKED, "ours")
    adapters = replace(opened.session.adapters, retrievers={"ours": lambda _: [("D3", 1.0)]})
    with Docgraph(adapters, "harbor", owns_database=False) as dg:
        assert dg.runs.compare_with(ASKED, "ours").a.documents[0].document_id == "D3"
        found = dg.evaluate(QUESTIONS[:1], ["on", "ours"])
        assert found.outcomes[0].answers["ours"].documents == ("D3",)


class Answering(Service):
    """Says what it is told to say."""

    said: tuple[int, Any] = (200, {"results": [["D1", 2.0]]})

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        return self.said


def test_a_retriever_of_the_settings_is_asked_once_follows_no_redirect_and_never_tells_where_it_stands() -> None:
    service = Answering()
    with served(service):
        ask = named_retriever("ours", f"{service.url}/search")
        assert ask("why") == [("D1", 2.0)]
        assert service.requests == [("/search", {"query": "why"}, "")]
        for status, said in ((302, b""), (500, b"down"), (200, b"<html>"), (200, b"[" + b" " * 5_000_000 + b"]")):
            service.said, service.headers = (status, said), {"Location": service.url}
            before = len(service.requests)
            with pytest.raises(Exception, match="the retriever 'ours'") as caught:
                ask("why")
            assert "127.0.0.1" not in str(caught.value)
            assert len(service.requests) == before + 1


@pytest.mark.parametrize("text", ["ours", "ours=ftp://x", "on=http://x", "a=http://x,a=http://y", "b c=http://x"])
def test_a_setting_that_names_no_retriever_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="retriever"):
        parse_retrievers(text)
    with pytest.raises(ValueError, match="retriever"):
        Settings(retrievers=text)  # type: ignore[arg-type]


def test_the_setting_is_a_secret_because_its_addresses_may_hold_one() -> None:
    settings = Settings(retrievers="ours=http://ann:s3cret-word@127.0.0.1/x, theirs=https://b.example")  # type: ignore[arg-type]
    assert "s3cret-word" not in repr(settings)
    assert "s3cret-word" in secrets_of(settings)
    assert list(parse_retrievers(settings.retrievers.get_secret_value() if settings.retrievers else "")) == [
        "ours",
        "theirs",
    ]

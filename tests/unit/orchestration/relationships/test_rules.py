"""``Docgraph.rules``, ``dismiss`` and their kin over the reference store: who, why, and by which texts."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator

import pytest

from docgraph import plugins
from docgraph.aio import AsyncDocgraph
from docgraph.domain.edit import Edit
from docgraph.domain.finding import Finding, Rule
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.suggestion import Suggestion
from docgraph.errors import UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

KEY = ("a", "explains", "a")
MENTION = Suggestion.about("mention", "a", "b", relation_types=("cites",), sentence="A names B")


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    """Two documents, of which the first explains itself; days pass with every look at the calendar."""
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
        checks=tuple(plugins.build("checks", name) for name in ("hub", "self_link", "import_conflict")),
    )
    with Docgraph(adapters, "test") as docgraph:
        stated(docgraph, "text")
        yield docgraph


def stated(dg: Docgraph, text: str) -> None:
    edge = Relationship(from_document_id="a", relation_type="explains", to_document_id="a")
    dg.ingest_records([Document(document_id=i, title=i, text=f"{i} {text}") for i in "ab"], [edge])


def self_link(dg: Docgraph) -> Finding:
    [finding] = dg.check({}).findings
    return finding


def hashes(dg: Docgraph, *ids: str) -> dict[str, str]:
    return {i: document.content_hash for i, document in dg.documents.by_id(ids).items()}


def test_checks_run_under_the_stored_rules_unless_others_are_given(dg: Docgraph) -> None:
    dg.rules.set({"self_link": Rule(severity="info")})
    assert [(found.check_id, found.severity) for found in dg.check().findings] == [("self_link", "info")]
    assert [(found.check_id, found.severity) for found in dg.check({}).findings] == [("self_link", "error")]
    dg.rules.set({"self_link": Rule(on=False), "hub": Rule(parameters={"max_fan_out": 7})})
    assert dg.check().findings == ()
    assert [each.parameters["max_fan_out"] for each in dg.check().results if each.check_id == "hub"] == [7]
    dg.rules.set({})
    assert [found.check_id for found in dg.check().findings] == ["self_link"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"nonsense": Rule()}, "no check 'nonsense'"),
        ({"hub": Rule(parameters={"size": 3})}, "no parameter 'size'"),
        ({"hub": Rule(parameters={"max_fan_out": -1})}, "a number, 0 or more"),
    ],
)
def test_rules_that_no_check_runs_under_are_not_stored(dg: Docgraph, wrong: dict[str, Rule], message: str) -> None:
    there = {"self_link": Rule(severity="info")}
    dg.rules.set(there)
    with pytest.raises(UserError, match=message):
        dg.rules.set({**wrong, "self_link": Rule(on=False)})
    assert dg.rules.get() == there


def test_a_stored_rule_about_a_check_that_is_gone_stops_nothing(dg: Docgraph) -> None:
    dg.session.store().set_rules({"a_plug_in": Rule(), "hub": Rule(on=False)})
    assert dg.rules.get() == {"hub": Rule(on=False)}
    assert dg.check().findings == (self_link(dg),)


def test_a_finding_is_ignored_with_a_reason_by_the_texts_of_its_ends(dg: Docgraph) -> None:
    finding = self_link(dg)
    (made,) = dg.rules.dismiss([finding], by=" Ann\n", reason=" known\r\nand fine ")
    assert (made.subject_id, made.kind, made.source) == (finding.finding_id, "finding", "self_link")
    assert (made.by, made.reason, made.sentence) == ("Ann", "known\nand fine", finding.sentence)
    assert (made.relationships, made.content_hashes) == ((KEY,), hashes(dg, "a"))
    assert dg.rules.dismissals() == (made,)
    report = dg.check()
    assert (report.findings, [each.dismissal for each in report.ignored]) == ((), [made])
    stated(dg, "another text")
    [again] = dg.check().findings
    assert again.dismissal == made
    assert dg.rules.withdraw([finding.finding_id]) == 1
    assert dg.rules.dismissals() == ()


def test_a_suggestion_is_rejected_with_or_without_a_reason(dg: Docgraph) -> None:
    (made,) = dg.rules.dismiss([MENTION], by="Ann")
    assert (made.subject_id, made.kind, made.source) == (MENTION.suggestion_id, "suggestion", "mention")
    assert (made.relationships, made.content_hashes) == ((("a", "cites", "b"),), hashes(dg, "a", "b"))
    (later,) = dg.rules.dismiss([MENTION], by="Ben", reason="no")
    assert dg.rules.dismissals() == (later,)


def test_a_document_that_is_not_stored_has_no_hash_and_one_that_a_finding_is_about_has(dg: Docgraph) -> None:
    finding = Finding.about("hub", "info", "said", relationships=(("a", "x", "gone"),), document_ids=("b",))
    (made,) = dg.rules.dismiss([finding], by="Ann", reason="because")
    assert made.content_hashes == {**hashes(dg, "a", "b"), "gone": ""}
    assert not made.changed(hashes(dg, "a", "b"))


def test_nobody_ignores_without_a_name_or_a_finding_without_a_reason(dg: Docgraph) -> None:
    finding = self_link(dg)
    for by, reason, message in (("\n", "why", "no name"), ("Ann", " ", "none is given"), ("Ann", "x" * 2_001, "2,001")):
        with pytest.raises(UserError, match=message):
            dg.rules.dismiss([MENTION, finding], by=by, reason=reason)
    assert dg.rules.dismissals() == ()
    assert (dg.rules.dismiss([], by="Ann"), dg.rules.withdraw([])) == ((), 0)


def test_what_an_import_contests_is_listed_with_the_day_of_the_import(dg: Docgraph) -> None:
    dg.relationships.edit([Edit(action="remove", key=KEY)], by="Ann")
    stated(dg, "another text")
    [row] = dg.rules.contested()
    assert (row.kind, row.relationship.key, row.entry_id, row.at) == ("stated", KEY, 1, "day 3")
    assert [found.check_id for found in dg.check().findings] == ["import_conflict"]
    assert dg.may_write()


def test_the_async_face_does_the_same(dg: Docgraph) -> None:
    async def trip() -> None:
        there = AsyncDocgraph(dg)
        await there.rules.set({"hub": Rule(on=False)})
        (made,) = await there.rules.dismiss([MENTION], by="Ann", reason="no")
        assert (await there.rules.get(), await there.rules.dismissals()) == (dg.rules.get(), (made,))
        assert (
            await there.rules.withdraw([made.subject_id]),
            await there.rules.contested(),
            await there.may_write(),
        ) == (
            1,
            (),
            True,
        )

    asyncio.run(trip())

"""Documents that are called alike."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph import plugins
from docgraph.domain.finding import Finding
from docgraph.ports import RelationshipGraph
from docgraph.testing.examples.checks import graph_of, stored
from docgraph.testing.suites.checks import check_check, found

CHECK = plugins.build("checks", "ambiguous_title")


def pair(first: str, second: str, **second_fields: Any) -> RelationshipGraph:
    fields = {"title": second, **second_fields}
    documents = [stored("a", title=first), stored("b", **fields), stored("c", title="Other")]
    return graph_of({("c", "mentions", "a"), ("c", "mentions", "b")}, documents=documents)


def findings(graph: RelationshipGraph, **parameters: object) -> list[Finding]:
    return list(found(CHECK, graph, **parameters).findings)


@pytest.mark.parametrize("second", ["Storm Day", "storm  day", "Storm-Day!", "STORM DAY", "\uff33torm Day"])
def test_one_title_for_two_documents_is_found_whatever_its_case_and_marks(second: str) -> None:
    [finding] = findings(pair("Storm Day", second))
    assert (finding.document_ids, finding.severity, finding.fix) == (("a", "b"), "warning", ())
    assert finding.sentence == "“Storm Day” names 2 documents: a, b; 1 text names it"
    assert found(CHECK, pair("Storm Day", second)).n_checked == 3


def test_an_alias_is_a_name_too_and_an_address_is_none() -> None:
    assert len(findings(pair("Storm Day", "Weather", metadata={"aliases": ["Rain", "storm day"]}))) == 1
    assert not findings(pair("Storm Day", "Weather", metadata={"permalink": "/storm-day"}))
    assert not findings(pair("Storm Day", "Storm Days"))
    assert not findings(pair("ADR 7: Queue", "ADR 8: Queue")), "their numbers tell them apart"
    assert not findings(pair("", "")), "no title is no name"


def test_what_nobody_means_by_the_name_shares_it_with_nobody() -> None:
    assert not findings(pair("Storm Day", "Storm Day", metadata={"status": "Withdrawn"}))
    assert not findings(pair("Storm Day", "Storm Day", metadata={"stub": "moved"}))
    replaced = pair("Storm Day", "Storm Day")
    both = graph_of({("a", "supersedes", "b")}, documents=replaced.documents.values())
    assert not findings(both)
    assert len(findings(replaced)) == 1


def test_names_of_three_are_one_finding_and_where_a_fifth_share_theirs_it_is_the_custom() -> None:
    many = [stored(f"d{i}", title=f"Title {i}x") for i in range(37)]
    three = [stored(f"same{i}", title="README") for i in range(3)]
    [finding] = findings(graph_of((), documents=[*many, *three]))
    assert finding.document_ids == ("same0", "same1", "same2")
    nine = [stored(f"same{i}", title="README") for i in range(10)]
    assert found(CHECK, graph_of((), documents=[*many, *nine])).skipped == (
        "10 of 47 documents share a name with another, so this is usual here"
    )
    assert len(findings(graph_of((), documents=[*many, *nine]), custom=0.5)) == 1


def called(*sources: str, title: str = "Storm Day", **fields: Any) -> list[Finding]:
    documents = [stored(f"d{i}", title=title, source=source, **fields) for i, source in enumerate(sources)]
    return findings(graph_of((), documents=documents))


@pytest.mark.parametrize(
    ("sources", "is_found"),
    [
        (("compiler/meetings.md", "rustdoc/meetings.md"), False),
        (("a/storm/index.md", "b/storm.md"), False),
        (("a/Storm.md", "b/storm.md"), False),
        (("a/storm.md", "a/storm-2.md"), True),
        (("a/storm.md", "b/gale.md"), True),
        (("README.md", "docs/README.md"), False),
        (("SUMMARY.md", "index.md"), False),
        (("a/README.md", "b/README.md"), True),
        (("a/README.md", "ab/README.md"), True),
        (("storm-day-audio.md", "storm-day-text.md", "storm_day_video.md"), False),
        (("storm-day-audio.md", "storm-day-text.md"), True),
        (("storm-day-audio.md", "storm-day-text.md", "storm-day.md"), True),
        (("a/storm.md", "core/tests/files/gale.md"), False),
        (("a/storm.md", "0000-template.md"), False),
        (("a/storm.md", "b/Storm Day.md"), False),
    ],
)
def test_folders_and_file_names_tell_documents_of_one_name_apart(sources: tuple[str, ...], is_found: bool) -> None:
    assert len(called(*sources)) == is_found


def test_copies_of_one_text_are_one() -> None:
    assert not called("README.md", "docs/overview.md", content_hash="same")
    three = [stored("a", title="Storm Day", content_hash="x"), stored("b", title="Storm Day", content_hash="x")]
    [finding] = findings(graph_of((), documents=[*three, stored("c", title="Storm Day")]))
    assert finding.document_ids == ("a", "c")


def test_the_name_that_is_shared_is_said_where_it_is_an_alias() -> None:
    documents = [
        stored("a", title="Create a vault", metadata={"aliases": ["Local vault"]}),
        stored("b", title="Vaults", metadata={"aliases": ["local vault"]}),
        stored("c"),
    ]
    [finding] = findings(graph_of({("c", "mentions", "a")}, documents=documents))
    assert finding.sentence == "“Local vault” names 2 documents: a, b", "that a text names a title says nothing of it"


def test_it_keeps_what_every_check_promises() -> None:
    check_check(CHECK, graphs=(pair("Storm Day", "storm day"),))

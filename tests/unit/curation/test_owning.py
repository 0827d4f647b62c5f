"""Whose a decision is: read from metadata as people write them, counted over its findings."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.curation.checking import check_graph
from docgraph.curation.deciding import with_owners
from docgraph.domain.finding import CheckReport
from docgraph.domain.graph import StoredDocument
from docgraph.domain.imports.fields import is_called, owner_of, owners_of
from docgraph.plugins.checks.ends.missing_endpoint import build
from docgraph.testing.examples.checks import graph_of
from tests.unit.curation.test_deciding import HERE


@pytest.mark.parametrize(
    ("metadata", "names"),
    [
        ({"author": "Ann Lee (@ann), Bob <bob@harbor.example>"}, ("Ann Lee (@ann)", "Bob <bob@harbor.example>")),
        ({"owners": ["Ann", "Bob", "Ann"]}, ("Ann", "Bob")),
        ({"Owning-SIG": "sig-net", "author": "Ann"}, ("sig-net",)),
        ({"header": {"Owner": " Ann   Lee "}}, ("Ann Lee",)),
        ({"owner": "", "author": "Ann"}, ("Ann",)),
        ({"owner": None}, ()),
        ({"owner": {"name": "Ann"}}, ()),
        ({"authors": [{"name": "Ann"}, 3]}, ()),
        ({"author": ", ,"}, ()),
    ],
)
def test_every_name_in_the_first_field_that_names_somebody(metadata: dict[str, Any], names: tuple[str, ...]) -> None:
    assert owners_of(metadata) == names
    assert owner_of(metadata) == (names[0] if names else "")


def test_names_are_bounded_in_length_and_number() -> None:
    found = owners_of({"authors": ["x" * 1_000, *(f"n{i}" for i in range(500))]})
    assert len(found) == 100
    assert len(found[0]) == 200


@pytest.mark.parametrize(
    ("owner", "person", "same"),
    [
        ("Ann Lee (@ann)", "ann lee", True),
        ("Ann Lee (@ann)", "@Ann", True),
        ("Ann Lee <ann@harbor.example>", "ann@harbor.example", True),
        ("@ann", "ann", True),
        ("Ann Lee", "Ann", False),
        ("Ann Lee", "", False),
        ("()", "", False),
    ],
)
def test_a_person_is_known_by_name_handle_or_address(owner: str, person: str, same: bool) -> None:
    assert is_called(owner, person) is same


def report() -> CheckReport:
    """a and b of Ann, c of Bob point at one missing document; d of nobody at another."""
    edges = [*((start, "cites", "gone") for start in "abc"), ("d", "cites", "other thing")]
    graph = graph_of(edges, documents=[*"abcd"])
    owners = {"a": "Ann", "b": "Ann", "c": "Bob"}
    documents: dict[str, StoredDocument] = {
        i: document.model_copy(update={"metadata": {"owner": owners[i]} if i in owners else {}})
        for i, document in graph.documents.items()
    }
    return with_owners(check_graph(graph, (build(),), {}, workspace=HERE), documents)


def test_a_decision_is_theirs_whose_documents_at_least_half_of_its_findings_start_at() -> None:
    assert {each.label: each.owners for each in report().decisions if each.cause == "target"} == {"3 × gone": ("Ann",)}
    assert [each.owners for each in report().decisions if each.cause == "finding"] == [()]


def test_the_report_of_an_owner_has_their_decisions_and_the_findings_of_these_alone() -> None:
    hers, his = report().of_owner("ANN"), report().of_owner("Bob")
    assert [each.label for each in hers.decisions] == ["3 × gone"]
    assert len(hers.findings) == 3
    assert (his.decisions, his.findings) == ((), ())


def test_other_fields_may_say_whose_a_document_is() -> None:
    graph = graph_of([("a", "cites", "gone")], documents=["a"])
    documents = {
        i: each.model_copy(update={"metadata": {"team": "Core", "owner": "Ann"}}) for i, each in graph.documents.items()
    }
    found = with_owners(check_graph(graph, (build(),), {}, workspace=HERE), documents, fields=("team",))
    assert [each.owners for each in found.decisions] == [("Core",)]

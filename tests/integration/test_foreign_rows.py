"""A stored row that docgraph did not write is told in one line, wherever it is read: never an exception of pydantic."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from docgraph.errors import StoreError
from docgraph.orchestration.docgraph import Docgraph
from tests.survive.workspaces import fill, small

FOREIGN: dict[str, tuple[str, Callable[[Docgraph], object]]] = {
    "a rule": ("UPDATE docgraph.check_rules SET rule = '-1'", lambda dg: dg.rules.get()),
    "a query set": ("UPDATE docgraph.query_sets SET query_set = '[]'", lambda dg: dg.query_sets.get("mine")),
    "a triage entry": ("UPDATE docgraph.triage SET entry = '[]'", lambda dg: dg.triage.list()),
    "a trial": ("UPDATE docgraph.type_trials SET entry = '{}'", lambda dg: dg.relationships.trials()),
    "an edit": ("UPDATE docgraph.relationship_history SET edit = '{}'", lambda dg: dg.relationships.history()),
    "an outcome": (
        "UPDATE docgraph.evaluation_outcomes SET outcome = '{}'",
        lambda dg: [dg.query_sets.result(each.evaluation_id) for each in dg.query_sets.runs("mine")],
    ),
}


@pytest.fixture
def dg(new_database_url: str) -> Iterator[Docgraph]:
    with small(new_database_url) as made:
        fill(made)
        yield made


def test_a_row_that_docgraph_did_not_write_is_told_in_one_line(dg: Docgraph, new_database_url: str) -> None:
    """Such rows came out of forged backups, and ended in tracebacks of several lines on the page that read them."""
    with psycopg.connect(new_database_url, autocommit=True) as other:
        for name, (statement, read) in FOREIGN.items():
            other.execute(statement)
            with pytest.raises(StoreError, match="a row is not what docgraph writes") as caught:
                read(dg)
            assert "\n" not in str(caught.value), name
            assert "docgraph restore FILE" in caught.value.hint, name
    assert dg.plan("queue a").seed_documents, "what needs none of them goes on"

"""The statements in their files: whole once their parts are in, every value bound, no number twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from docgraph.domain.ranking import MAX_QUESTION, SEED_RRF_K
from docgraph.domain.request import SeedSignal
from docgraph.domain.where import parse_condition
from docgraph.plugins.stores.postgres import history, memories, queries, reading, statements
from docgraph.plugins.stores.postgres.statements import family, placed
from docgraph.plugins.stores.postgres.statements.rankings import predicates

FOLDER = Path(statements.__file__).parent
FAMILIES = sorted(path.stem for path in FOLDER.glob("*.sql"))
UNFILLED = re.compile(r""":"|:'|(?<!:):\w|/\*|\*/|--|;|[{}]""")
SIGNALS: tuple[SeedSignal, ...] = ("chunk", "summary", "mean", "hybrid")


def composed() -> Iterator[str]:
    """Every statement that is put together of parts, with all and with some of them."""
    scope = ("doc_type = %(doc_type)s", "ingestion_id = %(ingestion_id)s")
    filters, _ = predicates([parse_condition(text) for text in ("a=1|2", "b!=3", "c>=2024", "d^=x", "e=*")])
    for signal, tests in product(SIGNALS, ((), scope[:1], (*scope, *filters))):
        yield queries.ranking(signal, tests)
    for of_key, of_document in product((True, False), repeat=2):
        yield history.finding(of_key=of_key, of_document=of_document)
    for in_conversation in (True, False):
        yield memories.recalling(in_conversation=in_conversation)
    for name, parts in (
        ("documents", ("of_doc_type", "with_text")),
        ("relationships", ("of_document", "of_type", "dangling")),
        ("relationships", ("of_document", "of_type", "attached")),
    ):
        for chosen in product((True, False), repeat=len(parts)):
            yield reading.chosen(name, dict(zip(parts, chosen, strict=True)))


def left_open(statement: str) -> list[str]:
    return UNFILLED.findall(placed(statement, "ws_x").decode().replace("'{1,1,1,1}'", "").replace("%(", "("))


@pytest.mark.parametrize("name", FAMILIES)
def test_nothing_in_a_statement_is_left_open(name: str) -> None:
    assert {title: found for title, text in family(name).items() if (found := left_open(text))} == {}


def test_nothing_is_left_open_in_a_statement_that_is_put_together() -> None:
    made = list(composed())
    assert len(made) == 12 + 4 + 2 + 4 + 8 + 8
    assert [found for text in made if (found := left_open(text))] == []
    assert any("WHERE doc_type = %(doc_type)s AND ingestion_id = %(ingestion_id)s" in text for text in made)
    assert len(set(made)) == len(made) - 4  # relationships neither dangling nor attached stand in both


@pytest.mark.parametrize("name", FAMILIES)
def test_a_title_stands_once_in_a_file(name: str) -> None:
    text = (FOLDER / f"{name}.sql").read_text(encoding="utf-8")
    titles = re.findall(r"^-- (?:name|part): (.*)$", text, flags=re.MULTILINE)
    assert sorted(titles) == sorted(family(name))
    assert len(titles) == text.count(";\n") + text.count("-- part: ")


def test_a_value_is_bound_and_a_constant_is_written_in() -> None:
    hybrid = family("ranking")["scored_by_hybrid"]
    assert f"({SEED_RRF_K} + 1.0::float8) / ({SEED_RRF_K} + by_vectors) / 2" in hybrid
    assert f"left(%(text)s, {MAX_QUESTION})" in hybrid
    assert "LIKE %(prefix)s || '%%'" in family("runs")["matching"]
    assert "IS DISTINCT FROM 'manual'" in family("writing")["delete_ingested_edges"]


APPROXIMATE = {("two_stage", "by_index"), ("reading", "by_index")}


def test_exact_similarity_never_asks_by_the_operator_that_an_index_may_answer() -> None:
    """Nothing else does than the candidates of the approximate mode."""
    asks = {
        (path.stem, name)
        for path in FOLDER.glob("*.sql")
        for name, text in family(path.stem).items()
        if "<=>" in re.sub(r"--.*", "", text)
    }
    assert asks == APPROXIMATE

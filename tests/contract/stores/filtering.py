"""Rules for filters by metadata: exactly what ``domain.where`` says, in rankings, counts and fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from docgraph.domain.graph import PreparedDocument, StoredDocument
from docgraph.domain.request import SeedSignal
from docgraph.domain.where import Condition, Operator, facets_of_document, meets, parse_condition
from docgraph.ports import values_of
from tests.contract.stores.at_once import Holding
from tests.contract.stores.examples import example_document
from tests.contract.stores.reading import QUESTION, SIGNALS

VALUES: Sequence[Any] = (
    "Accepted",
    "accepted ",
    "draft",
    "x' OR '1'='1",
    "Straße",
    "e\u0301té",
    "\U0010ffff",
    "a|b",
    "%_\\",
    3,
    "3",
    10,
    -2.5,
    1e300,
    True,
    None,
    "2024-05-17",
    "2024-06",
    "2023",
    ["draft", "Accepted"],
    ["a", 7, None, ["b"]],
    {"team": "A", "size": 4},
    "long " * 80,
)
CONDITIONS = (
    "v=accepted",
    "v!=accepted",
    "v=draft|3",
    "v=x' OR '1'='1",
    "v=STRASSE",
    "v=ÉTÉ",
    "v=a\\|b",
    "v=%_\\",
    "v>=3",
    "v>3",
    "v<0",
    "v<=10",
    "v>=1e300",
    "v>=2024",
    "v<2024-06",
    "v<=2024-05",
    "v>2023",
    "v^=acc",
    "v^=%",
    "v=*",
    "v!=*",
    "v=true",
    "v.team=a",
    "v.size>3",
    "nobody=1",
    "nobody!=1",
    "doc_type=k1",
    "ingestion_id^=i",
)


def library() -> list[PreparedDocument]:
    """A document for each value, and one without any."""
    given: list[dict[str, Any]] = [{"v": value} for value in VALUES]
    return [
        example_document(f"d{n:02}", (f"zebra {n}", "other"), doc_type=f"k{n % 3}", ingestion_id="i", metadata=metadata)
        for n, metadata in enumerate([*given, {}])
    ]


def meeting(conditions: Sequence[Condition], documents: Sequence[StoredDocument]) -> set[str]:
    """Ids of those that meet all of them, by the rule and nothing else."""
    return {each.document_id for each in documents if meets(conditions, facets_of_document(each))}


class FilterRules:
    """See ``testing.suites.stores``."""

    def test_a_condition_keeps_exactly_the_documents_that_meet_it(self, holding: Holding) -> None:
        """Numbers, dates, lists, nested fields, hostile and odd texts; alone and together."""
        documents = [each.document for each in library()]
        with holding(library()) as snapshot:
            everything = {each.document_id for each in documents}
            for text in CONDITIONS:
                conditions = (parse_condition(text),)
                expected = meeting(conditions, documents)
                ranked = snapshot.rank_documents(QUESTION, "mean", limit=99, matching=conditions)
                assert {each.document_id for each in ranked} == expected, text
                assert [each.rank for each in ranked] == list(range(1, len(expected) + 1))
                assert snapshot.count_matching(conditions) == len(expected), text
            both = tuple(map(parse_condition, ("v=*", "doc_type=k1", "v!=accepted")))
            assert snapshot.count_matching(both) == len(meeting(both, documents)) > 2
            assert snapshot.count_matching(()) == len(everything)

    @pytest.mark.parametrize("signal", SIGNALS)
    def test_whoever_meets_it_is_ranked_as_if_nobody_else_were_there(
        self, holding: Holding, signal: SeedSignal
    ) -> None:
        """By every signal, together with a filter by scope, and with documents that are asked for by id."""
        conditions = (parse_condition("v=*"),)
        kept = [each for each in library() if meets(conditions, facets_of_document(each.document))]
        with holding(kept) as alone:
            expected = alone.rank_documents(QUESTION, signal, limit=3, document_ids=["d20"])
            inside = alone.rank_documents(QUESTION, signal, limit=9, where={"doc_type": "k1"})
        with holding(library()) as snapshot:
            found = snapshot.rank_documents(QUESTION, signal, limit=3, document_ids=["d20", "d15"], matching=conditions)
            assert found == expected
            scoped = snapshot.rank_documents(QUESTION, signal, limit=9, where={"doc_type": "k1"}, matching=conditions)
            assert scoped == inside
            assert snapshot.rank_documents(QUESTION, signal, limit=9, matching=(parse_condition("v=no one"),)) == ()

    def test_fields_are_counted_with_their_values(self, holding: Holding) -> None:
        """As ``ports.values_of`` counts them, however few values are asked for."""
        with holding(library()) as snapshot:
            documents = [each.document for each in library()]
            for limit in (1, 3, 99):
                assert snapshot.metadata_values(limit=limit) == values_of(documents, limit=limit)
            fields = {each.field for each in snapshot.metadata_values(limit=1)}
        assert fields == {"doc_type", "ingestion_id", "v", "v.size", "v.team"}

    def test_what_is_said_anew_is_what_counts(self, holding: Holding) -> None:
        """Documents that come again with other metadata."""
        before = [example_document("a", metadata={"v": "old"}), example_document("b", metadata={"v": "old"})]
        after = [example_document("a", metadata={"v": "new"})]
        operators: tuple[Operator, ...] = ("=", "!=")
        with holding(before, after) as snapshot:
            for operator, n in zip(operators, (1, 1), strict=True):
                condition = Condition(field="v", operator=operator, values=("new",))
                assert snapshot.count_matching((condition,)) == n

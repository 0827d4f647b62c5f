"""Errors: whatever a value was, the error can be printed, and holds no more of it than a reader wants."""

from __future__ import annotations

import pytest

import docgraph
from docgraph.domain.graph import Document, Relationship
from docgraph.errors import BEFORE, BEHIND, LONGEST, DocgraphError


@pytest.mark.parametrize("n", [LONGEST, LONGEST + 1, 100_000])
def test_a_long_error_keeps_its_beginning_and_its_end_and_says_how_long_it_was(n: int) -> None:
    error = DocgraphError("a" * n, hint="h" * n)
    if n <= LONGEST:
        assert (error.message, error.hint) == ("a" * n, "h" * n)
        return
    assert error.message == f"{'a' * BEFORE} … ({n:,} characters) … {'a' * BEHIND}"
    assert len(str(error)) < 2 * LONGEST


def test_an_error_about_half_of_a_surrogate_pair_can_be_printed() -> None:
    error = DocgraphError("no 'half \ud800 é'", hint="\udcff")
    assert str(error).encode().decode() == "no 'half \\ud800 é' (\\udcff)"


@pytest.mark.parametrize("name", ["n" * 100_000, "\ud800" * 100_000, "é" * 100_000])
def test_no_name_however_long_fills_an_error_of_the_api(name: str) -> None:
    document = Document(document_id="a", title="A", text="The queue is bounded.")
    edge = Relationship(from_document_id="a", relation_type="cites", to_document_id="b")
    with docgraph.connect(store="memory", workspace="w") as dg:
        dg.ingest_records([document], [edge])
        for ask in (
            lambda: dg.relationships.remove((name, "cites", "b"), by="Ann"),
            lambda: dg.documents.get(name),
            lambda: dg.use_workspace(name),
            lambda: dg.drop_workspace(name),
            lambda: dg.runs.get(name),
        ):
            with pytest.raises(DocgraphError) as caught:
                ask()
            assert len(str(caught.value).encode()) < 4 * LONGEST

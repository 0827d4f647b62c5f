"""A document's id beside its title, without saying anything twice; and why a named seed is in."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph.views.lanes.layout import node_id
from docgraph.views.plan.documents import best_chunk, id_and_title
from docgraph.views.plan.graph import plan_graph
from docgraph.views.plan.reasons import selected_document


@pytest.mark.parametrize(
    ("document_id", "title", "shown"),
    [
        ("pep-0593", "PEP 593 – Flexible annotations", ("PEP 593", "Flexible annotations")),
        ("original/pep-0008", "PEP 8: Style Guide", ("PEP 8", "Style Guide")),
        ("adr-014", "ADR-014 Retry budget", ("ADR-014", "Retry budget")),
        ("pep-0008", "Style Guide", ("pep-0008", "Style Guide")),
        ("pep-0008", "PEP 80 – Another one", ("pep-0008", "PEP 80 – Another one")),
        ("runbook-queue-depth", "Runbook: Queue depth alarm", ("", "Runbook: Queue depth alarm")),
        ("design-hold-lifecycle", "Design: Hold life cycle", ("", "Design: Hold life cycle")),
        ("api", "API: Reservations", ("api", "API: Reservations")),
        ("7", "7 rules", ("7", "rules")),
        ("x1", "", ("", "x1")),
    ],
)
def test_an_id_stands_beside_the_title_unless_the_title_says_it(
    document_id: str, title: str, shown: tuple[str, str]
) -> None:
    assert id_and_title(document_id, title) == shown


def test_a_seed_that_the_question_names_says_so(make_run: Any) -> None:
    run = make_run(["a", "b"])
    named = run.plan.seed_documents[0].model_copy(update={"named": "ADR-014"})
    plan = run.plan.model_copy(update={"seed_documents": (named, run.plan.seed_documents[1])})
    run = run.model_copy(update={"plan": plan})
    nodes = {node["id"]: node for node in plan_graph(run).data["nodes"]}
    assert [nodes[node_id(i)]["badge"] for i in "ab"] == ["named", ""]
    found = selected_document(run, node_id("a"), {})
    assert found is not None
    assert found.why == "Included first: the question names “ADR-014”"


def test_the_bar_is_the_similarity_of_the_best_chunk_and_unknown_without_one(make_run: Any) -> None:
    run = make_run(["a", "b"], chunks={"b": 0})
    nodes = {node["id"]: node for node in plan_graph(run).data["nodes"]}
    best = run.context.documents[0].chunks[0].score
    assert (nodes[node_id("a")]["bar"], nodes[node_id("a")]["score"]) == (best, f"{best:.2f}")
    assert (nodes[node_id("b")]["bar"], nodes[node_id("b")]["score"]) == (0.0, "--")
    assert best_chunk(run, "nobody") is None

"""A small workspace in memory: two decisions, a runbook that one of them explains, and a title that is an attack."""

from __future__ import annotations

import re
from typing import Any

import docgraph
from tests import ROOT

QUERY = "Why is the booking queue bounded?"
HOSTILE = "<script>alert(1)</script> {title} {{query}}"
FIELDS = {
    *("document_id", "title", "chunk_id", "heading_path", "place", "role", "reasons"),
    *("score", "rank", "plan_id", "workspace"),
}
TEXTS = {
    "adr-1": ("Bounded queue", "# Bounded queue\n\n## Decision\n\nThe booking queue is bounded at 400 bookings."),
    "adr-2": ("Retries", "# Retries\n\nA booking is tried three times, then the queue drops it."),
    "rb-1": ("Alarm at night", "# Alarm at night\n\nThe crew on call restarts the crane."),
    "note-1": (HOSTILE, "The queue of bookings was once without any bound."),
}


def examples(library: str) -> list[str]:
    """The Python examples of docs/adapters.md that import the adapter of ``library``; none of them for ``""``."""
    page = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
    found: list[str] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    imported = {code: re.findall(r"docgraph\.adapters\.(\w+) import", code) for code in found}
    return [code for code, names in imported.items() if names == [library] or (not names and not library)]


def workspace() -> docgraph.Docgraph:
    """A new one, opened; whoever asks for it closes it."""
    dg = docgraph.connect(store="memory", workspace="harbor")
    edge = docgraph.Relationship(from_document_id="adr-1", relation_type="explains", to_document_id="rb-1")
    dg.ingest_records([docgraph.Document(document_id=i, title=t, text=x) for i, (t, x) in TEXTS.items()], [edge])
    return dg


def checked(found: list[dict[str, Any]], dg: docgraph.Docgraph, **fields: Any) -> None:
    """Whether metadata are those of docgraph's own run of ``QUERY``, chunk by chunk in the same order."""
    run = dg.run({"query": QUERY, **fields})
    assert [each["chunk_id"] for each in found] == [chunk.chunk_id for _, chunk in run.context.ranked_chunks]
    assert [each["rank"] for each in found] == list(range(1, len(found) + 1))
    places = {i: place for place, i in enumerate(run.plan.document_ids, start=1)}
    assert all(set(each) - {"source", "standing"} == FIELDS for each in found)
    assert all(each["place"] == places[each["document_id"]] for each in found)
    assert {(each["plan_id"], each["workspace"]) for each in found} == {(run.plan.plan_id, "harbor")}
    [related] = [each for each in found if each["document_id"] == "rb-1"]
    assert (related["role"], related["reasons"]) == ("related", [{"type": "explains", "from": "adr-1"}])
    assert {each["role"] for each in found if each["document_id"] != "rb-1"} == {"seed"}

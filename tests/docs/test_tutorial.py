"""The tutorial's folder has the effects that the tutorial shows."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import docgraph
from tests import ROOT

PAGE = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
QUESTION = "All the loaves were flat this morning. Whom do we call?"


@pytest.fixture
def bakery(tmp_path: Path) -> Iterator[docgraph.Docgraph]:
    script = re.search(r"```sh\n(mkdir bakery.*?)```", PAGE, flags=re.DOTALL)
    assert script is not None
    subprocess.run(["sh", "-e", "-c", script[1]], cwd=tmp_path, check=True)
    with docgraph.connect(store="memory", workspace="bakery") as dg:
        report = dg.ingest(tmp_path / "bakery")
        assert f"{report.n_in} in = {report.n_stored} stored" in PAGE
        yield dg


def test_a_relationship_adds_the_answer(bakery: docgraph.Docgraph) -> None:
    plan = bakery.plan(docgraph.RetrievalRequest(query=QUESTION, max_documents=3))
    [related] = plan.expanded_documents
    assert (related.document_id, [reason.via for reason in related.reasons]) == ("cold-room", ["derived_from"])
    off = bakery.plan(docgraph.RetrievalRequest(query=QUESTION, max_documents=3, use_relationships=False))
    assert "cold-room" not in off.document_ids


def test_one_relationship_leads_nowhere(bakery: docgraph.Docgraph) -> None:
    report = bakery.check()
    [finding] = report.findings
    assert (finding.check_id, finding.relationships) == ("missing_endpoint", (("orders", "links_to", "prices"),))
    assert finding.sentence in PAGE

"""A run that was saved before plans had provenance is read, compared and kept as it is."""

from __future__ import annotations

import json

import psycopg

import docgraph
from docgraph.domain.graph import Document
from tests import ROOT

BEFORE_PROVENANCE = ROOT / "tests" / "golden" / "before_provenance"


def test_a_run_that_an_earlier_docgraph_saved_is_read_compared_and_kept_as_it_is(new_database_url: str) -> None:
    """Fields that came later have another hash; the id it was given stays its own."""
    old = json.loads((BEFORE_PROVENANCE / "saved_run.json").read_text(encoding="utf-8"))
    with docgraph.connect(new_database_url, workspace="small") as dg:
        dg.ingest_records([Document(document_id="holds", title="Holds", text="A hold keeps a slot.")])
        placed = dg.runs.save("What is a hold?", name=old["name"])
    with psycopg.connect(new_database_url) as connection:
        connection.execute("DELETE FROM docgraph.saved_run_baselines")
        connection.execute(
            "UPDATE docgraph.saved_runs SET run_id = %s, run = %s::json, content_hash = %s WHERE run_id = %s",
            (old["run_id"], json.dumps(old["run"]), old["content_hash"], placed.run_id),
        )
    with docgraph.connect(new_database_url, workspace="small") as dg:
        kept = dg.runs.get(old["run_id"])
        assert (kept.content_hash, kept.run.plan.plan_id) == (old["content_hash"], old["run"]["plan"]["plan_id"])
        assert dg.runs.rerun(kept).a.run == kept.run
        again = dg.runs.save(kept.run, name="again")  # under an id of its own, whole as well
        assert dg.runs.get(again.run_id).run == kept.run
        assert dg.runs.get(old["run_id"]) == kept

"""Databases of before the hashes: what people decided holds, and what is embedded stays embedded."""

from __future__ import annotations

import json

import psycopg
from sqlalchemy import create_engine, text

import docgraph
from docgraph import plugins
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Document, Relationship
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores.postgres.workspaces import VERSION_TABLE
from docgraph.ports import Database
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer
from tests import ROOT

BEFORE_PROVENANCE = ROOT / "tests" / "golden" / "before_provenance"


def build(url: str) -> Database:
    database: Database = plugins.build("stores", "postgres", database_url=url)
    return database


def as_before_hashes_were_kept(url: str) -> None:
    """The workspace ``old`` as an older docgraph left it: one hash of all that was said, reviews that name it."""
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url))
    hashed = "encode(sha256(convert_to(document_id || 'of before', 'UTF8')), 'hex')"
    with engine.begin() as old:
        old.execute(text(f"UPDATE ws_old.document_nodes SET content_hash = {hashed}"))
        for name in ("text_hash", "embedded_hash", "stated_hash"):
            old.execute(text(f"ALTER TABLE ws_old.document_nodes DROP COLUMN {name}"))
        old.execute(text(f"UPDATE ws_old.{VERSION_TABLE} SET version_num = '0003'"))
    engine.dispose()


def importer_of(database: Database) -> Docgraph:
    adapters = Adapters(
        database=database,
        embedder=HashingEmbedder(8),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        checks=(plugins.build("checks", "suspect"),),
        clock=lambda: 0.0,
    )
    return Docgraph(adapters, "old", owns_database=False)


def test_reviews_of_an_older_database_hold_and_its_texts_are_not_embedded_again(new_database_url: str) -> None:
    """Their hashes covered everything that was said, so that no text could be known by them."""
    given = [Document(document_id=i, title=i, text=f"The text of {i}.") for i in "abc"]
    edges = [Relationship(from_document_id=i, relation_type="cites", to_document_id="c") for i in "ab"]
    database = build(new_database_url)
    importer_of(database).ingest_records(given, edges)
    database.close()
    as_before_hashes_were_kept(new_database_url)
    database = build(new_database_url)
    dg = importer_of(database)
    before = dg.workspace
    dg.relationships.edit([Edit(action="accept", key=edge.key) for edge in edges], by="Ann")
    assert {i: each.stated for i, each in database.open_workspace("old").import_hashes("abc").items()} == {
        i: dg.documents.get(i).content_hash for i in "abc"
    }  # an unchanged file is skipped, as it was before
    embedder = dg.session.adapters.embedder
    assert isinstance(embedder, HashingEmbedder)
    n_texts = embedder.n_texts
    changed = [*given[:2], given[2].model_copy(update={"metadata": {"status": "accepted"}})]
    report = dg.ingest_records(changed, edges)
    assert (report.n_updated, embedder.n_texts) == (3, n_texts)
    assert not dg.check().findings
    assert dg.ingest_records(changed, edges).n_skipped == 3
    report = dg.ingest_records([given[0].model_copy(update={"text": "Another text."}), *changed[1:]], edges)
    assert (report.n_stored, report.n_skipped) == (1, 2)
    assert [finding.relationships for finding in dg.check().findings] == [(edges[0].key,)]
    assert (dg.workspace.n_documents, dg.workspace.n_chunks) == (before.n_documents, before.n_chunks)
    database.close()


def test_a_text_that_was_changed_before_the_first_import_into_an_older_database_is_suspect(
    new_database_url: str,
) -> None:
    """And a title, and a summary that was given anew is embedded without making anything suspect."""
    given = [Document(document_id=i, title=i, text=f"The text of {i}.", summary="old") for i in "abcd"]
    edges = [Relationship(from_document_id=i, relation_type="cites", to_document_id="d") for i in "abc"]
    database = build(new_database_url)
    importer_of(database).ingest_records(given, edges)
    database.close()
    as_before_hashes_were_kept(new_database_url)
    database = build(new_database_url)
    dg = importer_of(database)
    dg.relationships.edit([Edit(action="accept", key=edge.key) for edge in edges], by="Ann")
    updates: tuple[dict[str, str], ...] = ({"text": "new"}, {"title": "new"}, {"summary": "new"}, {"source": "d.md"})
    again = [each.model_copy(update=update) for each, update in zip(given, updates, strict=True)]
    report = dg.ingest_records(again, edges)
    assert (report.n_stored, report.n_updated) == (3, 1)
    assert sorted(key for finding in dg.check().findings for key in finding.relationships) == [
        edge.key for edge in edges[:2]
    ]
    database.close()


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

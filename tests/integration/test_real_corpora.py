"""Public corpora through the whole pipeline on PostgreSQL: PEPs, a folder of decisions, a vault of notes.

Of the 736 PEPs the first 150 and PEP 387 are taken; ``make corpora`` (``DOCGRAPH_TEST_ALL_PEPS``) takes all of them.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

import docgraph
from docgraph import Docgraph, RetrievalRequest
from docgraph.domain.graph import Vectors
from docgraph.domain.report import IngestReport

pytestmark = pytest.mark.timeout(900)  # 736 PEPs are a minute of computing, more where tests run side by side
SOME = 150
EVOLUTION = RetrievalRequest(query="Which PEP replaced the guidelines for language evolution?")


@pytest.fixture(scope="module")
def database(module_database_url: str) -> Iterator[Docgraph]:
    with docgraph.connect(module_database_url, embedder="wordllama", pool_size=2) as opened:
        yield opened


@pytest.fixture(scope="module")
def pep_folder(test_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """PEPs as they were published: all of them, or the part that the tests take by default."""
    whole = test_data / "peps" / "original"
    if os.environ.get("DOCGRAPH_TEST_ALL_PEPS"):
        return whole
    files = sorted(path for path in whole.rglob("pep-*") if path.is_file())
    assert len(files) == 736
    part = tmp_path_factory.mktemp("peps")
    for file in [*files[:SOME], *(file for file in files[SOME:] if file.stem == "pep-0387")]:
        shutil.copy(file, part / file.name)
    return part


@pytest.fixture(scope="module")
def n_peps(pep_folder: Path) -> int:
    """How many PEPs are imported."""
    return sum(path.is_file() for path in pep_folder.rglob("pep-*"))


@pytest.fixture(scope="module")
def peps(database: Docgraph, pep_folder: Path) -> tuple[Docgraph, IngestReport]:
    """The PEPs, imported once."""
    opened = database.use_workspace("peps")
    return opened, opened.ingest(pep_folder)


@pytest.fixture(scope="module")
def imported(database: Docgraph, test_data: Path) -> Callable[[str], tuple[Docgraph, IngestReport]]:
    """Imports a folder of the test data once, and hands out the same workspace afterwards."""
    known: dict[str, tuple[Docgraph, IngestReport]] = {}

    def get(folder: str) -> tuple[Docgraph, IngestReport]:
        if folder not in known:
            opened = database.use_workspace(folder.replace("/", "-"))
            known[folder] = opened, opened.ingest(test_data / folder)
        return known[folder]

    return get


def listed(folder: Path, *types: str) -> set[tuple[str, str, str]]:
    with (folder / "relations.jsonl").open(encoding="utf-8") as file:
        return {(r["from"], r["type"], r["to"]) for r in map(json.loads, file) if r["type"] in types}


# ---------------------------------------------------------------- 736 PEPs


def test_every_pep_is_stored_and_accounted_for(peps: tuple[Docgraph, IngestReport], n_peps: int) -> None:
    opened, report = peps
    assert n_peps > SOME
    assert (report.n_in, report.n_stored, report.n_skipped, report.n_rejected) == (n_peps, n_peps, 0, 0)
    assert Counter(outcome.outcome for outcome in report.outcomes) == {"stored": n_peps}
    workspace = opened.workspace
    assert (workspace.n_documents, workspace.n_chunks) == (n_peps, report.n_chunks)
    assert workspace.n_relationships == report.n_relationships == sum(report.relationships.values())
    assert workspace.revision == report.revision


def test_the_relationships_of_the_headers_stand_in_the_store_edge_by_edge(
    peps: tuple[Docgraph, IngestReport], test_data: Path
) -> None:
    opened, _ = peps
    there = {document.document_id for document in opened.documents.list()}
    kinds = {"requires": 39, "replaces": 42, "superseded_by": 32}
    if len(there) == 736:
        assert kinds.items() <= opened.relationships.types().items()
    for kind in kinds:
        stored = {edge.key for edge in opened.relationships.list(relation_type=kind)}
        assert stored
        assert stored == {key for key in listed(test_data / "peps", kind) if key[0] in there}


def test_a_second_import_skips_all_peps_embeds_nothing_and_keeps_the_revision(
    peps: tuple[Docgraph, IngestReport], pep_folder: Path, n_peps: int, *, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, report = peps

    def refuse(texts: Sequence[str]) -> Vectors:
        raise AssertionError(f"{len(texts)} texts were embedded again")

    monkeypatch.setattr(opened.session.adapters.embedder, "embed", refuse)
    again = opened.ingest(pep_folder)
    assert (again.n_in, again.n_stored, again.n_skipped, again.n_rejected) == (n_peps, 0, n_peps, 0)
    assert again.revision == opened.workspace.revision == report.revision


def test_a_superseded_pep_brings_in_its_successor_with_a_typed_reason(peps: tuple[Docgraph, IngestReport]) -> None:
    run = peps[0].run(EVOLUTION)
    assert "pep-0005" in run.plan.seed_document_ids
    assert ("pep-0005", "superseded_by", "pep-0387") in run.plan.edges
    assert "pep-0387" in {document_id for document_id, _ in run.context.ranked_chunks}
    assert [check.name for check in run.contract if not check.passed] == []
    assert len(run.contract) == 9
    assert not {via for _, via, _ in run.plan.edges} - {"requires", "replaces", "superseded_by"}


def test_explain_tells_why_the_successor_is_in_and_why_another_pep_is_not(
    peps: tuple[Docgraph, IngestReport],
) -> None:
    opened, _ = peps
    successor = opened.explain(EVOLUTION, "pep-0387")
    assert successor.in_plan
    assert ("superseded_by", "pep-0005") in {(r.via, r.from_document_id) for r in successor.reasons}
    stranger = opened.explain(EVOLUTION, "pep-0249")
    assert not stranger.in_plan
    assert stranger.obstacles
    assert stranger.rank is not None


def test_peps_that_the_text_only_mentions_stay_out_unless_their_type_is_asked_for(
    peps: tuple[Docgraph, IngestReport],
) -> None:
    opened, _ = peps
    assert opened.workspace.off_relation_types == ("mentions",)
    plan = opened.plan(RetrievalRequest(query=EVOLUTION.query, relation_types=("mentions",)))
    assert {via for _, via, _ in plan.edges} == {"mentions"}


# ---------------------------------------------------------------- decisions of GOV.UK


def test_decisions_are_related_by_their_status_lines_and_links(imported: Callable[..., tuple]) -> None:
    opened, report = imported("govuk-adrs/original")
    assert (report.n_in, report.n_stored, report.n_rejected, report.n_dangling) == (38, 38, 0, 0)
    assert report.relationships == {"amended_by": 1, "amends": 1, "links_to": 3, "mentions": 2, "superseded_by": 1}
    assert report.provenance == {"markdown_links": 3, "status_lines": 3, "title_mentions": 2}
    assert opened.workspace.off_relation_types == ("mentions",)


def test_the_records_of_the_decisions_say_the_same_with_short_ids(
    imported: Callable[..., tuple], test_data: Path
) -> None:
    opened, report = imported("govuk-adrs")
    assert (report.n_in, report.n_stored, report.n_rejected, report.n_dangling) == (38, 38, 0, 0)
    kinds = ("amended_by", "amends", "references", "superseded_by")
    assert {edge.key for edge in opened.relationships.list()} == listed(test_data / "govuk-adrs", *kinds)
    assert opened.workspace.off_relation_types == ("references",), "references stand in the body only"


@pytest.mark.parametrize("folder", ["govuk-adrs", "govuk-adrs/original"])
def test_a_question_about_a_superseded_decision_brings_in_the_one_that_holds(
    imported: Callable[..., tuple], folder: str
) -> None:
    opened, _ = imported(folder)
    [edge] = opened.relationships.list(relation_type="superseded_by")
    title = next(d.title for d in opened.documents.list() if d.document_id == edge.from_document_id)
    narrow = RetrievalRequest(query=title, seed_document_ids=(edge.from_document_id,), max_documents=2)
    assert edge.key in opened.plan(narrow).edges
    assert edge.to_document_id in opened.plan(RetrievalRequest(query=title)).document_ids, "with or without the edge"


# ---------------------------------------------------------------- a vault of notes


def test_notes_are_related_by_their_wiki_links_and_missing_notes_are_kept_as_dangling(
    imported: Callable[..., tuple],
) -> None:
    opened, report = imported("foam-docs/original")
    assert (report.n_in, report.n_stored, report.n_rejected) == (86, 86, 0)
    assert report.relationships["links_to"] == report.provenance["wiki_links"] + report.provenance["markdown_links"]
    assert report.provenance["wiki_links"] == 179
    assert report.n_dangling == len(list(opened.relationships.list(dangling=True))) == 6


def test_the_records_of_the_notes_keep_every_listed_link_and_its_30_dangling_ones(
    imported: Callable[..., tuple], test_data: Path
) -> None:
    opened, report = imported("foam-docs")
    assert (report.n_in, report.n_stored, report.n_rejected) == (86, 86, 0)
    kept = {(start, kind, " ".join(end.split())) for start, kind, end in listed(test_data / "foam-docs", "links_to")}
    assert {edge.key for edge in opened.relationships.list()} == kept
    assert opened.relationships.types() == {"links_to": 214}
    assert report.n_dangling == len(list(opened.relationships.list(dangling=True))) == 30


@pytest.mark.parametrize("folder", ["foam-docs", "foam-docs/original"])
def test_links_between_notes_are_followed_in_plans(imported: Callable[..., tuple], folder: str) -> None:
    opened, _ = imported(folder)
    assert "links_to" not in opened.workspace.off_relation_types
    plans = [opened.plan(RetrievalRequest(query=document.title)) for document in list(opened.documents.list())[::4]]
    followed = Counter(via for plan in plans for _, via, _ in plan.edges)
    assert set(followed) == {"links_to"}
    assert sum(bool(plan.expanded_documents) for plan in plans) > len(plans) / 2


def test_a_link_to_a_note_that_does_not_exist_is_named_as_cut_and_never_planned(
    imported: Callable[..., tuple],
) -> None:
    opened, _ = imported("foam-docs/original")
    edge = next(opened.relationships.list(dangling=True))
    plan = opened.plan(RetrievalRequest(query="missing note", seed_document_ids=(edge.from_document_id,)))
    assert edge.to_document_id not in plan.document_ids
    assert ("missing_document", edge.to_document_id) in {(c.limit, c.document_id) for c in plan.cut}

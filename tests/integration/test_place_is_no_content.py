"""Where something stands is no content: position, order, source and folder change neither judgments nor plans."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docgraph import plugins
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Document, Relationship, Vectors
from docgraph.domain.report import IngestReport
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.ports import Database
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

N = 20
DOCUMENTS = [{"id": f"d{i}", "title": f"Document {i}", "text": f"Queue {i} is bounded by {i * i}."} for i in range(N)]
EDGES = [{"from": f"d{i}", "to": f"d{(i + 1) % N}", "type": "cites"} for i in range(N)]
Opener = Callable[..., Docgraph]


class Counting(HashingEmbedder):
    """Remembers what it embedded."""

    texts: tuple[str, ...] = ()

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts += tuple(texts)
        return super().embed(texts)

    def since(self) -> int:
        """How many texts were embedded since the last call."""
        n, self.texts = len(self.texts), ()
        return n


def opened(database: Database, embedder: Counting, workspace: str) -> Docgraph:
    adapters = Adapters(
        database=database,
        embedder=embedder,
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=tuple(plugins.build("loaders", name) for name in ("markdown", "jsonl")),
        extractors=(plugins.build("extractors", "front_matter"),),
        checks=(plugins.build("checks", "suspect"),),
        clock=lambda: 0.0,
    )
    return Docgraph(adapters, workspace, owns_database=False)


@pytest.fixture
def embedder() -> Counting:
    return Counting(16)


@pytest.fixture(params=["memory", "postgres"])
def opener(request: pytest.FixtureRequest, embedder: Counting) -> Iterator[Opener]:
    """Opens new workspaces, all of one name, each in a database of its own or after the one before was dropped."""
    if request.param == "memory":
        yield lambda: opened(plugins.build("stores", "memory"), embedder, "w")
        return
    database = plugins.build("stores", "postgres", database_url=request.getfixturevalue("new_database_url"))

    def emptied() -> Docgraph:
        if database.workspaces():
            database.drop_workspace("w")
        return opened(database, embedder, "w")

    yield emptied
    database.close()


@pytest.fixture
def dg(opener: Opener) -> Docgraph:
    return opener()


def folder(path: Path, edges: Sequence[dict[str, Any]], documents: Sequence[dict[str, Any]] = DOCUMENTS) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    (path / "docs.jsonl").write_text("\n".join(map(json.dumps, documents)), encoding="utf-8")
    (path / "relations.jsonl").write_text("\n".join(map(json.dumps, edges)), encoding="utf-8")
    return path


def accepted(dg: Docgraph, n: int) -> None:
    keys = [edge.key for edge in dg.relationships.list()][:n]
    dg.relationships.edit([Edit(action="accept", key=key) for key in keys], by="Ann")


def suspects(dg: Docgraph) -> int:
    return sum(finding.check_id == "suspect" for finding in dg.check().findings)


def counts(report: IngestReport) -> tuple[int, int, int]:
    """(stored, updated, skipped) of a report that adds up."""
    assert report.n_in == report.n_stored + report.n_updated + report.n_skipped + report.n_rejected
    return report.n_stored, report.n_updated, report.n_skipped


def test_a_line_on_top_of_the_relationships_embeds_nothing_and_makes_no_review_suspect(
    dg: Docgraph, embedder: Counting, tmp_path: Path
) -> None:
    """It stored and embedded all 20 documents anew and turned all 10 reviews suspect: each line's number counted."""
    dg.ingest(folder(tmp_path, EDGES))
    accepted(dg, 10)
    embedder.since()
    report = dg.ingest(folder(tmp_path, [{"from": "d3", "to": "d9", "type": "cites"}, *EDGES]))
    assert (counts(report), embedder.since(), suspects(dg)) == ((0, N, 0), 0, 0)
    assert len(list(dg.relationships.list())) == N + 1
    assert counts(dg.ingest(tmp_path)) == (0, 0, N)


def test_a_decision_can_be_undone_after_its_line_moved(dg: Docgraph, tmp_path: Path) -> None:
    """It was refused: somebody had changed the relationship meanwhile, namely the number of its line."""
    dg.ingest(folder(tmp_path, EDGES))
    accepted(dg, 1)
    dg.ingest(folder(tmp_path, EDGES[::-1]))
    dg.relationships.undo(1, by="Ben")
    assert not any("review" in edge.relationship_metadata for edge in dg.relationships.list())


def test_two_of_three_records_are_the_same_records(dg: Docgraph, embedder: Counting) -> None:
    """Both were replaced: their place in the list was their source."""
    records = [Document(document_id=i, title=i, text=f"The text of {i}.") for i in "abc"]
    dg.ingest_records(records)
    embedder.since()
    assert (counts(dg.ingest_records(records[1:])), embedder.since()) == ((0, 0, 2), 0)


FILE = "---\nid: adr-1\ntitle: Queue\nsupersedes: adr-2\nstatus: {status}\n---\nThe queue is {word}.\n"


def files(place: str, *, status: str = "proposed", word: str = "bounded") -> list[tuple[str, bytes]]:
    text = FILE.format(status=status, word=word)
    return [(place, text.encode()), ("adr-2.md", b"---\nid: adr-2\ntitle: Old\n---\nThe queue is endless.\n")]


def test_a_moved_file_with_an_id_of_its_own_keeps_its_review(dg: Docgraph, embedder: Counting) -> None:
    dg.ingest_files(files("a/x.md"))
    accepted(dg, 1)
    before = list(dg.relationships.list())
    embedder.since()
    assert counts(dg.ingest_files(files("b/y.md"))) == (0, 1, 1)
    assert (embedder.since(), suspects(dg), list(dg.relationships.list())) == (0, 0, before)
    assert dg.documents.get("adr-1").source == "b/y.md"


def test_metadata_are_updated_and_only_the_text_makes_a_review_suspect(dg: Docgraph, embedder: Counting) -> None:
    dg.ingest_files(files("x.md"))
    accepted(dg, 1)
    embedder.since()
    assert counts(dg.ingest_files(files("x.md", status="accepted"))) == (0, 1, 1)
    assert (embedder.since(), suspects(dg)) == (0, 0)
    assert dg.documents.get("adr-1").metadata["status"] == "accepted"
    assert counts(dg.ingest_files(files("x.md", word="endless"))) == (1, 0, 1)
    assert (embedder.since() > 0, suspects(dg)) == (True, 1)
    dg.ingest_files(files("x.md"))
    assert suspects(dg) == 0


def test_a_given_summary_is_embedded_and_makes_no_review_suspect(dg: Docgraph, embedder: Counting) -> None:
    """Nobody judged by the summary where there is a text."""
    given = [Document(document_id=i, title=i, text=f"The text of {i}.", summary="old") for i in "ab"]
    edge = Relationship(from_document_id="a", relation_type="cites", to_document_id="b")
    dg.ingest_records(given, [edge])
    accepted(dg, 1)
    embedder.since()
    report = dg.ingest_records([given[0].model_copy(update={"summary": "new"}), given[1]], [edge])
    assert (counts(report), embedder.since() > 0, suspects(dg)) == ((1, 0, 1), True, 0)
    assert dg.documents.get("a").summary == "new"


def test_a_dry_run_tells_what_would_be_updated_and_writes_nothing(dg: Docgraph) -> None:
    dg.ingest_files(files("a/x.md"))
    before = dg.workspace
    assert counts(dg.ingest_files(files("b/y.md"), dry_run=True)) == (0, 1, 1)
    assert (dg.workspace, dg.documents.get("adr-1").source) == (before, "a/x.md")


# ---------------------------------------------------------------- whatever the order

RECORDS = [
    Document(document_id=f"r{i}", title=f"Record {i % 3}", text=f"The queue {i % 2} is bounded.", metadata={"n": i})
    for i in range(6)
]
STATED = [
    Relationship(
        from_document_id=f"r{i}", relation_type=via, to_document_id=f"r{(i * 5 + 2) % 7}", relationship_metadata={}
    )
    for i, via in itertools.product(range(6), ("cites", "explains"))
]


def held(dg: Docgraph) -> tuple[str, ...]:
    """The revision, and plans byte by byte."""
    questions = ("bounded queue 1", "record 2", "document 7")
    return (dg.workspace.revision, *(dg.plan(each).model_dump_json() for each in questions))


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    order=st.permutations(RECORDS),
    edges=st.permutations(STATED),
    cuts=st.sets(st.integers(1, len(RECORDS) - 1)),
    sources=st.booleans(),
)
def test_revision_and_plans_are_the_same_in_any_order_from_any_place_and_piece_by_piece(
    opener: Opener, order: list[Document], edges: list[Relationship], cuts: set[int], *, sources: bool
) -> None:
    """They differed by the order of insertion: a place in a list was part of the content."""
    whole = opener()
    whole.ingest_records(RECORDS, STATED)
    expected = held(whole)
    pieces = opener()
    placed = [
        document.model_copy(update={"source": f"some/{number}.md", "ingestion_id": f"folder {number % 2}"})
        for number, document in enumerate(order)
    ]
    numbered = [
        edge.model_copy(update={"relationship_metadata": {"order": number, "source": f"{number}.jsonl"}})
        for number, edge in enumerate(edges)
    ]
    taken = (placed, numbered) if sources else (order, edges)
    for start, end in itertools.pairwise([0, *sorted(cuts), len(order)]):
        ids = {document.document_id for document in order[start:end]}
        pieces.ingest_records(taken[0][start:end], [edge for edge in taken[1] if edge.from_document_id in ids])
    assert held(pieces) == expected


def test_a_folder_gives_the_same_plans_wherever_it_stands(opener: Opener, tmp_path: Path) -> None:
    found = set()
    for place, order in (("one", 1), ("two/deeper", -1)):
        dg = opener()
        dg.ingest(folder(tmp_path / place, EDGES[::order], DOCUMENTS[::order]))
        found.add(held(dg))
    assert len(found) == 1

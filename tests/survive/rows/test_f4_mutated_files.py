"""F4: files that were mutated are reported one by one, and what went in is what was stored and rejected."""

from __future__ import annotations

from collections import Counter

from docgraph.domain.report import IngestReport
from docgraph.errors import UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.plugins.stores import memory
from tests.survive.mutations import RELATIONSHIPS, mutated
from tests.survive.tally import Case, Row, Tally
from tests.survive.workspaces import opened

ROW = Row(
    row="F4",
    what="mutated Markdown, RST, JSONL, HTML, text, PDF, CSV, archives: encodings, BOM, CRLF, empty, a 50 MB line",
    rule="a report of every file, each document whole or not at all, in = stored + updated + skipped + rejected",
    n=3_000,
    short=150,
)
LONG_LINE = 50_000_000


def _check(dg: Docgraph, report: IngestReport) -> None:
    assert report.n_in == sum(report.counts.values())
    by_outcome = Counter(outcome.outcome for outcome in report.outcomes)
    assert {name: by_outcome.get(name, 0) for name in report.counts} == dict(report.counts)
    assert all(outcome.reason for outcome in report.outcomes if outcome.outcome == "rejected")
    assert not any("\n" in outcome.reason for outcome in report.outcomes)
    written = {outcome.document_id for outcome in report.outcomes if outcome.outcome in ("stored", "updated")}
    for document in (dg.documents.by_id(sorted(written)) if written else {}).values():  # nothing written: no workspace
        chunks = dg.documents.chunks(document.document_id)
        assert len(chunks) == document.n_chunks, document.document_id
        written.remove(document.document_id)
    assert not written, f"reported and not there: {written}"


def _one(case: Case) -> None:
    with opened(memory.build()) as dg:
        files = [mutated(case.rng) for _ in range(case.rng.randrange(1, 4))]
        report = dg.ingest_files([(f"{n}-{name}", data) for n, (name, data) in enumerate(files)])
        assert report.n_in >= len(files) or any(name.endswith(".zip") for name, _ in files)
        _check(dg, report)
        if dg.workspaces():
            _exchange(dg, case)


def _exchange(dg: Docgraph, case: Case) -> None:
    """A file of relationships: read with a line for what is wrong in it, or refused whole; nothing is written."""
    name, data = mutated(case.rng, RELATIONSHIPS)
    try:
        dg.relationships.read_file(data, name=name, new_types=True)
    except UserError as error:
        assert "\n" not in str(error)


def test_f4_a_mutated_file_is_reported(tally: Tally) -> None:
    for case in tally.cases(tally.n - 1):
        with tally.trying(case):
            _one(case)
    with tally.trying("a line of 50 MB"), opened(memory.build()) as dg:
        report = dg.ingest_files([("long.md", b"x" * LONG_LINE), ("good.md", b"# Good\n\nText.\n")])
        assert (report.n_stored, report.n_rejected) == (1, 1)
        _check(dg, report)

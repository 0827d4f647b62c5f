"""F4: files that were mutated are reported one by one, and what went in is what was stored and rejected."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Iterator

from docgraph.domain.report import IngestReport
from docgraph.errors import UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.plugins.stores import memory
from tests.survive.mutations import RELATIONSHIPS, mutated
from tests.survive.tally import Case, Row, Tally
from tests.survive.workspaces import opened

ROW = Row(
    row="F4",
    what="mutated Markdown, RST, JSONL, HTML, text, PDF, CSV, archives: encodings, BOM, CRLF, empty, 50 MB lines",
    rule="a report of every file, each document whole or not at all, in = stored + updated + skipped + rejected",
    n=3_000,
    short=150,
    case="one to three mutated files",
)
LONG_LINE = 50_000_000
LONG: dict[str, tuple[bytes, bytes]] = {
    "long.md": (b"", b""),
    "long.jsonl": (b'{"id": "a", "text": "', b'"}\n'),
    "long.rst": (b"Long\n====\n\n", b"\n"),
    "long.txt": (b"", b""),
    "long.html": (b"<title>Long</title><p>", b"</p>"),
    "long.pdf": (b"%PDF-1.4\n1 0 obj<</Type/Catalog", b">>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"),
}
"""What stands round the line in each format of documents."""
LONG_EXCHANGE: dict[str, tuple[bytes, bytes]] = {
    "long.csv": (b"from,type,to\na,explains,", b"\n"),
    "long.relations.jsonl": (b'{"from": "a", "type": "explains", "to": "', b'"}\n'),
}


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
        told = {outcome.source.split(", ")[0] for outcome in report.outcomes}
        kept = {f"{n}-{name}" for n, (name, _) in enumerate(files) if not name.endswith(".zip")}
        assert kept <= told, f"told of nowhere: {sorted(kept - told)}"
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


def _long(name: str) -> bytes:
    before, after = (LONG | LONG_EXCHANGE).get(name, (b"", b""))
    return before + b"x" * LONG_LINE + after


def _zipped(name: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(name, _long(name))
    return made.getvalue()


def _long_lines(tally: Tally) -> Iterator[tuple[str, bytes]]:
    """The line in every format, in the short form in the first two of them."""
    yield from ((name, _long(name)) for name in list(LONG)[: None if tally.whole else 2])
    if tally.whole:
        yield "long.zip", _zipped("long.md")
        yield "stored.zip", _zipped("long.jsonl")


def test_f4_a_mutated_file_is_reported(tally: Tally) -> None:
    for case in tally.cases(tally.n - 1):
        with tally.trying(case):
            _one(case)
    for name, data in _long_lines(tally):
        with tally.trying(f"a line of 50 MB in {name}"), opened(memory.build()) as dg:
            report = dg.ingest_files([(name, data), ("good.md", b"# Good\n\nText.\n")])
            assert (report.n_stored, report.n_rejected) == (1, 1)
            _check(dg, report)
    for name in LONG_EXCHANGE if tally.whole else ():
        with tally.trying(f"a line of 50 MB in {name}"), opened(memory.build()) as dg:
            dg.create_workspace("w")
            diff = dg.relationships.read_file(_long(name), name=name)
            assert (diff.n_errors, diff.edits) == (1, ())

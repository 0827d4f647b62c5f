"""Import of real text beside the tokenizers library and plain COPY: a folder first, again, one file of many changed.

    python -m benchmarks.texts [FOLDER ...] [--rounds 3] [--many 20000] [--database-url URL] [--json FILE]

The base of an import is what nobody can leave out: counting the corpus with the tokenizers library alone, on all cores,
and COPY of the rows that were stored into equal tables. Without a folder the sample corpus and generated text are used.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import psycopg

from benchmarks import figures
from benchmarks.clocks import Cost, ServerClock, measured
from benchmarks.ingest import OWN, equal_copy
from benchmarks.ingesting import Peak
from benchmarks.servers import WORKSPACE, measured_on
from docgraph.bootstrap import connect
from docgraph.ports import Database

SAMPLE = Path(__file__).resolve().parent.parent / "sample_data"
N_GENERATED = 400
WORDS_A_PAGE = 1_500


def main() -> None:
    """Run, write JSON, print the tables."""
    from benchmarks.tables import tables_of

    options = _parser().parse_args()
    load, started = figures.load_average(), time.perf_counter()
    with measured_on(options.database_url) as (url, database), tempfile.TemporaryDirectory() as made:
        folders = options.folders or [SAMPLE, generated(Path(made) / "generated", N_GENERATED, WORDS_A_PAGE)]
        clock = ServerClock.of(url)
        found: dict[str, Any] = {
            "folders": [_folder(database, url, each, options.rounds, clock) for each in folders],
        }
        if options.many:
            many = generated(Path(made) / "many", options.many, 60)
            found["many"] = _one_changed(database, url, many, options.many, clock)
        versions = figures.server_versions(url)
    kept = {"rounds": options.rounds, "many": options.many, "seconds": round(time.perf_counter() - started)}
    report = figures.report("texts", kept, found, load=load)
    report["versions"] |= versions
    print(f"written to {figures.write(report, options.json)}\n")
    print(tables_of(report))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*", help="folders of texts, each imported by itself")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--many", type=int, default=20_000, help="small files of which one is changed (0 = none)")
    parser.add_argument("--database-url", help="a server to measure on; default: an embedded one in a new folder")
    parser.add_argument("--json", type=Path, help="default: benchmarks/results/texts.json")
    return parser


def generated(folder: Path, n: int, words: int) -> Path:
    """Markdown files of seeded words by Zipf's law, with headings, lines of a width, keys, and links."""
    rng = np.random.default_rng(5)
    folder.mkdir(parents=True)
    for number in range(n):
        picked = [f"w{min(int(rank), 5_000)}x" for rank in rng.zipf(1.3, words)]
        lines = [" ".join(picked[start : start + 12]) for start in range(0, words, 12)]
        lines[1:1] = [f"See [another one](page-{int(rng.integers(0, n)):05}.md), `{rng.bytes(24).hex()}`."]
        parts = ["\n".join(lines[start : start + 20]) for start in range(0, len(lines), 20)]
        body = "\n\n".join(f"## Part {place}\n\n{part}." for place, part in enumerate(parts, start=1))
        (folder / f"page-{number:05}.md").write_text(f"# Page {number}\n\n{body}\n", encoding="utf-8")
    return folder


def _folder(database: Database, url: str, folder: Path, rounds: int, clock: ServerClock) -> dict[str, Any]:
    """Preview, import, import again in the same process, import again in a new one; the base in turns with them."""
    took: dict[str, list[Cost]] = {name: [] for name in ("preview", "first", "again", "anew", "count", "copy")}
    peaks, n_stored, n_chunks = [], 0, 0
    for _ in range(rounds):
        _drop(database)
        with connect(url, workspace=WORKSPACE) as dg:
            took["preview"].append(measured(lambda dg=dg: dg.documents.look(folder), clock)[0])
            with Peak() as peak:
                first, report = measured(lambda dg=dg: dg.ingest(folder), clock)
            took["again"].append(measured(lambda dg=dg: dg.ingest(folder), clock)[0])
        with connect(url, workspace=WORKSPACE) as dg:  # its loaders remember nothing
            took["anew"].append(measured(lambda dg=dg: dg.ingest(folder), clock)[0])
        took["first"].append(first)
        peaks.append(peak.most)
        n_stored, n_chunks = report.n_stored, report.n_chunks
        took["count"].append(_counted(url, clock))
        took["copy"].append(equal_copy(url, clock))
    return {
        "name": folder.name,
        "documents": n_stored,
        "chunks": n_chunks,
        "peak_mb": round(statistics.median(peaks)),
        **{name: figures.summary(costs) for name, costs in took.items()},
    }


def _counted(url: str, clock: ServerClock) -> Cost:
    """The stored texts through the tokenizers library, on all cores."""
    from docgraph.plugins.bundled import pieces

    with psycopg.connect(url) as connection:
        texts = [row[0] for row in connection.execute(f"SELECT chunk_text FROM {OWN}.vector_chunks")]
    before = os.environ.get("TOKENIZERS_PARALLELISM")
    os.environ["TOKENIZERS_PARALLELISM"] = "true"
    try:
        return measured(lambda: pieces().tokenizer.encode_batch_fast(texts, add_special_tokens=False), clock)[0]
    finally:
        os.environ["TOKENIZERS_PARALLELISM"] = before or "false"


def _one_changed(database: Database, url: str, folder: Path, n: int, clock: ServerClock) -> dict[str, Any]:
    """The import of many small files, one of which is then changed: in the same process, and in a new one."""
    _drop(database)
    with connect(url, workspace=WORKSPACE) as dg:
        first, _ = measured(lambda: dg.ingest(folder), clock)
        same = _with_change(folder, "once")
        changed, report = measured(lambda: dg.ingest(folder), clock)
        _as_expected(report.n_stored, same)
    with connect(url, workspace=WORKSPACE) as dg:
        same = _with_change(folder, "twice")
        anew, report = measured(lambda: dg.ingest(folder), clock)
        _as_expected(report.n_stored, same)
    found = {"first": first, "changed": changed, "anew": anew}
    return {"documents": n, **{name: figures.summary([cost]) for name, cost in found.items()}}


def _with_change(folder: Path, word: str) -> int:
    page = folder / "page-00007.md"
    page.write_text(f"{page.read_text(encoding='utf-8')}\nThis was said {word}.\n", encoding="utf-8")
    return 1


def _as_expected(n_stored: int, wanted: int) -> None:
    if n_stored != wanted:
        raise SystemExit(f"{n_stored} documents were stored anew, not {wanted}")


def _drop(database: Database) -> None:
    if WORKSPACE in {each.name for each in database.workspaces()}:
        database.drop_workspace(WORKSPACE)


if __name__ == "__main__":
    main()

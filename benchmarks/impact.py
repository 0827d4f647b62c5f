"""Impact of one edit over saved questions: with current plans, after an edit of relationships, and anew.

    python -m benchmarks.impact [--documents 1000] [--questions 1000] [--rounds 3] [--corpus FOLDER] [--work FOLDER]
                                [--database-url URL] [--json FILE]

The edit takes a relationship away that starts at the most consulted seed: the dearest single edit there is. *current*:
every question was saved on today's data. *edited*: another relationship was removed since, as a curator does before the
next finding. *imported*: a document came since, so that every question is ranked anew. The three alternate in one run,
by the clock and in CPU of client and server; the ratio of medians to *current* is the figure to quote. ``effects`` asks
at once what each of several edits does; its ratio is to asking one after the other. ``--corpus`` imports a folder with
the bundled embedder (kept under ``--work``) and asks about its titles and headings.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import docgraph
from benchmarks.clocks import Cost, ServerClock, measured
from benchmarks.corpus import DIMENSION, EMBEDDER, make_corpus, make_questions, unit
from benchmarks.figures import ratio
from benchmarks.servers import WORKSPACE, measured_on, new_workspace, server_url, write
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Document, Vectors
from docgraph.domain.impact import ImpactReport
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.saved_run import MAX_NAME, RUN_ID_LENGTH, SavedRun, content_hash
from docgraph.domain.workspace import EmbedderInfo
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.ports import Database
from docgraph.testing.builders import FirstWords, WordTokenizer

NEW = "new-document"
WAYS = {
    "current": "current plans",
    "edited": "relationships edited since",
    "imported": "a document imported since: anew",
}
COSTS = ("wall", "cpu", "client", "server")


class RandomEmbedder:
    """A unit vector that follows from the text's hash: as good as free, so that it hides nothing else."""

    info: EmbedderInfo = EMBEDDER

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), 256), float32."""
        rows = [np.random.default_rng(_seed(text)).standard_normal(DIMENSION) for text in texts]
        return unit(np.asarray(rows))


def main() -> None:
    """Run, print a table, and write JSON when asked."""
    options = _options().parse_args()
    if options.corpus:
        options.work.mkdir(mode=0o755, exist_ok=True)
        with (
            server_url(options.database_url, options.work) as url,
            docgraph.connect(url, workspace=WORKSPACE, embedder="wordllama") as dg,
        ):
            if WORKSPACE not in {workspace.name for workspace in dg.workspaces()}:
                dg.ingest(options.corpus)
            results = _measured(dg, options, ServerClock.of(url))
    else:
        with measured_on(options.database_url) as (url, database):
            results = _measured(_opened(database, options.documents), options, ServerClock.of(url))
    print_table(results)
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=1_000)
    parser.add_argument("--questions", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--corpus", type=Path, help="a folder of documents; default: a random corpus")
    parser.add_argument("--work", type=Path, default=Path("impact-work"), help="where the corpus' database is kept")
    parser.add_argument("--database-url", help="a server to measure on; default: an embedded one in a new folder")
    parser.add_argument("--json", type=Path)
    return parser


def _measured(dg: Docgraph, options: argparse.Namespace, clock: ServerClock) -> dict[str, Any]:
    """The questions are saved for the measurement and gone afterwards."""
    try:
        _save(dg, options.questions)
        return measure(dg, options, clock)
    finally:
        for row in dg.runs.list(limit=options.questions):
            dg.runs.delete(row.run_id, forever=True)


def measure(dg: Docgraph, options: argparse.Namespace, clock: ServerClock) -> dict[str, Any]:
    """Seconds of each way, their ratios to current plans, and the peak of memory over few and over all questions."""
    edit, other = _edits(dg)
    found: dict[str, list[Cost]] = {way: [] for way in WAYS}
    report = dg.relationships.impact([edit], limit=1)  # warms caches and code up
    for _ in range(options.rounds):
        for way in WAYS:
            with _after(dg, way, other):
                cost, report = measured(lambda: dg.relationships.impact([edit], limit=options.questions), clock)
            found[way].append(cost)
    sizes = (options.questions // 10, options.questions)
    peaks = {n: _peak(partial(dg.relationships.impact, [edit], limit=n)) for n in sizes}
    return {
        "documents": dg.workspace.n_documents,
        "chunks": dg.workspace.n_chunks,
        "questions": report.n_questions,
        "changed_plans": report.n_changed_plans,
        "changed": report.n_changed,
        "impact": {way: _beside(found[way], found["current"]) for way in WAYS},
        "effects": _effects(dg, edit, options),
        "peak_megabytes": {str(n): round(peak / 1e6, 1) for n, peak in peaks.items()},
    }


@contextmanager
def _after(dg: Docgraph, way: str, other: Edit) -> Iterator[None]:
    """The data as they are, with one relationship less, or with one document more; afterwards as before."""
    if way == "edited":
        (entry,) = dg.relationships.edit([other], by="bench")
        yield
        dg.relationships.undo(entry.entry_id, by="bench")
    elif way == "imported":
        dg.ingest_records([Document(document_id=NEW, title=NEW, text="A text of its own.")])
        yield
        dg.documents.delete([NEW])
    else:
        yield


def _beside(costs: Sequence[Cost], base: Sequence[Cost]) -> dict[str, Any]:
    """Medians in seconds, and their ratios to those of ``base``; CPU is None where the server is not seen."""

    def median(of: Sequence[Cost], name: str) -> float | None:
        values = [getattr(cost, name) for cost in of]
        return None if None in values else statistics.median(values)

    row: dict[str, Any] = {}
    for name in ("wall", "client", "server", "cpu"):
        ours, theirs = median(costs, name), median(base, name)
        row[name] = None if ours is None else round(ours, 2)
        row[f"{name}_ratio"] = ratio(ours, theirs)
    return row


def print_table(results: dict[str, Any]) -> None:
    """One line for each way."""
    r = results
    print(
        f"{r['questions']:,} saved questions over {r['documents']:,} documents ({r['chunks']:,} chunks); one edit ",
        end="",
    )
    print(f"changes {r['changed_plans']:,} plans and {r['changed']:,} answers")
    for way, found in r["impact"].items():
        seconds = "".join(f"{name} {_shown(found[name])} s ({_shown(found[name + '_ratio'])})   " for name in COSTS)
        print(f"{'impact, ' + WAYS[way]:<42}{seconds.rstrip()}")
    e = r["effects"]
    print(f"{'effects of ' + str(e['alternatives']):<42}{e['seconds']:.2f} s   {e['ratio']:.3f} of one after the other")
    print("peak memory: " + ", ".join(f"{mb} MB over {n} questions" for n, mb in r["peak_megabytes"].items()))


def _shown(value: float | None) -> str:
    return "--" if value is None else f"{value:.2f}"


def _opened(database: Database, n_documents: int) -> Docgraph:
    """A workspace of its own with random documents."""
    write(new_workspace(database), make_corpus(n_documents))
    adapters = Adapters(
        database=database,
        embedder=RandomEmbedder(),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=time.perf_counter,
    )
    return Docgraph(adapters, WORKSPACE, owns_database=False)


def _save(dg: Docgraph, n_questions: int) -> None:
    """Runs of different questions, each as large as the dashboard saves them: of titles and headings, or of words."""
    documents = [] if dg.session.embedder == EMBEDDER else list(dg.documents.list())
    asked = [f"Why was {document.title} proposed?" for document in documents]
    asked += [f"{document.title}: {heading}?" for document in documents for heading in document.headings[1:6]]
    asked = asked or [f"{text} {i}" for i, (text, _) in enumerate(make_questions(n_questions))]
    for query in tuple(dict.fromkeys(asked))[:n_questions]:
        dg.session.archive.save(_saved(dg, RetrievalRequest(query=query)))


def _saved(dg: Docgraph, request: RetrievalRequest) -> SavedRun:
    """A run as it is kept, as large as one with its two baselines, made with a third of the work."""
    plan = dg.plan(request)
    context = dg.execute(plan)
    run = Run(request=request, plan=plan, context=context, assembled=dg.assemble(context))
    whole = content_hash(run)
    return SavedRun(
        run_id=whole[:RUN_ID_LENGTH],
        name=request.query[:MAX_NAME],
        saved_at="2026-01-01T00:00:00+00:00",
        content_hash=whole,
        run=run,
        baselines={"ms3": run, "plain": run},
        content_revision=dg.workspace.content_revision,
    )


def _edits(dg: Docgraph) -> tuple[Edit, Edit]:
    """Takes a relationship away of the document that most questions consult; and of another document."""
    consulted: Counter[str] = Counter()
    for row in dg.runs.list(limit=200):
        consulted.update(ref.document_id for ref in dg.runs.get(row.run_id).run.plan.consulted)
    off, found = set(dg.workspace.off_relation_types), list[Edit]()
    for document_id, _ in consulted.most_common():
        own = [e for e in dg.relationships.list(document_id=document_id) if e.from_document_id == document_id]
        found += [Edit(action="remove", key=edge.key) for edge in own if edge.relation_type not in off][:1]
        if len(found) == 2:
            return found[0], found[1]
    raise SystemExit("no two consulted documents have a relationship: ask more questions")


def _effects(dg: Docgraph, edit: Edit, options: argparse.Namespace) -> dict[str, Any]:
    """What one can do about a relationship, asked at once and one after the other, in turns."""
    key, (other, *_) = edit.key, [d.document_id for d in dg.documents.list() if d.document_id not in edit.key]
    alternatives = [
        [edit],
        [Edit(action="flip", key=key)],
        [Edit(action="accept", key=key)],
        [Edit(action="retype", key=key, relation_type="zz")],
        [Edit(action="retarget", key=key, to_document_id=other)],
    ]
    together, apart = [], []
    for _ in range(options.rounds):
        together.append(_timed(lambda: dg.relationships.effects(alternatives, limit=options.questions))[0])
        apart.append(
            _timed(lambda: [dg.relationships.impact(each, limit=options.questions) for each in alternatives])[0]
        )
    seconds, base = statistics.median(together), statistics.median(apart)
    return {"alternatives": len(alternatives), "seconds": round(seconds, 2), "ratio": round(seconds / base, 3)}


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def _peak(work: Callable[[], ImpactReport]) -> int:
    """The most bytes that Python held at once for the work."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _seed(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


if __name__ == "__main__":
    main()

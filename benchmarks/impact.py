"""Impact of one edit over saved questions, in seconds and as a ratio to planning every one of them twice.

    python -m benchmarks.impact [--documents 1000] [--questions 1000] [--rounds 3] [--database-url URL] [--json FILE]

The edit takes a relationship away that starts at the most consulted seed: the dearest single edit there is. ``saved
plans`` is the usual case, runs that were saved on today's data; ``planned anew`` has every run saved on older data, so
that each question is planned once more. ``effects`` asks at once what each of several edits does; its ratio is to
asking one after the other. Measured in turns in one run; the ratio of medians is the figure to quote.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import tempfile
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.corpus import DIMENSION, EMBEDDER, make_corpus, make_questions, unit
from benchmarks.servers import BATCH, server_url
from docgraph import plugins
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Vectors
from docgraph.domain.impact import ImpactReport
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.saved_run import RUN_ID_LENGTH, SavedRun, content_hash
from docgraph.domain.workspace import EmbedderInfo
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.ports import Database
from docgraph.testing.builders import FirstWords, WordTokenizer

WORKSPACE = "bench"


class RandomEmbedder:
    """A unit vector that follows from the text's hash: as good as free, so that it hides nothing else."""

    info: EmbedderInfo = EMBEDDER

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), 256), float32."""
        rows = [np.random.default_rng(_seed(text)).standard_normal(DIMENSION) for text in texts]
        return unit(np.asarray(rows))


def main() -> None:
    """Run, print a table, and write JSON when asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=1_000)
    parser.add_argument("--questions", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--database-url", help="a server to measure on; default: an embedded one in a new folder")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="docgraph-bench-") as folder:
        Path(folder).chmod(0o755)  # as root, the embedded server runs as another user
        with server_url(options.database_url, Path(folder)) as url:
            database = plugins.build("stores", "postgres", database_url=url)
            try:
                results = measure(database, options)
            finally:
                database.close()
    print_table(results)
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")


def measure(database: Database, options: argparse.Namespace) -> dict[str, Any]:
    """Seconds of each way, their ratios to planning twice, and the peak of memory over few and over all questions."""
    dg, requests = _prepared(database, options.documents, options.questions)
    edit = _edit(dg)
    twice: list[float] = []
    seconds: dict[str, list[float]] = {"saved plans": [], "planned anew": []}
    report = dg.relationships.impact([edit], limit=1)  # warms caches and code up
    try:
        for _ in range(options.rounds):
            for way, off in (("saved plans", []), ("planned anew", ["older"])):
                dg.relationships.set_off_types(off)
                elapsed, report = _timed(lambda: dg.relationships.impact([edit], limit=options.questions))
                seconds[way].append(elapsed)
            twice.append(_timed(lambda: [(dg.plan(r), dg.plan(r)) for r in requests])[0])
        dg.relationships.set_off_types([])
        peaks = {
            n: _peak(lambda n=n: dg.relationships.impact([edit], limit=n))
            for n in (options.questions // 10, options.questions)
        }
        effects = _effects(dg, edit, options)
    finally:
        for row in dg.runs.list(limit=options.questions):
            dg.runs.delete(row.run_id, forever=True)
    base = statistics.median(twice)
    return {
        "documents": options.documents,
        "questions": report.n_questions,
        "changed_plans": report.n_changed_plans,
        "changed": report.n_changed,
        "planning_twice_seconds": round(base, 2),
        "impact": {
            way: {"seconds": round(statistics.median(found), 2), "ratio": round(statistics.median(found) / base, 3)}
            for way, found in seconds.items()
        },
        "effects": effects,
        "peak_megabytes": {str(n): round(peak / 1e6, 1) for n, peak in peaks.items()},
    }


def print_table(results: dict[str, Any]) -> None:
    """One line for each way."""
    r = results
    print(f"{r['questions']:,} saved questions over {r['documents']:,} documents; one edit changes ", end="")
    print(f"{r['changed_plans']:,} plans and {r['changed']:,} answers")
    print(f"{'planning all twice':<28}{r['planning_twice_seconds']:>8.2f} s   ratio 1")
    for way, found in r["impact"].items():
        print(f"{'impact, ' + way:<28}{found['seconds']:>8.2f} s   ratio {found['ratio']:.3f}")
    e = r["effects"]
    print(
        f"{'effects of ' + str(e['alternatives']):<28}{e['seconds']:>8.2f} s   {e['ratio']:.3f} of one after the other"
    )
    print("peak memory: " + ", ".join(f"{mb} MB over {n} questions" for n, mb in r["peak_megabytes"].items()))


def _prepared(database: Database, n_documents: int, n_questions: int) -> tuple[Docgraph, list[RetrievalRequest]]:
    """A workspace of its own with documents and saved runs, each as large as the dashboard saves them."""
    if any(w.name == WORKSPACE for w in database.workspaces()):
        database.drop_workspace(WORKSPACE)
    store = database.create_workspace(WORKSPACE, EMBEDDER)
    documents = make_corpus(n_documents)
    for start in range(0, len(documents), BATCH):
        store.write(documents[start : start + BATCH])
    adapters = Adapters(
        database=database,
        embedder=RandomEmbedder(),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=time.perf_counter,
    )
    dg = Docgraph(adapters, WORKSPACE, owns_database=False)
    requests = [RetrievalRequest(query=f"{text} {i}") for i, (text, _) in enumerate(make_questions(n_questions))]
    for request in requests:
        database.runs.save(_saved(dg, request))
    return dg, requests


def _saved(dg: Docgraph, request: RetrievalRequest) -> SavedRun:
    """A run as it is kept, as large as one with its two baselines, made with a third of the work."""
    plan = dg.plan(request)
    context = dg.execute(plan)
    run = Run(request=request, plan=plan, context=context, assembled=dg.assemble(context))
    whole = content_hash(run)
    return SavedRun(
        run_id=whole[:RUN_ID_LENGTH],
        name=request.query,
        saved_at="2026-01-01T00:00:00+00:00",
        content_hash=whole,
        run=run,
        baselines={"ms3": run, "plain": run},
    )


def _edit(dg: Docgraph) -> Edit:
    """Takes the first relationship of the document away that most questions consult."""
    consulted: Counter[str] = Counter()
    for row in dg.runs.list(limit=200):
        consulted.update(ref.document_id for ref in dg.runs.get(row.run_id).run.plan.consulted)
    for document_id, _ in consulted.most_common():
        for edge in dg.relationships.list(document_id=document_id):
            if edge.from_document_id == document_id:
                return Edit(action="remove", key=edge.key)
    raise SystemExit("no consulted document has a relationship: ask more questions")


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

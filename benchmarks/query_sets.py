"""How a kept query set grows: questions a second beside single calls, memory, and how long it takes to read again.

    python -m benchmarks.query_sets [--questions 1000,10000] [--singles 40] [--database-url URL] [--json FILE]

The sample corpus on PostgreSQL; the questions are its sentences, each with a number, and each sentence's document is
relevant to it. Every step is a process of its own, so that its most megabytes are its own. It asks some questions one
by one (``compare``; and ``run`` twice, without relationships and with them, unverified), keeps the set, runs it in both
configurations by two workers, asks the same number one by one again, and reads it: the list of its evaluations, the
whole result, the set. A single call is the mean of both times, so that what the machine does meanwhile counts for both.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import docgraph
from benchmarks import figures
from benchmarks.commands import SAMPLE
from benchmarks.servers import WORKSPACE, measured_on
from docgraph import Docgraph

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
LENGTHS = range(20, 300)
"""Characters of a sentence that is taken for a question."""


def questions(dg: Docgraph, n: int) -> list[dict[str, Any]]:
    """``n`` questions, each another text: the corpus's sentences, again and again under another number."""
    found = [
        (" ".join(sentence.split()), document.document_id)
        for document in dg.documents.list()
        for chunk in dg.documents.chunks(document.document_id)
        for sentence in _SENTENCE.split(chunk.text)
        if len(sentence) in LENGTHS
    ]
    chosen = ((*found[number % len(found)], number) for number in range(n))
    return [
        {"query_id": f"q{number}", "query": f"{text} ({number // len(found)})", "grades": {i: 2}, "kind": i[:3]}
        for text, i, number in chosen
    ]


def step(url: str, n: int, singles: int) -> dict[str, Any]:
    """The figures of one size; times in seconds, memory in MB."""
    with docgraph.connect(url, workspace=WORKSPACE) as dg:
        asked = questions(dg, n)
        texts = [each["query"] for each in asked[:singles]]
        dg.compare(texts[0])
        before = _one_by_one(dg, texts)
        kept_in, _ = _timed(lambda: dg.query_sets.keep(asked, name=f"set of {n}"))
        begun = _most_megabytes()
        seconds, kept = _timed(lambda: dg.query_sets.run(f"set of {n}"))
        after_run = _most_megabytes()
        after = _one_by_one(dg, texts)
        compare, two_runs = ((a + b) / 2 for a, b in zip(before, after, strict=True))
        return {
            "questions": n,
            "keep": round(kept_in, 2),
            "run": round(seconds, 1),
            "questions_a_second": round(n / seconds, 1),
            "beside_compare": round(seconds / n / compare, 2),
            "beside_two_runs": round(seconds / n / two_runs, 2),
            "mb_before": begun,
            "mb": after_run,
            "runs": round(_timed(lambda: dg.query_sets.runs(f"set of {n}"))[0], 3),
            "result": round(_timed(lambda: dg.query_sets.result(kept.evaluation_id))[0], 2),
            "get": round(_timed(lambda: dg.query_sets.get(f"set of {n}"))[0], 2),
            "mb_after_reading": _most_megabytes(),
        }


def _one_by_one(dg: Docgraph, texts: Sequence[str]) -> tuple[float, float]:
    """Seconds a question: by ``compare``, and by two runs."""

    def two_runs() -> None:
        for text in texts:
            for on in (False, True):
                dg.run({"query": text, "use_relationships": on}, verify="later")

    compare, _ = _timed(lambda: [dg.compare(text) for text in texts])
    return compare / len(texts), _timed(two_runs)[0] / len(texts)


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result


def _most_megabytes() -> int:
    """The most that this process held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    """Import once, then a process for each step; print what each found."""
    options = _parser().parse_args()
    if options.child:
        print(json.dumps(step(options.database_url, options.child, options.singles)))
        return
    load_before, found = figures.load_average(), []
    with measured_on(options.database_url) as (url, database):
        if any(each.name == WORKSPACE for each in database.workspaces()):
            database.drop_workspace(WORKSPACE)
        with docgraph.connect(url, workspace=WORKSPACE) as dg:
            dg.ingest(SAMPLE)
        for n in (int(each) for each in options.questions.split(",")):
            command = [sys.executable, "-m", "benchmarks.query_sets", "--database-url", url, "--child", str(n)]
            ended = subprocess.run(
                [*command, "--singles", str(options.singles)], stdout=subprocess.PIPE, text=True, check=True
            )
            found.append(json.loads(ended.stdout))
            print(json.dumps(found[-1]), flush=True)
    if options.json:
        kept = {"questions": options.questions, "singles": options.singles}
        figures.write(figures.report("query_sets", kept, {"steps": found}, load=load_before), options.json)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", default="1000,10000")
    parser.add_argument("--singles", type=int, default=40)
    parser.add_argument("--database-url")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--child", type=int, default=0, help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    main()

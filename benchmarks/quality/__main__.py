"""The quality tables: passages, documents and sentences of public sets, by plain vectors, relationships off and on.

    python -m benchmarks.quality DATA [--sets eips,keps] [--tables passages] [--mode fast] [--half tune]
    python -m benchmarks.quality DATA --request '{"max_fan_out": 5, "evidence_rule": "one_per_document"}'
    python -m benchmarks.quality DATA --embedder onnx --model /models/all-MiniLM-L6-v2

DATA is a folder with one folder a set. Every set is imported once into a database under ``--work`` and read from there
again. Passages: ``target read`` = the document that holds the answer is read, ``passage@10`` = its answering passage is
among 10 chunks, ``passage@2000t`` = it stands in the text that a model gets under that token budget; the request has
that budget and room for as many chunks as fill it. Documents: recall = mean share of the relevant documents that are
read, perfect = share of questions for which all are. Sentences: word for word, of the middle of documents. In percent;
in brackets the bootstrap interval (95 %, percentile), of differences a paired one.

Questions and answers are kept there, question by question, published systems beside ours:
``DOCGRAPH_DATA_DIR=WORK/SET DOCGRAPH_WORKSPACE=set docgraph dashboard`` shows them on its page Query sets.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from benchmarks.quality.sets import SETS, answerable, opened, questions
from benchmarks.quality.tables import HEAD, SENTENCES_HEAD, documents, passages, plain_sentences, published

TABLES = ("passages", "documents", "sentences")


def main() -> None:
    """Measure the sets that were asked for: each table whole, as soon as it is known."""
    options = _options().parse_args()
    wanted = options.tables.split(",")
    if unknown := sorted(set(wanted) - set(TABLES)):
        raise SystemExit(f"there is no table {unknown[0]!r}: write some of {', '.join(TABLES)}")
    beside: list[str] = []
    for table in wanted:
        print(f"\n{SENTENCES_HEAD if table == 'sentences' else HEAD}", flush=True)
        for name in options.sets.split(","):
            for line in _lines(table, name, options, beside):
                print(line, flush=True)
    print(*beside, sep="\n")


def _lines(table: str, name: str, options: argparse.Namespace, beside: list[str]) -> Iterator[str]:
    folder, extra = options.data / name, json.loads(options.request)
    fields = {"mode": options.mode, **SETS[name], **extra}
    with opened(folder, options.work, embedder=options.embedder, model=options.model) as there:
        if table == "sentences":
            yield from plain_sentences(name, there, fields)
            return
        asked = answerable(there, questions(folder, half=options.half))
        if not asked:
            return
        yield from (
            passages(name, there, asked, fields) if table == "passages" else documents(name, there, asked, fields)
        )
        if table == "documents":
            beside += published(folder, there, asked, {"mode": options.mode, **SETS[name]})


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, default=Path("quality-work"), help="where databases are kept")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--mode", default="accurate")
    parser.add_argument("--embedder", default="wordllama")
    parser.add_argument("--model", help="of the embedder: a local folder")
    parser.add_argument("--half", choices=("", "tune", "hold_out"), default="", help="one half of the questions")
    parser.add_argument("--request", default="{}", help="further fields of the request, as JSON")
    return parser


if __name__ == "__main__":
    main()

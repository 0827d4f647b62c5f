"""docgraph's own figures beside hand-written psycopg and raw COPY, measured in turns in one run (`make bench`).

    python -m benchmarks.spine [--documents 2000,20000] [--rounds 30] [--database-url URL] [--json FILE]

Absolute times depend on the machine and its neighbours; the ratios, taken in turns within one run, are the figures to
quote, and CPU beside them says what a busy machine hides.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import commands, figures, ingest
from benchmarks.clocks import Cost, ServerClock, measured
from benchmarks.corpus import make_corpus, make_questions
from benchmarks.handwritten import Answer, Handwritten, Numbers
from benchmarks.impact import RandomEmbedder
from benchmarks.relay import relayed, trips_of
from benchmarks.servers import BATCH, WORKSPACE, measured_on, new_workspace, vacuum, write
from docgraph import plugins
from docgraph.domain.context import RetrievedContext
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import EvidenceRule, RetrievalRequest, SeedSignal
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.ports import Database
from docgraph.testing.builders import FirstWords

SIGNALS: tuple[SeedSignal, ...] = ("summary", "chunk", "mean", "hybrid")
PART = "p3"
"""A tenth of the documents, by a field of theirs."""
WHOLE: EvidenceRule = "one_per_document"
"""The evidence rule that hand-written code has as well; the default, ``passages``, is measured beside it."""
WARM_UP = 3
LARGE = 10_000
"""From so many documents on there are fewer rounds, and no comparisons: they take seconds each."""


def main() -> None:
    """Run, write JSON, print the tables."""
    from benchmarks.tables import tables_of

    options = _parser().parse_args()
    load, started = figures.load_average(), time.perf_counter()
    with measured_on(options.database_url) as (url, database):
        found = measure(database, url, options)
        versions = figures.server_versions(url)
    kept = {"documents": options.documents, "rounds": options.rounds, "seconds": round(time.perf_counter() - started)}
    report = figures.report("own", kept, found, load=load)
    report["versions"] |= versions
    print(f"written to {figures.write(report, options.json)}\n")
    print(tables_of(report))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", default="2000,20000", help="sizes, separated by commas")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--ingest-rounds", type=int, default=3)
    parser.add_argument("--no-programs", action="store_true", help="without the command line")
    parser.add_argument("--database-url", help="a server to measure on; default: an embedded one in a new folder")
    parser.add_argument("--json", type=Path, help="default: benchmarks/results/own.json")
    return parser


def measure(database: Database, url: str, options: argparse.Namespace) -> dict[str, Any]:
    """Everything, smallest size first."""
    clock = ServerClock.of(url)
    sizes = [int(size) for size in options.documents.split(",")]
    small = make_corpus(sizes[0])
    dg = opened(database)
    found: dict[str, Any] = {"ingest": ingest.measure(dg, url, small, rounds=options.ingest_rounds, clock=clock)}
    found["sizes"] = []
    for size in sizes:
        rounds = options.rounds if size < LARGE else max(options.rounds // 5, 2)
        found["sizes"].append(at_size(database, url, size, rounds=rounds, clock=clock))
        if size == sizes[0]:
            found["trips"] = trips(url)
    if not options.no_programs:
        found["programs"] = commands.measure(url, rounds=5)
    return found


def opened(database: Database) -> Docgraph:
    """The public face over the benchmark's workspace: random vectors, the shipped tokenizer, every measure."""
    adapters = Adapters(
        database=database,
        embedder=RandomEmbedder(),
        tokenizer=plugins.build("tokenizers", "wordllama"),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=time.perf_counter,
        measures=tuple(plugins.build("measures", name) for name in plugins.available("measures")),
    )
    return Docgraph(adapters, WORKSPACE, owns_database=False)


def at_size(database: Database, url: str, size: int, *, rounds: int, clock: ServerClock) -> dict[str, Any]:
    """Questions over so many documents, docgraph and hand-written code in turns."""
    documents = make_corpus(size)
    write(new_workspace(database), documents)
    hand = Handwritten(url)
    hand.ingest(documents, BATCH)
    hand.vacuum()
    vacuum(url)
    dg = opened(database)
    n_chunks = sum(len(each.chunks) for each in documents)
    found: dict[str, Any] = {"documents": size, "chunks": n_chunks}
    for signal in SIGNALS:
        for name, shape in SHAPES.items():
            found[f"{name}_{signal}"] = _questions(plan_execute, dg, hand, signal, shape, rounds=rounds, clock=clock)
    found["rules_hybrid"] = _rules(dg, rounds=rounds, clock=clock)
    found["filter_hybrid"] = _filtered(dg, rounds=rounds, clock=clock)
    few = max(rounds // 3, 2)
    for signal in SIGNALS:
        found[f"run_{signal}"] = _questions(run, dg, hand, signal, rounds=few, clock=clock)
        if size < LARGE:
            found[f"compare_{signal}"] = _questions(compare, dg, hand, signal, rounds=few, clock=clock)
    hand.close()
    return found


@dataclass(frozen=True)
class Shape:
    """What is asked beside the question: ``where`` = the condition, ``part`` = what by hand says for it."""

    use_relationships: bool = True
    part: str = ""

    def request(self, text: str, signal: SeedSignal) -> RetrievalRequest:
        said = {"where": f"part={self.part}"} if self.part else {}
        kept = {"query": text, "seed_signal": signal, "evidence_rule": WHOLE}
        return RetrievalRequest.model_validate({**kept, **said, "use_relationships": self.use_relationships})

    @property
    def numbers(self) -> Numbers:
        return Numbers() if self.use_relationships else Numbers(expanded=0)


SHAPES = {"plan_execute": Shape(), "alone": Shape(use_relationships=False), "part": Shape(part=PART)}
"""Name of a row → what is asked: with relationships, without, with them over a tenth of the documents."""
Way = Callable[[Docgraph, RetrievalRequest, Any], tuple[RetrievalPlan, RetrievedContext]]


def plan_execute(dg: Docgraph, request: RetrievalRequest, vector: Any) -> tuple[RetrievalPlan, RetrievedContext]:
    plan = dg.plan(request, vector)
    return plan, dg.execute(plan, vector)


def run(dg: Docgraph, request: RetrievalRequest, vector: Any) -> tuple[RetrievalPlan, RetrievedContext]:
    made = dg.run(request, vector)
    return made.plan, made.context


def compare(dg: Docgraph, request: RetrievalRequest, vector: Any) -> tuple[RetrievalPlan, RetrievedContext]:
    made = dg.compare(dg.run(request, vector)).b.run
    return made.plan, made.context


def _questions(
    way: Way,
    dg: Docgraph,
    hand: Handwritten,
    signal: SeedSignal,
    shape: Shape = SHAPES["plan_execute"],
    *,
    rounds: int,
    clock: ServerClock,
) -> dict[str, Any]:
    """In turns, each side first every other time; plans and chunks are held against each other every time."""
    ours: list[Cost] = []
    theirs: list[Cost] = []
    answers = []
    for i, (text, vector) in enumerate(make_questions(rounds + WARM_UP)):
        request = shape.request(text, signal)
        sides: list[Callable[[], Any]] = [
            lambda request=request, vector=vector: way(dg, request, vector),
            lambda text=text, vector=vector: hand.ask(vector, text, signal, shape.numbers, shape.part),
        ]
        order = (0, 1) if i % 2 else (1, 0)
        done = {side: measured(sides[side], clock) for side in order}
        answers.append((done[0][1], done[1][1]))
        if i >= WARM_UP:
            ours.append(done[0][0])
            theirs.append(done[1][0])
    return {**figures.compared(ours, theirs), **equality(answers)}


def _rules(dg: Docgraph, *, rounds: int, clock: ServerClock) -> dict[str, Any]:
    """Plan and execution of the default rule beside those with whole chunks by similarity, in turns."""
    costs: dict[EvidenceRule, list[Cost]] = {"passages": [], WHOLE: []}
    for i, (text, vector) in enumerate(make_questions(rounds + WARM_UP)):
        for rule in sorted(costs, reverse=bool(i % 2)):
            request = RetrievalRequest(query=text, evidence_rule=rule)
            cost, _ = measured(lambda request=request, vector=vector: plan_execute(dg, request, vector), clock)
            costs[rule] += [cost] if i >= WARM_UP else []
    return figures.compared(costs["passages"], costs[WHOLE])


def _filtered(dg: Docgraph, *, rounds: int, clock: ServerClock) -> dict[str, Any]:
    """Plans of a tenth of the documents beside plans of all of them, in turns."""
    costs: dict[str, list[Cost]] = {f"part={PART}": [], "": []}
    for i, (text, vector) in enumerate(make_questions(rounds + WARM_UP)):
        for condition in sorted(costs, reverse=bool(i % 2)):
            request = RetrievalRequest.model_validate({"query": text, "where": condition})
            cost, _ = measured(lambda request=request, vector=vector: dg.plan(request, vector), clock)
            costs[condition] += [cost] if i >= WARM_UP else []
    return figures.compared(costs[f"part={PART}"], costs[""])


def equality(answers: Sequence[tuple[tuple[RetrievalPlan, RetrievedContext], Answer]]) -> dict[str, float]:
    """Shares of questions with the same documents in the same places, and with the same chunks in the same order."""
    plans = [(tuple(plan.document_ids), answer.plan) for (plan, _), answer in answers]
    chunks = [(chunk_ids(context), answer.chunk_ids) for (_, context), answer in answers]
    return {"equal_plans": figures.equal_share(plans), "equal_chunks": figures.equal_share(chunks)}


def chunk_ids(context: RetrievedContext) -> tuple[str, ...]:
    """All chunks by similarity."""
    chunks = [chunk for each in context.documents for chunk in each.chunks]
    return tuple(chunk.chunk_id for chunk in sorted(chunks, key=lambda chunk: chunk.rank))


def trips(url: str) -> dict[str, int]:
    """Round trips of each way, once everything is warm, on connections of their own."""
    (text, vector), *_ = make_questions(1)
    request = RetrievalRequest(query=text)
    with relayed(url) as (through, relay):
        database = plugins.build("stores", "postgres", database_url=through)
        hand = Handwritten(through, fresh=False)
        try:
            dg = opened(database)
            work: dict[str, Callable[[], Any]] = {
                "plan": lambda: dg.plan(request, vector),
                "plan_execute": lambda: plan_execute(dg, request, vector),
                "run": lambda: dg.run(request, vector),
                "compare": lambda: compare(dg, request, vector),
                "handwritten": lambda: hand.ask(vector, text, "hybrid"),
            }
            for _ in range(WARM_UP):
                counted = {name: trips_of(relay, each) for name, each in work.items()}
            return counted
        finally:
            hand.close()
            database.close()


if __name__ == "__main__":
    main()

"""What relationships cost (docs/quality.md): plain questions, and MS3 kept; ``pytest -rP`` prints the figures.

A third of the questions is asked; the figures of docs/quality.md are those of all: ``make corpora``.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import psycopg
import pytest

from benchmarks.quality.sentences import middle_sentences
from docgraph import Docgraph, RetrievalRequest
from docgraph.domain.baselines import LITERAL, MS3, PLAIN, TODAY, baseline_request
from docgraph.domain.context import RetrievedContext
from docgraph.domain.graph import Vector
from tests.integration.question_sets import Library, ask, found, part, signal_fields

pytestmark = pytest.mark.timeout(900)
SETS = ("2wiki-780", "peps-small", "govuk-adrs", "foam-docs", "harbor")
Sentence = tuple[Docgraph, str, str, Vector]


def flat_search(url: str, vector: Vector, *, limit: int) -> list[tuple[str, str, float]]:
    """Plain vector search in one statement, no code of docgraph: (document_id, chunk_id, score), best first."""
    statement = """SELECT document_id, chunk_id, cosine_distance(embedding, q::vector) AS distance
        FROM ws_set.vector_chunks, (SELECT %s::text AS q) AS asked
        ORDER BY distance, document_id, chunk_index LIMIT %s"""
    with psycopg.connect(url) as connection:
        rows = connection.execute(statement, (str([float(x) for x in vector]), limit)).fetchall()
    return [(document_id, chunk_id, round(1 - distance, 6)) for document_id, chunk_id, distance in rows]


def scored(context: RetrievedContext) -> list[tuple[str, str, float]]:
    return [(document_id, chunk.chunk_id, chunk.score) for document_id, chunk in context.ranked_chunks]


def read(context: RetrievedContext) -> list[tuple[str, object]]:
    """(document_id, its chunks), in plan order; whether a document still holds is said where relationships say so."""
    return [(each.document.document_id, each.chunks) for each in context.documents]


# ---------------------------------------------------------------- MS3 is kept


@pytest.mark.parametrize("name", SETS)
def test_with_relationships_removed_the_context_is_ms3_chunk_by_chunk_and_score_by_score(
    library: Library, name: str
) -> None:
    """As good as switched off: the same context comes from the set that has them."""
    corpus, differences = library(name), 0
    asked = part(corpus.questions, 3)
    for number, question in enumerate(asked):
        request = RetrievalRequest(query=question["query"], mode=("accurate", "fast")[number % 2])
        vector = corpus.bare.session.adapters.embedder.embed([request.query])[0]
        removed = corpus.bare.execute(corpus.bare.plan(request, vector), vector)
        off = corpus.linked.execute(corpus.linked.plan(baseline_request(request, MS3), vector), vector)
        differences += read(removed) != read(off)
    print(f"{name}: {differences} of {len(asked)} questions differ from MS3")
    assert differences == 0


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("signal", ["chunk", "summary", "mean"])
def test_switching_relationships_off_is_as_good_as_removing_them_for_every_signal(
    library: Library, name: str, signal: str
) -> None:
    corpus = library(name)
    for question in corpus.questions[::10]:
        fields = {"seed_signal": signal, "max_chunks": 7}
        off = ask(corpus.linked, question["query"], use_relationships=False, **fields)
        assert scored(off) == scored(ask(corpus.bare, question["query"], **fields))


@pytest.mark.parametrize("name", SETS)
def test_plain_vector_search_is_one_statement_chunk_by_chunk_and_score_by_score(library: Library, name: str) -> None:
    """With relationships stored and removed; ``literal`` adds documents to the plan and no chunk to the context."""
    corpus, differences = library(name), 0
    asked = part(corpus.questions, 3)
    for question in asked:
        request = RetrievalRequest(query=question["query"], max_chunks=7)
        vector = corpus.linked.session.adapters.embedder.embed([request.query])[0]
        flat = flat_search(corpus.linked_url, vector, limit=7)
        for opened, name_ in ((corpus.linked, PLAIN), (corpus.bare, PLAIN), (corpus.bare, LITERAL)):
            context = opened.execute(opened.plan(baseline_request(request, name_), vector), vector)
            differences += scored(context) != flat
    print(f"{name}: {differences} of {len(asked)} questions differ from a flat search")
    assert differences == 0


@pytest.mark.parametrize("name", SETS)
def test_with_relationships_no_score_drifts_and_all_nine_promises_are_kept(library: Library, name: str) -> None:
    """Every chunk that comes back is compared with a flat search over *all* chunks, not only with the best ones."""
    corpus, expanded = library(name), 0
    for question in corpus.questions[:: len(corpus.questions) // 10]:
        vector = corpus.linked.session.adapters.embedder.embed([question["query"]])[0]
        run = corpus.linked.run(RetrievalRequest(query=question["query"]), vector)
        flat = {row[1]: row[2] for row in flat_search(corpus.linked_url, vector, limit=1_000_000)}
        assert {chunk_id: flat[chunk_id] for _, chunk_id, _ in scored(run.context)} == {
            chunk_id: score for _, chunk_id, score in scored(run.context)
        }
        assert [check.passed for check in run.contract] == [True] * 9
        expanded += bool(run.plan.expanded_documents)
    assert expanded > 0 or name == "govuk-adrs", "its six declared relationships start at none of these seeds"


# ---------------------------------------------------------------- plain questions


@pytest.fixture(scope="module")
def plain(library: Library) -> list[Sentence]:
    """(workspace, document_id, sentence, its vector): a sentence from the middle third of a document, seeded choice."""
    chosen: list[Sentence] = []
    for name, n_documents, n_each in (("2wiki-780", 100, 1), ("peps-small", 100, 1), ("harbor", 56, 2)):
        opened, rng = library(name).linked, random.Random(7)
        ids = [document.document_id for document in opened.documents.list()]
        for document_id in rng.sample(ids, n_documents):
            middle = middle_sentences([chunk.text for chunk in opened.documents.chunks(document_id)])
            for sentence in rng.sample(middle, min(n_each, len(middle))):
                vector = opened.session.adapters.embedder.embed([sentence])[0]
                chosen.append((opened, document_id, sentence, vector))
    assert len(chosen) > 280
    return list(part(chosen, 3))


@pytest.fixture(scope="module")
def plain_recall(plain: list[Sentence]) -> Callable[..., float]:
    """Percent of sentences whose own document came back, at five documents and five chunks; measured once a request.

    Without relationships both modes are one request: a test below holds them equal.
    """
    known: dict[str, float] = {}

    def measure(*, baseline: str = TODAY, **fields: object) -> float:
        fields = fields if fields.get("use_relationships", True) else {**fields, "mode": "accurate"}
        key = repr((baseline, sorted(fields.items())))
        if key not in known:
            hits = 0
            for opened, document_id, sentence, vector in plain:
                asked = RetrievalRequest(query=sentence, max_documents=5, max_chunks=5, **fields)
                request = baseline_request(asked, baseline)
                hits += document_id in found(opened.execute(opened.plan(request, vector), vector))
            known[key] = 100 * hits / len(plain)
        return known[key]

    return measure


@pytest.mark.parametrize(
    ("signal", "mode", "loss"),
    [
        ("default", "accurate", 2.0),
        *((signal, "accurate", 3.0) for signal in ("chunk", "mean", "summary")),
        *((signal, "fast", 1.0) for signal in ("default", "chunk", "mean", "summary")),
    ],
)
def test_a_plain_question_loses_little_by_relationships_and_less_in_mode_fast(
    plain: list[Sentence], plain_recall: Callable[..., float], signal: str, mode: str, loss: float
) -> None:
    """Beside MS3, the same request without them: what else a signal loses is its own."""
    fields = signal_fields(signal)
    ms3, ours = plain_recall(mode=mode, use_relationships=False, **fields), plain_recall(mode=mode, **fields)
    print(
        f"{len(plain)} plain questions, recall at 5: {signal} {mode}: MS3 {ms3:.1f}, relationships {ours:.1f}, "
        f"loss {ms3 - ours:.2f}"
    )
    assert ms3 - ours <= loss


@pytest.mark.parametrize("signal", ["default", "chunk", "mean", "summary"])
def test_without_relationships_both_modes_read_the_same(plain: list[Sentence], signal: str) -> None:
    limits = {"max_documents": 5, "max_chunks": 5, "use_relationships": False, **signal_fields(signal)}
    for opened, _, sentence, vector in plain[::15]:
        asked = [RetrievalRequest(query=sentence, mode=mode, **limits) for mode in ("accurate", "fast")]
        accurate, fast = (opened.execute(opened.plan(request, vector), vector) for request in asked)
        assert accurate.documents == fast.documents


def test_the_default_signal_finds_plain_questions_at_least_as_well_as_plain_vector_search(
    plain: list[Sentence], plain_recall: Callable[..., float]
) -> None:
    flat, off = plain_recall(baseline=PLAIN), plain_recall(use_relationships=False)
    print(f"{len(plain)} plain questions, recall at 5: plain vectors {flat:.1f}, MS3 {off:.1f}")
    assert off >= flat - 1

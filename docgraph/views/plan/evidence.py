"""What was read, document by document in plan order: the cards of the Evidence tab."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from docgraph.domain.anchors import section_words
from docgraph.domain.context import DocumentEvidence, EvidenceDocument, RetrievedContext, ScoredChunk
from docgraph.domain.judgment import PassageJudgment, marked_passages, passage_hash
from docgraph.domain.passages.beginnings import beginning_of
from docgraph.domain.plan import SeedDocument
from docgraph.domain.run import Run
from docgraph.views.plan.documents import Planned, evidence_of, planned, titles
from docgraph.views.words import counts
from docgraph.views.words.highlight import Segment, excerpt, segments, terms
from docgraph.views.words.reading import readable, readable_line
from docgraph.views.words.sections import place_words


@dataclass(frozen=True)
class ChunkLine:
    """One chunk as it is shown; ``position`` counts from 1 in the document's own order, ``place`` is its line or page.

    ``words`` = how far it holds the question's words, from 0 to 1 (empty where the rule does not look at words),
    ``reranked`` = what the plan's reranker says of it (empty where it did not read it), and ``found`` = the question's
    words that stand in what is read of it, as they stand there. ``section`` = *its section Limits* where one begins
    here that a relationship points to. ``change`` says what a draft does to it (empty: kept,
    or no draft), ``note`` why.
    """

    chunk_id: str
    rank: int
    score: str
    bar: float
    position: str
    heading: str
    text: tuple[Segment, ...]
    tokens: int
    in_context: bool
    change: Literal["", "added", "left"] = ""
    note: str = ""
    place: str = ""
    words: str = ""
    reranked: str = ""
    found: tuple[str, ...] = ()
    section: str = ""


@dataclass(frozen=True)
class EvidenceCard:
    """One planned document: what it is, how it came in, and its chunks by score (none: ``empty`` says why).

    ``standing`` says what keeps it from holding (empty: nothing does). In a draft ``change`` says what happens to the
    document, ``note`` why, and ``hidden`` how many kept chunks are left out of the card.
    """

    document_id: str
    title: str
    role: str
    place: str
    shown: str
    tokens: int
    summary: str
    headings: tuple[str, ...]
    conceptual_tokens: int
    evidence_tokens: int
    lines: tuple[ChunkLine, ...]
    empty: str = ""
    standing: str = ""
    source: str = ""
    doc_type: str = ""
    change: Literal["", "added", "left"] = ""
    note: str = ""
    hidden: str = ""


def evidence_cards(run: Run) -> tuple[EvidenceCard, ...]:
    """A card for every planned document, in plan order."""
    return tuple(_card(run, found, place) for place, found in enumerate(run.context.documents, start=1))


def _card(run: Run, found: DocumentEvidence, place: int) -> EvidenceCard:
    document, wanted = found.document, terms(run.request.query)
    share = next((each for each in run.assembled.documents if each.document_id == document.document_id), None)
    conceptual, evidence = (share.conceptual_tokens, share.evidence_tokens) if share else (0, 0)
    kept = frozenset(share.chunk_ids) if share else frozenset[str]()
    begins = _section_beginnings(run, found)
    return EvidenceCard(
        document_id=document.document_id,
        title=document.title or document.document_id,
        role="seed" if document.document_id in run.plan.seed_document_ids else "expanded",
        place=f"position {place:,} of {len(run.context.documents)}",
        shown=f"{counts.n_of_m(len(found.chunks), document.n_chunks)} "
        + ("passage" if document.n_chunks == 1 else "passages"),
        tokens=conceptual + evidence,
        summary=readable_line(document.summary, source=document.source),
        headings=document.headings,
        conceptual_tokens=conceptual,
        evidence_tokens=evidence,
        lines=tuple(
            replace(_line(chunk, document, wanted, kept=kept), section=begins.get(chunk.chunk_id, ""))
            for chunk in found.chunks
        ),
        empty="" if found.chunks else _why_empty(found, run),
        standing=document.standing_words,
        source=document.source,
        doc_type=document.doc_type,
    )


def _section_beginnings(run: Run, found: DocumentEvidence) -> dict[str, str]:
    """chunk_id → *its section Limits*, of the chunks that are read; their order and scores do not change by it."""
    reached = next((d for d in planned(run.plan) if d.document_id == found.document.document_id), None)
    chunks = sorted(found.chunks, key=lambda chunk: chunk.chunk_index)
    begins: dict[str, list[str]] = {}
    for path in dict.fromkeys(path for reason in (reached.reasons if reached else ()) for path in reason.sections):
        if chunk := beginning_of(path, chunks):
            begins.setdefault(chunk.chunk_id, []).append(path)
    return {chunk_id: section_words(paths) for chunk_id, paths in begins.items()}


@dataclass(frozen=True)
class BestPassage:
    """What is read of one document before anything else: a passage that people marked, else the first by rank.

    ``said`` = ``2nd of 3 passages read``; ``excerpt`` = where most of the question's words stand in it.
    """

    said: str
    line: ChunkLine
    excerpt: tuple[Segment, ...]
    answers: bool


EXCERPT = 160
"""Characters: about three lines of the panel beside the graph."""


def best_passage(run: Run, document_id: str, answers: frozenset[str] = frozenset()) -> BestPassage | None:
    """The best passage of a planned document; None where nothing is read of it. ``answers`` = the marked chunks."""
    found = evidence_of(run, document_id)
    if found is None or not found.chunks:
        return None
    marked = (n for n, chunk in enumerate(found.chunks) if chunk.chunk_id in answers)
    n = next(marked, 0)
    line = _line(found.chunks[n], found.document, terms(run.request.query), kept=frozenset())
    read = len(found.chunks)
    said = "the only passage read" if read == 1 else f"{counts.ordinal(n + 1)} of {read} passages read"
    return BestPassage(said, line, excerpt(line.text, EXCERPT), answers=line.chunk_id in answers)


@dataclass(frozen=True)
class DocumentPassage:
    """The best passage of one planned document; ``why`` it is in: ``match 2``, ``explains, from ADR-011``."""

    document_id: str
    title: str
    role: str
    why: str
    standing: str
    best: BestPassage


def best_passages(run: Run, answers: frozenset[str] = frozenset()) -> tuple[DocumentPassage, ...]:
    """The best passage of every document that is read: those that answer first, then in plan order."""
    found, names = [], titles(run.plan)
    reached = {document.document_id: document for document in planned(run.plan)}
    for evidence in run.context.documents:
        document = evidence.document
        best = best_passage(run, document.document_id, answers)
        if best is not None:
            role = "seed" if document.document_id in run.plan.seed_document_ids else "expanded"
            why = _why_in(reached.get(document.document_id), names)
            title = document.title or document.document_id
            found.append(DocumentPassage(document.document_id, title, role, why, document.standing_words, best))
    return tuple(sorted(found, key=lambda each: not each.best.answers))


def _why_in(document: Planned | None, names: Mapping[str, str]) -> str:
    if document is None:
        return ""
    if isinstance(document, SeedDocument):
        return f"match {document.place}"
    first, *more = document.reasons
    start = names.get(first.from_document_id, first.from_document_id)
    return f"{first.via}, from {start}" + (f" and {len(more)} more" if more else "")


@dataclass(frozen=True)
class Answer:
    """Whether a passage that people marked is read: ``in_title`` = the document it stands in, empty where it is not.

    ``more`` counts further documents in which marked passages are read.
    """

    in_title: str
    more: int = 0


def answer_of(run: Run, passages: Iterable[PassageJudgment]) -> Answer | None:
    """Where the marked passages of a run's question are read; None where nobody marked one."""
    kept = tuple(passages)
    if not marked_passages(kept).get(run.request.query):
        return None
    titles = [each.title for each in best_passages(run, answering_chunks(run, kept)) if each.best.answers]
    return Answer(titles[0], len(titles) - 1) if titles else Answer("")


def answering_chunks(run: Run, passages: Iterable[PassageJudgment]) -> frozenset[str]:
    """The chunks of a run that people say answer: their text has grade 2, by the median of its judges."""
    marked = marked_passages(passages).get(run.request.query, {})
    return frozenset(
        chunk.chunk_id
        for found in run.context.documents
        for chunk in found.chunks
        if passage_hash(chunk.text) in marked.get(found.document.document_id, ())
    )


def _line(chunk: ScoredChunk, document: EvidenceDocument, wanted: frozenset[str], *, kept: frozenset[str]) -> ChunkLine:
    text = segments(readable(chunk.passage, source=document.source), wanted)
    return ChunkLine(
        chunk_id=chunk.chunk_id,
        rank=chunk.rank,
        score=counts.score(chunk.score),
        bar=counts.bar(chunk.score),
        position=f"{chunk.chunk_index + 1} of {document.n_chunks}",
        heading=" › ".join(chunk.heading_path[-2:]),
        text=text,
        tokens=chunk.passage_tokens,
        in_context=chunk.chunk_id in kept,
        place=place_words(chunk.place),
        words="" if chunk.words is None else counts.score(chunk.words),
        reranked="" if chunk.rerank_score is None else counts.score(chunk.rerank_score),
        found=tuple({part.casefold(): part for part, is_word in text if is_word}.values()),
    )


def _why_empty(found: DocumentEvidence, run: Run) -> str:
    if found.document.n_chunks == 0:
        return "In the plan, but the document has no passages."
    limits = run.context
    if limits.max_tokens is not None and limits.n_chunks < limits.max_chunks:
        return f"In the plan, but none of its passages fitted into the token budget of {limits.max_tokens:,}."
    return (
        f"In the plan, but none of its passages is read: other documents have {limits.n_chunks} "
        f"of {limits.max_chunks} passages."
    )


def chunks_sentence(run: Run) -> str:
    """``10 of 54 passages used, 44 left out (limit: 10 passages)``."""
    context = run.context
    cut = context.n_eligible_chunks - context.n_chunks
    if not cut:
        return f"{counts.n_of_m(context.n_chunks, context.n_eligible_chunks)} passages of these documents used"
    name, value = full_limit(context)
    return (
        f"{context.n_chunks:,} of {context.n_eligible_chunks:,} passages used, {cut:,} {counts.left_out(name, value)}"
    )


def full_limit(context: RetrievedContext) -> tuple[str, int]:
    """The limit that kept further chunks out, and its value: the total, the token budget, or that of a document."""
    if context.n_chunks >= context.max_chunks:
        return "max_chunks", context.max_chunks
    if context.max_tokens is not None:
        return "max_tokens", context.max_tokens
    return "max_chunks_per_document", context.max_chunks_per_document

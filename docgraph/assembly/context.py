"""Assembles the text that a model would receive: a conceptual layer of summaries, then an evidence layer of chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from docgraph.domain.context import (
    AssembledContext,
    AssembledDocument,
    DocumentEvidence,
    RetrievedContext,
    ScoredChunk,
)
from docgraph.domain.judgment import passage_hash
from docgraph.domain.passages.evidence import ReadPassage
from docgraph.ports import Tokenizer

CONCEPTUAL_SHARE, PASSAGES_SHARE = 0.4, 0.1
MIN_CONCEPTUAL = 160
"""At most this part of the token budget goes to summaries (06_quality rule 7, ADR-003 step 6)."""

MIN_SHORTENED = 16
"""A chunk is shortened rather than left out only when at least this many tokens are left for it."""


class Piece(NamedTuple):
    """A chunk's text as it goes in, and its tokens: counted once, because counting is what assembling costs."""

    text: str
    tokens: int


@dataclass
class _Draft:
    """One document's lines while the text is being built; counts are tokens."""

    evidence: DocumentEvidence
    concept: str = ""
    shortened: bool = False
    texts: dict[int, Piece] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    shown: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        document = self.evidence.document
        standing = f" ({document.standing_words})" if document.standing else ""
        return f"## {_one_line(document.title)} [{document.document_id}]{standing}"


def assemble(context: RetrievedContext, tokenizer: Tokenizer, *, token_budget: int) -> AssembledContext:
    """The context's text with its accounting; ``total_tokens`` ≤ ``token_budget``, always.

    Chunks are taken in the order execution let them in (best of each document first, then by rank); one that does
    not fit whole is shortened if there is room, else left out and counted. Same context → same text.
    """
    drafts, _, total = _written(context, tokenizer, token_budget)
    return _account(context, drafts, tokenizer, token_budget=token_budget, total=total)


def read_passages(
    context: RetrievedContext, tokenizer: Tokenizer | None = None, *, token_budget: int | None = None
) -> tuple[ReadPassage, ...]:
    """What is read of each chunk, in the order in which chunks are let in, so that the first ones are those of a
    smaller limit; with ``token_budget`` (and the tokenizer) what of them stands in the text of that budget.
    """
    if tokenizer is None or token_budget is None:
        drafts = [_Draft(evidence) for evidence in context.documents]
        return tuple(_passage(draft, chunk, chunk.passage) for draft, chunk in _in_order(drafts))
    _, placed, _ = _written(context, tokenizer, token_budget)
    return tuple(_passage(draft, chunk, draft.texts[chunk.chunk_index].text) for draft, chunk in placed)


def _passage(draft: _Draft, chunk: ScoredChunk, text: str) -> ReadPassage:
    hashed = passage_hash(chunk.text) if text == chunk.passage else ""
    return ReadPassage(draft.evidence.document.document_id, chunk.chunk_id, text, hashed)


def _written(
    context: RetrievedContext, tokenizer: Tokenizer, token_budget: int
) -> tuple[list[_Draft], list[tuple[_Draft, ScoredChunk]], int]:
    """The lines of each document, the chunks that stand in them in their order, and the tokens of it all."""
    drafts = [_Draft(evidence) for evidence in context.documents]
    _write_concepts(drafts, tokenizer, _conceptual(token_budget, by_passages=context.max_tokens is not None))
    placed = _fill(drafts, tokenizer, token_budget)
    total = tokenizer.count(_render(drafts))
    while placed and total > token_budget:  # sums of parts can be off by a token or two
        draft, chunk = placed.pop()
        del draft.texts[chunk.chunk_index]
        draft.left_out.append(chunk.chunk_id)
        total = tokenizer.count(_render(drafts))
    return drafts, placed, total


def _conceptual(token_budget: int, *, by_passages: bool) -> int:
    """Tokens for the conceptual layer; beside passages it is short, since every line of it takes the place of one."""
    most = CONCEPTUAL_SHARE * token_budget
    return int(min(most, max(MIN_CONCEPTUAL, PASSAGES_SHARE * token_budget)) if by_passages else most)


def _fill(drafts: Sequence[_Draft], tokenizer: Tokenizer, budget: int) -> list[tuple[_Draft, ScoredChunk]]:
    """Put chunks in, in their order, while they fit; returns those that were. Every text is counted once."""
    room = budget - tokenizer.count(_render(drafts)) - tokenizer.count("\n\n# Evidence\n")
    placed: list[tuple[_Draft, ScoredChunk]] = []
    cut = False
    for draft, chunk in _in_order(drafts):
        head = "" if draft.texts else draft.heading + "\n\n"
        frame = tokenizer.count(head + _path_line(chunk.heading_path, draft.shown) + "\n") + 1
        draft.shown = chunk.heading_path
        piece = _fitting(chunk.passage, room - frame, tokenizer, shorten=not cut)
        cut = cut or piece is None or piece.text != chunk.passage
        if piece is None:
            draft.left_out.append(chunk.chunk_id)
        else:
            draft.texts[chunk.chunk_index] = piece
            room -= frame + piece.tokens
            placed.append((draft, chunk))
    return placed


def _fitting(text: str, room: int, tokenizer: Tokenizer, *, shorten: bool) -> Piece | None:
    """The text if it fits, its beginning if at least MIN_SHORTENED tokens are left for it, else nothing.

    Only the first text that does not fit is shortened: what comes after it must not overtake it.
    """
    tokens = tokenizer.count(text)
    if tokens <= room:
        return Piece(text, tokens)
    if not shorten or room - 2 < MIN_SHORTENED:
        return None
    beginning = tokenizer.shorten(text, room - 2) + " …"
    return Piece(beginning, tokenizer.count(beginning))


def _write_concepts(drafts: Sequence[_Draft], tokenizer: Tokenizer, available: int) -> None:
    """One summary line a document, shortened to a fair share of the conceptual layer."""
    lines = [_concept_line(d.evidence, place) for place, d in enumerate(drafts, start=1)]
    header = tokenizer.count("# Documents\n") + 1
    shares = fair_shares([tokenizer.count(line) + 1 for line in lines], available - header)
    for draft, line, share in zip(drafts, lines, shares, strict=True):
        draft.concept = line if tokenizer.count(line) < share else tokenizer.shorten(line, max(share - 2, 0))
        draft.shortened = draft.concept != line
        if draft.shortened and draft.concept:
            draft.concept += "…"


def _concept_line(evidence: DocumentEvidence, place: int) -> str:
    """``2) ADR-0001 Public API (adr; match 2; superseded by ADR-0002): Clients poll …``."""
    document = evidence.document
    notes = "; ".join(_one_line(note) for note in (document.doc_type, document.why, document.standing_words) if note)
    line = f"{place}) {_one_line(document.title)}" + (f" ({notes})" if notes else "")
    summary = _one_line(document.summary)
    return f"{line}: {summary}" if summary else line


def _in_order(drafts: Sequence[_Draft]) -> list[tuple[_Draft, ScoredChunk]]:
    """Best chunks of documents in plan order, then all others by rank."""
    pairs = [(draft, chunk) for draft in drafts for chunk in draft.evidence.chunks]
    first = [(d, c) for d, c in pairs if c.ground == "best_of_document"]
    rest = sorted(((d, c) for d, c in pairs if c.ground != "best_of_document"), key=lambda pair: pair[1].rank)
    return [*first, *rest]


def _render(drafts: Sequence[_Draft]) -> str:
    """The whole text: documents in plan order, chunks in text order under their headings."""
    concepts = [d.concept for d in drafts if d.concept]
    parts = ["# Documents\n" + "\n".join(concepts)] if concepts else []
    bodies = [_render_evidence(d) for d in drafts if d.texts]
    if bodies:
        parts.append("# Evidence\n" + "\n\n".join(bodies))
    return "\n\n".join(parts)


def _render_evidence(draft: _Draft) -> str:
    lines, shown = [draft.heading], tuple[str, ...]()
    for chunk in sorted(draft.evidence.chunks, key=lambda c: c.chunk_index):
        if chunk.chunk_index not in draft.texts:
            continue
        if path := _path_line(chunk.heading_path, shown):
            lines.append(path)
        shown = chunk.heading_path
        lines.append(draft.texts[chunk.chunk_index].text)
    return "\n".join(lines)


def _path_line(path: tuple[str, ...], shown: tuple[str, ...]) -> str:
    """The headings over a chunk; what it shares with those ``shown`` before it is not said again."""
    n = next(
        (n for n, (one, other) in enumerate(zip(path, shown, strict=False)) if one != other), min(len(path), len(shown))
    )
    said = (["…"] if 0 < n < len(path) else []) + [_one_line(part) for part in path[n:]]
    return "### " + " › ".join(said) if path and path != shown and said else ""


def _account(
    context: RetrievedContext, drafts: Sequence[_Draft], tokenizer: Tokenizer, *, token_budget: int, total: int
) -> AssembledContext:
    documents = tuple(_account_document(d, tokenizer) for d in drafts)
    conceptual = sum(d.conceptual_tokens for d in documents)
    evidence = min(sum(d.evidence_tokens for d in documents), max(total - conceptual, 0))
    return AssembledContext(
        plan_id=context.plan_id,
        text=_render(drafts),
        token_budget=token_budget,
        total_tokens=total,
        conceptual_tokens=min(conceptual, total),
        evidence_tokens=evidence,
        frame_tokens=max(total - conceptual - evidence, 0),
        documents=documents,
        n_left_out=sum(len(d.left_out_chunk_ids) for d in documents),
    )


def _account_document(draft: _Draft, tokenizer: Tokenizer) -> AssembledDocument:
    document = draft.evidence.document
    by_index = {chunk.chunk_index: chunk.chunk_id for chunk in draft.evidence.chunks}
    return AssembledDocument(
        document_id=document.document_id,
        title=document.title,
        conceptual_tokens=tokenizer.count(draft.concept) if draft.concept else 0,
        evidence_tokens=sum(piece.tokens for piece in draft.texts.values()),
        chunk_ids=tuple(by_index[i] for i in sorted(draft.texts)),
        left_out_chunk_ids=tuple(draft.left_out),
        summary_shortened=draft.shortened,
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())


def fair_shares(wanted: Sequence[int], available: int) -> tuple[int, ...]:
    """Max-min fair shares: nobody gets more than wanted, and what small ones leave goes to the larger ones.

    ``wanted`` and the result are in tokens, in the same order; the sum never exceeds ``available``.
    """
    shares = [0] * len(wanted)
    left = max(available, 0)
    by_size = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    for position, i in enumerate(by_size):
        shares[i] = min(wanted[i], left // (len(by_size) - position))
        left -= shares[i]
    return tuple(shares)

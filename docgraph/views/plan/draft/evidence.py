"""The cards of a draft against its base: chunks that leave, chunks that enter, kept ones counted."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from docgraph.domain.comparison import ChunkChange, Comparison, DocumentChange
from docgraph.views.plan.evidence import ChunkLine, EvidenceCard, evidence_cards
from docgraph.views.words import counts
from docgraph.views.words.changes import departure_text

Key = tuple[str, str]


def draft_cards(comparison: Comparison, *, only_changes: bool) -> tuple[EvidenceCard, ...]:
    """Documents that leave in the base's order, then those of the draft in plan order.

    With ``only_changes`` a kept document is shown only when one of its chunks leaves or enters, and then without the
    kept ones, which are counted.
    """
    before = {card.document_id: card for card in evidence_cards(comparison.a.run)}
    chunks = {(c.document_id, c.chunk_id): c for c in comparison.chunks}
    changes = {d.document_id: d for d in comparison.documents}
    cards = [_left(before[d.document_id], d, chunks) for d in comparison.documents_with("left")]
    for card in evidence_cards(comparison.b.run):
        marked = _marked(card, before.get(card.document_id), changes[card.document_id], chunks=chunks)
        shown = _without_kept(marked) if only_changes else marked
        if shown is not None:
            cards.append(shown)
    return tuple(cards)


def _left(card: EvidenceCard, change: DocumentChange, chunks: dict[Key, ChunkChange]) -> EvidenceCard:
    why = f"Removed: {departure_text(change.left_because)}" if change.left_because else "Removed"
    lines = tuple(_change(line, "left", chunks.get((card.document_id, line.chunk_id))) for line in card.lines)
    return replace(card, change="left", note=why, lines=tuple(replace(line, note="") for line in lines))


def _marked(
    card: EvidenceCard, before: EvidenceCard | None, change: DocumentChange, *, chunks: dict[Key, ChunkChange]
) -> EvidenceCard:
    lines = []
    for line in card.lines:
        chunk = chunks[(card.document_id, line.chunk_id)]
        lines.append(_change(line, "added", chunk) if chunk.change == "added" else line)
    gone = [line for line in before.lines if _is_left(card.document_id, line, chunks)] if before else []
    lines += [_change(line, "left", chunks[(card.document_id, line.chunk_id)]) for line in gone]
    crossed = change.change == "kept" and change.role_a != change.role_b
    note = "Added by this draft" if change.change == "added" else f"Was {_role(change)}" if crossed else ""
    return replace(card, lines=tuple(lines), change="added" if change.change == "added" else "", note=note)


def _role(change: DocumentChange) -> str:
    return "a match" if change.role_a == "seed" else "related"


def _is_left(document_id: str, line: ChunkLine, chunks: dict[Key, ChunkChange]) -> bool:
    chunk = chunks.get((document_id, line.chunk_id))
    return chunk is not None and chunk.change == "left"


def _change(line: ChunkLine, change: Literal["added", "left"], chunk: ChunkChange | None) -> ChunkLine:
    why = departure_text(chunk.left_because) if chunk is not None and chunk.left_because else ""
    # Whether the base's budget held a chunk that leaves does not matter any more.
    in_context = line.in_context or change == "left"
    return replace(line, change=change, in_context=in_context, note=f"removed: {why}" if why else "")


def _without_kept(card: EvidenceCard) -> EvidenceCard | None:
    """The card with its changed chunks alone; ``None`` when nothing in it changed."""
    changed = tuple(line for line in card.lines if line.change)
    if not changed and not card.change and not card.note:
        return None
    kept = len(card.lines) - len(changed)
    now = sum(line.change != "left" for line in card.lines)
    hidden = (
        f"{kept} of {counts.plural(now, 'passage')} {'is' if kept == 1 else 'are'} unchanged and hidden" if kept else ""
    )
    return replace(card, lines=changed, hidden=hidden)

"""The rows of a report: every document and every chunk of either side, in words, with the way it went and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from docgraph.domain.comparison import ChunkChange, Comparison, DocumentChange
from docgraph.views.words import counts
from docgraph.views.words.changes import chunk_name, departure_text
from docgraph.views.words.sections import to_sections
from docgraph.views.words.texts import line

Mark = Literal["added", "left", "moved", "kept"]
MARKS: tuple[Mark, ...] = get_args(Mark)
Direction = Literal["added", "left", "up", "down", "same"]


@dataclass(frozen=True)
class Row:
    """A document or a chunk: its name on one line, both places as text (``--``: not there), and why.

    ``mark`` says how it changed; of a kept one ``moved`` means another place, and ``direction`` which way it went.
    """

    mark: Mark
    name: str
    document_id: str
    place_a: str
    place_b: str
    score: str
    detail: str
    why: str
    tokens: str
    direction: Direction


def document_rows(comparison: Comparison) -> tuple[Row, ...]:
    """Every document, B's in plan order, then those that left."""
    titles = document_names(comparison)
    named = {*comparison.b.run.request.seed_document_ids, *comparison.b.run.request.overrides.added_seed_ids}
    return tuple(
        Row(
            mark=mark(d),
            name=titles[d.document_id],
            document_id=d.document_id,
            place_a=place(d.place_a),
            place_b=place(d.place_b),
            score=counts.score(d.score),
            detail=_role(d),
            why=_why(d, titles, named=named),
            tokens=_pair(d.n_tokens_a if d.place_a else None, d.n_tokens_b if d.place_b else None),
            direction=direction(d),
        )
        for d in comparison.documents
    )


def chunk_rows(comparison: Comparison) -> tuple[Row, ...]:
    """Every chunk, B's in reading order, then those that left; ``detail`` is where in its document it stands."""
    came = {d.document_id for d in comparison.documents_with("added")}
    return tuple(_chunk_row(c, "its document was added" if c.document_id in came else "") for c in comparison.chunks)


def counted(rows: Sequence[DocumentChange] | Sequence[ChunkChange]) -> str:
    """``3 added, 2 left, 1 moved, 2 in place``."""
    found = Counter(map(mark, rows))
    words = {"added": "added", "left": "removed", "moved": "moved", "kept": "unchanged"}
    return ", ".join(f"{found[m]:,} {words[m]}" for m in MARKS)


def document_names(comparison: Comparison) -> dict[str, str]:
    """document_id → its title on one line, its id where it has none."""
    return {d.document_id: line(d.title) or d.document_id for d in comparison.documents}


def mark(change: DocumentChange | ChunkChange) -> Mark:
    """How a row changed: a kept one has moved when its place did."""
    if change.change == "kept":
        return "kept" if change.place_a == change.place_b else "moved"
    return change.change


def direction(change: DocumentChange | ChunkChange) -> Direction:
    """Which way a row went by its places."""
    if change.change != "kept":
        return change.change
    a, b = change.place_a or 0, change.place_b or 0
    return "same" if a == b else "up" if b < a else "down"


def place(value: int | None) -> str:
    """A place, or ``--`` for none."""
    return counts.UNKNOWN if value is None else f"{value:,}"


def _chunk_row(chunk: ChunkChange, came_because: str) -> Row:
    title, where = chunk_name(chunk)
    why = line(departure_text(chunk.left_because)) if chunk.left_because else came_because
    return Row(
        mark=mark(chunk),
        name=line(title),
        document_id=chunk.document_id,
        place_a=place(chunk.place_a),
        place_b=place(chunk.place_b),
        score=_scores(chunk),
        detail=line(where),
        why=why,
        tokens=f"{chunk.token_count:,}",
        direction=direction(chunk),
    )


def _scores(chunk: ChunkChange) -> str:
    """Its score; both of them where they differ, which only other questions, embedders or a broken promise can do."""
    if chunk.score_a is not None and chunk.score_b is not None and chunk.score_a != chunk.score_b:
        return f"{chunk.score_a:.4f} → {chunk.score_b:.4f}"
    return counts.score(chunk.score)


def _role(document: DocumentChange) -> str:
    roles = [role for role in (document.role_a, document.role_b) if role is not None]
    return " → ".join(dict.fromkeys(roles))


def _why(document: DocumentChange, titles: Mapping[str, str], *, named: Collection[str]) -> str:
    """Why it is in B (that it is a seed, its reasons), or why it left."""
    if document.left_because is not None:
        return line(departure_text(document.left_because))
    reasons = [
        f"from {titles.get(r.from_document_id, r.from_document_id)} by {r.via}{to_sections(r)}"
        for r in document.reasons
    ]
    if document.role_b == "seed":
        own = "named in the request" if document.document_id in named else "matches the question"
        reasons = [own, *reasons]
    return line("; ".join(reasons))


def _pair(a: int | None, b: int | None) -> str:
    if a is not None and b is not None and a != b:
        return f"{a:,} → {b:,}"
    return place(a if b is None else b)

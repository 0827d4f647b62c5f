"""The verdict in one counted sentence: generated from counts, never free text."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.domain.comparison import ChunkChange, DocumentChange, LayerTokens, Phrase, Rows

Clause = list[Phrase]


def verdict(
    label_a: str,
    label_b: str,
    *,
    documents: Sequence[DocumentChange],
    chunks: Sequence[ChunkChange],
    n_top: int,
    tokens: Sequence[LayerTokens],
) -> tuple[Phrase, ...]:
    """ "MS5 adds 3 documents and 4 chunks; 4 chunks leave; the top 2 stay; +611 tokens." in phrases.

    Counts of 0 are left out, except that at least one clause says what happened to the chunks.
    """
    if not documents and not chunks:
        return (Phrase(text="Both are empty: neither run found a document."),)
    clauses = [*_found_nothing(label_a, label_b, documents), *_came_and_went(label_b, documents, chunks)]
    if not _n(chunks, "added") and not _n(chunks, "left"):
        clauses += _same_chunks("" if clauses else label_b, chunks)
    elif 0 < n_top < sum(c.change != "left" for c in chunks):
        top = "top chunk" if n_top == 1 else f"top {n_top}"
        clauses.append([_plain("the "), Phrase(text=top, rows="top"), _plain(" stays" if n_top == 1 else " stay")])
    clauses += _rewritten(chunks)
    difference = next((t.difference for t in tokens if t.layer == "total"), 0)
    clauses.append([Phrase(text=signed_tokens(difference), rows="tokens")])
    return _sentence(clauses)


def signed_tokens(difference: int) -> str:
    """``+611 tokens``, ``−84 tokens``, ``the same number of tokens``."""
    if difference == 0:
        return "the same number of tokens"
    sign = "+" if difference > 0 else "−"
    return f"{sign}{counted(abs(difference), 'token')}"


def counted(n: int, noun: str) -> str:
    """``1 chunk``, ``2 chunks``, ``1,024 tokens``."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def _found_nothing(label_a: str, label_b: str, documents: Sequence[DocumentChange]) -> list[Clause]:
    """A side without any document is said first: nobody should read it off a difference."""
    if all(d.change == "added" for d in documents):
        return [[_plain(f"{label_a} found nothing")]]
    if all(d.change == "left" for d in documents):
        return [[_plain(f"{label_b} found nothing")]]
    return []


def _came_and_went(label: str, documents: Sequence[DocumentChange], chunks: Sequence[ChunkChange]) -> list[Clause]:
    came = _counts(documents, chunks, "added", ("documents_added", "chunks_added"))
    went = _counts(documents, chunks, "left", ("documents_left", "chunks_left"))
    one_went = _n(documents, "left") + _n(chunks, "left") == 1
    clauses = [[_plain(f"{label} adds "), *came]] if came else []
    return [*clauses, [*went, _plain(" leaves" if one_went else " leave")]] if went else clauses


def _counts(
    documents: Sequence[DocumentChange], chunks: Sequence[ChunkChange], change: str, rows: tuple[Rows, Rows]
) -> Clause:
    """``3 documents and 4 chunks``, without what is 0."""
    pairs = ((_n(documents, change), "document", rows[0]), (_n(chunks, change), "chunk", rows[1]))
    found = [Phrase(text=counted(n, noun), rows=of) for n, noun, of in pairs if n]
    return [found[0], _plain(" and "), found[1]] if len(found) == 2 else found


def _same_chunks(label: str, chunks: Sequence[ChunkChange]) -> list[Clause]:
    """No chunk came or went; ``label`` is empty when another clause has named the side already."""
    if not chunks:
        return [[_plain(f"{label} has no chunks, nor has the other side" if label else "no chunks on either side")]]
    moved = sum(c.moved("document") != 0 for c in chunks)
    same = f"{label} reads the same chunks" if label else "the chunks are the same"
    if not moved:
        return [[_plain(f"{same} in the same order" if label else same)]]
    return [
        [
            _plain(f"{same} in another order: "),
            Phrase(text=counted(moved, "chunk"), rows="moved"),
            _plain(" moves" if moved == 1 else " move"),
        ]
    ]


def _rewritten(chunks: Sequence[ChunkChange]) -> list[Clause]:
    """Chunks that are in both runs with two versions of their text."""
    n = sum(c.text_b is not None for c in chunks)
    if not n:
        return []
    return [
        [
            Phrase(text=counted(n, "chunk"), rows="rewritten"),
            _plain(" has" if n == 1 else " have"),
            _plain(" another text"),
        ]
    ]


def _n(rows: Sequence[DocumentChange] | Sequence[ChunkChange], change: str) -> int:
    return sum(row.change == change for row in rows)


def _plain(text: str) -> Phrase:
    return Phrase(text=text)


def _sentence(clauses: Sequence[Clause]) -> tuple[Phrase, ...]:
    phrases: list[Phrase] = []
    for i, clause in enumerate(clauses):
        phrases += [_plain("; "), *clause] if i else clause
    first = phrases[0]
    capital = first.model_copy(update={"text": first.text[:1].upper() + first.text[1:]})
    return (capital, *phrases[1:], _plain("."))

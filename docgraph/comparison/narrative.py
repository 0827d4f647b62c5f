"""The verdict in counted sentences: generated from counts, never free text; what people judged comes first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docgraph.domain.baselines import BASELINES, LITERAL, MS3, MS5_LABEL, PLAIN, TODAY
from docgraph.domain.comparison import (
    AnsweringPassage,
    Comparison,
    DocumentChange,
    Part,
    Phrase,
    RelevantDocument,
    Rows,
)

Clause = list[Phrase]

MAX_NAMED = 2
"""Lost documents that are named; the others are counted."""

MAX_TITLE = 100
FEW_TOKENS = 10
"""Differences in tokens below this are not said: they tell nothing."""

_RUNS = {
    MS5_LABEL: "the run with relationships",
    BASELINES[MS3][0]: "the run without relationships",
    BASELINES[PLAIN][0]: "plain vector search",
    BASELINES[LITERAL][0]: "the literal run",
    BASELINES[TODAY][0]: "the run on today's data",
}
"""Label of a run → what it is called in a sentence; every other one has the name that a person gave it."""


def verdict(made: Comparison, label_a: str, label_b: str) -> tuple[Phrase, ...]:
    """ "2 → 3 of 3 relevant documents are read. Relationships add 2 documents; 2 documents are removed. Passages: …".

    What is judged relevant and lost goes first, with the limit that left it out; what nobody judged is not valued.
    Removed passages of relevant documents follow what is read. Then the documents, or the removed passages where no
    document is removed, then passages and tokens. Only where B differs from A in relationships alone do they add
    anything; else the sentence says what the runs are: "Compared with plain vector search, the literal run adds …".
    """
    if not made.documents and not made.chunks:
        return (Phrase(text="Both are empty: neither run found a document."),)
    parts: tuple[tuple[Part, list[Clause]], ...] = (
        ("lost", _lost(made)),
        ("value", [*_passage(made.passage), *_value(made.relevant), *_price(made)]),
        ("change", _change(made, label_a, label_b)),
        ("detail", _detail(made)),
    )
    said = [_sentence(clauses, part) for part, clauses in parts if clauses]
    first, *others = said
    return (*first, *(phrase for sentence in others for phrase in (_plain(" ", sentence[0].part), *sentence)))


def counted(n: int, noun: str) -> str:
    """``1 chunk``, ``2 chunks``, ``1,024 tokens``."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def signed_tokens(difference: int) -> str:
    """``+611 tokens``, ``−84 tokens``."""
    return f"{'+' if difference > 0 else '−'}{counted(abs(difference), 'token')}"


def _lost(made: Comparison) -> list[Clause]:
    """``1 relevant document is lost: Design: Notification fan-out, left out: limit 2 related documents``."""
    lost = made.lost
    if not lost:
        return []
    head = Phrase(text=f"{counted(len(lost), 'relevant document')} {_are(len(lost))} lost", rows="relevant_lost")
    named = "; ".join(_named(made.document(each.document_id), each) for each in lost[:MAX_NAMED])
    more = f"; and {len(lost) - MAX_NAMED:,} more" if len(lost) > MAX_NAMED else ""
    return [[head, _plain(f": {named}{more}")]]


def _named(row: DocumentChange | None, lost: RelevantDocument) -> str:
    title = " ".join(lost.title.split())
    title = title if len(title) <= MAX_TITLE else f"{title[: MAX_TITLE - 1].rstrip()}…"
    cause = row.left_because if row is not None else None
    if cause is None:
        return title
    return f"{title}, left out: {cause.short}" if cause.is_limit else f"{title}, {cause.short}"


def passage_words(passage: AnsweringPassage) -> str:
    """``the answering passage is read: no → yes``; a loss as plainly."""
    what = "the answering passage is" if passage.n == 1 else f"all {passage.n} answering passages are"
    if passage.in_a == passage.in_b:
        return f"{what} read by both" if passage.in_a else f"{what} read by neither"
    return f"{what} read: no → yes" if passage.in_b else f"{what} not read any more: yes → no"


def _passage(passage: AnsweringPassage | None) -> list[Clause]:
    """Nothing where no passage is known."""
    return [] if passage is None else [[_plain(passage_words(passage))]]


def _value(relevant: Sequence[RelevantDocument]) -> list[Clause]:
    """``2 → 3 of 3 relevant documents are read``; nothing where nobody judged a document relevant."""
    if not relevant:
        return []
    a, b = sum(d.in_a for d in relevant), sum(d.in_b for d in relevant)
    head = Phrase(text=f"{a:,} → {b:,} of {counted(len(relevant), 'relevant document')}", rows="relevant")
    clause = [head, _plain(f" {_are(len(relevant))} read")]
    n_gained, n_lost = sum(d.in_b and not d.in_a for d in relevant), sum(d.in_a and not d.in_b for d in relevant)
    if not n_lost:
        return [clause]
    gained = [Phrase(text=f"{n_gained:,} gained", rows="relevant_gained"), _plain(", ")] if n_gained else []
    return [[*clause, _plain(": "), *gained, Phrase(text=f"{n_lost:,} lost", rows="relevant_lost")]]


def _price(made: Comparison) -> list[Clause]:
    """``4 of their passages are removed``: the loss beside the gain; a lost document is named already."""
    relevant, lost = {d.document_id for d in made.relevant}, {d.document_id for d in made.lost}
    went = [c.document_id for c in made.chunks_with("left") if c.document_id in relevant]
    if set(went) <= lost:
        return []
    return [[_plain(f"{len(went):,} of their passages {_are(len(went))} removed")]]


def _change(made: Comparison, label_a: str, label_b: str) -> list[Clause]:
    """``Relationships add 2 documents; 2 documents are removed``."""
    a, b = _run(label_a), _run(label_b)
    adds = "relationships add" if made.by_relationships else _adds(label_a, label_b)
    came, went = len(made.documents_with("added")), len(made.documents_with("left"))
    arrival = Phrase(text=counted(came, "document") if came else "no document", rows="documents_added" if came else "")
    leaving = [
        Phrase(text=counted(went, "document"), rows="documents_left"),
        _plain(f" {_are(went)} removed"),
    ]
    if not made.documents:
        return []
    if came == len(made.documents):
        return [[_plain(f"{a} found nothing")], [_plain(f"{b} adds "), arrival]]
    if went == len(made.documents):
        return [[_plain(f"{b} found nothing")], leaving]
    clauses: list[Clause] = [[_plain(f"{adds} "), arrival]]
    if not came:
        clauses += _reached(made)
    if went:
        return [*clauses, leaving]
    chunks = len(made.chunks_with("left"))
    if not chunks:
        return clauses
    gone = Phrase(text=counted(chunks, "passage"), rows="chunks_left")
    return [*clauses, [gone, _plain(f" {_are(chunks)} removed")]]


def _run(label: str) -> str:
    return _RUNS.get(label, label)


def _adds(label_a: str, label_b: str) -> str:
    """Both runs by what they are; a person's own name, or that of edits, says enough by itself."""
    if label_b not in _RUNS:
        return f"{label_b} adds"
    if label_a == label_b:
        return "the second run adds"
    return f"compared with {_run(label_a)}, {_run(label_b)} adds"


def _reached(made: Comparison) -> list[Clause]:
    """``1 document is reached through a relationship now``: it was found before, at another position."""
    n = sum(d.role_a == "seed" and d.role_b == "expanded" for d in made.documents)
    return [[_plain(f"{counted(n, 'document')} {_are(n)} reached through a relationship now")]] if n else []


def _detail(made: Comparison) -> list[Clause]:
    """``Passages: 2 added, 2 removed, 8 in both; +611 tokens``: without zeros and few tokens."""
    came, went, kept = (made.chunks_with(change) for change in ("added", "left", "kept"))
    n_moved = 0 if came or went else sum(c.moved("document") != 0 for c in kept)
    found: tuple[tuple[int, str, Rows], ...] = (
        (len(came), "added", "chunks_added"),
        (len(went), "removed", "chunks_left"),
        (len(kept), "in both", ""),
        (n_moved, "of them at another position", "moved"),
        (sum(c.text_b is not None for c in kept), "with another text", "rewritten"),
    )
    counts = [Phrase(text=f"{n:,} {what}", rows=rows) for n, what, rows in found if n]
    clauses = [[_plain("Passages: "), *_listed(counts)]] if counts else [[_plain("No passage in either run")]]
    total = next((t.difference for t in made.tokens if t.layer == "total"), 0)
    said = [Phrase(text=signed_tokens(total), rows="tokens")]
    return [*clauses, said] if abs(total) >= FEW_TOKENS else clauses


def _listed(phrases: Sequence[Phrase]) -> Iterable[Phrase]:
    for i, phrase in enumerate(phrases):
        yield from ((_plain(", "), phrase) if i else (phrase,))


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def _plain(text: str, part: Part = "change") -> Phrase:
    return Phrase(text=text, part=part)


def _sentence(clauses: Sequence[Clause], part: Part) -> list[Phrase]:
    phrases: list[Phrase] = []
    for i, clause in enumerate(clauses):
        phrases += [_plain("; "), *clause] if i else clause
    first = phrases[0]
    capital = first.model_copy(update={"text": first.text[:1].upper() + first.text[1:]})
    return [phrase.model_copy(update={"part": part}) for phrase in (capital, *phrases[1:], _plain("."))]

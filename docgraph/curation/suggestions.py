"""Finds pairs of documents that the texts or the saved questions bring together and that no relationship joins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from docgraph.domain.dismissal import Dismissal
from docgraph.domain.document_vector import document_texts, document_vector
from docgraph.domain.graph import Relationship, StoredDocument, Vector, Vectors
from docgraph.domain.suggestion import Suggestion, Suggestions
from docgraph.ports import MENTIONS, Snapshot

MAX_LISTED = 200
"""Open suggestions that are listed."""

MAX_MEASURED = 600
"""Pairs whose similarity is measured: those that speak loudest without it."""

MAX_READ = 30
"""Documents of one question that are paired."""

MIN_TOGETHER = 2
MIN_COSINE = 0.6
"""Two documents that are read together are neighbours in meaning from this cosine of their vectors on."""

MAX_PROPOSED = 5

Pair = tuple[str, str]
Embed = Callable[[Sequence[str]], Vectors]


def find_suggestions(
    snapshot: Snapshot, embed: Embed, *, questions: Iterable[Sequence[str]], dismissals: Sequence[Dismissal] = ()
) -> Suggestions:  # fmt: skip
    """What one snapshot suggests; ``questions`` = for each saved question the ids of the documents it read."""
    documents = {document.document_id: document for document in snapshot.documents()}
    links = _Links()
    for edge in snapshot.relationships():
        links.add(edge, documents)
    together, n_questions = _read_together(questions, documents)
    pairs = {_unordered(pair) for pair in links.mentions} | set(together)
    candidates = [_Candidate.of(pair, links, together[pair]) for pair in pairs - links.joined if pair[0] != pair[1]]
    candidates = sorted((c for c in candidates if c.speaks), key=_Candidate.order)
    similarity = _similarities([c.pair for c in candidates[:MAX_MEASURED]], documents, embed)
    kept = [(c, similarity.get(c.pair)) for c in candidates if c.holds(similarity.get(c.pair))]
    made = [c.suggestion(documents, links, near, n_questions) for c, near in sorted(kept, key=_loudest_first)]
    hashes = {i: document.content_hash for i, document in documents.items()}
    opened, rejected = _sorted_out(made, dismissals, hashes)
    workspace = snapshot.workspace
    return Suggestions(
        workspace=workspace.name, corpus_revision=workspace.revision, n_pairs=len(pairs), n_questions=n_questions,
        n_found=len(opened), suggestions=tuple(opened[:MAX_LISTED]), rejected=tuple(rejected),
    )  # fmt: skip


class _Links:
    """The relationships between two stored documents, as suggestions see them."""

    def __init__(self) -> None:
        self.joined: set[Pair] = set()
        self.mentions: dict[Pair, Relationship] = {}
        self.n_naming: Counter[str] = Counter()
        self._types: Counter[str] = Counter()
        self._by_kind: dict[Pair, Counter[str]] = {}

    def add(self, edge: Relationship, documents: Mapping[str, StoredDocument]) -> None:
        """Count one relationship; one with itself, or with what is not stored, joins no two documents."""
        start, via, end = edge.key
        if start == end or start not in documents or end not in documents:
            return
        if via == MENTIONS:
            self.mentions[start, end] = edge
            self.n_naming[end] += 1
            return
        self.joined.add(_unordered((start, end)))
        self._types[via] += 1
        kinds = (documents[start].doc_type, documents[end].doc_type)
        self._by_kind.setdefault(kinds, Counter())[via] += 1

    def types(self, start_kind: str, end_kind: str, *, either: bool) -> tuple[str, ...]:
        """Types that go between such documents (``either`` way round), most frequent first; else the most frequent."""
        counts = Counter(self._by_kind.get((start_kind, end_kind), ()))
        if either and start_kind != end_kind:
            counts.update(self._by_kind.get((end_kind, start_kind), ()))
        found = counts or self._types
        return tuple(sorted(found, key=lambda via: (-found[via], via))[:MAX_PROPOSED])


@dataclass(frozen=True)
class _Candidate:
    """An unordered pair without a relationship, and what speaks for one."""

    pair: Pair
    n_together: int = 0
    mentions: tuple[Relationship, ...] = field(default=())

    @classmethod
    def of(cls, pair: Pair, links: _Links, n_together: int) -> _Candidate:
        found = [links.mentions[each] for each in (pair, pair[::-1]) if each in links.mentions]
        return cls(pair, n_together, tuple(sorted(found, key=_order_in_text)))

    @property
    def speaks(self) -> bool:
        return bool(self.mentions) or self.n_together >= MIN_TOGETHER

    def order(self) -> tuple[int, int, Pair]:
        """Loudest first by what is known without measuring."""
        return (-self.n_together, -len(self.mentions), self.pair)

    def holds(self, similarity: float | None) -> bool:
        """Documents that are only read together must be neighbours in meaning as well."""
        return bool(self.mentions) or (similarity is not None and similarity >= MIN_COSINE)

    def suggestion(
        self, documents: Mapping[str, StoredDocument], links: _Links, similarity: float | None, n_questions: int
    ) -> Suggestion:  # fmt: skip
        start, end = self.mentions[0].key[::2] if self.mentions else self.pair
        a, b = documents[start], documents[end]
        names = (a.title or start, b.title or end)
        evidence = self.mentions[0].relationship_metadata.get("text") if self.mentions else ""
        return Suggestion.about(
            "mention" if self.mentions else "together", start, end, from_title=a.title, to_title=b.title,
            relation_types=links.types(a.doc_type, b.doc_type, either=not self.mentions),
            sentence=self._naming(*names) if self.mentions else self._reading(*names, similarity, n_questions),
            evidence=evidence if isinstance(evidence, str) else "", similarity=similarity, n_together=self.n_together,
        )  # fmt: skip

    def _naming(self, a: str, b: str) -> str:
        if len(self.mentions) > 1:
            return f"{a} and {b} name each other in their texts and have no relationship"
        return f"{a} names {b} in its text and has no relationship with it"

    def _reading(self, a: str, b: str, similarity: float | None, n_questions: int) -> str:
        near = "" if similarity is None else f", alike in meaning ({similarity:.2f}),"
        of = f"{self.n_together:,} of {n_questions:,} saved questions"
        return f"{of} read {a} and {b}{near} and no relationship joins them"


def _read_together(
    questions: Iterable[Sequence[str]], documents: Mapping[str, StoredDocument]
) -> tuple[Counter[Pair], int]:
    """Unordered pair → questions that read both; and how many questions there are."""
    counts: Counter[Pair] = Counter()
    n = 0
    for read in questions:
        n += 1
        stored = sorted({i for i in read[:MAX_READ] if i in documents})
        counts.update(combinations(stored, 2))
    return counts, n


def _similarities(
    pairs: Sequence[Pair], documents: Mapping[str, StoredDocument], embed: Embed
) -> dict[Pair, float]:  # fmt: skip
    """Pair → cosine of what the titles and summaries mean, 6 digits; pairs without a direction are left out."""
    ids = sorted({document_id for pair in pairs for document_id in pair})
    if not ids:
        return {}
    texts = [text for i in ids for text in document_texts(documents[i].title, documents[i].summary)]
    rows = np.asarray(embed(texts), dtype=np.float32)
    vectors: dict[str, Vector] = {i: document_vector(rows[2 * n : 2 * n + 2]) for n, i in enumerate(ids)}
    known = {i for i in ids if np.any(vectors[i])}
    return {
        (a, b): round(max(-1.0, min(1.0, float(vectors[a] @ vectors[b]))), 6)
        for a, b in pairs
        if a in known and b in known
    }


def _sorted_out(
    found: Sequence[Suggestion], dismissals: Sequence[Dismissal], hashes: Mapping[str, str]
) -> tuple[list[Suggestion], list[Suggestion]]:
    """(open ones, those that somebody rejected); a rejection ends when a text changes, and stays to be seen."""
    given = {each.subject_id: each for each in dismissals if each.kind == "suggestion"}
    opened: list[Suggestion] = []
    rejected: list[Suggestion] = []
    for suggestion in found:
        dismissal = given.get(suggestion.suggestion_id)
        if dismissal is not None:
            suggestion = suggestion.model_copy(update={"dismissal": dismissal})
        holds = dismissal is not None and not dismissal.changed(hashes)
        (rejected if holds else opened).append(suggestion)
    return opened, rejected


def _loudest_first(item: tuple[_Candidate, float | None]) -> tuple[int, int, float, Pair]:
    candidate, similarity = item
    near = -1.0 if similarity is None else similarity
    return (-candidate.n_together, -len(candidate.mentions), -near, candidate.pair)


def _order_in_text(edge: Relationship) -> tuple[int, str]:
    """What is named early is named for a reason."""
    order = edge.relationship_metadata.get("order")
    return (order if isinstance(order, int) else 1_000_000, edge.from_document_id)


def _unordered(pair: Pair) -> Pair:
    return pair if pair[0] <= pair[1] else (pair[1], pair[0])

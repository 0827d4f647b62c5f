"""Finds pairs of documents that the texts or the saved questions bring together and that no relationship joins."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from docgraph.domain.curation import Dismissal
from docgraph.domain.document_vector import document_texts, document_vector
from docgraph.domain.graph import Relationship, StoredDocument, Vector
from docgraph.domain.spelling import without_brackets
from docgraph.domain.suggestion import Suggestion, Suggestions
from docgraph.ports import MENTIONS, Embed, Snapshot

MAX_LISTED = 200
"""Open suggestions that are listed."""

MAX_MEASURED = 1_000
"""Documents whose titles and summaries are embedded: those of the pairs that speak loudest without it."""

MAX_READ = 30
"""Documents of one question that are paired."""

MAX_PROPOSED = 5
"""Types proposed for one suggestion."""


def find_suggestions(
    snapshot: Snapshot, embed: Embed, *, questions: Iterable[Sequence[str]], dismissals: Sequence[Dismissal] = ()
) -> Suggestions:
    """Suggestions of one snapshot, strongest first: pairs read by most questions, that name each other, are similar.

    ``questions`` = for each saved question the ids of the documents that it read.
    """
    documents = {document.document_id: document for document in snapshot.documents()}
    links = _Links(snapshot.relationships(), documents)
    together, n_questions = _read_together(questions, documents)
    pairs = {_unordered(pair) for pair in links.mentions} | set(together)
    candidates = sorted((c for c in links.candidates(pairs, together) if c.speaks), key=Candidate.order)
    similarity = _similarities(candidates, documents, embed)
    kept = [c for c in candidates if c.holds(similarity.get(c.pair), documents)]
    kept.sort(key=lambda c: c.loudness(similarity.get(c.pair)))
    made = [
        c.suggestion(documents, links.types(c), similarity=similarity.get(c.pair), n_questions=n_questions)
        for c in kept
    ]
    opened, rejected = _sorted_out(made, dismissals, documents)
    workspace = snapshot.workspace
    return Suggestions(
        workspace=workspace.name,
        corpus_revision=workspace.revision,
        n_pairs=len(pairs),
        n_questions=n_questions,
        n_found=len(opened),
        suggestions=tuple(opened[:MAX_LISTED]),
        rejected=tuple(rejected),
    )


class _Links:
    """The relationships between two stored documents, as suggestions see them."""

    def __init__(self, relationships: Iterable[Relationship], documents: Documents) -> None:
        self._documents = documents
        self._joined: set[Pair] = set()
        self.mentions: dict[Pair, Relationship] = {}
        self._n_naming: Counter[str] = Counter()
        self._types: Counter[str] = Counter()
        self._by_kind: dict[Pair, Counter[str]] = {}
        for edge in relationships:
            start, via, end = edge.key
            if start == end or start not in documents or end not in documents:
                continue
            if via == MENTIONS:
                self.mentions[start, end] = edge
                self._n_naming[end] += 1
            else:
                self._joined.add(_unordered((start, end)))
                self._types[via] += 1
                kinds = (documents[start].doc_type, documents[end].doc_type)
                self._by_kind.setdefault(kinds, Counter())[via] += 1

    def candidates(self, pairs: set[Pair], together: Counter[Pair]) -> Iterable[Candidate]:
        """The pairs that no relationship joins in either direction."""
        for pair in pairs - self._joined:
            found = in_order([self.mentions[way] for way in (pair, pair[::-1]) if way in self.mentions])
            n_naming = min((self._n_naming[edge.to_document_id] for edge in found), default=0)
            yield Candidate(pair, together[pair], found, n_naming)

    def types(self, candidate: Candidate) -> tuple[str, ...]:
        """Types that go between such documents, most frequent first; where none does, the most frequent of all.

        Where no text says which document comes first, those of both directions count.
        """
        start, end = (self._documents[i].doc_type for i in candidate.ends)
        counts = Counter(self._by_kind.get((start, end), ()))
        if not candidate.mentions and start != end:
            counts.update(self._by_kind.get((end, start), ()))
        found = counts or self._types
        return tuple(sorted(found, key=lambda via: (-found[via], via))[:MAX_PROPOSED])


def _read_together(questions: Iterable[Sequence[str]], documents: Documents) -> tuple[Counter[Pair], int]:
    """Unordered pair → questions that read both; and how many questions there are."""
    counts: Counter[Pair] = Counter()
    n = 0
    for read in questions:
        n += 1
        counts.update(combinations(sorted({i for i in read[:MAX_READ] if i in documents}), 2))
    return counts, n


def _similarities(candidates: Sequence[Candidate], documents: Documents, embed: Embed) -> dict[Pair, float]:
    """Pair → cosine of what the titles and summaries mean, 6 digits; those without a direction are left out."""
    ids: dict[str, None] = {}
    measured = []
    for candidate in candidates:
        if len(ids) >= MAX_MEASURED and not all(document_id in ids for document_id in candidate.pair):
            continue
        ids.update(dict.fromkeys(candidate.pair))
        measured.append(candidate.pair)
    if not measured:
        return {}
    rows = np.asarray(
        embed([text for i in ids for text in document_texts(documents[i].title, documents[i].summary)]),
        dtype=np.float32,
    )
    vectors: dict[str, Vector] = {i: document_vector(rows[2 * n : 2 * n + 2]) for n, i in enumerate(ids)}
    known = {i for i in ids if np.any(vectors[i])}
    return {
        (a, b): round(max(-1.0, min(1.0, float(vectors[a] @ vectors[b]))), 6)
        for a, b in measured
        if a in known and b in known
    }


def _sorted_out(
    found: Sequence[Suggestion], dismissals: Sequence[Dismissal], documents: Documents
) -> tuple[list[Suggestion], list[Suggestion]]:
    """(open ones, those that somebody rejected); a rejection ends when a text changes, and stays to be seen."""
    given = {each.subject_id: each for each in dismissals if each.kind == "suggestion"}
    opened: list[Suggestion] = []
    rejected: list[Suggestion] = []
    for each in found:
        dismissal = given.get(each.suggestion_id)
        if dismissal is None:
            opened.append(each)
            continue
        hashes = {i: documents[i].content_hash for i in dismissal.content_hashes if i in documents}
        holds = not dismissal.changed(hashes)
        (rejected if holds else opened).append(each.model_copy(update={"dismissal": dismissal}))
    return opened, rejected


def _unordered(pair: Pair) -> Pair:
    return pair if pair[0] <= pair[1] else (pair[1], pair[0])


MIN_TOGETHER = 2
MIN_COSINE = 0.5
"""Two documents that are read together are neighbours in meaning from this cosine of their vectors on."""

MIN_NAMED_COSINE = 0.1
"""Below it a title in a text is most often a phrase of the language, unless a saved question reads both documents."""

MIN_WORDS = 2
"""A title of fewer words in a text is most often a word of the language."""

Pair = tuple[str, str]
Documents = Mapping[str, StoredDocument]

_WORD = re.compile(r"\w+")
_LAST = 1_000_000


@dataclass(frozen=True)
class Candidate:
    """An unordered pair; ``mentions`` = the one or two relationships that say which text names the other.

    ``n_naming`` = in how many texts the named document is named.
    """

    pair: Pair
    n_together: int = 0
    mentions: tuple[Relationship, ...] = field(default=())
    n_naming: int = 0

    @property
    def speaks(self) -> bool:
        """Whether anything speaks for it at all."""
        return bool(self.mentions) or self.n_together >= MIN_TOGETHER

    def order(self) -> tuple[int, int, int, Pair]:
        """Sort key, strongest first, by what is known before anything is measured."""
        return (-self.n_together, -len(self.mentions), self.n_naming, self.pair)

    def loudness(self, similarity: float | None) -> tuple[int, int, float, Pair]:
        """Sort key, strongest first."""
        return (-self.n_together, -len(self.mentions), 1.0 if similarity is None else -similarity, self.pair)

    def holds(self, similarity: float | None, documents: Documents) -> bool:
        """Whether it is worth a look: an id or a number is named, a title that is none by chance, or both are read
        together and neighbours in meaning.
        """
        if self.n_together >= MIN_TOGETHER and similarity is not None and similarity >= MIN_COSINE:
            return True
        read = self.n_together > 0
        near = similarity is None or similarity >= MIN_NAMED_COSINE
        return any(
            not _named_by_title(edge, documents) or ((read or near) and _is_distinct(edge, documents))
            for edge in self.mentions
        )

    def suggestion(
        self, documents: Documents, relation_types: tuple[str, ...], *, similarity: float | None, n_questions: int
    ) -> Suggestion:
        """What a curator is shown; from the document that names the other one, else by id."""
        start, end = self.ends
        a, b = documents[start], documents[end]
        names = (a.title or start, b.title or end)
        evidence = self.mentions[0].relationship_metadata.get("text") if self.mentions else ""
        return Suggestion.about(
            "mention" if self.mentions else "together",
            start,
            end,
            from_title=a.title,
            to_title=b.title,
            relation_types=relation_types,
            similarity=similarity,
            n_together=self.n_together,
            sentence=self._naming(*names) if self.mentions else self._reading(*names, similarity, n_questions),
            evidence=evidence if isinstance(evidence, str) else "",
        )

    @property
    def ends(self) -> Pair:
        """(the document that names the other one, that one); by id without a mention."""
        return (self.mentions[0].from_document_id, self.mentions[0].to_document_id) if self.mentions else self.pair

    def _naming(self, a: str, b: str) -> str:
        if len(self.mentions) > 1:
            return f"{a} and {b} mention each other, with no other relationship between them"
        return f"{a} mentions {b}, with no other relationship between them"

    def _reading(self, a: str, b: str, similarity: float | None, n_questions: int) -> str:
        near = "" if similarity is None else f", similar in meaning ({similarity:.2f}),"
        of = f"{self.n_together:,} of {n_questions:,} saved questions"
        return f"{of} read {a} and {b}{near} and no relationship joins them"


def in_order(mentions: list[Relationship]) -> tuple[Relationship, ...]:
    """The mentions of a pair: what is named earlier in its text is named for a reason; then by id."""
    return tuple(sorted(mentions, key=_place))


def _place(edge: Relationship) -> tuple[int, str]:
    order = edge.relationship_metadata.get("order")
    return (order if isinstance(order, int) else _LAST, edge.from_document_id)


def _named_by_title(edge: Relationship, documents: Documents) -> bool:
    """Whether the words are the title's, and not an id or a number; a mention without its words may be either."""
    words = edge.relationship_metadata.get("text")
    if not isinstance(words, str) or not words:
        return True
    name = re.escape(_name(edge.to_document_id, documents))
    return re.search(rf"(?<!\w){name}(?!\w)", " ".join(words.split()).casefold()) is not None


def _is_distinct(edge: Relationship, documents: Documents) -> bool:
    """Whether the title can stand for the document: of more than one word, and no part of the other one's title."""
    named, own = _name(edge.to_document_id, documents), documents[edge.from_document_id].title.casefold()
    return len(_WORD.findall(named)) >= MIN_WORDS and named not in " ".join(own.split())


def _name(document_id: str, documents: Documents) -> str:
    """The title as texts write it: without what it adds in brackets, in lower case."""
    title = " ".join(documents[document_id].title.split())
    return (without_brackets(title) or title).casefold()

"""A pair of documents without a relationship, and whether what speaks for one is worth a curator's time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from docgraph.domain.graph import Relationship, StoredDocument
from docgraph.domain.spelling import without_brackets
from docgraph.domain.suggestion import Suggestion

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

"""What two runs have in common and what they have not: documents, chunks, places, tokens, and why things left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from docgraph.domain import shown
from docgraph.domain.baselines import label_of
from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import Identifier
from docgraph.domain.judgment import JudgedFigure
from docgraph.domain.plan import LimitName, Reason
from docgraph.domain.run import ContractCheck, Run
from docgraph.domain.saved_run import SavedRun

if TYPE_CHECKING:
    from pandas import DataFrame

Change = Literal["kept", "added", "left"]
Order = Literal["score", "document"]
Role = Literal["seed", "expanded"]
Rows = Literal[
    "",
    "documents_added",
    "documents_left",
    "chunks_added",
    "chunks_left",
    "tokens",
    "moved",
    "rewritten",
    "relevant",
    "relevant_gained",
    "relevant_lost",
]
"""Which rows stand behind a number; ``rewritten``: chunks of both sides with two versions of their text.

``relevant``: documents judged relevant; ``relevant_gained`` / ``relevant_lost``: those of which only B / only A reads
a chunk.
"""

Part = Literal["lost", "value", "change", "detail"]
"""What a piece of the verdict belongs to: what was judged and is lost, the judged value, documents, chunks."""

Cause = (
    LimitName
    | Literal[
        "max_documents",
        "max_chunks_per_document",
        "max_tokens",
        "relationships_off",
        "type_off",
        "edge_off",
        "seed_gone",
        "seed_dropped",
        "document_gone",
        "chunk_gone",
        "outside_scope",
        "not_reached",
    ]
)
"""What kept something of A out of B: a limit of B's plan by its name, or

``relationships_off`` / ``type_off`` / ``edge_off``: the edges that brought it into A are not followed in B;
``reasons_only``: they are of types that bring no document into B;
``seed_gone``: the seeds those edges start at do not expand in B; ``seed_dropped``: the request drops it;
``document_gone``: it is not stored any more; ``chunk_gone``: its document was written anew, without this chunk;
``outside_scope``: B keeps its seeds inside a scope, it is outside; ``not_reached``: nothing in B leads to it.
"""

_LIMITS: Mapping[str, str] = {
    "max_chunks": "total limit {value}",
    "max_chunks_per_document": "limit {value} per document",
    "max_tokens": "token budget {value}",
    "max_documents": "limit {value} documents",
    "max_seeds": "limit {value} matches",
    "max_expanded": "limit {value} related documents",
    "max_fan_out": "limit {value} related per match",
    "max_expanding_seeds": "limit {value} followed matches",
    "max_edges_per_seed": "limit {value} relationships per match",
    "max_linked_percent": "linked from over {value} % of all documents",
}
_SWITCHES: Mapping[str, str] = {
    "relationships_off": "relationships are off",
    "type_off": "its relationship type is switched off",
    "reasons_only": "its relationship type only gives reasons",
    "edge_off": "its relationship is switched off",
    "seed_gone": "no match links to it any more",
    "seed_dropped": "removed as a match",
    "document_gone": "the document is not stored any more",
    "missing_document": "the document is not stored any more",
    "chunk_gone": "the document was rewritten without it",
    "outside_scope": "outside the scope",
    "where": "it does not meet the filter",
    "not_reached": "nothing leads to it",
}
_ONE = {
    "limit 1 matches": "limit 1 match",
    "limit 1 documents": "limit 1 document",
    "limit 1 followed matches": "limit 1 followed match",
    "limit 1 related documents": "limit 1 related document",
}


class Removal(Frozen):
    """Why something of A is not in B.

    ``value`` is the limit's; ``place`` (from 1) is the one it would have had: among the chunks of its own document for
    ``max_chunks_per_document``, among the seeds for ``max_seeds``, among the related for ``max_expanded``, else in the
    order in which chunks are let in: raise the limit to this place, and it is in. ``at_least`` = or a later one: the
    two runs do not hold what would be needed to count exactly. ``below`` = how far its score lies under the last one
    let in.
    ``with_document`` = a chunk that left because its whole document did.
    """

    cause: Cause
    value: int | None = None
    place: int | None = None
    at_least: bool = False
    below: float | None = None
    relation_types: tuple[str, ...] = ()
    with_document: bool = False

    @property
    def is_limit(self) -> bool:
        """Whether a limit cut it, which a larger one would let in."""
        return self.cause in _LIMITS

    @property
    def short(self) -> str:
        """The limit or switch alone: ``total limit 10``, ``relationships are off``."""
        pattern = _LIMITS.get(self.cause)
        if pattern is None:
            return _SWITCHES.get(self.cause, self.cause)
        text = pattern.format(value="--" if self.value is None else f"{self.value:,}")
        return _ONE.get(text, text)


class DocumentChange(Frozen):
    """One document of A or B. Places count from 1 in plan order; ``reasons`` are B's, of a document that left A's.

    ``score`` = similarity of its best chunk that is read: relationships never change it.
    """

    document_id: Identifier
    title: str
    change: Change
    place_a: int | None = None
    place_b: int | None = None
    role_a: Role | None = None
    role_b: Role | None = None
    score: float | None = None
    n_chunks_a: int = 0
    n_chunks_b: int = 0
    n_tokens_a: int = 0
    n_tokens_b: int = 0
    reasons: tuple[Reason, ...] = ()
    left_because: Removal | None = None


class ChunkChange(Frozen):
    """One chunk of A or B.

    ``rank`` counts from 1 by score, ``place`` from 1 in reading order (documents in plan order, chunks by score).
    Scores are cosine similarities; in a kept chunk both are there. ``text_b`` is given only when it differs from
    ``text`` (two versions of one chunk).
    """

    document_id: Identifier
    title: str
    chunk_id: Identifier
    chunk_index: int
    heading_path: tuple[str, ...] = ()
    change: Change
    rank_a: int | None = None
    rank_b: int | None = None
    place_a: int | None = None
    place_b: int | None = None
    score_a: float | None = None
    score_b: float | None = None
    token_count: int = 0
    text: str = ""
    text_b: str | None = None
    left_because: Removal | None = None

    @property
    def score(self) -> float:
        """The score of the side it is in (B's, when it is in both)."""
        return next(s for s in (self.score_b, self.score_a, 0.0) if s is not None)

    def at(self, side: Literal["a", "b"], order: Order) -> int | None:
        """Its position on one side in one order."""
        places = {"a": (self.rank_a, self.place_a), "b": (self.rank_b, self.place_b)}[side]
        return places[0] if order == "score" else places[1]

    def moved(self, order: Order) -> int:
        """How many places up (positive) or down (negative) a kept chunk went; 0 for every other."""
        a, b = self.at("a", order), self.at("b", order)
        return 0 if a is None or b is None else a - b


class Figure(Frozen):
    """One measure over the chunks or the documents of both sides; ``None`` = there is no value, ``note`` says why.

    A ``note`` beside a value says how to read it.
    ``n`` = how many items were compared (the common ones for a correlation, the union for an overlap).
    """

    name: str
    title: str
    of: Literal["chunks", "documents"]
    value: float | None
    n: int
    note: str = ""
    formula: str = ""
    source: str = ""


class LayerTokens(Frozen):
    """Tokens of one layer of the assembled context on both sides; ``total`` is the whole context."""

    layer: Literal["conceptual", "evidence", "frame", "total"]
    a: int = Field(ge=0)
    b: int = Field(ge=0)

    @property
    def difference(self) -> int:
        """B − A."""
        return self.b - self.a


class Phrase(Frozen):
    """A piece of the verdict; ``rows`` names the rows behind its number (empty: plain words).

    The pieces of one ``part`` are one sentence.
    """

    text: str
    rows: Rows = ""
    part: Part = "change"


class RelevantDocument(Frozen):
    """A document that somebody judged relevant to the question, and which side reads it."""

    document_id: Identifier
    title: str
    in_a: bool
    in_b: bool


class AnsweringPassage(Frozen):
    """Which side reads the passages that answer the question, all ``n`` of them, in the text that a model receives."""

    n: int = Field(default=1, ge=1)
    in_a: bool
    in_b: bool


class Side(Frozen):
    """One of the two runs: ``name`` as it was asked for (``ms3``, a run's id …), ``label`` as a person reads it."""

    name: str
    label: str
    run: Run

    @classmethod
    def of(cls, known: Run | SavedRun) -> Side:
        """A run under its stage's name, or a saved run under its own."""
        if isinstance(known, SavedRun):
            return cls(name=known.run_id, label=known.name, run=known.run)
        return cls(name="run", label=label_of(known.request), run=known)


class Comparison(Frozen):
    """What changed from A to B.

    ``documents``: B's in plan order, then those that left in A's order. ``chunks``: B's in reading order, then those
    that left by rank. ``score_drift`` = the largest score difference of a chunk that both sides hold with the same
    text (``None``: nothing to compare, or different questions); any but 0 is a contract failure, shown in
    ``checks``. ``n_top`` = how many of the first chunks (reading order) are the same on both sides. ``labels`` say
    what makes the two hard to compare and was accepted with "compare anyway". ``relevant`` (those that A reads, then B,
    then neither) and ``judged`` are empty when nobody judged a document of the question, or the sides ask different
    questions or corpora. ``passage`` is there where it is known which passages answer.
    ``verdict`` is what every screen, report and answer says: they count nothing themselves. The
    runs in it carry no trace, so equal comparisons are equal values.
    """

    schema_version: Literal["1"] = "1"
    a: Side
    b: Side
    documents: tuple[DocumentChange, ...] = ()
    chunks: tuple[ChunkChange, ...] = ()
    figures: tuple[Figure, ...] = ()
    judged: tuple[JudgedFigure, ...] = ()
    relevant: tuple[RelevantDocument, ...] = ()
    passage: AnsweringPassage | None = Field(default=None, exclude_if=lambda passage: passage is None)
    tokens: tuple[LayerTokens, ...] = ()
    n_top: int = 0
    score_drift: float | None = None
    n_scores: int = 0
    checks: tuple[ContractCheck, ...] = ()
    identical: bool = False
    why_identical: str = ""
    verdict: tuple[Phrase, ...] = ()
    labels: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The verdict as text."""
        return "".join(phrase.text for phrase in self.verdict)

    def to_pandas(self, of: Literal["documents", "chunks"] = "documents") -> DataFrame:
        """A row for each document, or each chunk, of A or B, in the order of the comparison.

        Columns of documents: ``change``, ``document_id``, ``title``, ``place_a``, ``place_b``, ``role_a``, ``role_b``
        (*seed* or *related*), ``score``, ``n_chunks_a``, ``n_chunks_b``, ``n_tokens_a``, ``n_tokens_b``, ``reasons``
        (``explains from adr-1; …``), ``left_because``. Columns of chunks: ``change``, ``document_id``, ``title``,
        ``chunk_id``, ``heading_path``, ``rank_a``, ``rank_b``, ``place_a``, ``place_b``, ``score_a``, ``score_b``,
        ``token_count``, ``text``, ``left_because``. Needs pandas.
        """
        return shown.frame(self, of=of)

    def _repr_html_(self) -> str:
        """What a notebook shows: the verdict, and both plans drawn as one."""
        return shown.html(self)

    @property
    def gained(self) -> tuple[RelevantDocument, ...]:
        """The documents judged relevant that only B reads."""
        return tuple(d for d in self.relevant if d.in_b and not d.in_a)

    @property
    def lost(self) -> tuple[RelevantDocument, ...]:
        """The documents judged relevant that only A reads."""
        return tuple(d for d in self.relevant if d.in_a and not d.in_b)

    @property
    def by_relationships(self) -> bool:
        """Whether B differs from A in nothing but that relationships are on: what changed is owed to them alone."""
        on, off = self.b.run.request, self.a.run.request
        return on.use_relationships and off == on.model_copy(update={"use_relationships": False})

    def document(self, document_id: str) -> DocumentChange | None:
        """The row of a document; None when neither side reads it."""
        return next((d for d in self.documents if d.document_id == document_id), None)

    def chunks_with(self, change: Change) -> tuple[ChunkChange, ...]:
        """The chunks that were added, left or kept, in their order."""
        return tuple(c for c in self.chunks if c.change == change)

    def documents_with(self, change: Change) -> tuple[DocumentChange, ...]:
        """The documents that were added, left or kept, in their order."""
        return tuple(d for d in self.documents if d.change == change)

    def figure(self, name: str, of: Literal["chunks", "documents"] = "chunks") -> Figure | None:
        """One figure by name; None when that measure is not installed."""
        return next((f for f in self.figures if f.name == name and f.of == of), None)

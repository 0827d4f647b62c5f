"""A retrieval request: the question, the limits and the switches; everything that decides a plan beside the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from pydantic import Field, ValidationError, field_validator, model_validator

from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import Identifier, RelationType
from docgraph.domain.overrides import Overrides
from docgraph.domain.spelling import plain_letters
from docgraph.domain.where import Where, as_where
from docgraph.errors import RequestError

MAX_QUERY_LENGTH = 20_000
MAX_TOKENS = 200_000
"""The largest token budget."""
MAX_LINKED_PERCENT = 25
"""A document that a larger share of all documents links to (a licence, a glossary) says little about a question."""
MIN_LINKING = 10
"""In a small corpus a large share is a handful: so many documents that link to one make it no boilerplate yet."""
Mode = Literal["accurate", "fast"]
SeedSignal = Literal["chunk", "summary", "mean", "hybrid"]
EvidenceRule = Literal["passages", "one_per_document", "similarity"]
ScopeMode = Literal["label", "filter"]
ScopeField = Literal["ingestion_id", "doc_type", "cluster"]
Preset = Literal["balanced", "literal"]
NO_RERANKER = "none"
"""``reranker`` of a request whose passages nobody reads once more, whatever is configured."""
CONTRACT_FIELDS = ("top_k", "threshold", "provider_override", "channel")
"""Fields that the retrieval contract's request has and a plan's has not (``domain.packet.PacketRequest``)."""


@dataclass(frozen=True)
class ModeLimits:
    """What a mode decides where a request does not: documents, the share of related ones, seeds that expand."""

    max_documents: int
    related_share: float
    max_expanding_seeds: int


MODES: Mapping[Mode, ModeLimits] = {"accurate": ModeLimits(6, 0.4, 3), "fast": ModeLimits(5, 0.2, 1)}
"""Every number that follows from a mode; the description of ``RetrievalRequest`` repeats them for the JSON schema."""


LITERAL: Mapping[str, Any] = MappingProxyType(
    {
        "seed_signal": "chunk",
        "evidence_rule": "similarity",
        "max_fan_out": 100,
        "find_names": False,
        "max_linked_percent": 100,
    }
)
"""What the preset ``literal`` fixes: the seed documents word for word leave no choice there."""


class RetrievalRequest(Frozen):
    """The question and every limit that a plan is made under.

    ``preset`` = *balanced* (the default) or *literal*: the seed documents word for word, where the seeds are the
    documents of the ``max_chunks`` most similar chunks, every seed expands to all its neighbours of all types up to
    ``max_documents`` (100), and evidence is by similarity alone; it fixes the fields of ``LITERAL``. Without
    relationships it is plain vector search.

    Limits left at ``None`` follow from the mode: *accurate* = 6 documents, 40 % of them reserved for related
    documents, 3 expanding seeds; *fast* = 5 documents, 20 %, 1 expanding seed. ``max_seeds`` asks for exactly so many
    seeds (fewer only when there are no more documents); then the rest of ``max_documents`` is for related ones.

    ``relation_types=None`` allows all types but those that the workspace has switched off; a tuple allows exactly
    its types (an empty one none). ``where`` = conditions on metadata that seeds, related documents or both have to meet
    (``domain.where``); seeds that the request names by id are there whatever it says. ``evidence_rule`` = *passages*
    (the best passage of each planned document, then the best of all by similarity and by the question's words, until
    ``token_budget`` is full), *one_per_document* (whole chunks by similarity, each document's best first) or
    *similarity* alone, then without a limit a document. ``max_chunks`` follows from the rule and the budget
    (``chunk_limit``) where it is ``None``; ``max_chunks_per_document`` is a limit of *one_per_document* alone.
    ``reranker`` = who reads the best passages of *passages* once more: the id of a model, ``none`` for nobody, ``None``
    for the one that is configured, where a plan can name it. ``find_names`` puts documents that the question names
    first among the seeds. A document that more than ``max_linked_percent`` of all documents link to takes no place
    among the related ones (100 lifts that). ``overrides`` are what-ifs: they change this request alone.
    """

    query: str = Field(max_length=MAX_QUERY_LENGTH)
    preset: Preset = "balanced"
    mode: Mode = "accurate"
    max_documents: int | None = Field(default=None, ge=1, le=100)
    max_seeds: int | None = Field(default=None, ge=1, le=100)
    max_chunks: int | None = Field(default=None, ge=1, le=500)
    max_chunks_per_document: int = Field(default=3, ge=1, le=100)
    max_expanded: int | None = Field(default=None, ge=0, le=100)
    max_expanding_seeds: int | None = Field(default=None, ge=0, le=100)
    max_fan_out: int = Field(default=3, ge=1, le=100)
    relation_types: tuple[RelationType, ...] | None = None
    where: Where | None = Field(default=None, exclude_if=lambda where: where is None)
    use_relationships: bool = True
    seed_signal: SeedSignal = "hybrid"
    seed_document_ids: tuple[Identifier, ...] = Field(default=(), max_length=100)
    evidence_rule: EvidenceRule = "passages"
    reranker: str | None = Field(default=None, max_length=200)
    find_names: bool = True
    max_linked_percent: int = Field(default=MAX_LINKED_PERCENT, ge=1, le=100)
    scope_mode: ScopeMode = "label"
    scope_field: ScopeField | None = None
    token_budget: int = Field(default=2_000, ge=50, le=MAX_TOKENS)
    overrides: Overrides = Overrides()

    @property
    def chunk_limit(self) -> int:
        """``max_chunks``, or what follows: a chunk for every 50 tokens of the budget and 40 at least where passages are
        chosen, else one for every 200 and 10 at least; 500 at most."""
        if self.max_chunks is not None:
            return self.max_chunks
        least, tokens = (40, 50) if self.evidence_rule == "passages" else (10, 200)
        return min(max(least, self.token_budget // tokens), 500)

    @model_validator(mode="before")
    @classmethod
    def _fill_in_the_preset(cls, fields: Any) -> Any:
        if not isinstance(fields, Mapping):
            return fields
        if fields.get("evidence_rule", "") is None:  # as older links and files left it to the planner
            fields = {name: value for name, value in fields.items() if name != "evidence_rule"}
        return {**LITERAL, **fields} if fields.get("preset") == "literal" else fields

    @field_validator("query", mode="before")
    @classmethod
    def _is_text(cls, query: Any) -> Any:
        if isinstance(query, str) and not query.isascii() and any("\ud800" <= c <= "\udfff" for c in query):
            raise ValueError("the query is not valid text: it has half of a surrogate pair in it")
        return query

    @field_validator("query")
    @classmethod
    def _strip(cls, query: str) -> str:
        return plain_letters(query.replace("\x00", "")).strip()

    @field_validator("where", mode="before")
    @classmethod
    def _read_conditions(cls, where: Any) -> Any:
        return None if where in ((), [], "") else as_where(where)

    @field_validator("relation_types")
    @classmethod
    def _sort_types(cls, types: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return None if types is None else tuple(sorted(set(types)))

    @field_validator("seed_document_ids")
    @classmethod
    def _first_of_each(cls, ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(ids))

    @model_validator(mode="before")
    @classmethod
    def _is_no_packet_request(cls, fields: Any) -> Any:
        """The seed documents call the contract's request ``RetrievalRequest`` too: say which one is meant."""
        foreign = [name for name in CONTRACT_FIELDS if name in fields] if isinstance(fields, Mapping) else []
        if isinstance(fields, Mapping) and fields.get("mode") == "conversation":
            foreign.append("mode 'conversation'")
        if foreign:
            raise ValueError(f"{foreign[0]} belongs to docgraph.PacketRequest, the request of the retrieval contract")
        return fields

    @model_validator(mode="after")
    def _has_a_question(self) -> RetrievalRequest:
        if not self.query:
            raise ValueError("the query is empty: type a question")
        return self

    @model_validator(mode="after")
    def _keeps_to_the_preset(self) -> RetrievalRequest:
        if self.preset != "literal":
            return self
        for name, value in LITERAL.items():
            if getattr(self, name) != value:
                raise ValueError(f"preset 'literal' has {name} = {value!r}, not {getattr(self, name)!r}")
        if self.max_seeds is not None or self.max_expanded is not None or self.max_expanding_seeds is not None:
            raise ValueError("preset 'literal' reserves nothing: it takes max_documents and max_chunks alone")
        if self.where is not None:
            raise ValueError(
                "preset 'literal' has no filter but relation_types: take where away, or ask with 'balanced'"
            )
        return self

    @model_validator(mode="after")
    def _leaves_room_for_its_seeds(self) -> RetrievalRequest:
        if self.max_seeds is not None and self.max_documents is not None and self.max_seeds > self.max_documents:
            raise ValueError(f"max_seeds = {self.max_seeds} is more than max_documents = {self.max_documents}")
        return self


def parse_request(fields: Mapping[str, Any]) -> RetrievalRequest:
    """A request from fields that a person or a link gave; raises RequestError with one line for the first bad one."""
    try:
        return RetrievalRequest.model_validate(dict(fields))
    except ValidationError as error:
        raise request_error(error) from error


def request_error(error: ValidationError) -> RequestError:
    """The first bad field of a request in one line, with its value; the question's own text is not repeated."""
    first = error.errors(include_url=False, include_context=False)[0]
    where = " ".join(".".join(map(str, first["loc"])).split())  # a key may hold anything
    message = first["msg"].removeprefix("Value error, ")
    value = "" if where in ("", "query") else f" (it was {str(first.get('input'))[:60]!r})"
    return RequestError(f"{where}: {message}{value}" if where else message, hint="correct it and try again")

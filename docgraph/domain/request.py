"""A retrieval request: the question, the limits and the switches; everything that decides a plan beside the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field, ValidationError, field_validator, model_validator

from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import Identifier, RelationType
from docgraph.domain.overrides import Overrides
from docgraph.errors import RequestError

MAX_QUERY_LENGTH = 20_000
Mode = Literal["accurate", "fast"]
SeedSignal = Literal["chunk", "summary", "mean", "hybrid"]
EvidenceRule = Literal["one_per_document", "similarity"]
ScopeMode = Literal["label", "filter"]
ScopeField = Literal["ingestion_id", "doc_type", "cluster"]
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


class RetrievalRequest(Frozen):
    """The question and every limit that a plan is made under.

    Limits left at ``None`` follow from the mode: *accurate* = 6 documents, 40 % of them reserved for related
    documents, 3 expanding seeds; *fast* = 5 documents, 20 %, 1 expanding seed.

    ``relation_types=None`` allows all types but those that the workspace has switched off; a tuple allows exactly
    its types (an empty one none). ``evidence_rule=None`` lets the planner decide: ``one_per_document`` when
    something was expanded, ``similarity`` (MS3) when nothing was. ``overrides`` are what-ifs: they change this request
    alone.
    """

    query: str = Field(max_length=MAX_QUERY_LENGTH)
    mode: Mode = "accurate"
    max_documents: int | None = Field(default=None, ge=1, le=100)
    max_chunks: int = Field(default=10, ge=1, le=500)
    max_chunks_per_document: int = Field(default=3, ge=1, le=100)
    max_expanded: int | None = Field(default=None, ge=0, le=100)
    max_expanding_seeds: int | None = Field(default=None, ge=0, le=100)
    max_fan_out: int = Field(default=3, ge=1, le=100)
    relation_types: tuple[RelationType, ...] | None = None
    use_relationships: bool = True
    seed_signal: SeedSignal = "hybrid"
    seed_document_ids: tuple[Identifier, ...] = Field(default=(), max_length=100)
    evidence_rule: EvidenceRule | None = None
    scope_mode: ScopeMode = "label"
    scope_field: ScopeField | None = None
    token_budget: int = Field(default=2_000, ge=50, le=200_000)
    overrides: Overrides = Overrides()

    @field_validator("query", mode="before")
    @classmethod
    def _is_text(cls, query: Any) -> Any:
        if isinstance(query, str) and not query.isascii() and any("\ud800" <= c <= "\udfff" for c in query):
            raise ValueError("the query is not valid text: it has half of a surrogate pair in it")
        return query

    @field_validator("query")
    @classmethod
    def _strip(cls, query: str) -> str:
        return query.replace("\x00", "").strip()

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

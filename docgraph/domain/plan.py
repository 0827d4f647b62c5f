"""The retrieval plan: which documents execution may read, why, and under which limits (ADR-005, MS4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    computed_field,
    model_validator,
)

from docgraph.domain import shown
from docgraph.domain.frozen import Frozen, fingerprint
from docgraph.domain.graph import DocumentRef, Identifier, RelationType
from docgraph.domain.overrides import Overrides
from docgraph.domain.request import EvidenceRule, Preset, ScopeField, ScopeMode, SeedSignal
from docgraph.domain.where import Where
from docgraph.domain.workspace import VectorSearch
from docgraph.errors import PlanError

if TYPE_CHECKING:
    from pandas import DataFrame

Content = Mapping[str, Any]

_FOLLOWING = ("seed_document_ids", "expanded_document_ids", "expansion_metadata")
"""Stated in plans since the form that is written today; they follow from the rest, which is checked."""

_LATER_IN_REASONS: Content = {"extractor": "", "place": "", "text": "", "review": "unreviewed"}
_LATER: Mapping[str, Content] = {
    "seed_documents": {"named": ""},
    "expanded_documents": {},
    "cut": {"linked_by": None, "n_documents": None},
}
_LATER_IN_CONSTRAINTS: Content = {"preset": "balanced", "max_linked_percent": 100}
"""Field → what it says in a plan that was made before it existed. Fields that say anything else are never left out."""


def forms(content: Content) -> Iterator[Content]:
    """A plan's JSON content without its id as each build hashed it, today's first.

    No two plans have a form in common: what is left out of an earlier one is always the same.
    """
    yield content
    yield _before_provenance(content)


def _before_provenance(content: Content) -> Content:
    """Without where reasons come from, names in the question, presets, boilerplate, and what follows from the rest."""
    form = {name: value for name, value in content.items() if name not in _FOLLOWING}
    form["constraints"] = _without(content["constraints"], _LATER_IN_CONSTRAINTS)
    for name, later in _LATER.items():
        form[name] = [_without(each, later) | _reasons(each) for each in content[name]]
    return form


def _reasons(document: Content) -> dict[str, Any]:
    return {"reasons": [_without(reason, _LATER_IN_REASONS) for reason in document["reasons"]]}


def _without(fields: Content, later: Content) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in later or value != later[name]}


LimitName = Literal[
    "max_seeds",
    "max_expanded",
    "max_fan_out",
    "max_expanding_seeds",
    "max_edges_per_seed",
    "max_linked_percent",
    "max_chunks",
    "missing_document",
    "reasons_only",
    "where",
]
ReviewState = Literal["unreviewed", "accepted", "suspect"]
MAX_CUTS = 200
MAX_QUOTE = 500
"""Characters of the sentence that a reason quotes."""
MAX_REASON_SECTIONS = 5
"""Sections that a reason names, the first ones."""
SectionPath = Annotated[str, StringConstraints(min_length=1, max_length=MAX_QUOTE)]
MAX_PLAN_BYTES = 2_000_000
MAX_PLAN_OBJECTS = 30_000
"""No plan of this size has more: an object takes 70 bytes at least. Each that is wrong would make ten errors."""


class Reason(Frozen):
    """One edge that brings a document in: ``via`` (relation type) and ``from`` (the seed it starts at).

    Beside it stands where the edge comes from, so that a plan proves itself when it is read alone: ``extractor`` (who
    found it; empty = it was given), ``place`` in the text it starts at (``front_matter``, ``body`` …), ``text`` = the
    sentence that names the target, and ``review``: *accepted* by a person, or *suspect*: a text changed since.
    ``sections`` = heading paths of the sections that it points to; in JSON and in the plan's id when there are any.
    """

    via: RelationType
    from_document_id: Identifier = Field(alias="from")
    extractor: str = ""
    place: str = ""
    text: str = Field(default="", max_length=MAX_QUOTE)
    review: ReviewState = "unreviewed"
    sections: tuple[SectionPath, ...] = Field(
        default=(), max_length=MAX_REASON_SECTIONS, exclude_if=lambda sections: not sections
    )


class SeedDocument(Frozen):
    """A document chosen by its own similarity to the question, or by name.

    ``place`` counts from 1 in plan order; ``rank`` counts from 1 in the ranking by the seed signal (``None`` for a
    seed that was named and not ranked). ``expands`` tells whether its outgoing relationships were consulted.
    ``named`` = the words of the question that name it, by which it stands before others (empty: none do).
    ``reasons`` are edges from other expanding seeds: kept for the record, they changed nothing.
    """

    document_id: Identifier
    title: str
    place: int = Field(ge=1)
    rank: int | None = Field(default=None, ge=1)
    score: float | None = None
    expands: bool = False
    named: str = ""
    reasons: tuple[Reason, ...] = ()


class ExpandedDocument(Frozen):
    """A document one outgoing relationship away from an expanding seed, with *every* reason, in order of the seeds.

    ``rank`` and ``score`` are its own in the ranking by the seed signal: shown, and used among neighbours of one seed.
    """

    document_id: Identifier
    title: str
    place: int = Field(ge=1)
    rank: int | None = Field(default=None, ge=1)
    score: float | None = None
    reasons: tuple[Reason, ...] = Field(min_length=1)


class Constraints(Frozen):
    """Every limit the plan was made under, and every limit that execution enforces.

    ``max_tokens`` bounds the passages that are read (``None``: whole chunks are, and their number is the bound).
    ``reranker`` = the model that reads the best passages once more, by what its scores depend on; empty: nobody does.
    ``vector_search`` says how the ranking found similar chunks; in JSON and in the plan's id it stands when it is not
    ``exact``. Execution is exact either way. ``reasons_only_types`` are those of ``relation_types`` that bring no
    document in, sorted; they stand there when there are any.
    ``where`` = the conditions that documents had to meet.
    """

    max_relationship_depth: Literal[1] = 1
    traversal_enabled: Literal[False] = False
    direction: Literal["outgoing"] = "outgoing"
    preset: Preset = "balanced"
    use_relationships: bool = True
    relation_types: tuple[RelationType, ...] | None = None
    where: Where | None = Field(default=None, exclude_if=lambda where: where is None)
    reasons_only_types: tuple[RelationType, ...] = Field(default=(), exclude_if=lambda types: not types)
    seed_signal: SeedSignal
    max_documents: int = Field(ge=1)
    max_seeds: int = Field(ge=1)
    max_expanded: int = Field(ge=0)
    max_expanding_seeds: int = Field(ge=0)
    max_fan_out: int = Field(ge=1)
    max_edges_per_seed: int = Field(ge=1)
    max_linked_percent: int = Field(default=100, ge=1, le=100)
    evidence_rule: EvidenceRule
    max_chunks: int = Field(ge=1)
    max_chunks_per_document: int = Field(ge=1)
    max_tokens: int | None = Field(default=None, ge=1, exclude_if=lambda tokens: tokens is None)
    reranker: str = Field(default="", max_length=200, exclude_if=lambda reranker: not reranker)
    overrides: Overrides = Overrides()
    vector_search: VectorSearch = Field(default="exact", exclude_if=lambda search: search == "exact")


class CutDocument(Frozen):
    """A document that stayed out, the limit that cut it, and the place it would have had (``None``: it has none).

    ``linked_by`` of ``n_documents`` documents link to it, where that is what cut it (``max_linked_percent``).
    ``reasons_only`` = only relationships of types that bring no document in lead to it; it has a place where it would
    have come in by them.
    """

    document_id: Identifier
    title: str
    limit: LimitName
    value: int
    place: int | None = None
    rank: int | None = None
    score: float | None = None
    linked_by: int | None = None
    n_documents: int | None = None
    reasons: tuple[Reason, ...] = ()


class CutTotal(Frozen):
    """For one limit: how many of how many were kept ("4 of 5, limit: max_expanded = 4").

    ``relation_type``: of ``reasons_only`` there is one total a type, of the documents that it leads to; ``decided``
    says who decided so and by what (``generated questions −2.1 [−3.4, −0.8]``). Others have neither, and JSON leaves
    them out.
    """

    limit: LimitName
    value: int
    kept: int = Field(ge=0)
    total: int = Field(ge=0)
    relation_type: RelationType | None = Field(default=None, exclude_if=lambda name: name is None)
    decided: str = Field(default="", exclude_if=lambda text: not text)


class DominantScope(Frozen):
    """The primary cluster of the candidates (ADR-003 step 3): a label on the plan, or a filter on its seeds."""

    mode: ScopeMode = "label"
    field: ScopeField | None = None
    value: str | None = None
    n_inside: int = Field(default=0, ge=0)
    n_candidates: int = Field(default=0, ge=0)


_CONTENT_ID = "_content_id"
_SEALING: dict[str, Any] = {"sealing": True}
"""Told to validation by ``sealed`` alone: the id is worked out from what was validated."""


def _allow_what_follows(schema: dict[str, Any]) -> None:
    """A plan that is handed in may state what follows from it, so that one that was handed out can come back."""
    ids = {"type": "array", "items": {"type": "string"}}
    edges = {"type": "array", "items": {"type": "object", "additionalProperties": {"type": "string"}}}
    for name in _FOLLOWING:
        schema["properties"].setdefault(name, edges if name == "expansion_metadata" else ids)


class RetrievalPlan(Frozen):
    """What may be read for a question, and why: a pure value, made by planning and obeyed by execution.

    ``plan_id`` is the SHA-256 of everything else in the plan; a plan whose id does not fit is refused. One that was
    made before later fields existed keeps the id it was made with (``plan_ids``), as long as those say nothing.
    Documents stand in plan order: seeds by ``place``, then expanded documents by ``place``. ``consulted`` names the
    documents whose outgoing relationships were looked at (also when nothing came of it). ``seed_document_ids``,
    ``expanded_document_ids`` and ``expansion_metadata`` follow from the rest; a plan that states others is refused.
    """

    model_config = ConfigDict(json_schema_extra=_allow_what_follows)

    schema_version: Literal["1"] = "1"
    plan_id: str = ""
    workspace: str
    corpus_revision: str
    embedder_id: str
    query: str
    consulted: tuple[DocumentRef, ...] = ()
    seed_documents: tuple[SeedDocument, ...] = ()
    expanded_documents: tuple[ExpandedDocument, ...] = ()
    constraints: Constraints
    scope: DominantScope = DominantScope()
    cut: tuple[CutDocument, ...] = Field(default=(), max_length=MAX_CUTS)
    cut_totals: tuple[CutTotal, ...] = ()

    @model_validator(mode="wrap")
    @classmethod
    def _states_what_follows(cls, given: Any, handler: ModelWrapValidatorHandler[RetrievalPlan]) -> RetrievalPlan:
        """What follows from the documents may stand in a plan that is read, and has to be what follows."""
        if not isinstance(given, Mapping):
            return handler(given)
        plan = handler({name: value for name, value in given.items() if name not in _FOLLOWING})
        for name in _FOLLOWING:
            if name in given and _as_json(given[name]) != plan.model_dump(mode="json", include={name})[name]:
                raise ValueError(f"{name} is not what follows from the documents of the plan")
        return plan

    @model_validator(mode="after")
    def _obeys_its_own_limits(self, info: ValidationInfo) -> RetrievalPlan:
        c = self.constraints
        ids = [*self.seed_document_ids, *self.expanded_document_ids]
        if len(set(ids)) != len(ids):
            raise ValueError("a document stands in the plan twice")
        if len(ids) > c.max_documents:
            raise ValueError(f"{len(ids)} documents, but constraints.max_documents = {c.max_documents}")
        if len(self.expanded_documents) > c.max_expanded:
            raise ValueError(
                f"{len(self.expanded_documents)} expanded documents, but constraints.max_expanded = {c.max_expanded}"
            )
        places = [d.place for d in self.seed_documents] + [d.place for d in self.expanded_documents]
        if places != list(range(1, len(ids) + 1)):
            raise ValueError("places must count 1, 2, 3 … in plan order")
        self._check_reasons()
        if info.context is _SEALING:
            return self
        if not self.fits_its_id:
            expected = self.content_id()
            raise ValueError(f"plan_id {self.plan_id[:12]!r} does not fit the content (expected {expected[:12]!r})")
        return self

    def _check_reasons(self) -> None:
        expanding = {d.document_id for d in self.seed_documents if d.expands}
        if len(expanding) > self.constraints.max_expanding_seeds:
            raise ValueError(
                f"{len(expanding)} seeds expand, but max_expanding_seeds = {self.constraints.max_expanding_seeds}"
            )
        types = self.constraints.relation_types
        for source, via, target in self.edges:
            if source not in expanding:
                raise ValueError(
                    f"{target!r} is reached from {source!r}, which is not an expanding seed: "
                    "only one hop from a seed is allowed"
                )
            if types is not None and via not in types:
                raise ValueError(f"{target!r} is reached by type {via!r}, which is not allowed")
            if self.constraints.overrides.hides((source, via, target)):
                raise ValueError(f"{target!r} is reached by an edge of type {via!r} that the plan itself leaves out")

        silent = set(self.constraints.reasons_only_types)
        for document in self.expanded_documents if silent else ():
            if all(reason.via in silent for reason in document.reasons):
                raise ValueError(f"{document.document_id!r} is brought in by types that only give reasons")

    @classmethod
    def sealed(cls, **content: Any) -> RetrievalPlan:
        """A plan with its ``plan_id`` computed from ``content`` (all fields but ``plan_id``)."""
        plan = cls.model_validate(content, context=_SEALING)
        plan.__dict__["plan_id"] = plan.content_id()  # the one moment in which a plan is not frozen yet
        plan.__pydantic_fields_set__.add("plan_id")
        return plan

    def content_id(self) -> str:
        """SHA-256 (hex) of the plan's canonical JSON without ``plan_id``; worked out once: a plan never changes."""
        known: str | None = self.__dict__.get(_CONTENT_ID)
        if known is None:
            known = fingerprint(self.model_dump(mode="json", exclude={"plan_id"}))
            self.__dict__[_CONTENT_ID] = known
        return known

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> RetrievalPlan:
        """A copy; one with other content works out its own ``content_id``."""
        copy = super().model_copy(update=update, deep=deep)
        if update:
            copy.__dict__.pop(_CONTENT_ID, None)
        return copy

    @property
    def fits_its_id(self) -> bool:
        """Whether ``plan_id`` is the hash of the content, in today's form or in that of the build that made it."""
        if self.plan_id == self.content_id():
            return True
        content = self.model_dump(mode="json", exclude={"plan_id"})
        return any(fingerprint(form) == self.plan_id for form in forms(content))

    @computed_field  # type: ignore[prop-decorator]
    @property
    def seed_document_ids(self) -> tuple[str, ...]:
        """Ids of the seeds in plan order (MS5 input)."""
        return tuple(d.document_id for d in self.seed_documents)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def expanded_document_ids(self) -> tuple[str, ...]:
        """Ids of the expanded documents in plan order (MS5 input)."""
        return tuple(d.document_id for d in self.expanded_documents)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def expansion_metadata(self) -> tuple[dict[str, str], ...]:
        """Every edge to an expanded document as ``document_id``, ``via``, ``from``, in plan order (MS4, MS5 input)."""
        return tuple(
            {"document_id": d.document_id, "via": r.via, "from": r.from_document_id}
            for d in self.expanded_documents
            for r in d.reasons
        )

    def bringing(self, document: ExpandedDocument) -> tuple[Reason, ...]:
        """The reasons that bring a document in: those of types that add documents; the others are shown beside them."""
        silent = self.constraints.reasons_only_types
        return tuple(reason for reason in document.reasons if reason.via not in silent)

    @property
    def n_unread(self) -> int:
        """The last documents in plan order that no chunk is left for, where one of each document is read first."""
        over = len(self.document_ids) - self.constraints.max_chunks
        return 0 if self.constraints.evidence_rule == "similarity" else max(0, over)

    @property
    def document_ids(self) -> tuple[str, ...]:
        """Ids of all eligible documents in plan order; everything else is invisible to execution."""
        return self.seed_document_ids + self.expanded_document_ids

    @property
    def edges(self) -> tuple[tuple[str, str, str], ...]:
        """Every edge in the plan as (from, via, to), in plan order of the target."""
        seeds = ((r.from_document_id, r.via, d.document_id) for d in self.seed_documents for r in d.reasons)
        expanded = ((r.from_document_id, r.via, d.document_id) for d in self.expanded_documents for r in d.reasons)
        return (*seeds, *expanded)

    def to_pandas(self) -> DataFrame:
        """A row for each planned document in plan order, then for each cut one.

        Columns: ``place``, ``role`` (*seed*, *related* or *cut*), ``document_id``, ``title``, ``rank``, ``score``,
        ``expands``, ``named``, ``reasons`` (``explains from adr-1; …``), ``limit`` (what cut it). Needs pandas.
        """
        return shown.frame(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: the lanes of the plan, drawn."""
        return shown.html(self)


def _as_json(value: Any) -> Any:
    return [_as_json(each) for each in value] if isinstance(value, list | tuple) else value


def parse_plan(text: str | bytes) -> RetrievalPlan:
    """Read a plan from JSON that may come from anywhere.

    Raises PlanError with one line that names the first thing wrong (not JSON, unknown field, a second hop,
    a changed content …); a plan that comes back is whole and obeys its own limits.
    """
    size = len(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    if size > MAX_PLAN_BYTES:
        raise PlanError(f"the plan has {size:,} bytes; at most {MAX_PLAN_BYTES:,} are read", hint="save it again")
    n_objects = text.count(b"{") if isinstance(text, bytes) else text.count("{")
    if n_objects > MAX_PLAN_OBJECTS:
        raise PlanError(
            f"the plan has about {n_objects:,} objects; at most {MAX_PLAN_OBJECTS:,} are read",
            hint="build the plan again from its query",
        )
    try:
        return RetrievalPlan.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = " ".join(".".join(str(part)[:60] for part in first["loc"]).split()) or "plan"  # keys may hold anything
        reason = first["msg"].removeprefix("Value error, ")[:300]
        raise PlanError(
            f"this is not a valid plan: {where}: {reason}", hint="build the plan again from its query"
        ) from error

"""What a relation type may do in plans by default (add documents, give reasons only, nothing), and who decided it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from pydantic import Field

from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import RelationType

TypeRole = Literal["adds_documents", "reasons_only", "off"]
"""``reasons_only``: the relationships stay in a plan's reasons and on its graph, and bring no document in."""
DecidedBy = Literal["default", "own_questions", "person"]

ROLE_WORDS: Mapping[TypeRole, str] = {
    "adds_documents": "adds documents",
    "reasons_only": "reasons only",
    "off": "off",
}
LINKS_BESIDE_DECLARED = "links, beside declared relationships"
ONLY_MENTIONED = "only mentioned in running text"
MANUAL = "manual"
"""The extractor of a relationship that a person stated: it says nothing about how a corpus is written."""
_IN_TEXT = ("body", "link")
"""Places in running text, whether an extractor noted them or a given record says so."""
_FIELDS_IN_TEXT = ("note_fields",)
"""Extractors that read fields (``related:: [[a]]``) out of the body: what they find there is declared."""


class OwnFigures(Frozen):
    """What a trial on generated questions says of a type: with its documents in plans against without them.

    ``better`` and ``worse`` count questions of ``n``; ``points`` = mean difference of recall in percentage points, with
    its 95 % interval ``low`` to ``high``. ``trial_id`` names the trial that they come from.
    """

    trial_id: int = Field(default=0, ge=0)
    n: int = Field(ge=0)
    better: int = Field(ge=0)
    worse: int = Field(ge=0)
    points: float
    low: float
    high: float

    @property
    def words(self) -> str:
        """``−2.1 [−3.4, −0.8]``."""
        return f"{signed(self.points)} [{signed(self.low)}, {signed(self.high)}]"


class TypeDecision(Frozen):
    """One relation type's role, who decided it and why.

    ``by`` = docgraph's default, a trial on generated questions (with its ``figures``), or a person (``who``; "" = no
    name given). ``at`` is ISO 8601 in UTC, "" where it follows from the relationships.
    """

    relation_type: RelationType
    role: TypeRole = "adds_documents"
    by: DecidedBy = "default"
    who: str = Field(default="", max_length=200)
    at: str = Field(default="", max_length=40)
    reason: str = Field(default="", max_length=500)
    figures: OwnFigures | None = None

    @property
    def words(self) -> str:
        """Who decided, in a few words, as plans carry them: ``generated questions −2.1 [−3.4, −0.8]``."""
        if self.by == "own_questions":
            return f"generated questions {self.figures.words}" if self.figures else "generated questions"
        if self.by == "person":
            return f"decided by {self.who}" if self.who else "decided by hand"
        return f"default: {self.reason}" if self.reason else "default"


class TypeChange(Frozen):
    """One entry of the history of decisions: ``entry_id`` counts from 1 in a workspace."""

    entry_id: int = Field(ge=1)
    before: TypeDecision
    after: TypeDecision


class Decided(NamedTuple):
    """The decisions of a workspace: types that are ``off``, by name, and what is stored of types, by name.

    A type that is off without a stored decision was switched off before decisions were kept.
    """

    off: tuple[str, ...] = ()
    decisions: tuple[TypeDecision, ...] = ()

    def of(self, relation_type: str) -> TypeDecision:
        """The decision about a type; where none is stored, the one that follows from that."""
        stored = next((each for each in self.decisions if each.relation_type == relation_type), None)
        if stored is not None:
            return stored
        return TypeDecision(relation_type=relation_type, role="off" if relation_type in self.off else "adds_documents")

    @property
    def reasons_only(self) -> tuple[TypeDecision, ...]:
        """Decisions about types that bring no document in, by type."""
        return tuple(each for each in self.decisions if each.role == "reasons_only")

    def after(self, decisions: Iterable[TypeDecision]) -> Decided:
        """The decisions once these are made; the last one about a type counts. What is the default is not stored."""
        made = {each.relation_type: each for each in decisions}
        off = {name for name in self.off if name not in made} | {n for n, each in made.items() if each.role == "off"}
        stored = {each.relation_type: each for each in self.decisions} | made
        kept = [each for each in stored.values() if each.by != "default" or each.role != "adds_documents"]
        return Decided(tuple(sorted(off)), tuple(sorted(kept, key=lambda each: each.relation_type)))

    def changes(self, decisions: Iterable[TypeDecision]) -> list[tuple[TypeDecision, TypeDecision]]:
        """(before, after) of each type that these decide otherwise than it is decided, by type."""
        made = {each.relation_type: each for each in decisions}
        pairs = [(self.of(name), made[name]) for name in sorted(made)]
        return [(before, after) for before, after in pairs if before != after]


def switching_off(decided: Decided, types: Sequence[str]) -> tuple[TypeDecision, ...]:
    """The decisions, by hand, after which exactly these types are off; the roles of others stay."""
    wanted = set(types)
    went = [TypeDecision(relation_type=name, role="off", by="person") for name in sorted(wanted - set(decided.off))]
    came = [TypeDecision(relation_type=name, by="person") for name in decided.off if name not in wanted]
    return (*went, *came)


class Origin(NamedTuple):
    """How many relationships of one type, with the same provenance, lead to stored documents."""

    relation_type: str
    extractor: str
    place: str
    n: int


def is_declared(origin: Origin) -> bool:
    """Whether these were stated as data (header, field, status line, record), not found in running text."""
    return origin.place not in _IN_TEXT or origin.extractor in _FIELDS_IN_TEXT


def declared_types(origins: Iterable[Origin]) -> dict[str, bool]:
    """relation_type → whether it is declared: at least half of its relationships are.

    A type has one role, because a request can name types and nothing finer; where it has relationships of both kinds
    the more frequent one decides, since those are the documents that would come in. Relationships that a person stated
    do not count: one of them must not turn a corpus round. A type of which there are no others is not here.
    """
    counts: dict[str, list[int]] = {}
    for origin in origins:
        if origin.extractor != MANUAL:
            counts.setdefault(origin.relation_type, [0, 0])[is_declared(origin)] += origin.n
    return {name: declared >= linked for name, (linked, declared) in sorted(counts.items())}


def only_mentioned(origins: Iterable[Origin], default_on: Mapping[str, bool]) -> set[str]:
    """Types all of whose relationships are mere mentions, as an import sees them.

    Found by an extractor that is off by default (``default_on``: name → whether), or given with the place ``body``.
    """
    weak: dict[str, bool] = {}
    for origin in origins:
        mere = not default_on.get(origin.extractor, origin.place != "body")
        weak[origin.relation_type] = weak.get(origin.relation_type, True) and mere
    return {name for name, mere in weak.items() if mere}


def default_decisions(origins: Iterable[Origin], decided: Decided) -> tuple[TypeDecision, ...]:
    """What has to be decided anew by default: links give reasons only where declared relationships add documents.

    Measured in docs/quality.md: what authors declare helps everywhere; links help where they are all there is, and cost
    where there are many. What a person or generated questions decided stands, and so does what is off.
    """
    declared = declared_types(origins)
    roles = {name: decided.of(name) for name in declared}
    beside = any(declared[name] and roles[name].role == "adds_documents" for name in declared)
    made = []
    for name, is_a_declared_one in declared.items():
        if roles[name].by != "default" or roles[name].role == "off":
            continue
        if beside and not is_a_declared_one:
            made.append(TypeDecision(relation_type=name, role="reasons_only", reason=LINKS_BESIDE_DECLARED))
        else:
            made.append(TypeDecision(relation_type=name))
    gone = [each for each in decided.reasons_only if each.by == "default" and each.relation_type not in declared]
    made += [TypeDecision(relation_type=each.relation_type) for each in gone]
    return tuple(after for _, after in decided.changes(made))


def signed(value: float) -> str:
    """``+2.1``, ``−0.8``, ``0.0``."""
    rounded = round(value, 1)
    sign = "−" if rounded < 0 else "+" if rounded > 0 else ""
    return f"{sign}{abs(rounded):.1f}"

"""What checks of relationship data are given, and what they give back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from docgraph.ports.progress import stoppable

if TYPE_CHECKING:
    from docgraph.domain.curators.dismissal import Contested
    from docgraph.domain.finding import Finding, Severity
    from docgraph.domain.graph import Relationship, StoredDocument, Vector
    from docgraph.domain.overrides import EdgeKey

Item = TypeVar("Item")

MENTIONS = "mentions"
"""The type of relationships that were only found in running text."""


@dataclass(frozen=True)
class Reach:
    """What the plan of one saved question has to do with relationships.

    ``consulted`` = documents whose outgoing relationships it reads, ``planned`` = all documents in it, ``fired`` = the
    relationships that brought a document in.
    """

    consulted: frozenset[str] = frozenset()
    planned: frozenset[str] = frozenset()
    fired: frozenset[EdgeKey] = frozenset()


@dataclass(frozen=True, eq=False)
class RelationshipGraph:
    """One state of a workspace as checks see it.

    ``relationships`` by key, dangling ones included. ``mentions`` = pairs (from, to) where the text of one names the
    other. ``reviewed`` = relationship → content hashes of both ends when somebody accepted it. ``reach`` = what each
    saved question's plan on this data reads; ``n_questions_left_out`` more have no plan on it. ``type_vectors`` = the
    embedded names of the relation types, unit vectors of shape (dimension,). ``contested`` = where the last import of a
    document and a decision that stands disagree, by key. ``moved`` = old id → new id of documents whose files moved,
    ``rejected`` = id that the document of a file would have that imports rejected → why.
    ``cancelled`` = asked by ``each`` while a check runs.
    """

    documents: Mapping[str, StoredDocument]
    relationships: tuple[Relationship, ...]
    mentions: frozenset[tuple[str, str]] = frozenset()
    reviewed: Mapping[EdgeKey, tuple[str, str]] = field(default_factory=dict)
    reach: tuple[Reach, ...] = ()
    n_questions_left_out: int = 0
    type_vectors: Mapping[str, Vector] = field(default_factory=dict)
    contested: tuple[Contested, ...] = ()
    moved: Mapping[str, str] = field(default_factory=dict)
    rejected: Mapping[str, str] = field(default_factory=dict)
    cancelled: Callable[[], bool] | None = None

    @property
    def n_questions(self) -> int:
        """How many saved questions were planned."""
        return len(self.reach)

    @cached_property
    def fired(self) -> Mapping[EdgeKey, int]:
        """Relationship → in how many saved questions it brought a document in; those in none are absent."""
        return Counter(key for each in self.reach for key in each.fired)

    @cached_property
    def typed(self) -> tuple[Relationship, ...]:
        """Relationships that somebody stated: all but those only found in running text."""
        return tuple(edge for edge in self.relationships if edge.relation_type != MENTIONS)

    @cached_property
    def types(self) -> Mapping[str, int]:
        """relation_type → how many, by name."""
        counts: dict[str, int] = {}
        for edge in self.relationships:
            counts[edge.relation_type] = counts.get(edge.relation_type, 0) + 1
        return dict(sorted(counts.items()))

    @cached_property
    def outgoing(self) -> Mapping[str, tuple[Relationship, ...]]:
        """document_id → relationships that start there."""
        return _grouped(self.relationships, lambda edge: edge.from_document_id)

    @cached_property
    def incoming(self) -> Mapping[str, tuple[Relationship, ...]]:
        """document_id → relationships that end there (of ids that are not stored as well)."""
        return _grouped(self.relationships, lambda edge: edge.to_document_id)

    @cached_property
    def folders(self) -> frozenset[str]:
        """Uppermost folders that the ids of stored documents stand in: ``keps`` of ``keps/sig-a/README``."""
        return frozenset(each.split("/", 1)[0] for each in self.documents if "/" in each)

    def each(self, items: Iterable[Item]) -> Iterator[Item]:
        """The same items. A check goes through all that may be many with this, so that it can be stopped meanwhile.

        Raises Stopped once somebody asked to stop; the check lets it through.
        """
        return iter(items) if self.cancelled is None else stoppable(items, self.cancelled)

    def title(self, document_id: str) -> str:
        """The title of a document, or its id when it has none or is not stored."""
        document = self.documents.get(document_id)
        return document.title or document_id if document else document_id

    def sentence(self, key: EdgeKey) -> str:
        """``ADR-003 —explains→ MS5``, with titles."""
        return f"{self.title(key[0])} —{key[1]}→ {self.title(key[2])}"


@dataclass(frozen=True)
class Outcome:
    """What a check saw: findings, and how many things it looked at; ``skipped`` = why it had nothing to look at."""

    n_checked: int
    findings: Sequence[Finding] = ()
    skipped: str = ""


@runtime_checkable
class Check(Protocol):
    """Looks for one kind of fault. Plug-in folder: ``plugins/checks/``, any room; the file's name is its ``check_id``.

    ``title`` is a short noun phrase, ``why`` one sentence on what goes wrong when it is left alone, ``unit`` what
    ``n_checked`` counts (``relationships``, ``documents`` …), ``parameters`` its parameters with their defaults.

    A check may have ``causes`` too: what findings of it share that are decided at once, in the order in which it is
    tried (``docgraph.domain.finding.Cause``); without it ``target``, ``types``, ``extractor`` and ``owner``.
    """

    check_id: str
    title: str
    severity: Severity
    why: str
    unit: str
    parameters: Mapping[str, Any]

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """A pure function: equal graphs give equal findings, each with ``severity`` as it is by default.

        ``parameters`` holds every name of ``self.parameters``. Findings need no order. Never raises for data. What
        takes a second over a large graph goes through it by ``graph.each``.
        """
        ...


def _grouped(edges: Iterable[Relationship], end: Any) -> dict[str, tuple[Relationship, ...]]:
    groups: dict[str, list[Relationship]] = {}
    for edge in edges:
        groups.setdefault(end(edge), []).append(edge)
    return {document_id: tuple(group) for document_id, group in groups.items()}

"""Protocols of plug-ins: embedders, loaders, extractors, summarizers, tokenizers, checks, dialects, measures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeVar, runtime_checkable

from docgraph.domain.graph import (
    Vectors,
)
from docgraph.ports.progress import stoppable

if TYPE_CHECKING:
    from docgraph.domain.curation import Contested
    from docgraph.domain.finding import Finding, Severity
    from docgraph.domain.graph import Document, DocumentRef, Relationship, StoredDocument, Vector
    from docgraph.domain.overrides import EdgeKey
    from docgraph.domain.report import Adjusted, Rejected
    from docgraph.domain.workspace import EmbedderInfo


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


class Dialect(Protocol):
    """How one tool writes its folder. Plug-in folder: ``plugins/dialects/``.

    A class that names this one as its base inherits what says nothing, and writes down what its tool does otherwise.
    Every rule here holds in every import, profile or not: what a look recognises is what an import reads.

    - ``name`` is that of its file, ``title`` what people call it.
    - ``signs``: names of files by whose sight the folder around them is known (``mkdocs.yml``); what lies below it are
      its pages.
    - ``suffixes``: those that its pages may have.
    """

    name: str
    title: str
    signs: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()

    def marks(self, text: str, source: str) -> bool:
        """Whether a page can only have been written for this tool; ``text`` is without its fenced code."""
        return False

    def names(self, source: str) -> Iterable[str]:
        """Further names of a page by its location: with ``/`` in front an address, else an alias.

        They count where no id, path, title or name that the page gives itself fits, and only one page has them.
        """
        return ()

    def target(self, written: str, source: str) -> str | None:
        """The path, address or name that a link of this tool's own form means; None for every other link.

        What begins with ``/`` is seen from the root, everything else from the folder of ``source``.
        """
        return None

    def readable(self, text: str, source: str) -> str:
        """The text with spaces for what is none (imports of scripts, comments), and of the same length."""
        return text

    def unfolded(self, text: str, source: str) -> str:
        """The text with as many lines, in which nothing that this tool indents for its own ends looks like code."""
        return text

    def is_plain_around_tags(self, source: str) -> bool:
        """Whether tags and indentation leave Markdown in and around them as it is, as in MDX."""
        return False


@runtime_checkable
class Measure(Protocol):
    """Compares two rankings. Plug-in folder: ``plugins/measures/``.

    ``kind``: ``overlap`` = over both lists; ``correlation`` = over the common part, which comparison cuts out first.
    ``formula`` is one line of plain text, ``source`` the paper; both are shown beside the value.
    """

    name: str
    title: str
    kind: Literal["overlap", "correlation"]
    formula: str
    source: str

    def compute(self, a: Sequence[str], b: Sequence[str]) -> float | None:
        """The value for two lists of distinct ids, best first; ``None`` when it is undefined for them.

        An overlap lies in [0, 1] and is never asked about two empty lists; a correlation lies in [−1, 1] and gets
        two orders of the same ids.
        """
        ...


@runtime_checkable
class JudgedMeasure(Protocol):
    """Says how good one ranking is by what people judged relevant. Plug-in folder: ``plugins/measures/``.

    ``kind``: ``judged`` = shown beside every comparison, too; ``judged_in_sets`` = asked for by name over query sets.
    """

    name: str
    title: str
    kind: Literal["judged", "judged_in_sets"]
    formula: str
    source: str

    def compute(self, ranking: Sequence[str], relevant: Collection[str], *, k: int) -> float | None:
        """The value in [0, 1] for the first ``k`` (≥ 1) of distinct ids, best first; whatever is not relevant is not.

        Where ``relevant`` is a mapping, its values are grades: whole numbers from 1, which measures that know gains
        take for them. ``None`` when nothing is ``relevant``. Deterministic.
        """
        ...


AnyMeasure = Measure | JudgedMeasure
"""What a file of ``plugins/measures/`` builds; ``kind`` tells which."""


Embed = Callable[[Sequence[str]], Vectors]
"""What ``Embedder.embed`` does."""


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into unit vectors. Plug-in folder: ``plugins/embedders/``."""

    @property
    def info(self) -> EmbedderInfo:
        """Name, model and dimension."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, rows of unit length; a text without known words gives zeros.

        Equal texts give equal vectors, whatever the batch. Raises EmbedderError.
        """
        ...


class Tokenizer(Protocol):
    """Counts and cuts tokens as the budget sees them. Plug-in folder: ``plugins/tokenizers/``."""

    name: str

    def count(self, text: str) -> int:
        """Number of tokens."""
        ...

    def shorten(self, text: str, max_tokens: int) -> str:
        """The longest beginning of ``text`` with at most ``max_tokens`` tokens, cut at a word boundary."""
        ...

    def split(self, text: str, max_tokens: int) -> list[str]:
        """``text`` in pieces of at most ``max_tokens``, cut at paragraph, sentence and word boundaries."""
        ...


class Summarizer(Protocol):
    """Makes a document's summary. Plug-in folder: ``plugins/summarizers/``."""

    name: str

    def summarize(self, document: Document, embed: Embed) -> str:
        """One to three sentences; never empty when the document has text. Raises EmbedderError on a failed call."""
        ...


class Loader(Protocol):
    """Reads one kind of file. Plug-in folder: ``plugins/loaders/``."""

    name: str
    suffixes: tuple[str, ...]

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Relationship | Rejected | Adjusted]:
        """The documents in one file's bytes (one for most kinds, many for record files), and what it relates.

        ``source`` is the path relative to the import root, with ``/``. Raises ValueError with a one-line reason for a
        file that cannot be read as a whole; the pipeline turns it into a rejection. A record file yields a
        ``Rejected`` in place of each record that cannot be read, and goes on with the next one; ahead of a document
        a ``Rejected`` is a part of it that is left out, an ``Adjusted`` one that is read otherwise than it is written.
        Relationships may start at documents of other files.

        Four things that a loader may have beside: ``holds_many = True``, when its files hold many documents, so that a
        report names each by its id; what ``FolderLoader`` says; ``confined``, a ``Confined`` of
        ``docgraph.boundary.confined``, when its parser is not to be trusted with what it may be given; and ``rest()``,
        called when an import has read its files.
        """
        ...


@dataclass(frozen=True)
class NamedTarget:
    """How a name of another document is to be read: as ``name``, by the rules that always hold.

    ``document_id`` is the document that is meant, where one is there. ``names_none`` = it names no document, and an
    edge to it must not dangle: a web page, a word that means nothing, a file outside.
    """

    name: str
    document_id: str | None = None
    names_none: bool = False


class NameReading(Protocol):
    """Reads names beyond the rules that always hold, as an import profile says; counts what became of each."""

    @property
    def words(self) -> Sequence[str]:
        """Words that stand before the numbers of documents in running text."""
        ...

    @property
    def citations(self) -> bool:
        """Whether ``[[1]](address)`` is a link and no wiki link."""
        ...

    def numbered(self, word: str, number: int) -> str | None:
        """The document that ``word`` and ``number`` name, or None."""
        ...

    def target(self, name: str, document: Document, find: Callable[[str], str | None], *, field: str) -> NamedTarget:
        """What ``name`` means in ``document``. ``find`` looks a name up by the rules that always hold.

        ``field`` is the metadata field that the name stands in; empty for a link in the text.
        """
        ...


@runtime_checkable
class FolderLoader(Protocol):
    """A loader that reads several files of a folder as one, where they belong together."""

    def groups(self, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Of the files of an import, by name, those that belong together: the one that stands for them goes first."""
        ...

    def load_group(
        self, read: Callable[[str], bytes], names: Sequence[str]
    ) -> Iterator[Document | Relationship | Rejected | Adjusted]:
        """What a group holds; ``read`` gives the bytes of one of ``names``. Raises as ``load`` does, and OSError."""
        ...


class Anchor(NamedTuple):
    """A place that others refer to by a name of its own: a ``label``, a ``section``, a ``term`` or a ``need``."""

    document_id: str
    kind: Literal["label", "section", "term", "need"]
    section: str = ""
    """The title of the section that it leads to, as far as that is known."""


class SphinxProject(NamedTuple):
    """A folder with a ``conf.py``: its paths begin there, and its labels may belong to ``others`` (intersphinx).

    ``addresses`` are those at which the others are read.
    """

    folder: str
    others: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outline:
    """What is known of the sections of a document: its heading paths in text order, a line each, and its own ids.

    ``anchors`` = what its metadata say under ``domain.anchors.SECTION_ANCHORS``; None where it has none.
    """

    headings: str = ""
    anchors: object = None


@dataclass(frozen=True, eq=False)
class Titles:
    """All documents of a workspace as extractors see them: ids and titles, and where each came from.

    ``sources`` maps document_id → source (a path with ``/``), for links that name files rather than ids; documents
    may be missing from it. ``names`` maps document_id → what else it is called (``domain.naming.other_names``),
    ``reading`` is how names are read beyond what always holds; None without an import profile. ``left`` hears of links
    that only a site's own tool can follow: (source, link as it is written). ``anchors`` maps a name (folded) → the
    places of texts written for Sphinx that have it, whatever file they stand in; ``projects`` are their folders.
    ``outlines`` maps document_id → its sections, where somebody looked at them. Make one object per import and hand it
    to every call: extractors index it once.
    """

    documents: tuple[DocumentRef, ...]
    sources: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    reading: NameReading | None = None
    anchors: Mapping[str, tuple[Anchor, ...]] = field(default_factory=dict)
    projects: tuple[SphinxProject, ...] = ()
    outlines: Mapping[str, Outline] = field(default_factory=dict)
    left: Callable[[str, str], None] = lambda *_: None


class RelationExtractor(Protocol):
    """Finds relationships in documents. Plug-in folder: ``plugins/extractors/``.

    ``default_on=False`` marks edges that are only mentions in running text: their types are switched off in plans
    unless a request names them.
    """

    name: str
    default_on: bool

    def extract(self, document: Document, titles: Titles) -> Iterable[Relationship]:
        """Outgoing relationships of ``document``, each with its provenance in ``relationship_metadata``."""
        ...

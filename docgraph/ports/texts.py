"""What ingestion asks for: embedding, tokens, summaries, loading, finding relationships."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, runtime_checkable

from docgraph.domain.graph import (
    Vectors,
)

if TYPE_CHECKING:
    from array import array

    from docgraph.domain.graph import (
        Document,
        DocumentRef,
        Relationship,
    )
    from docgraph.domain.report import Adjusted, Rejected
    from docgraph.domain.workspace import EmbedderInfo

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


@runtime_checkable
class CountsPlainly(Protocol):
    """An embedder that can also do without numpy, which takes a short command longer to load than its question."""

    def plain_vector(self, text: str) -> array[float] | None:
        """What ``embed`` gives for one text, bit for bit, as 32-bit numbers; None for one that is too long for that."""
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

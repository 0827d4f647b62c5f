"""What every part of a ``Docgraph`` works with: the adapters, and one workspace that is opened with the first use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Protocol, TypeVar

from docgraph.boundary.logs import logged
from docgraph.boundary.signatures import UNSIGNED, checked_name
from docgraph.boundary.text import one_line
from docgraph.domain.directions import direction
from docgraph.domain.imports.fields import OWNER_FIELDS
from docgraph.domain.imports.profile import KEPT
from docgraph.domain.workspace import checked_workspace_name
from docgraph.errors import DocgraphError, EmbedderChangedError, EmbeddingMismatchError, NotFoundError
from docgraph.orchestration.caches import KnownPlans, RememberedCounts, RememberedScores
from docgraph.orchestration.embedders import KnownEmbedders
from docgraph.orchestration.guarded import Gate
from docgraph.orchestration.sources import Sources
from docgraph.ports import (
    Probe,
)
from docgraph.ports.progress import no_spans
from docgraph.ports.retrieval import NamedReranker

if TYPE_CHECKING:
    from docgraph.boundary.retrievers import Retriever
    from docgraph.domain.graph import Vector, Vectors
    from docgraph.domain.person import Person
    from docgraph.domain.workspace import EmbedderInfo
    from docgraph.orchestration.guarded import Audit
    from docgraph.ports import (
        AnyMeasure,
        Check,
        Database,
        Dialect,
        Embedder,
        Loader,
        QuerySetArchive,
        RelationExtractor,
        RunArchive,
        SignInLog,
        Snapshot,
        Store,
        Summarizer,
        Tokenizer,
    )
    from docgraph.ports.progress import Spans
    from docgraph.ports.retrieval import Provider, Reranker, Rewriter


P = ParamSpec("P")
T = TypeVar("T")


def utc_now() -> str:
    """This moment in UTC, ISO 8601 to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class Adapters:
    """Everything outside the core that a Docgraph works with; ``bootstrap`` builds it from the settings.

    ``embedder`` makes new workspaces; ``embedders`` are those that others may have.
    """

    database: Database
    embedder: Embedder
    tokenizer: Tokenizer
    summarizer: Summarizer
    loaders: Sequence[Loader]
    extractors: Sequence[RelationExtractor]
    clock: Callable[[], float]
    chunk_tokens: int = 256
    owner_fields: Sequence[str] = OWNER_FIELDS
    kept_imports: int = KEPT
    measures: Sequence[AnyMeasure] = ()
    checks: Sequence[Check] = ()
    dialects: Sequence[Dialect] = ()
    now: Callable[[], str] = utc_now
    audit: Audit = logged
    spans: Spans = no_spans
    providers: Sequence[Provider] = ()
    provider_flags: Mapping[str, bool] | None = None
    provider_timeout: float = 10.0
    reranker: Reranker | None = None
    rewriter: Rewriter | None = None
    retrievers: Mapping[str, Retriever] = field(default_factory=dict, repr=False)
    """Name → a retriever of somebody's own that the settings name; nobody else can add one."""
    embedders: KnownEmbedders = field(default_factory=KnownEmbedders, compare=False, repr=False)
    sources: Sources = field(default_factory=Sources, compare=False, repr=False)
    known_plans: KnownPlans = field(default_factory=KnownPlans, compare=False, repr=False)

    @cached_property
    def counting(self) -> Tokenizer:
        """The tokenizer as assembling uses it: it remembers what it counted."""
        return RememberedCounts(self.tokenizer)

    @cached_property
    def passage_reranker(self) -> NamedReranker | None:
        """The reranker, where a plan can name it; it remembers what it said."""
        return RememberedScores(self.reranker) if isinstance(self.reranker, NamedReranker) else None


class Session:
    """One workspace of a database, with the adapters; safe to share between reading threads.

    ``person`` = who works with it, where that is known: their role decides what is let through to the database, and
    their name signs.
    """

    def __init__(self, adapters: Adapters, workspace: str = "default", *, person: Person | None = None) -> None:
        self.adapters = adapters
        self.workspace = workspace
        self.person = person
        self._gate = Gate(person, adapters.audit)
        self._opened: Store | None = None
        self._embedding = adapters.embedder

    @property
    def embedding(self) -> Embedder:
        """The embedder of the workspace; the configured one while there is no workspace.

        Raises EmbeddingMismatchError, which says what to set, and StoreError.
        """
        if self._opened is None:
            try:
                self._opened = self._open()
            except NotFoundError:
                return self.adapters.embedder
        return self._embedding

    @property
    def embedder(self) -> EmbedderInfo:
        """What ``embedding`` is; the configured one as well where that cannot be had."""
        try:
            return self.embedding.info
        except EmbeddingMismatchError:
            return self.adapters.embedder.info

    @property
    def database(self) -> Database:
        """The database, as this person may use it."""
        return self._gate.database(self.adapters.database)

    @property
    def only_reads(self) -> str:
        """The name of the source where the whole store is only read, never written; else empty."""
        return str(getattr(self.adapters.database, "only_reads", ""))

    @property
    def archive(self) -> RunArchive:
        """The saved runs of the database, as this person may use them."""
        return self._gate.archive(self.adapters.database.runs)

    @property
    def query_sets(self) -> QuerySetArchive:
        """The query sets of the database with their evaluations, as this person may use them."""
        return self._gate.query_sets(self.adapters.database.query_sets, self.workspace)

    @property
    def sign_ins(self) -> SignInLog:
        """The sign-ins of the dashboard, as this person may end them."""
        return self._gate.sign_ins(self.adapters.database.sign_ins)

    def may(self, act: str) -> bool:
        """Whether the person's role reaches for a write (a name of ``guarded.WRITES``)."""
        return self._gate.lets(act)

    def signed(self, by: str, problem: str = UNSIGNED) -> str:
        """Who signs: the person who is known, whatever ``by`` says, else ``by``. Raises UserError when it is nobody."""
        return self.person.name if self.person else checked_name(by, problem)

    def named(self, by: str, longest: int) -> str:
        """Like ``signed``, where no name is required."""
        return self.person.name[:longest] if self.person else one_line(by, longest)

    def now(self) -> str:
        """This moment, ISO 8601 in UTC."""
        return self.adapters.now()

    def store(self, *, create: bool = False) -> Store:
        """The workspace's store. Raises NotFoundError unless it is there or may be made; EmbeddingMismatchError."""
        if self._opened is None:
            try:
                self._opened = self._open()
            except NotFoundError:
                if not create:
                    raise
                return self.create()
        return self._gate.store(self._opened, self.workspace)

    def create(self) -> Store:
        """Make the workspace, with the configured embedder. Raises ConflictError when it is there already."""
        self._opened = self.database.create_workspace(self.workspace, self.adapters.embedder.info)
        self._embedding = self.adapters.embedder
        return self._gate.store(self._opened, self.workspace)

    def take_back(self) -> None:
        """Remove the workspace again unless it holds documents; where even that fails it stays, empty as it is."""
        with suppress(DocgraphError):
            with self.reading() as snapshot:
                is_empty = not snapshot.workspace.n_documents
            if is_empty:
                self.database.drop_workspace(self.workspace)
        self.forget()

    def store_of(self, workspace: str) -> Store:
        """The store of any workspace of the database, whatever its embedder. Raises NotFoundError."""
        here = self._opened if workspace == self.workspace else None
        return self._gate.store(here or self.adapters.database.open_workspace(workspace), workspace)

    @contextmanager
    def reading(self) -> Iterator[Snapshot]:
        """One snapshot for everything read inside, of vectors of the session's embedder.

        Raises EmbedderChangedError with the first read where it was embedded anew meanwhile: the next time it is asked
        by its new embedder.
        """
        store = self.store()
        try:
            with store.reading(embedder=self._embedding.info) as snapshot:
                yield snapshot
        except EmbedderChangedError:
            self.forget()
            raise

    def at(self, workspace: str) -> Session:
        """A session over another workspace of the same database. Raises UserError for a bad name."""
        return Session(self.adapters, checked_workspace_name(workspace), person=self.person)

    def forget(self) -> None:
        """Open the workspace anew with the next use."""
        self._opened, self._embedding = None, self.adapters.embedder

    def with_new_vectors(self, ask: Callable[[], T]) -> T:
        """What is asked, once more where the workspace was embedded anew since it was opened."""
        try:
            return ask()
        except EmbedderChangedError:
            self.forget()
        return ask()

    def catch_up(self) -> None:
        """Notice, before anything is made for it, that the workspace was embedded anew since it was opened."""
        self.with_new_vectors(self._look)

    def _look(self) -> None:
        with self.reading() as snapshot:
            _ = snapshot.workspace

    def vector(self, query: str, given: Sequence[float] | None = None) -> Vector:
        """The query's vector, shape (dimension,), float32; ``given`` saves embedding.

        Raises EmbeddingMismatchError for what is given, EmbedderError for what the embedder makes of the query.
        """
        if given is None:
            found: Vector = self.vectors([query])[0]
            return found
        info = self.embedding.info
        try:
            return direction(given, info.dimension, what="the query vector")
        except ValueError as error:
            raise EmbeddingMismatchError(str(error), hint=f"embed the query with {info.embedder_id}") from None

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Those of several texts, shape (n, dimension), float32. Raises EmbedderError."""
        from docgraph.ports.checked_vectors import embed_checked

        return embed_checked(self.embedding, texts)

    def probe(self, query: str) -> Probe:
        """The question as the store sees it. Raises EmbedderError."""
        return Probe(self.vector(query), query)

    def _open(self) -> Store:
        store = self.adapters.database.open_workspace(self.workspace)
        with store.reading() as snapshot:
            stored = snapshot.workspace.embedder
        embedder, known = self.adapters.embedder, self.adapters.embedders
        if stored != embedder.info:
            embedder = known.of(self.workspace, stored, configured=embedder.info)
        self._embedding = embedder
        return store


def with_new_vectors(ask: Callable[Concatenate[Session, P], T]) -> Callable[Concatenate[Session, P], T]:
    """A question to a session, asked once more where its workspace was embedded anew meanwhile."""

    @wraps(ask)
    def again(session: Session, /, *given: P.args, **named: P.kwargs) -> T:
        return session.with_new_vectors(lambda: ask(session, *given, **named))

    return again


class HasSession(Protocol):
    """What the methods that stand in modules of their own are methods of."""

    @property
    def session(self) -> Session:
        """The workspace that is worked with."""
        ...


class Namespace:
    """A part of ``Docgraph`` under a name of its own, such as ``dg.documents``."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def session(self) -> Session:
        """The workspace that is worked with."""
        return self._session

"""What retrieval asks for: providers that find candidates, rerankers that order them, and what both may use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from docgraph.domain.packet import PacketMode, PacketRequest, ProviderHit, ProviderStatus
    from docgraph.domain.request import RetrievalRequest


class Access(Protocol):
    """What a workspace offers to providers during one question; safe to use from several threads.

    The question is embedded once for all. Every method raises DocgraphError.
    """

    @property
    def workspace(self) -> str:
        """The name of the workspace."""
        ...

    def evidence(self, request: RetrievalRequest) -> tuple[ProviderHit, ...]:
        """Plan and execute on one snapshot: the best chunk of each planned document in plan order, then the others.

        ``score`` is the cosine.
        """
        ...

    def full_text(self, query: str, limit: int) -> tuple[ProviderHit, ...]:
        """Chunks that hold words of the question, best first by words (``metadata["ts_rank_cd"]``).

        ``score`` is the cosine, of which a confidence can be made; how well words fit says nothing about that.
        """
        ...

    def memories(self, query: str, limit: int) -> tuple[ProviderHit, ...]:
        """Conversation memory, best first by similarity, words and recency; ``score`` is the cosine.

        Every hit's metadata say ``memory_id``, ``conversation_id``, ``turn``, ``role``, ``at``, ``words`` (fit by
        words, 0 = none of them) and ``fused`` (what it is ordered by); the memory's own stand under ``said``.
        """
        ...


@runtime_checkable
class Provider(Protocol):
    """Finds candidates for a question. Plug-in folder: ``plugins/providers/``; the file's name is its name.

    ``modes`` = those in which it is used. ``priority``: lower goes first. ``stands_in_for`` = a provider that it only
    replaces: it is left out while that one is used. ``native_rerank`` = its order is reranked already, so that an
    external reranker is not asked (modes of conversation).

    One attribute more may be there: ``keeps_places = True`` says that the order is a plan's, so that the others only
    fill the places that it leaves free (see ``KeepsPlaces``).
    """

    name: str
    modes: tuple[PacketMode, ...]
    priority: int
    stands_in_for: str | None
    native_rerank: bool

    def status(self) -> ProviderStatus:
        """Whether it can be asked now, without asking it. Quick; never raises."""
        ...

    def search(self, request: PacketRequest, access: Access) -> Sequence[ProviderHit]:
        """At most ``request.top_k`` hits (more are cut), best first. May raise: then it counts as failed."""
        ...


@runtime_checkable
class KeepsPlaces(Protocol):
    """A provider whose candidates nobody displaces, when ``keeps_places`` is True."""

    keeps_places: bool


@dataclass(frozen=True)
class Reranked:
    """One item's new score: ``index`` into the texts that were given, ``score`` 0 to 1, higher is better."""

    index: int
    score: float


@runtime_checkable
class Reranker(Protocol):
    """Orders texts by how well they answer a question. Plug-in folder: ``plugins/rerankers/``."""

    name: str

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[Reranked]:
        """Scores of all texts, in any order. May raise: then the order stays as it was."""
        ...


@runtime_checkable
class NamedReranker(Reranker, Protocol):
    """A reranker that a plan can name: what it says of a text depends on ``model_id``, question and text alone."""

    model_id: str


@runtime_checkable
class Rewriter(Protocol):
    """Makes of a follow-up a question that stands by itself. Plug-in folder: ``plugins/rewriters/``.

    It is asked in addition to the rules, never in their place, and only for a follow-up. Safe to use from several
    threads.
    """

    name: str

    def rewrite(self, text: str, turns: Sequence[str], *, rules_query: str) -> str:
        """``text`` as one question on one line, at most 500 characters; any other answer is not used.

        ``turns`` = what the person typed before, oldest first; ``rules_query`` = what the rules make of ``text``. None
        of them holds a word that only retrieval brought. May raise: then the question stays as the rules read it.
        """
        ...

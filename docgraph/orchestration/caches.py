"""Caches: the answers of a snapshot, the ranking of a question, newest plans, scores of a reranker."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from docgraph.planning.seeds import NOTHING, Ranking
from docgraph.ports import RankedDocument, RankedHop, Read, Snapshot
from docgraph.ports.retrieval import NamedReranker, Reranked

if TYPE_CHECKING:
    from docgraph.domain.request import RetrievalRequest
    from docgraph.domain.saved_run import KnownPlan
    from docgraph.ports import Tokenizer


_NOT_KEPT = frozenset(("documents", "relationships", "statements"))
"""Long lists that come in pages, and what is another answer each time."""


Answers = dict[Hashable, tuple[Read[Any], Any]]
"""What was asked, by its key, and what was answered."""


class Recorded:
    """A snapshot that remembers its answers (``ports.Snapshot``, by ``recorded``).

    A snapshot is one unchanging view, so an answer holds for as long as it is looked at. Used by one thread.
    """

    def __init__(self, below: Snapshot, answers: Answers | None = None) -> None:
        self.below = below
        self.answers: Answers = dict(answers or {})

    @property
    def workspace(self) -> Any:
        """See ``ports.Snapshot.workspace``."""
        return self.below.workspace

    def at_once(self, *reads: Read[Any]) -> tuple[Any, ...]:
        """See ``ports.Snapshot.at_once``: what is known already is not asked."""
        keys = [each.key for each in reads]
        new = {key: each for key, each in zip(keys, reads, strict=True) if key not in self.answers}
        for key, each in list(new.items()):
            if (ranked := self._ranked_already(each)) is not None:
                self.answers[key] = (new.pop(key), ranked)
        if new:
            answers = self.below.at_once(*new.values())
            self.answers.update({key: (new[key], answer) for key, answer in zip(new, answers, strict=True)})
        return tuple(self._answer(key) for key in keys)

    def _answer(self, key: Hashable) -> Any:
        return self.answers[key][1]

    def _ranked_already(self, wanted: Read[Any]) -> tuple[RankedDocument, ...] | RankedHop | None:
        """A ranking that one with neighbours holds: that is the same one, and says more (``ports.DocumentSearch``)."""
        if wanted.name != "rank_documents" or wanted.options.get("where"):
            return None
        matching = tuple(wanted.options.get("matching", ()))
        ids, limit = frozenset(wanted.options.get("document_ids", ())), wanted.options["limit"]
        for there, answer in self.answers.values():
            if there.name != "rank_with_neighbours" or _asked_of(there) != _asked_of(wanted):
                continue
            if tuple(there.options.get("matching", ())) != matching:
                continue
            if limit <= there.options["limit"] and ids <= frozenset(there.options["document_ids"]):
                return tuple(d for d in answer.documents if d.rank <= limit or d.document_id in ids)
        return None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.below, name) if name in _NOT_KEPT else partial(self._ask, name)

    def _ask(self, name: str, *arguments: Any, **options: Any) -> Any:
        return self.at_once(Read(name, arguments, options))[0]


class Replayed(Recorded):
    """The answers of a record once more, last one first; what was not asked before is asked now.

    What has no order is told in another one: a decision that depends on it shows.
    """

    def __init__(self, of: Recorded) -> None:
        super().__init__(of.below)
        self.answers = dict(reversed(of.answers.items()))

    def _answer(self, key: Hashable) -> Any:
        answer = super()._answer(key)
        return dict(reversed(answer.items())) if isinstance(answer, dict) else answer


def recorded(snapshot: Snapshot, answers: Answers | None = None) -> Snapshot:
    """The snapshot with a memory; one that has a memory stays as it is.

    ``answers`` = what another snapshot of the same state of the data answered.
    """
    return snapshot if isinstance(snapshot, Recorded) else cast(Snapshot, Recorded(snapshot, answers))


def answers_of(snapshot: Snapshot) -> Answers:
    """What a recorded snapshot has answered so far."""
    return dict(_record(snapshot).answers)


def replayed(snapshot: Snapshot) -> Snapshot:
    """The answers of a recorded snapshot, for another go at what was decided on them."""
    return cast(Snapshot, Replayed(_record(snapshot)))


def asked_again(snapshot: Snapshot, *more: Read[Any]) -> Snapshot:
    """A recorded snapshot by second answers: its reads are put to the store again, last one first, with ``more``.

    All in one trip.
    """
    record = _record(snapshot)
    again = Recorded(record.below)
    again.at_once(*(read for read, _ in reversed(record.answers.values())), *more)
    return cast(Snapshot, again)


def _asked_of(ranking: Read[Any]) -> Hashable:
    """The question and the signal of a ranking."""
    return Read("", ranking.arguments, {}).key


def _record(snapshot: Snapshot) -> Recorded:
    assert isinstance(snapshot, Recorded)
    return snapshot


_RANKING = ("rank_documents", "rank_with_neighbours")


@dataclass
class Known:
    """What is known of one question's ranking, and grows with what is asked; relationships have no say in it."""

    ranking: Ranking = NOTHING

    def learn(self, answer: tuple[RankedDocument, ...], wanted: Read[Any]) -> None:
        """Add what a ranking said of its first documents and of those that it was asked for."""
        there = {document.document_id: document for document in (*self.ranking.documents, *answer)}
        unranked = self.ranking.unranked.union(wanted.options.get("document_ids", ())) - there.keys()
        self.ranking = replace(
            self.ranking,
            documents=tuple(sorted(there.values(), key=lambda document: document.rank)),
            unranked=frozenset(unranked),
            limit=max(self.ranking.limit, wanted.options["limit"]),
        )

    def answer(self, wanted: Read[Any]) -> tuple[RankedDocument, ...] | RankedHop | None:
        """What a ranking would say, if that is known; of neighbours it says what it knows, and they are asked for."""
        ids, limit = frozenset(wanted.options.get("document_ids", ())), wanted.options["limit"]
        documents = self.ranking.documents
        known = self.ranking.unranked.union(document.document_id for document in documents)
        if limit > self.ranking.limit or not ids <= known:
            return None
        if wanted.name == "rank_with_neighbours":
            return RankedHop(documents)
        return tuple(document for document in documents if document.rank <= limit or document.document_id in ids)


class Ranked(Recorded):
    """A snapshot with a memory that begins with a question's ranking. Used for that question alone, by one thread."""

    def __init__(self, below: Snapshot, known: Known) -> None:
        super().__init__(below)
        self.known = known

    def at_once(self, *reads: Read[Any]) -> tuple[Any, ...]:
        """See ``ports.Snapshot.at_once``."""
        answers = super().at_once(*reads)
        for each, answer in zip(reads, answers, strict=True):
            if each.name in _RANKING and not _is_filtered(each):
                self.known.learn(answer.documents if isinstance(answer, RankedHop) else answer, each)
        return answers

    def _ranked_already(self, wanted: Read[Any]) -> tuple[RankedDocument, ...] | RankedHop | None:
        if wanted.name not in _RANKING or _is_filtered(wanted):
            return None
        return self.known.answer(wanted)


def _is_filtered(wanted: Read[Any]) -> bool:
    """Whether it ranks some of the documents alone: its ranks are no others'."""
    return bool(wanted.options.get("where") or wanted.options.get("matching"))


def ranked(snapshot: Snapshot, known: Known) -> Snapshot:
    """The snapshot as one question sees it."""
    return cast(Snapshot, Ranked(snapshot, known))


K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
MAX_PLANS, MAX_SETS, MAX_PASSAGES, MAX_TEXTS = 1_000, 64, 20_000, 4_096
MAX_CHARACTERS = 4_000
"""Of a text whose count is kept: chunks and lines are shorter, a whole context is longer and comes up once."""


class Newest(Generic[K, V]):
    """At most ``limit`` values by key, the newest ones. Thread-safe."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._kept: dict[K, V] = {}
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """The value of ``key``; None where none is kept."""
        with self._lock:
            return self._kept.get(key)

    def put(self, values: Mapping[K, V], *, known: bool = False) -> None:
        """Keep ``values`` as the newest; ``known`` = only those whose key is kept already."""
        with self._lock:
            for key, value in values.items():
                if known and key not in self._kept:
                    continue
                self._kept.pop(key, None)
                self._kept[key] = value
            while len(self._kept) > self.limit:
                del self._kept[next(iter(self._kept))]

    def touch(self, key: K, default: V) -> V:
        """The value of ``key``, ``default`` where none is kept; it is the newest from here on."""
        with self._lock:
            self._kept[key] = found = self._kept.pop(key, default)
            while len(self._kept) > self.limit:
                del self._kept[next(iter(self._kept))]
        return found


class KnownPlans:
    """The newest plan of each question, and the texts of each set by its fingerprint. Thread-safe.

    A plan may be of an earlier state of the documents: it says what it was made on.
    """

    def __init__(self) -> None:
        self._plans = Newest[tuple[str, str, str], "KnownPlan | None"](MAX_PLANS)
        self._texts = Newest[str, tuple[str, ...]](MAX_SETS)

    def plan_of(self, workspace: str, embedder_id: str, request: RetrievalRequest) -> KnownPlan | None:
        """The plan made last; None where none is kept, and then the next one is."""
        return self._plans.touch((workspace, embedder_id, request.model_dump_json()), None)

    def remember(self, request: RetrievalRequest, known: KnownPlan) -> None:
        """Replace the plan of a question that was asked for."""
        self._plans.put({(known.plan.workspace, known.plan.embedder_id, request.model_dump_json()): known}, known=True)

    def texts_of(self, fingerprint: str, read: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
        """The texts of a set; ``read`` is called where they are not kept."""
        found = self._texts.get(fingerprint)
        if found is None:
            self._texts.put({fingerprint: (found := read())})
        return found


class RememberedScores:
    """``reranker`` with a cache of its newest scores. Thread-safe."""

    def __init__(self, reranker: NamedReranker) -> None:
        self.name, self.model_id = reranker.name, reranker.model_id
        self._reranker = reranker
        self._scores = Newest[tuple[str, str], float](MAX_PASSAGES)

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[Reranked]:
        """See ``ports.retrieval.Reranker``; only new texts are scored."""
        from docgraph.execution.passages import checked_scores  # a plan alone reads no passage

        known = {text: score for text in texts if (score := self._scores.get((query, text))) is not None}
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            scored = {new[index]: score for index, score in checked_scores(self._reranker, query, new).items()}
            known |= scored
            self._scores.put({(query, text): score for text, score in scored.items()})
        return tuple(Reranked(index, known[text]) for index, text in enumerate(texts) if text in known)


class RememberedCounts:
    """``tokenizer`` with a cache of the counts of short texts (``ports.Tokenizer``). Thread-safe.

    A chunk's stored ``token_count`` would not do: who hands in chunks may have counted them in another way.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.name = tokenizer.name
        self._tokenizer = tokenizer
        self._remembered = lru_cache(maxsize=MAX_TEXTS)(tokenizer.count)

    def count(self, text: str) -> int:
        """Number of tokens."""
        return self._remembered(text) if len(text) <= MAX_CHARACTERS else self._tokenizer.count(text)

    def shorten(self, text: str, max_tokens: int) -> str:
        """See ``ports.Tokenizer``."""
        return self._tokenizer.shorten(text, max_tokens)

    def split(self, text: str, max_tokens: int) -> list[str]:
        """See ``ports.Tokenizer``."""
        return self._tokenizer.split(text, max_tokens)

"""What a snapshot was asked and what it answered, so that nothing is asked twice and a run can be replayed."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import Any, cast

from docgraph.ports import RankedDocument, RankedHop, Read, Snapshot

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

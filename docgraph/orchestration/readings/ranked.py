"""A snapshot on which one question is ranked once, however often it is planned, or not at all where that is known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

from docgraph.orchestration.readings.recorded import Recorded
from docgraph.planning.seeds import NOTHING, Ranking
from docgraph.ports import RankedDocument, RankedHop, Read, Snapshot

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

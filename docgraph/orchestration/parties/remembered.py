"""A reranker that remembers what it said: a run is checked by a replay, and its comparisons read the same passages."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from docgraph.ports.retrieval import NamedReranker, Reranked

MAX_PASSAGES = 20_000


class RememberedScores:
    """``reranker`` with a memory for its newest scores; safe to share between threads."""

    def __init__(self, reranker: NamedReranker) -> None:
        self.name, self.model_id = reranker.name, reranker.model_id
        self._reranker = reranker
        self._known: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._lock = threading.Lock()

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[Reranked]:
        """See ``ports.retrieval.Reranker``; only what is new is asked."""
        from docgraph.execution.passages import checked_scores  # a plan alone reads no passage

        with self._lock:
            known = {text: self._known[query, text] for text in texts if (query, text) in self._known}
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known |= {new[index]: score for index, score in checked_scores(self._reranker, query, new).items()}
            self._remember(query, {text: known[text] for text in new if text in known})
        return tuple(Reranked(index, known[text]) for index, text in enumerate(texts) if text in known)

    def _remember(self, query: str, scores: dict[str, float]) -> None:
        with self._lock:
            self._known.update({(query, text): score for text, score in scores.items()})
            while len(self._known) > MAX_PASSAGES:
                self._known.popitem(last=False)

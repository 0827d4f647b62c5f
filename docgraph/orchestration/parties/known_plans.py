"""What was found out of the members of query sets: their texts and plans, so that an effect is no wait each time."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docgraph.domain.request import RetrievalRequest
    from docgraph.domain.saved_run import KnownPlan

MAX_PLANS, MAX_SETS = 1_000, 64
_Key = tuple[str, str, str]


class KnownPlans:
    """The newest plan of each question, and the texts of each set by its fingerprint; safe to share between threads.

    A plan that is of other documents than today's is no harm: it says what it was made on.
    """

    def __init__(self) -> None:
        self._plans: OrderedDict[_Key, KnownPlan | None] = OrderedDict()
        self._texts: OrderedDict[str, tuple[str, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def plan_of(self, workspace: str, embedder_id: str, request: RetrievalRequest) -> KnownPlan | None:
        """The plan that was made last; None where none is remembered: then the next one is."""
        key = (workspace, embedder_id, request.model_dump_json())
        with self._lock:
            known = self._plans.setdefault(key, None)
            self._plans.move_to_end(key)
            while len(self._plans) > MAX_PLANS:
                self._plans.popitem(last=False)
        return known

    def remember(self, request: RetrievalRequest, known: KnownPlan) -> None:
        """Keep a plan in the place of the one before, of a question that was asked for."""
        key = (known.plan.workspace, known.plan.embedder_id, request.model_dump_json())
        with self._lock:
            if key in self._plans:
                self._plans[key] = known

    def texts_of(self, fingerprint: str, read: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
        """The texts of a set; ``read`` is called where they are not remembered."""
        with self._lock:
            there = self._texts.get(fingerprint)
        if there is not None:
            return there
        found = read()
        with self._lock:
            self._texts[fingerprint] = found
            while len(self._texts) > MAX_SETS:
                self._texts.popitem(last=False)
        return found

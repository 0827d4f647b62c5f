"""The async face of comparisons and saved runs: the same names, with the work done in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from docgraph.domain.baselines import MS3
from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.judgment import Judgment
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.domain.saved_run import CorpusChanges, ReviewEntry, ReviewKind, RunSummary, SavedRun
from docgraph.orchestration.docgraph import Docgraph


class AsyncSavedRuns:
    """What ``AsyncDocgraph`` compares and remembers; every method is awaited."""

    def __init__(self, docgraph: Docgraph) -> None:
        self._docgraph = docgraph

    async def compare(
        self, question: RetrievalRequest | Run | SavedRun, baseline: str = MS3, *, anyway: bool = False
    ) -> Comparison:
        """What changed from a baseline; see ``Docgraph.compare``."""
        return await asyncio.to_thread(self._docgraph.compare, question, baseline, anyway=anyway)

    async def baseline(self, question: Run | SavedRun, name: str) -> Side:
        """A baseline of a run by name; see ``Docgraph.baseline``."""
        return await asyncio.to_thread(self._docgraph.baseline, question, name)

    async def compare_sides(
        self,
        a: Side,
        b: Side,
        *,
        control: Side | None = None,
        anyway: bool = False,
        gone: Iterable[str] = (),
        judgments: Sequence[Judgment] | None = None,
    ) -> Comparison:
        """What changed between two runs that are there already; see ``Docgraph.compare_sides``."""
        return await asyncio.to_thread(
            self._docgraph.compare_sides, a, b, control=control, anyway=anyway, gone=gone, judgments=judgments
        )

    async def save_run(
        self, question: RetrievalRequest | Run, *, name: str = "", note: str = "", by: str = "", pinned: bool = False
    ) -> SavedRun:
        """Keep a run with its baselines; see ``Docgraph.save_run``."""
        return await asyncio.to_thread(self._docgraph.save_run, question, name=name, note=note, by=by, pinned=pinned)

    async def saved_run(self, run_id: str) -> SavedRun:
        """The run as it was saved; see ``Docgraph.saved_run``."""
        return await asyncio.to_thread(self._docgraph.saved_run, run_id)

    async def saved_runs(
        self, *, text: str = "", everywhere: bool = False, deleted: bool = False, limit: int = 200
    ) -> tuple[RunSummary, ...]:
        """Saved runs, pinned first, then the newest; see ``Docgraph.saved_runs``."""
        return await asyncio.to_thread(
            self._docgraph.saved_runs, text=text, everywhere=everywhere, deleted=deleted, limit=limit
        )

    async def describe_run(
        self, run_id: str, *, name: str | None = None, note: str | None = None, pinned: bool | None = None
    ) -> RunSummary:
        """Change name, note or pin of a saved run; see ``Docgraph.describe_run``."""
        return await asyncio.to_thread(self._docgraph.describe_run, run_id, name=name, note=note, pinned=pinned)

    async def delete_run(self, run_id: str, *, forever: bool = False) -> RunSummary:
        """Put a saved run away; see ``Docgraph.delete_run``."""
        return await asyncio.to_thread(self._docgraph.delete_run, run_id, forever=forever)

    async def restore_run(self, run_id: str) -> RunSummary:
        """Bring back a saved run; see ``Docgraph.restore_run``."""
        return await asyncio.to_thread(self._docgraph.restore_run, run_id)

    async def review_run(
        self,
        run_id: str,
        kind: ReviewKind,
        *,
        by: str = "",
        item: str = "",
        checked: bool | None = None,
        text: str = "",
    ) -> ReviewEntry:
        """Add a line to the review of a saved run; see ``Docgraph.review_run``."""
        return await asyncio.to_thread(
            self._docgraph.review_run, run_id, kind, by=by, item=item, checked=checked, text=text
        )

    async def run_reviews(self, run_id: str) -> tuple[ReviewEntry, ...]:
        """The review of a saved run; see ``Docgraph.run_reviews``."""
        return await asyncio.to_thread(self._docgraph.run_reviews, run_id)

    async def changes_since(self, saved: SavedRun) -> CorpusChanges:
        """What changed in the data since a run was saved; see ``Docgraph.changes_since``."""
        return await asyncio.to_thread(self._docgraph.changes_since, saved)

    async def rerun(self, saved: SavedRun) -> Comparison:
        """The saved run beside the same request on today's data; see ``Docgraph.rerun``."""
        return await asyncio.to_thread(self._docgraph.rerun, saved)

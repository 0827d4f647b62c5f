"""Keeps the account of an import, so that in = stored + updated + skipped + rejected at every moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from docgraph.domain.graph import Relationship
from docgraph.domain.imports.look import Unread
from docgraph.domain.imports.record import Reading
from docgraph.domain.report import MAX_REPORTED, Adjusted, IngestReport, SourceOutcome
from docgraph.domain.type_roles import TypeChange
from docgraph.ingestion.names import shown
from docgraph.ingestion.profiling.causes import Causes
from docgraph.ingestion.profiling.dialects import Pages

MAX_REASON = 300


class Ledger:
    """Counts outcomes and remembers at most 10,000 of them, rejections before all others."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.n_chunks = 0
        self.pruned: tuple[str, ...] = ()
        self.moved: dict[str, str] = {}
        self.stopped = False
        self.excluded: tuple[Unread, ...] = ()
        self._causes = Causes()
        self._types: Counter[str] = Counter()
        self._extractors: Counter[str] = Counter()
        self._targets: Counter[str] = Counter()
        self._outcomes: list[tuple[int, SourceOutcome]] = []
        self._adjusted: list[Adjusted] = []
        self._n_adjusted = 0
        self._rejections: list[tuple[int, SourceOutcome]] = []

    @property
    def n_in(self) -> int:
        """Sources accounted for."""
        return self.counts.total()

    @property
    def n_rejected(self) -> int:
        """Sources that were not taken."""
        return self.counts["rejected"]

    def stored(self, source: str, document_id: str, change: Literal["added", "replaced"]) -> None:
        """A document that was written."""
        self._note(SourceOutcome(source=source, outcome="stored", document_id=document_id, change=change))

    def updated(self, source: str, document_id: str) -> None:
        """A document of which something else is said, and whose title, text and vectors stay."""
        self._note(SourceOutcome(source=source, outcome="updated", document_id=document_id))

    def skipped(self, source: str, document_id: str) -> None:
        """A document that is there unchanged."""
        self._note(SourceOutcome(source=source, outcome="skipped", document_id=document_id))

    def rejected(self, source: str, reason: str, document_id: str | None = None) -> None:
        """A source that was not taken, and why."""
        line = shown(" ".join(reason.split()))[:MAX_REASON]
        self._causes.add(source, line)
        self._note(SourceOutcome(source=source, outcome="rejected", document_id=document_id, reason=line))

    def adjusted(self, place: str, reason: str) -> None:
        """A part of a source that is read otherwise than it is written."""
        self._n_adjusted += 1
        if len(self._adjusted) < MAX_REPORTED:
            self._adjusted.append(Adjusted(reason=shown(" ".join(reason.split()))[:MAX_REASON], place=place))

    def linked(self, edges: Iterable[Relationship]) -> None:
        """Relationships of a document that was stored or updated: counted, not kept."""
        for edge in edges:
            self._types[edge.relation_type] += 1
            self._extractors[str(edge.relationship_metadata.get("extractor", ""))] += 1
            self._targets[edge.to_document_id] += 1

    def report(
        self,
        workspace: str,
        *,
        known: Iterable[str],
        dry_run: bool,
        seconds: float,
        revision: str,
        reading: Reading | None = None,
        sources: Iterable[str] = (),
        pages: Pages | None = None,
        decided: tuple[TypeChange, ...] = (),
    ) -> IngestReport:
        """The report; an edge dangles when its target is not among ``known`` ids.

        ``reading`` is what a profile changed, ``sources`` the names of what was taken, ``pages`` how it is written,
        ``decided`` what was decided of relation types.
        """
        ids = frozenset(known)
        room = MAX_REPORTED - len(self._rejections)
        outcomes = sorted([*self._rejections, *self._outcomes[: max(room, 0)]], key=lambda pair: pair[0])
        return IngestReport(
            workspace=workspace,
            n_in=self.n_in,
            n_stored=self.counts["stored"],
            n_updated=self.counts["updated"],
            n_skipped=self.counts["skipped"],
            n_rejected=self.counts["rejected"],
            n_chunks=self.n_chunks,
            n_relationships=self._types.total(),
            n_dangling=sum(n for target, n in self._targets.items() if target not in ids),
            relationships=dict(sorted(self._types.items())),
            provenance=dict(sorted(self._extractors.items())),
            pruned=self.pruned,
            moved=dict(sorted(self.moved.items())),
            outcomes=tuple(outcome for _, outcome in outcomes),
            outcomes_cut=self.n_in - len(outcomes),
            adjusted=tuple(self._adjusted),
            n_adjusted=self._n_adjusted,
            excluded=self.excluded,
            n_excluded=sum(each.n for each in self.excluded),
            causes=self._causes.grouped(list(sources)),
            reading=reading if pages is None else pages.added_to(reading),
            decided=decided,
            dialects=() if pages is None else pages.written(ids),
            dry_run=dry_run,
            stopped=self.stopped,
            seconds=round(seconds, 3),
            revision=revision,
        )

    def _note(self, outcome: SourceOutcome) -> None:
        kept = self._rejections if outcome.outcome == "rejected" else self._outcomes
        if len(kept) < MAX_REPORTED:
            kept.append((self.n_in, outcome))
        self.counts[outcome.outcome] += 1

"""What is kept of imports: a row each, with the state of the workspace after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from docgraph.domain.imports.record import ImportState, ImportSummary


@runtime_checkable
class ImportLog(Protocol):
    """The imports of one workspace; it moves no revision, and goes with the workspace."""

    def keep_import(self, summary: ImportSummary, state: ImportState | None, *, keep: int) -> ImportSummary:
        """Keep an import under the next ``import_id``, and of all the newest ``keep``; as it is kept.

        ``state`` None = it is too large to be kept (``summary.comparable`` is false). One that equals the newest one
        is not kept twice.
        """
        ...

    def imports(self) -> tuple[ImportSummary, ...]:
        """All that are kept, newest first."""
        ...

    def import_state(self, import_id: int) -> ImportState | None:
        """The state after an import: its own, or the newest before it; None where there is none."""
        ...

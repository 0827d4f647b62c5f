"""The async face of rules, dismissals and contested relationships: the same names, with the work done in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from docgraph.aio_runs import AsyncSavedRuns
from docgraph.domain.dismissal import Contested, Dismissal
from docgraph.domain.finding import Finding, Rule
from docgraph.domain.suggestion import Suggestion


class AsyncCurating(AsyncSavedRuns):
    """What ``AsyncDocgraph`` remembers of its curators; every method is awaited."""

    async def may_write(self) -> bool:
        """Whether the role of the connection may change this workspace; see ``Docgraph.may_write``."""
        return await asyncio.to_thread(self._docgraph.may_write)

    async def rules(self) -> dict[str, Rule]:
        """check_id → stored rule; see ``Docgraph.rules``."""
        return await asyncio.to_thread(self._docgraph.rules)

    async def set_rules(self, rules: Mapping[str, Rule]) -> None:
        """Put these rules in the place of the stored ones; see ``Docgraph.set_rules``."""
        await asyncio.to_thread(self._docgraph.set_rules, rules)

    async def dismiss(
        self, subjects: Sequence[Finding | Suggestion], *, by: str, reason: str = ""
    ) -> tuple[Dismissal, ...]:
        """Ignore findings, reject suggestions; see ``Docgraph.dismiss``."""
        return await asyncio.to_thread(self._docgraph.dismiss, subjects, by=by, reason=reason)

    async def withdraw(self, subject_ids: Sequence[str]) -> int:
        """Take back dismissals; see ``Docgraph.withdraw``."""
        return await asyncio.to_thread(self._docgraph.withdraw, subject_ids)

    async def dismissals(self) -> tuple[Dismissal, ...]:
        """Everything ignored and rejected, newest first; see ``Docgraph.dismissals``."""
        return await asyncio.to_thread(self._docgraph.dismissals)

    async def contested(self) -> tuple[Contested, ...]:
        """Where imports and decisions disagree; see ``Docgraph.contested``."""
        return await asyncio.to_thread(self._docgraph.contested)

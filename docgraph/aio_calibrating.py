"""The async face of calibrations: the same names, with the work done in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from docgraph.aio_retrieving import AsyncRetrieving
from docgraph.domain.calibration import CalibrationReport
from docgraph.domain.packet import Calibration
from docgraph.orchestration.calibration import CANDIDATES, Question


class AsyncCalibrating(AsyncRetrieving):
    """How ``AsyncDocgraph`` turns scores into confidences; every method is awaited."""

    async def calibrate(
        self, questions: Iterable[Question], *, dry_run: bool = False, candidates: int = CANDIDATES
    ) -> CalibrationReport:
        """Fit the confidence of this workspace's scores; see ``Docgraph.calibrate``."""
        return await asyncio.to_thread(self._docgraph.calibrate, questions, dry_run=dry_run, candidates=candidates)

    async def calibrations(self) -> tuple[Calibration, ...]:
        """What retrieval uses here; see ``Docgraph.calibrations``."""
        return await asyncio.to_thread(self._docgraph.calibrations)

    async def reset_calibrations(self) -> int:
        """Forget the workspace's own; see ``Docgraph.reset_calibrations``."""
        return await asyncio.to_thread(self._docgraph.reset_calibrations)

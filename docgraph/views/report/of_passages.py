"""Judgments of passages as JSON lines, and as a table that is safe to open in a sheet; both are read again."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from docgraph.boundary.judgments.passages import FIELDS
from docgraph.domain.judgment import PassageJudgment
from docgraph.views.report.as_csv import defused


def as_jsonl(judgments: Iterable[PassageJudgment]) -> Iterator[bytes]:
    """One JSON object a judgment and line, in their order; ``grade`` null = can't judge."""
    for each in judgments:
        yield each.model_dump_json().encode("utf-8", "replace") + b"\n"


def as_csv(judgments: Iterable[PassageJudgment]) -> Iterator[bytes]:
    """A heading, then one row a judgment; an empty grade = can't judge. UTF-8, cells of formulas defused."""
    written = io.StringIO(newline="")
    writer = csv.DictWriter(written, FIELDS)
    writer.writeheader()
    for each in judgments:
        writer.writerow({field: defused(getattr(each, field)) for field in FIELDS})
    yield written.getvalue().encode("utf-8", "replace")

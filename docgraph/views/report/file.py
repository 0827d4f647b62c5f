"""A comparison as one file to hand on: HTML to read, Markdown for a pull request, CSV for a table, JSON for programs.

The page and the command line call the same function, so they give the same bytes. Equal comparisons give equal bytes
but for ``made_at``, which stands on one line of its own in every format.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, get_args

import docgraph
from docgraph.boundary.text import printable_json
from docgraph.domain.comparison import Comparison
from docgraph.domain.saved_run import RunSummary
from docgraph.views.report.as_csv import as_csv
from docgraph.views.report.as_html import as_html
from docgraph.views.report.of_comparisons import as_markdown
from docgraph.views.words.texts import slug

ReportKind = Literal["html", "json", "csv", "markdown"]
REPORT_KINDS: tuple[ReportKind, ...] = get_args(ReportKind)
ENDINGS: dict[ReportKind, str] = {"html": "html", "json": "json", "csv": "csv", "markdown": "md"}

MAX_SLUG = 60
_SHORT_ID = 8


def report(comparison: Comparison, kind: ReportKind, *, made_at: str, saved: RunSummary | None = None) -> bytes:
    """The comparison as a file of one kind, UTF-8.

    ``made_at`` is the time stamp as it is to be shown (UTC, ISO 8601). ``saved`` = what is known of the saved run
    that B is. Nothing in it runs, loads or links to anything, whatever the documents say.
    """
    if kind == "json":
        text = _as_json(comparison, made_at, saved)
    elif kind == "csv":
        text = as_csv(comparison, made_at)
    elif kind == "markdown":
        text = as_markdown(comparison, made_at, saved)
    else:
        text = as_html(comparison, made_at, saved)
    return text.encode("utf-8")


def file_name(comparison: Comparison, kind: ReportKind) -> str:
    """``why-is-the-queue-full-ms3-3fd2a1b0-8c41f07e.html``: the question, A, and the beginnings of both plans' ids."""
    asked = slug(comparison.b.run.request.query, MAX_SLUG) or "comparison"
    baseline = slug(comparison.a.name, 20) or "a"
    ids = [side.run.plan.plan_id[:_SHORT_ID] for side in (comparison.a, comparison.b)]
    return f"{'-'.join([asked, baseline, *ids])}.{ENDINGS[kind]}"


def _as_json(comparison: Comparison, made_at: str, saved: RunSummary | None) -> str:
    """``comparison`` is read back by ``Comparison.model_validate``."""
    content = {
        "comparison": comparison.model_dump(mode="json"),
        "docgraph": docgraph.__version__,
        "made_at": made_at,
        "saved": None if saved is None else saved.model_dump(mode="json"),
    }
    return json_text(content)


def json_text(content: Mapping[str, Any]) -> str:
    """Sorted keys, two spaces, a line end; no character that an editor or a terminal obeys."""
    text = json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return printable_json(text) + "\n"

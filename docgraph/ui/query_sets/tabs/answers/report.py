"""The Report menu: an evaluation as files, made when they are asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import streamlit as st

from docgraph.domain.evaluation import Evaluation
from docgraph.orchestration.session import utc_now
from docgraph.ui.frame.download import download

Write = Callable[[Evaluation], bytes]


def report_popover(evaluation: Evaluation) -> None:
    """A button that opens the downloads."""
    opened = st.popover("Report", key="qs-report", on_change="rerun", width="content")
    if opened.open:
        with opened:
            for label, suffix, write in KINDS:
                download(
                    label,
                    partial(write, evaluation),
                    file_name(evaluation, suffix),
                    key=f"qs-report-{suffix}",
                    width="stretch",
                )


def file_name(evaluation: Evaluation, suffix: str) -> str:
    """``docgraph-evaluation-sample-questions.csv``: letters and digits alone."""
    name = re.sub(r"[^a-z0-9]+", "-", evaluation.name.lower())[:60].strip("-") or "set"
    return f"docgraph-evaluation-{name}.{suffix}"


def _csv(evaluation: Evaluation) -> bytes:
    from docgraph.views.report.of_sets import as_csv

    return as_csv(evaluation)


def _markdown(evaluation: Evaluation) -> bytes:
    from docgraph.views.report.of_sets import as_markdown

    return as_markdown(evaluation).encode("utf-8", "replace")


def _json(evaluation: Evaluation) -> bytes:
    return evaluation.model_dump_json(indent=2).encode()


def _html(evaluation: Evaluation) -> bytes:
    """The time is that of the click."""
    from docgraph.views.report.sets_as_html import as_html

    return as_html(evaluation, made_at=utc_now())


KINDS: tuple[tuple[str, str, Write], ...] = (
    ("One page (HTML), to read and print", "html", _html),
    ("CSV, a row a question and configuration", "csv", _csv),
    ("JSON, everything", "json", _json),
    ("Markdown, for a pull request", "md", _markdown),
)
"""(label, suffix, what writes it)."""

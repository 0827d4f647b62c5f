"""Plans, contexts and comparisons as HTML that stands alone: no script, every text escaped, light in any theme."""

from __future__ import annotations

import importlib
import sys
from functools import singledispatch
from html import escape
from typing import Any

from docgraph.domain.comparison import Comparison
from docgraph.domain.context import RetrievedContext
from docgraph.domain.plan import RetrievalPlan
from docgraph.views.lanes.svg import plan_svg, union_svg
from docgraph.views.lanes.text import plain
from docgraph.views.notebook.frames import frame
from docgraph.views.words import counts
from docgraph.views.words.texts import excerpt

__all__ = ["display", "frame", "html"]

MAX_ROWS, MAX_TEXT = 30, 240
"""Passages that are shown, and characters of each."""

_BOX = "background:#fff;color:#1b1f24;padding:12px;border:1px solid #cbd2da;border-radius:7px;max-width:790px"
_QUIET = "color:#5b6672;font-size:12px"


def display(value: Any) -> None:
    """Show a plan, context or comparison: with its drawing in a notebook, else as one line of text.

    Raises TypeError for anything else.
    """
    said, shown = _sentence(value), html(value)
    ipython = sys.modules.get("IPython")  # a notebook has loaded it
    if ipython is None or ipython.get_ipython() is None:
        print(said)
    else:
        shows = importlib.import_module("IPython.display")
        shows.display(shows.HTML(shown))


@singledispatch
def html(value: Any) -> str:
    """HTML of a plan, context or comparison, for a notebook. Raises TypeError."""
    raise TypeError(f"{type(value).__name__} has no picture: give a plan, a context or a comparison")


@html.register
def _plan(plan: RetrievalPlan) -> str:
    return _page(plan.query, _sentence(plan), plan_svg(plan))


@html.register
def _context(context: RetrievedContext) -> str:
    titles = {d.document.document_id: d.document.title for d in context.documents}
    rows = "".join(
        f"<tr><td>{chunk.rank}</td><td>{_text(titles[i])}<br/><span style='{_QUIET}'>{_text(i)}</span></td>"
        f"<td>{counts.score(chunk.score)}</td>"
        f"<td style='text-align:left'>{_text(excerpt(chunk.passage, MAX_TEXT))}</td></tr>"
        for i, chunk in context.ranked_chunks[:MAX_ROWS]
    )
    head = "<tr><th></th><th>document</th><th>score</th><th style='text-align:left'>passage</th></tr>"
    more = context.n_chunks - MAX_ROWS
    rest = f"<p style='{_QUIET}'>{counts.plural(more, 'more passage')} not shown</p>" if more > 0 else ""
    return _page(context.query, _sentence(context), f"<table>{head}{rows}</table>{rest}")


@html.register
def _comparison(comparison: Comparison) -> str:
    labels = "".join(f"<p style='{_QUIET}'>{_text(label)}</p>" for label in comparison.labels)
    return _page(comparison.b.run.request.query, comparison.sentence, labels + union_svg(comparison))


def _page(query: str, sentence: str, inside: str) -> str:
    return (
        f"<div style='{_BOX}'><p style='margin:0'><b>{_text(query)}</b></p><p style='{_QUIET}'>{_text(sentence)}</p>"
        f"<div style='overflow-x:auto'>{inside}</div></div>"
    )


def _text(text: str) -> str:
    return escape(plain(text))


@singledispatch
def _sentence(value: Any) -> str:
    raise TypeError(f"{type(value).__name__} has no picture: give a plan, a context or a comparison")


@_sentence.register
def _of_plan(plan: RetrievalPlan) -> str:
    seeds, related = len(plan.seed_documents), len(plan.expanded_documents)
    found = f"{counts.plural(seeds, 'match', 'matches')}, {counts.plural(related, 'related document')}"
    return f"Plan {plan.plan_id[:8]} of {plan.workspace}: {found}"


@_sentence.register
def _of_context(context: RetrievedContext) -> str:
    read = counts.n_of_m(len(context.read_document_ids), len(context.documents))
    return f"Context of plan {context.plan_id[:8]}: {counts.plural(context.n_chunks, 'passage')}, {read} documents read"


@_sentence.register
def _of_comparison(comparison: Comparison) -> str:
    return comparison.sentence

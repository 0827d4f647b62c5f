"""How a workspace finds similar chunks, why, and what would change it, in the words that every screen has for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.workspace import VectorSearch, Workspace

SEARCHES: Mapping[VectorSearch, str] = {
    "exact": "exact vector search",
    "quantized": "two-stage search (quantized), exact scores",
    "hnsw": "approximate search (HNSW), exact scores",
}
"""Mode → what to say of it."""
NOT_MEASURED = 50_000
"""Chunks of an exact workspace from which measuring is proposed where nobody did: below, candidates save nothing."""
GROWN = 2
"""A measurement is old when there are so many times more (or fewer) chunks."""


def search_words(workspace: Workspace) -> str:
    """The mode and why: ``exact vector search (automatic: exact search took 41 ms with 62,618 passages; …)``."""
    return f"{SEARCHES[workspace.vector_search]} ({_why(workspace)})"


def _why(workspace: Workspace) -> str:
    choice = workspace.search_choice
    if choice.by == "user":
        return "set by hand"
    if choice.exact_ms is None or choice.n_chunks is None or choice.budget_ms is None:
        return "automatic: not measured yet"
    took = f"exact search took {_ms(choice.exact_ms)} with {choice.n_chunks:,} passages"
    return f"automatic: {took}; budget {_ms(choice.budget_ms)}"


def search_advice(workspace: Workspace) -> str:
    """What would change the mode; nothing ever changes it by itself."""
    command = f"docgraph workspaces search {workspace.name}"
    choice, n = workspace.search_choice, workspace.n_chunks
    if choice.by == "user":
        return f"Set by hand. {command} auto measures and chooses."
    if choice.exact_ms is None or not choice.n_chunks or choice.budget_ms is None:
        if n < NOT_MEASURED:
            return f"Small corpus ({n:,} passages): exact search is fast enough."
        return f"{n:,} passages, not measured yet: {command} auto measures exact search, and chooses."
    if n > GROWN * choice.n_chunks or GROWN * n < choice.n_chunks:
        expected = _ms(choice.expected_ms(n) or 0)
        return f"Now {n:,} passages, so about {expected}: {command} auto measures again, and chooses."
    limit = int(choice.n_chunks * choice.budget_ms / choice.exact_ms) if choice.exact_ms else 0
    if workspace.vector_search == "exact":
        return f"Within budget up to about {_rounded(limit):,} passages; {command} auto measures again, and chooses."
    return f"Exact search is fast enough below about {_rounded(limit):,} passages: {command} exact restores it."


def codes_words(codes: Mapping[str, Any] | None, workspace: Workspace) -> str:
    """Whether the process that is asked looks at the bits itself (``codes_in_memory`` of a database's health)."""
    if codes is None:
        return "not cached here: the server compares the codes"
    most = f"of at most {codes['most_megabytes']:,} MB"
    for each in codes["held"]:
        if each["workspace"] == workspace.name:
            is_now = each["content_revision"] == workspace.content_revision
            state = "" if is_now else ", outdated: the server answers until it is reloaded"
            took = f"{each['megabytes']:,.1f} MB {most}, read in {each['seconds']:.1f} s"
            return f"cached: {took}; content revision {each['content_revision'][:12]}{state}"
    if workspace.vector_search == "quantized":
        return f"not cached yet ({most}): loaded after the first questions, if it fits"
    return f"not cached: only two-stage search needs it ({most})"


def plan_search(plan: RetrievalPlan) -> tuple[str, str] | None:
    """A plan's label and what it means; None for an exact one, of which nothing need be said."""
    return PLANS.get(plan.constraints.vector_search)


PLANS: Mapping[VectorSearch, tuple[str, str]] = {
    "quantized": (
        "two-stage search",
        "A fast search chose the candidates, so a document that exact search finds may be missing. "
        "Scores are exact, and the same data give the same plan.",
    ),
    "hnsw": (
        "approximate",
        "An approximate index (HNSW) chose the candidates, so a document that exact search finds may be missing. "
        "Rebuilding the index may change which. Scores are exact.",
    ),
}
"""Mode of a plan that is not exact → its label and what it means."""


def _ms(value: float) -> str:
    return f"{value:,.0f} ms" if value >= 10 else f"{value:.1f} ms"


def _rounded(number: int) -> int:
    """Two digits that count: more would promise what a measurement cannot keep."""
    size: int = 10 ** max(0, len(str(number)) - 2)
    return round(number / size) * size

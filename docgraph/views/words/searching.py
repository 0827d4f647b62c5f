"""How a workspace finds similar chunks, why, and what would change it, in the words that every screen has for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.workspace import VectorSearch, Workspace

SEARCHES: Mapping[VectorSearch, str] = {
    "exact": "exact vector search",
    "quantized": "quantized candidates, exact scores",
    "hnsw": "approximate candidates (hnsw), exact scores",
}
"""Mode → what to say of it."""
NOT_MEASURED = 50_000
"""Chunks of an exact workspace from which measuring is proposed where nobody did: below, candidates save nothing."""
GROWN = 2
"""A measurement is old when there are so many times more (or fewer) chunks."""


def search_words(workspace: Workspace) -> str:
    """The mode and why: ``exact vector search (automatic: a ranking took 41 ms with 62,618 chunks; budget 250 ms)``."""
    return f"{SEARCHES[workspace.vector_search]} ({_why(workspace)})"


def _why(workspace: Workspace) -> str:
    choice = workspace.search_choice
    if choice.by == "user":
        return "set by hand"
    if choice.exact_ms is None or choice.n_chunks is None or choice.budget_ms is None:
        return "automatic: not measured yet"
    took = f"an exact ranking took {_ms(choice.exact_ms)} with {choice.n_chunks:,} chunks"
    return f"automatic: {took}; budget {_ms(choice.budget_ms)}"


def search_advice(workspace: Workspace) -> str:
    """What would change the mode; nothing ever changes it by itself."""
    command = f"docgraph workspaces search {workspace.name}"
    choice, n = workspace.search_choice, workspace.n_chunks
    if choice.by == "user":
        return f"It stays so until somebody says otherwise; {command} auto measures and chooses."
    if choice.exact_ms is None or not choice.n_chunks or choice.budget_ms is None:
        if n < NOT_MEASURED:
            return f"Small corpus ({n:,} chunks): exact search is fast enough."
        return f"There are {n:,} chunks: {command} auto measures what exact rankings take, and chooses."
    if n > GROWN * choice.n_chunks or GROWN * n < choice.n_chunks:
        expected = _ms(choice.expected_ms(n) or 0)
        return f"There are {n:,} chunks now, so about {expected}: {command} auto measures again, and chooses."
    limit = int(choice.n_chunks * choice.budget_ms / choice.exact_ms) if choice.exact_ms else 0
    if workspace.vector_search == "exact":
        return f"Within budget up to about {_rounded(limit):,} chunks; {command} auto measures again, and chooses."
    return f"Exact would be within budget below about {_rounded(limit):,} chunks; {command} exact goes back to it."


def codes_words(codes: Mapping[str, Any] | None, workspace: Workspace) -> str:
    """Whether the process that is asked looks at the bits itself (``codes_in_memory`` of a database's health)."""
    if codes is None:
        return "never in memory here: the server looks at the bits"
    most = f"of at most {codes['most_megabytes']:,} MB"
    for each in codes["held"]:
        if each["workspace"] == workspace.name:
            is_now = each["content_revision"] == workspace.content_revision
            state = "" if is_now else ", an earlier one: the server answers until it is read anew"
            took = f"{each['megabytes']:,.1f} MB {most}, read in {each['seconds']:.1f} s"
            return f"in memory: {took}; content revision {each['content_revision'][:12]}{state}"
    if workspace.vector_search == "quantized":
        return f"not in memory ({most}): read after the first questions, where there is room"
    return f"not in memory: only quantized candidates need them ({most})"


def plan_search(plan: RetrievalPlan) -> tuple[str, str] | None:
    """A plan's label and what it means; None for an exact one, of which nothing need be said."""
    return PLANS.get(plan.constraints.vector_search)


PLANS: Mapping[VectorSearch, tuple[str, str]] = {
    "quantized": (
        "quantized candidates",
        "Documents were ranked among candidates chosen by three bits a number: a document that exact search finds may "
        "be missing. Scores and chunks are exact, and equal data gives an equal plan.",
    ),
    "hnsw": (
        "approximate",
        "Documents were ranked among candidates of an approximate index (hnsw): a document that exact search finds may "
        "be missing, and after the index was built anew it may be another one. Scores and chunks are exact.",
    ),
}
"""Mode of a plan that is not exact → its label and what it means."""


def _ms(value: float) -> str:
    return f"{value:,.0f} ms" if value >= 10 else f"{value:.1f} ms"


def _rounded(number: int) -> int:
    """Two digits that count: more would promise what a measurement cannot keep."""
    size: int = 10 ** max(0, len(str(number)) - 2)
    return round(number / size) * size

"""The question in hand: what the views of Ask hand on to each other, without an address that carries it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docgraph.ui.frame.state import session
from docgraph.views.words.address import QUERY

_KEY = "question in hand"


def hold(workspace: str, inputs: Mapping[str, Sequence[str]]) -> None:
    """Keep the inputs (name → texts) of the question that was asked last in this workspace; nothing without one."""
    if any(text.strip() for text in inputs.get(QUERY, ())):
        session().page[_KEY] = (workspace, {name: list(texts) for name, texts in inputs.items()})


def held(workspace: str) -> dict[str, list[str]] | None:
    """The inputs of the question in hand; None where there is none, or it is of another workspace."""
    kept: tuple[str, dict[str, list[str]]] | None = session().page.get(_KEY)
    return dict(kept[1]) if kept and kept[0] == workspace else None

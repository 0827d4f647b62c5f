"""What one browser session holds between reruns: one typed object under one key; widgets keep their own keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.errors import DocgraphError

KEY = "docgraph.state"


@dataclass
class UiState:
    """The state of a session.

    ``run`` is the frozen run that the Plan page draws from; ``selected`` names the selected document or edge;
    ``notices`` are sentences and ``problems`` errors of callbacks, both to show once at the top of a page;
    ``page`` is free room for a page or a part, under its own name.
    """

    request: RetrievalRequest | None = None
    run: Run | None = None
    selected: str | None = None
    notices: list[str] = field(default_factory=list)
    problems: list[DocgraphError] = field(default_factory=list)
    page: dict[str, Any] = field(default_factory=dict)


def session() -> UiState:
    """The state of this session, made on its first run."""
    if KEY not in st.session_state:
        st.session_state[KEY] = UiState()
    state: UiState = st.session_state[KEY]
    return state


def guarded_click(act: Callable[..., Any], *args: Any, **named: Any) -> bool:
    """Do it inside a callback; a known problem is said at the top of the page. Returns whether it was done."""
    try:
        act(*args, **named)
    except DocgraphError as problem:
        session().problems.append(problem)
        return False
    return True

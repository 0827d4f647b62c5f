"""Whether the visitor of this session sits at this machine: found out at the server's edge, told to the pages."""

from __future__ import annotations

import streamlit as st

HEADER = "x-docgraph-visitor"
"""Set by the edge on every request that it lets through; what a client sends under this name is taken away."""

LOCAL, REMOTE = "local", "remote"


def is_local() -> bool:
    """Whether the session's visitor asks from this machine, under one of its own names; False where nobody knows."""
    return bool(st.context.headers.get(HEADER) == LOCAL)

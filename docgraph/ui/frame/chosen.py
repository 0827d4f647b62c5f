"""What somebody chose, in callbacks: a word for the address, a row of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import streamlit as st

_T = TypeVar("_T")


def put(name: str, value: str | None, default: str = "") -> None:
    """Write a value into the address; nothing and the default are taken out."""
    if value and value != default:
        st.query_params[name] = value
    else:
        st.query_params.pop(name, None)


def picked(table: str, rows: Sequence[_T]) -> _T | None:
    """Which of ``rows`` is selected in the table with this key; None without one."""
    at: list[int] = dict(st.session_state[table]).get("selection", {}).get("rows", [])
    return rows[at[0]] if at and at[0] < len(rows) else None

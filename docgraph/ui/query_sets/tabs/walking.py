"""Rows that are walked through by J and K; the address names the one that stands open."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st


def put(name: str, value: str, default: str = "", *, row: str) -> None:
    """Write a value into the address; the default is not written (in a callback).

    ``row`` = what the open row stands under: any other input closes it.
    """
    if value == default:
        st.query_params.pop(name, None)
    else:
        st.query_params[name] = value
    if name != row:
        st.query_params.pop(row, None)


def take(name: str, key: str, default: str, *, row: str) -> None:
    """Write what a widget says into the address (in a callback)."""
    put(name, str(st.session_state.get(key) or default), default, row=row)


def moves(n: int, at: int, *, id_of: Callable[[int], str], row: str, key: str) -> None:
    """The buttons of J and K, ``<key>-next`` and ``<key>-before``, from the row ``at`` of ``n``.

    ``id_of`` = what the address says for the row at a place. Drawn into the container that is open.
    """
    for letter, name, to in (("J", "next", at + 1), ("K", "before", at - 1)):
        is_there = 0 <= to < n
        st.button(
            f"{letter}  {name}",
            key=f"{key}-{name}",
            type="tertiary",
            disabled=not is_there,
            on_click=put,
            args=(row, id_of(to) if is_there else ""),
            kwargs={"row": row},
        )

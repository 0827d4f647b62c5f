"""Rows that J and K step through; the address names the open one. How many rows a session has unfolded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from docgraph.ui.frame import chosen
from docgraph.ui.frame.state import session

FIRST_ROWS, MORE_ROWS = 12, 50


@dataclass
class Unfolded:
    """``of`` = what the rows were drawn of; another filter begins with its first rows."""

    of: tuple[object, ...] = ()
    shown: int = FIRST_ROWS


def unfolded(tab: str, *of: object) -> Unfolded:
    """How many rows of a tab this session has unfolded, drawn ``of`` this now."""
    kept: Unfolded = session().page.setdefault(f"query_sets.{tab}", Unfolded())
    if of and kept.of != of:
        kept.of, kept.shown = of, FIRST_ROWS
    return kept


def unfold(tab: str) -> None:
    """Show more of them (in a callback)."""
    unfolded(tab).shown += MORE_ROWS


def put(name: str, value: str, default: str = "", *, row: str) -> None:
    """Write a value into the address; the default is not written (in a callback).

    ``row`` = what the open row stands under: any other input closes it.
    """
    chosen.put(name, value, default)
    if name != row:
        st.query_params.pop(row, None)


def take(name: str, key: str, default: str, *, row: str) -> None:
    """Write what a widget says into the address (in a callback)."""
    put(name, str(st.session_state.get(key) or default), default, row=row)


def choice(
    widget: Callable[..., Any],
    label: str,
    options: Mapping[str, str],
    *,
    name: str,
    key: str,
    now: str,
    take: Callable[..., None],
    default: str = "",
    **more: Any,
) -> None:
    """Draw a choice of ``options`` (value → its words) that stands in the address under ``name``.

    ``take`` writes it there; ``default`` is not written, the first option without it. ``more`` = what the widget takes.
    """
    st.session_state[key] = now
    widget(
        label,
        list(options),
        key=key,
        format_func=lambda value: options.get(str(value), ""),
        label_visibility="collapsed",
        on_change=take,
        args=(name, key, default or next(iter(options))),
        **more,
    )


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

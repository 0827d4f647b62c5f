"""The parts every page is framed with: style, heading, cards for errors and empty states, strips of facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Literal

import streamlit as st

from docgraph.errors import DocgraphError, EnvironmentProblem, PlanViolationError
from docgraph.ui.frame import assets, escape

Glyph = Literal[
    "query",
    "seed",
    "added",
    "left",
    "cut",
    "kept",
    "up",
    "down",
    "finding",
    "check",
    "cross",
    "clock",
    "pin",
    "chevron",
    "lock",
    "file",
    "stored",
    "skipped",
    "rejected",
    "info",
]
"""Drawn signs (layout.css): never typed, because the font lacks some of them."""


def style() -> None:
    """Put layout.css on the page, and tell parts outside the app's own box (pop-ups) which theme is on."""
    theme = "dark" if st.context.theme.type == "dark" else "light"
    assets.style(__file__, "layout.css", then=f"\n:root{{color-scheme:{theme}}}")


def glyph(name: Glyph, title: str = "") -> str:
    """HTML of a drawn sign; ``title`` is what a screen reader says (without one it is decoration)."""
    spoken = f' role="img" aria-label="{escape.html(title)}"' if title else ' aria-hidden="true"'
    return f'<span class="dg-glyph dg-glyph-{name}"{spoken}></span>'


def heading(title: str, lead_html: str = "") -> None:
    """The page's title (plain text) and one line under it (HTML, already escaped)."""
    lead = f'<p class="dg-lead">{lead_html}</p>' if lead_html else ""
    st.html(f'<h1 class="dg-h1">{escape.html(title)}</h1>{lead}')


def section(title: str, note: str = "") -> None:
    """A section's title and a muted note behind it, both plain text."""
    behind = f'<span class="dg-note">{escape.html(note)}</span>' if note else ""
    st.html(f'<h2 class="dg-h2">{escape.html(title)}{behind}</h2>')


def facts(rows: Iterable[tuple[str, str]], *, more: str = "") -> None:
    """A list of facts, each (name, value), both plain text; ``more`` = classes beside its own."""
    cells = "".join(f"<dt>{escape.html(name)}</dt><dd>{escape.html(value)}</dd>" for name, value in rows)
    st.html(f'<dl class="dg-facts {more}">{cells}</dl>')


def strip(facts: Iterable[tuple[str, str]], *, sign: Glyph | None = None) -> None:
    """A row of facts, each (name, value), both plain text; ``sign`` stands in front."""
    cells = "".join(
        f'<span class="dg-fact"><b>{escape.html(value)}</b> {escape.html(name)}</span>' for name, value in facts
    )
    st.html(f'<div class="dg-strip">{glyph(sign) if sign else ""}{cells}</div>')


def card(kind: Literal["empty", "error", "note", "same"], title: str, text: str, *, sign: Glyph = "info") -> None:
    """A card that says what happened and what still works; what to do next follows as widgets. Plain text."""
    role = "alert" if kind == "error" else "status"
    body = "".join(f"<p>{escape.html(part)}</p>" for part in text.split("\n") if part)
    st.html(
        f'<div class="dg-card dg-card-{kind}" role="{role}">{glyph(sign)}'
        f"<div><strong>{escape.html(title)}</strong>{body}</div></div>"
    )


def empty(title: str, text: str) -> None:
    """A written empty state: what is missing and what to do; follow it with one button or link."""
    card("empty", title, text)


def no_documents(workspace: str, text: str) -> None:
    """The written state of a workspace without documents; ``text`` = what that means here."""
    empty(f"{workspace} holds no documents yet", text)


def same(title: str, text: str) -> None:
    """A written "no difference" state: a result, not an error."""
    card("same", title, text, sign="check")


def error(problem: DocgraphError, *, retry: Callable[[], None] | None = None, key: str = "docgraph.retry") -> None:
    """The written error state of a known problem, with its hint and one next click."""
    title = "A promise of docgraph was broken: this is a bug" if isinstance(problem, PlanViolationError) else ""
    if not title:
        title = "The set-up needs attention" if isinstance(problem, EnvironmentProblem) else "This did not work"
    message = problem.message[:1].upper() + problem.message[1:]
    hint = f"What to do: {problem.hint}" if problem.hint else ""
    card("error", title, f"{message}.\n{hint}" if message[-1:] not in ".!?" else f"{message}\n{hint}", sign="finding")
    if retry is not None:
        st.button("Try again", key=key, on_click=retry, type="primary")


@contextmanager
def guarded(*, retry: Callable[[], None] | None = None, key: str = "docgraph.retry") -> Iterator[None]:
    """Shows a DocgraphError raised inside as the written error state; use it around a fragment's body as well."""
    try:
        yield
    except DocgraphError as problem:
        error(problem, retry=retry, key=key)

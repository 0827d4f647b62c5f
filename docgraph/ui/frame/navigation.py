"""Finds the pages: every file of ``pages/`` with a ``PAGE`` constant is one, and adding a page is adding its file."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from docgraph.boundary.installed import dashboard_folder
from docgraph.views.words.address import WORKSPACE


@dataclass(frozen=True)
class PageFile:
    """One file of ``pages/``, as its ``PAGE`` constant describes it; ``order`` sorts, the first is the start page.

    ``place`` is what the header calls the place that the page belongs to; pages of one place are its views.
    """

    path: Path
    title: str
    order: int
    icon: str | None = None
    place: str = ""

    @property
    def name(self) -> str:
        """The file's name without ``.py``: the page's address, and what other pages link to."""
        return self.path.stem


def page_files(folder: Path) -> tuple[PageFile, ...]:
    """All pages of ``folder`` by (order, name); a file without ``PAGE = {"title": …, "order": …}`` is no page."""
    pages = []
    for path in sorted(folder.glob("*.py")):
        constant = _page_constant(path)
        if constant is not None:
            order, icon, title = int(constant.get("order", 1000)), constant.get("icon"), str(constant["title"])
            pages.append(PageFile(path, title, order, icon, str(constant.get("place", title))))
    return tuple(sorted(pages, key=lambda page: (page.order, page.name)))


@cache
def pages() -> tuple[PageFile, ...]:
    """The pages of this installation; read once a process."""
    return page_files(dashboard_folder() / "pages")


def page(name: str) -> PageFile | None:
    """The page with this name, or None while there is none: then say so, never show a dead button."""
    return next((page for page in pages() if page.name == name), None)


Query = Mapping[str, str | Sequence[str]]
"""What stands in an address behind ``?``: a text, or several, for each name."""


_ADDRESS = "docgraph.address"


def go_to(name: str, query: Query | None = None) -> None:
    """Show the page ``name`` now, with ``query`` in its URL; nothing happens while there is no such page."""
    target = page(name)
    if target is not None:
        st.switch_page(target.path, query_params=query)


def link(name: str, label: str, *, query: Query | None = None, help: str | None = None) -> None:
    """A link to the page ``name``; ``label`` is rendered as markdown, so escape document text in it."""
    target = page(name)
    if target is not None:
        st.page_link(target.path, label=label, query_params=in_workspace(query), help=help)


def in_workspace(query: Query | None) -> Query:
    """The query with the workspace that the header shows, unless it names one: a link that is copied means the same."""
    shown = st.session_state.get(WORKSPACE)
    return {**(query or {}), **({WORKSPACE: str(shown)} if shown and WORKSPACE not in (query or {}) else {})}


def keep_address() -> None:
    """Write this run's query into the address bar when a link to the page that is open has changed it.

    Streamlit 1.67 hands the query of such a link to the script for one run, but leaves the address as it was, so that
    the next click would fall back to it.
    """
    now = {name: st.query_params.get_all(name) for name in st.query_params}
    if st.session_state.get(_ADDRESS, now) != now:
        st.query_params.update()  # nothing new, but the whole query is sent
    st.session_state[_ADDRESS] = now


def _page_constant(path: Path) -> dict[str, Any] | None:
    """The dict literal assigned to ``PAGE``, read without running the file."""
    for node in ast.parse(path.read_text(encoding="utf-8"), filename=str(path)).body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(isinstance(target, ast.Name) and target.id == "PAGE" for target in targets):
            value = ast.literal_eval(node.value)
            return value if isinstance(value, dict) and "title" in value else None
    return None

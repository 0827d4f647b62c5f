"""Finds the pages: every file of ``pages/`` with a ``PAGE`` constant is one, and adding a page is adding its file."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode

import streamlit as st

from docgraph.installed import dashboard_folder


@dataclass(frozen=True)
class PageFile:
    """One file of ``pages/``, as its ``PAGE`` constant describes it; ``order`` sorts, the first is the start page."""

    path: Path
    title: str
    order: int
    icon: str | None = None

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
            order, icon = int(constant.get("order", 1000)), constant.get("icon")
            pages.append(PageFile(path, str(constant["title"]), order, icon))
    return tuple(sorted(pages, key=lambda page: (page.order, page.name)))


@cache
def pages() -> tuple[PageFile, ...]:
    """The pages of this installation; read once a process."""
    return page_files(dashboard_folder() / "pages")


def page(name: str) -> PageFile | None:
    """The page with this name, or None while there is none: then say so, never show a dead button."""
    return next((page for page in pages() if page.name == name), None)


_SHARED = "workspace"
"""The input that every page has: it is never dropped from an address, and never set by hand."""

Query = Mapping[str, str | Sequence[str]]
"""What stands in an address behind ``?``: a text, or several, for each name."""


_ADDRESS = "docgraph.address"


def go_to(name: str, query: Query | None = None) -> None:
    """Show the page ``name`` now, with ``query`` in its URL; nothing happens while there is no such page."""
    target = page(name)
    if target is not None:
        st.switch_page(target.path, query_params=query)


PACKED = "to"
"""Name of an address that travels inside another one."""


def link(
    name: str, label: str, *, query: Query | None = None, help: str | None = None, packed: bool = False
) -> None:  # fmt: skip
    """A link to the page ``name``; ``label`` is rendered as markdown, so escape document text in it.

    ``packed`` = the query travels as one value: needed where the page that links and the page that is linked bind
    inputs of the same names, because Streamlit drops a leaving page's inputs from the address. The target unpacks it.
    """
    target = page(name)
    if target is None:
        return
    if packed and query:
        shared = {key: value for key, value in query.items() if key == _SHARED}
        rest = {key: value for key, value in query.items() if key != _SHARED}
        query = {PACKED: urlencode(rest, doseq=True), **shared}
    st.page_link(target.path, label=label, query_params=query, help=help)


def unpack(name: str) -> None:
    """First thing on a page that packed links lead to: show it again under the address that they carry."""
    if PACKED in st.query_params:
        values = parse_qs(st.query_params[PACKED], keep_blank_values=True)
        go_to(name, {key: value for key, value in values.items() if key not in (PACKED, _SHARED)})


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

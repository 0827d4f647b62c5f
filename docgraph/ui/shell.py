"""The script behind every page: style, navigation over ``pages/``, the header's right side, and the page itself."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from docgraph.errors import DocgraphError
from docgraph.installed import dashboard_folder
from docgraph.ui import frame, resources
from docgraph.ui.header import header
from docgraph.ui.state import session

LOGO = Path(__file__).with_name("logo.svg")


@dataclass(frozen=True)
class PageFile:
    """One file of ``pages/``, as its ``PAGE`` constant describes it; ``order`` sorts, the first is the start page."""

    path: Path
    title: str
    order: int
    icon: str | None = None


def page_files(folder: Path) -> tuple[PageFile, ...]:
    """All pages of ``folder`` by (order, name); a file without a ``PAGE = {"title": …, "order": …}`` is no page."""
    found = [(path, _page_constant(path)) for path in folder.glob("*.py")]
    pages = [
        PageFile(path, str(page["title"]), int(page.get("order", 1000)), page.get("icon"))
        for path, page in found
        if page is not None
    ]
    return tuple(sorted(pages, key=lambda page: (page.order, page.path.name)))


def _page_constant(path: Path) -> dict[str, Any] | None:
    """The dict literal assigned to ``PAGE``, read without running the file."""
    for node in ast.parse(path.read_text(encoding="utf-8"), filename=str(path)).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == "PAGE" for target in targets):
            value = ast.literal_eval(node.value)  # type: ignore[attr-defined]
            return value if isinstance(value, dict) and "title" in value else None
    return None


def main() -> None:
    """One run of the script; known errors become the written error state, never a traceback."""
    st.set_page_config(page_title="docgraph", page_icon=str(LOGO), layout="wide")
    frame.style()
    st.logo(str(LOGO), size="small")
    files = page_files(dashboard_folder() / "pages")
    pages = [
        st.Page(file.path, title=file.title, icon=file.icon, url_path=file.path.stem, default=index == 0)
        for index, file in enumerate(files)
    ]
    page = st.navigation(pages, position="top")
    try:
        header(resources.workspaces(), resources.current_workspace())
        _show_notices()
        page.run()
    except DocgraphError as problem:
        frame.error(problem, retry=resources.reconnect)


def _show_notices() -> None:
    notices = session().notices
    while notices:
        frame.card("note", notices.pop(0), "", sign="check")


if __name__ == "__main__":
    main()

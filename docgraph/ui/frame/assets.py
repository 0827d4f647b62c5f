"""Style sheets and scripts that stand beside the code they belong to, put on the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import streamlit as st

UI = Path(__file__).resolve().parent.parent
UNSEEN = "<span hidden>\n</span>"
"""The body of a component that only listens or scrolls."""


def style(beside: str, *names: str, then: str = "") -> None:
    """Put style sheets that stand beside the file ``beside`` (``__file__``) on the page; twice does no harm.

    A name with a slash counts from ``docgraph/ui``; ``then`` = rules behind them.
    """
    st.html(f"<style>{_joined(beside, names)}{then}</style>")


def component(name: str, beside: str, *, js: tuple[str, ...], html: str = UNSEEN, css: tuple[str, ...] = ()) -> Any:
    """An inline component ``docgraph_<name>`` out of files beside ``beside``, named as for ``style``.

    ``js`` are the texts of one module, the last of which holds the default export; ``css`` are its style sheets.
    """
    sheet = _joined(beside, css) if css else None
    return st.components.v2.component(f"docgraph_{name}", html=html, css=sheet, js=_joined(beside, js))


def picture(beside: str, name: str) -> str:
    """A drawing (SVG) that stands beside the file ``beside``, as a value of a style sheet."""
    drawn = (Path(beside).parent / name).read_text(encoding="utf-8").strip()
    return f'url("data:image/svg+xml,{quote(drawn)}")'


def base_url() -> str:
    """The path under which this server is served: empty, or ``/base`` without a slash at its end."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""


def _joined(beside: str, names: tuple[str, ...]) -> str:
    here = Path(beside).parent
    return "\n".join(((UI if "/" in name else here) / name).read_text(encoding="utf-8") for name in names)

"""A button that copies an absolute link: an inline component, because the clipboard belongs to the browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from docgraph.ui.frame import assets, navigation

_HTML = """
<div class="box"><button type="button">
<svg class="link" viewBox="0 0 12 12" aria-hidden="true"><path d="M5 7.2a2.2 2.2 0 0 0 3.2 0l1.7-1.7
a2.2 2.2 0 0 0-3.2-3.2l-.6.6M7 4.8a2.2 2.2 0 0 0-3.2 0L2.1 6.5a2.2 2.2 0 0 0 3.2 3.2l.6-.6"/></svg>
<span class="name"></span>
<svg class="done" viewBox="0 0 12 12" aria-hidden="true"><path d="M1.8 6.4 4.8 9.4 10.4 3"/></svg>
<span class="done">Copied</span></button>
<input type="text" readonly hidden aria-label="The link">
<span class="said" role="status" aria-live="polite"></span></div>
"""

_COMPONENT = assets.component("copy_link", __file__, html=_HTML, css=("copy_link.css",), js=("copy_link.js",))


def address(path: str, inputs: Mapping[str, Sequence[str]]) -> str:
    """``/plan?run=…`` under the base path of this server; every value of ``inputs`` is a list of texts."""
    query = urlencode({name: list(values) for name, values in inputs.items()}, doseq=True)
    return assets.base_url() + path + (f"?{query}" if query else "")


def copy_link(label: str, path: str, inputs: Mapping[str, Sequence[str]], *, key: str) -> None:
    """A button that copies the absolute link to ``path`` with ``inputs``; ``label`` is its accessible name.

    The link names the workspace that is shown, unless the inputs name one.
    """
    there = {
        name: [texts] if isinstance(texts, str) else texts for name, texts in navigation.in_workspace(inputs).items()
    }
    _COMPONENT(key=key, data={"label": label, "path": address(path, there)}, width="content")

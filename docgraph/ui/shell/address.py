"""The address bar: every page names its workspace there, and *Back* goes through every question."""

from __future__ import annotations

from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import assets
from docgraph.ui.frame.state import session

_TURN = "how often the address was looked at"
_ADDRESS = assets.component("address", __file__, js=("connection.js", "address.js"))


def address(page: str, workspace: Workspace) -> None:
    """Have the browser name the workspace, where there is one, and tell questions of one page apart.

    It looks with every run: what is typed stands in its address before the run that answers it begins.
    """
    turn = session().page[_TURN] = session().page.get(_TURN, 0) + 1
    name = workspace.name if workspace.revision else ""
    _ADDRESS(key="docgraph-address", data={"page": page, "workspace": name, "turn": turn})

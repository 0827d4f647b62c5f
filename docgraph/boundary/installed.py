"""What is installed: the dashboard's files and the sample corpus (in a checkout, or in the package), and extras."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from docgraph.errors import EnvironmentProblem, PluginError

_PACKAGE = Path(__file__).resolve().parents[1]
_CANDIDATES = (_PACKAGE / "_dashboard", _PACKAGE.parent)

EXTRAS = {
    "dashboard": ("streamlit", "pyvis", "pandas", "jinja2", "xlsxwriter", "networkx", "defusedxml", "watchdog"),
    "mcp": ("mcp",),
    "serve": ("starlette", "uvicorn"),
    "pandas": ("pandas",),
    "evaluate": ("jinja2", "xlsxwriter"),
    "watch": ("watchdog",),
    "graphs": ("networkx", "defusedxml", "pyarrow"),
}
"""Extra → the modules that it brings and that are asked for before they are imported."""


def need_extra(extra: str, what: str) -> None:
    """Raises PluginError, with the line that installs it, where a module of ``extra`` is missing; ``what`` needs it."""
    for name in EXTRAS[extra]:
        if find_spec(name) is None:
            raise PluginError(
                f"{what} needs the package {name!r}, which is not installed", hint=f"pip install 'docgraph[{extra}]'"
            )


def dashboard_folder() -> Path:
    """The folder that holds ``app.py``, ``pages/``, ``.streamlit/`` and ``sample_data/``. Raises EnvironmentProblem."""
    for folder in _CANDIDATES:
        if (folder / "app.py").is_file() and (folder / "pages").is_dir():
            return folder
    raise EnvironmentProblem(
        f"the dashboard's app.py is missing; looked in {' and '.join(str(folder) for folder in _CANDIDATES)}",
        hint="install docgraph again: pip install --force-reinstall docgraph",
    )


def sample_folder() -> Path:
    """The folder of the sample corpus. Raises EnvironmentProblem when it was not installed."""
    for folder in _CANDIDATES:
        if (folder / "sample_data").is_dir():
            return folder / "sample_data"
    raise EnvironmentProblem("the sample corpus is missing", hint="install docgraph again, with its sample_data folder")


SAMPLE_JUDGE = "Sample corpus"
"""Whose name the sample's judgments carry."""


def sample_questions() -> tuple[dict[str, Any], ...]:
    """The questions of the sample corpus, as its file has them. Raises EnvironmentProblem."""
    file = sample_folder() / "queries.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return tuple(json.loads(line) for line in lines if line.strip())


def sample_relevant() -> dict[str, tuple[str, ...]]:
    """Question → ids of the documents that answer it, as the sample corpus says. Raises EnvironmentProblem."""
    return {str(each["query"]): tuple(map(str, each.get("relevant", ()))) for each in sample_questions()}

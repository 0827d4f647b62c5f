"""Where the dashboard's files and the sample corpus lie: in a checkout, or inside the installed package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docgraph.errors import EnvironmentProblem

_PACKAGE = Path(__file__).resolve().parents[1]
_CANDIDATES = (_PACKAGE / "_dashboard", _PACKAGE.parent)


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

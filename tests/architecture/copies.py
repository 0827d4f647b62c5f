"""Copies of the tree, to which a newcomer's file can be added, and programs that run in them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests import ROOT

COPIED = ("docgraph", "pages", "app.py", "pyproject.toml", "tests", ".streamlit")


def copied(folder: Path) -> Path:
    """``folder`` with the tree in it, and with its compiled modules: compiling them anew takes seconds."""
    for name in COPIED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy(source, target)
    return folder


def python(tree: Path, *arguments: str | Path) -> str:
    """What a program of this Python prints there; how long it may take is what a test may take."""
    finished = subprocess.run(
        [sys.executable, *arguments],
        cwd=tree,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(tree), "PATH": "/usr/bin:/bin"},
    )
    assert finished.returncode == 0, finished.stdout[-2000:] + finished.stderr[-2000:]
    return finished.stdout

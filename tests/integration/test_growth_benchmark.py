"""The benchmark of growth runs whole over a few hundred chunks, so that it can be run over a million."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from docgraph.domain.request import SeedSignal
from docgraph.domain.workspace import VectorSearch
from tests import ROOT

STEPS = ("160", "320")


@pytest.mark.slow
def test_every_signal_is_measured_in_every_mode_at_every_step(new_database_url: str, tmp_path: Path) -> None:
    """It broke once without anybody's notice, because nothing but a run of many minutes asked for it."""
    told = tmp_path / "growth.json"
    options = ["--steps", ",".join(STEPS), "--rounds", "1", "--imported", "0", "--hnsw-up-to", "320", "--yes"]
    subprocess.run(
        [sys.executable, "-m", "benchmarks.growth", *options, "--database-url", new_database_url, "--json", str(told)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        timeout=300,
    )
    steps = json.loads(told.read_text())["figures"]["steps"]
    ways = {f"{signal}, {mode}" for signal in get_args(SeedSignal) for mode in get_args(VectorSearch)}
    assert [(str(step["chunks"]), set(step["ways"])) for step in steps] == [(each, ways) for each in STEPS]

"""What one question costs from the shell: `docgraph plan` beside a Python that connects with psycopg and asks once."""

from __future__ import annotations

import os
import statistics
import sys
from pathlib import Path
from typing import Any

import docgraph
from benchmarks import figures
from benchmarks.clocks import ProgramCost, program

SAMPLE = Path(__file__).resolve().parent.parent / "sample_data" / "harbor"
WORKSPACE = "shell"
QUESTION = "Why is the boarding queue bounded?"
PLAN = "from docgraph.cli import main; main()"
LEAST = "import sys, psycopg; print(psycopg.connect(sys.argv[1]).execute('SELECT 1').fetchone())"


def measure(url: str, *, rounds: int) -> dict[str, Any]:
    """Medians of both, in turns; the first round fills the caches of the disk."""
    with docgraph.connect(url, workspace=WORKSPACE) as opened:
        if all(workspace.name != WORKSPACE for workspace in opened.workspaces()):
            opened.ingest(SAMPLE)
    environment = {**os.environ, "DOCGRAPH_DATABASE_URL": url, "DOCGRAPH_WORKSPACE": WORKSPACE}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # both are compiled, as what is installed is
    ours, least = [], []
    for i in range(rounds + 1):
        mine = program([sys.executable, "-c", PLAN, "plan", QUESTION], env=environment)
        other = program([sys.executable, "-c", LEAST, url], env=environment)
        if i:
            ours.append(mine)
            least.append(other)
    own, base = _medians(ours), _medians(least)
    return {
        "rounds": rounds,
        "docgraph_plan": own,
        "python_psycopg": base,
        **{name: figures.ratio(own[name], base[name]) for name in own},
    }


def _medians(costs: list[ProgramCost]) -> dict[str, float]:
    return {
        "cpu": round(statistics.median(c.cpu for c in costs), 3),
        "wall": round(statistics.median(c.wall for c in costs), 3),
        "memory_mb": round(statistics.median(c.memory for c in costs) / 2**20, 1),
    }

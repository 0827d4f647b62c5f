"""What the dashboard holds in memory by itself: libraries that few need are loaded when they are used."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
from pathlib import Path
{before}
from docgraph.ui.frame import launcher
from docgraph.ui.shell import server
problems = []
launcher.announce = lambda problem=None: problems.append(problem)
server._warm_up()
print(problems, *sorted(sys.modules))
server._close()
"""
SAMPLE = "from docgraph.cli.commands.dashboard import load_sample; load_sample(Path(sys.argv[1]))"
NEVER_BY_ITSELF = ("alembic", "altair", "matplotlib", "onnxruntime", "pydeck", "pypdf", "scipy", "xlsxwriter")
"""They take 5 to 60 MB each: correlations and most pages do without, and a page that needs one imports it."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "beside"),
    [("", ("bs4", "lxml", "semantic_text_splitter", "tokenizers", "wordllama")), (SAMPLE, ())],
    ids=["with what is there", "after the import of the sample corpus"],
)
def test_a_dashboard_that_has_started_holds_no_library_that_nobody_asked_for(
    before: str, beside: tuple[str, ...], new_database_url: str, tmp_path: Path
) -> None:
    environment = {**os.environ, "DOCGRAPH_DATABASE_URL": new_database_url, "DOCGRAPH_WORKSPACE": "harbor"}
    start = [sys.executable, "-c", PROGRAM.format(before=before), str(tmp_path)]
    done = subprocess.run(start, env=environment, capture_output=True, text=True, check=True)
    problems, *modules = done.stdout.splitlines()[-1].split(" ")
    assert problems == "[None]"
    assert "docgraph.ui.plan.page" in modules
    assert [name for name in (*NEVER_BY_ITSELF, *beside) if name in modules] == []

"""A command imports what it needs: asking for a plan loads no migration, no other stage and no other command."""

from __future__ import annotations

import subprocess
import sys

import pytest

from docgraph.cli.commands import MODULES, application, application_for

HEAVY = (
    "alembic",
    "bs4",
    "docutils",
    "lxml",
    "pandas",
    "pypdf",
    "semantic_text_splitter",
    "sqlalchemy",
    "streamlit",
    "wordllama",
    "docgraph.comparison",
    "docgraph.conversation",
    "docgraph.curation",
    "docgraph.execution",
    "docgraph.ingestion",
    "docgraph.orchestration.docgraph",
    "docgraph.plugins.stores.postgres.archives.query_sets",
    "docgraph.plugins.stores.postgres.archives.runs",
    "docgraph.retrieval.answers",
    "docgraph.views.compare",
    "docgraph.views.report",
)
PROGRAM = """
import sys
from docgraph.cli import edge
code = edge.run(["plan", "Why is the queue bounded?"])
print(code, *sorted(sys.modules), file=sys.stderr)
"""


@pytest.mark.slow
def test_a_plan_from_the_shell_imports_nothing_that_it_does_not_need(new_database_url: str) -> None:
    environment = {"DOCGRAPH_DATABASE_URL": new_database_url, "DOCGRAPH_WORKSPACE": "light"}
    create = [sys.executable, "-m", "docgraph", "workspaces", "create", "light"]
    subprocess.run(create, env=environment, check=True, capture_output=True)
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, check=True, capture_output=True, text=True)
    code, *modules = done.stderr.split()
    assert code == "0"
    assert "docgraph.planning.planner" in modules
    assert [name for name in modules if name.startswith(HEAVY)] == []


def test_a_command_is_found_alone_and_help_and_typos_see_all() -> None:
    assert [c.callback.__name__ for c in application_for(["plan", "-h"]).registered_commands if c.callback] == ["plan"]
    everything = application()
    assert application_for([]) is application_for(["--help"]) is application_for(["pln"]) is everything
    assert len(everything.registered_commands) + len(everything.registered_groups) == len(MODULES)

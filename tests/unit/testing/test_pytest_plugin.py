"""The pytest plug-in: a workspace of a folder, assertions that say why, and nothing loaded for those who do not ask."""

from __future__ import annotations

import subprocess
import sys

import pytest

from docgraph.bootstrap import connect
from tests import ROOT

pytest_plugins = ["pytester"]
PLUGIN = "docgraph.testing.pytest_plugin"
HEAVY = (
    "pydantic",
    "numpy",
    "docgraph.bootstrap",
    "docgraph.orchestration",
    "docgraph.domain.frozen",
    "sqlalchemy",
    "streamlit",
)
FILES = {
    "boats.md": "# Boats\n\nBoats sleep in the harbour at night. See [tides](tides.md).\n",
    "tides.md": "# Tides\n\nThe moon moves the sea.\n",
    "bread.md": "# Bread\n\nFlour, water, salt and yeast.\n",
}
REWRITES = "import pytest\npytest.register_assert_rewrite('docgraph')\n"
"""What pytest does with an installed package that brings a plug-in: docgraph then found two stores called imports."""

TESTS = """
import pytest

@pytest.fixture
def ws(docgraph_workspace):
    return docgraph_workspace("docs")

def test_reads(ws):
    plan = ws.assert_reads("Where do boats sleep?", "boats", "tides")
    assert plan.seed_documents

def test_same_folder_is_imported_once(ws, docgraph_workspace):
    assert docgraph_workspace("docs") is ws
    assert docgraph_workspace("docs", exclude=("bread.md",)) is not ws

def test_fails(ws):
    ws.assert_plans("Where do boats sleep?", "bread", max_documents=1)

def test_unknown(ws):
    ws.assert_plans("Where do boats sleep?", "nowhere")
"""


def _installed() -> bool:
    """Whether this package's plug-in is known to pytest already."""
    from importlib.metadata import entry_points

    return any(each.value == PLUGIN for each in entry_points(group="pytest11"))


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.RunResult:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    (pytester.path / "docs").mkdir()
    for name, text in FILES.items():
        (pytester.path / "docs" / name).write_text(text, encoding="utf-8")
    pytester.makepyfile(TESTS)
    pytester.makeconftest(REWRITES)
    given = () if _installed() else ("-p", PLUGIN)
    return pytester.runpytest_subprocess(*given, "-p", "no:cacheprovider", "-q")


def test_a_failure_says_the_plan_the_place_and_why_not(run: pytest.RunResult) -> None:
    run.assert_outcomes(passed=2, failed=2)
    said = run.stdout.str()
    assert "bread: not planned for 'Where do boats sleep?'" in said
    assert "bread (rank " in said
    assert "the plan reads 1:" in said
    assert "1. seed boats (Boats)" in said
    assert "max_documents" in said or "limit" in said
    assert "no document has the id 'nowhere'" in said
    assert "pytest_plugin.py" not in said.split("short test summary")[0].split("test_unknown")[0]


@pytest.mark.integration
def test_a_workspace_in_the_database_is_dropped_after_the_session(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, new_database_url: str
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("DOCGRAPH_DATABASE_URL", new_database_url)
    (pytester.path / "docs").mkdir()
    (pytester.path / "docs" / "boats.md").write_text(FILES["tides.md"], encoding="utf-8")
    pytester.makepyfile("""
        def test_it(docgraph_workspace):
            ws = docgraph_workspace("docs", embedded=True)
            assert [each.n_documents for each in ws.docgraph.workspaces()] == [1]
            ws.assert_reads("What moves the sea?", "boats")
    """)
    given = () if _installed() else ("-p", PLUGIN)
    pytester.runpytest_subprocess(*given, "-p", "no:cacheprovider", "-q").assert_outcomes(passed=1)
    with connect(new_database_url) as dg:
        assert not dg.workspaces()


def test_a_run_that_asks_for_nothing_loads_nothing() -> None:
    """pytest imports the plug-in in every run of everybody who has docgraph installed."""
    program = f"import sys, {PLUGIN}; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

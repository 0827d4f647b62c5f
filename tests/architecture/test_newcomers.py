"""A newcomer's change is one file: on a copy of the tree, each is found, used and put under its contract suite."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from docgraph import plugins
from tests import ROOT
from tests.architecture.copies import copied, python
from tests.architecture.newcomers import NEWCOMERS

pytestmark = pytest.mark.slow


SUITED = [kind for kind in NEWCOMERS if (ROOT / "tests" / "contract" / f"test_{kind}.py").is_file()]
"""Kinds that have a compliance suite."""

TRIP = """
import json, pathlib, sys
import docgraph
from docgraph import plugins
folder = pathlib.Path(sys.argv[1])
(folder / "a.newcomer").write_text("First\\nalpha beta")
(folder / "b.newcomer").write_text("Second\\nafter: a.newcomer\\ngamma delta")
roles = {role: "newcomer" for role in ("store", "embedder", "summarizer", "reranker", "rewriter")}
with docgraph.connect(**roles, providers=("newcomer",)) as dg:
    report = dg.ingest(folder)
    print(json.dumps({
        "found": [kind for kind in plugins.KINDS if "newcomer" in plugins.available(kind)],
        "embedder": dg.workspace.embedder.embedder_id, "stored": report.n_stored, "edges": report.relationships,
        "plan": list(dg.plan(docgraph.RetrievalRequest(query="gamma delta", max_documents=2)).document_ids),
        "checked": {r.check_id: len(r.findings) for r in dg.check().results}["newcomer"],
        "figure": dg.compare(docgraph.RetrievalRequest(query="gamma delta", max_documents=2)).figure("newcomer").value,
        "summary": dg.documents.get("b.newcomer").summary,
        "tokens": plugins.build("tokenizers", "newcomer").count("gamma delta"),
        "asked": dg.retrieve("gamma").context_packet.provider,
        "reranked": dg.retrieve("gamma alpha").routing_metadata["rerank_type"],
        "order": [c.metadata["document_id"] for c in dg.retrieve("gamma alpha").context_packet.candidates],
        "rewritten": dg.converse(dg.converse(None, "why gamma delta").state, "and for alpha?").understanding.query,
    }))
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with one new file of every kind; the check stands in a room of its folder."""
    folder = copied(tmp_path_factory.mktemp("tree"))
    for kind, code in NEWCOMERS.items():
        room = {"checks": "checks/texts"}.get(kind, kind)
        (folder / "docgraph" / "plugins" / room / "newcomer.py").write_text(code.lstrip())
    return folder


def test_new_plugins_are_found_and_work_together(tree: Path, tmp_path: Path) -> None:
    answer = json.loads(python(tree, "-c", TRIP, tmp_path))
    assert answer == {
        "found": list(plugins.KINDS),
        "embedder": "newcomer:letters:26",
        "stored": 2,
        "edges": {"follows": 1},
        "plan": ["b.newcomer", "a.newcomer"],
        "checked": 1,
        "figure": 1.0,
        "summary": "after: a.newcomer",
        "tokens": 2,
        "asked": "newcomer",
        "reranked": "external",
        "order": ["a.newcomer", "b.newcomer"],
        "rewritten": "alpha? for and delta gamma why",
    }


@pytest.fixture(scope="module")
def collected(tree: Path) -> Sequence[str]:
    """The compliance tests of newcomers; of all kinds at once, because each collection imports the product anew."""
    modules = [f"tests/contract/test_{kind}.py" for kind in SUITED]
    out = python(tree, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *modules)
    return [line for line in out.splitlines() if "newcomer" in line]


@pytest.mark.parametrize("kind", sorted(SUITED))
def test_a_new_plugin_is_put_under_the_contract_suite_of_its_kind(collected: Sequence[str], kind: str) -> None:
    assert any(line.startswith(f"tests/contract/test_{kind}.py::") for line in collected)


def test_a_new_page_is_found_by_the_shell(tree: Path) -> None:
    (tree / "pages" / "newcomer.py").write_text('"""A new page."""\n\nPAGE = {"title": "Newcomer", "order": 77}\n')
    program = "from docgraph.ui.frame.navigation import pages; print([page.name for page in pages()])"
    assert "newcomer" in python(tree, "-W", "ignore", "-c", program)


def test_the_import_contracts_hold_for_new_files_as_well(tree: Path) -> None:
    linter = (
        "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True, no_logo=True))"
    )
    python(tree, "-c", linter)


def test_a_new_file_that_breaks_a_contract_is_noticed(tree: Path) -> None:
    stray = tree / "docgraph" / "execution" / "stray.py"
    stray.write_text(
        '"""Asks the planner."""\n\nfrom docgraph.planning.planner import make_plan\n\n__all__ = ["make_plan"]\n'
    )
    linter = (
        "import sys; from importlinter.cli import lint_imports; sys.exit(not lint_imports(no_cache=True, no_logo=True))"
    )
    try:
        assert "Execution does not import planning BROKEN" in python(tree, "-c", linter)
    finally:
        stray.unlink()

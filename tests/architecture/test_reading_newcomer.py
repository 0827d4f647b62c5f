"""A store that only reads is one file too: on a copy of the tree it passes its suite and goes on the whole trip."""

from __future__ import annotations

import ast
import json
import re
import shutil
from pathlib import Path

import pytest

from tests.architecture.copies import copied, python
from tests.architecture.test_newcomers import NEWCOMERS

WIKI = Path(__file__).with_name("wiki.py")
"""The newcomer."""

READING_TRIP = """
import json, pathlib, sys
import docgraph
from docgraph import plugins
from docgraph.domain.edit import Edit
from docgraph.errors import UserError
from docgraph.plugins.stores import wiki
from tests.builders import prepared
embedder, folder = plugins.build("embedders", "newcomer"), pathlib.Path(sys.argv[1])
documents = [
    prepared("a", ["gamma delta"], edges=[("follows", "b"), ("follows", "gone")], embedder=embedder),
    prepared("b", ["xylophone wax"], embedder=embedder),
    *(prepared(f"c{n}", [f"gamma delta {n * 'omega '}"], embedder=embedder) for n in range(9)),
]
(folder / "wiki.json").write_text(wiki.exported(embedder.info, documents))

def refusal(act):
    try:
        act()
    except UserError as error:
        return error.message
    return "not refused"

with docgraph.connect(store="wiki", embedder="newcomer", data_dir=folder, workspace="example") as dg:
    request = docgraph.RetrievalRequest(query="gamma delta", seed_document_ids=("a",))
    run = dg.run(request)
    found = dg.retrieve("xylophone")
    print(json.dumps({
        "plan": list(dg.plan(request).document_ids), "run": list(run.plan.document_ids),
        "executed": dg.execute(run.plan) == run.context,
        "contract": all(check.passed for check in run.contract),
        "explained": dg.explain(request, "b").role,
        "compared": dg.compare(request).b.run.plan.plan_id == run.plan.plan_id,
        "by words": found.context_packet.candidates[0].id,
        "failed": found.routing_metadata["failures"], "asked": found.routing_metadata["selected_providers"],
        "documents": [document.document_id for document in dg.documents.list(text="B")],
        "relationships": [edge.to_document_id for edge in dg.relationships.list(dangling=True)],
        "types": dg.relationships.types(),
        "checked": {r.check_id: len(r.findings) for r in dg.check().results}["missing_endpoint"],
        "impact": dg.relationships.impact([Edit(action="remove", key=("a", "follows", "b"))]).n_questions,
        "may write": dg.may_write(), "runs": list(dg.runs.list()),
        "refused": [refusal(act) for act in (
            lambda: dg.runs.save(run),
            lambda: dg.runs.get("abcd1234"),
            lambda: dg.compare(run, "abcd1234"),
            lambda: dg.ingest(folder),
            lambda: dg.documents.delete(["a"]),
            lambda: dg.relationships.edit([Edit(action="remove", key=("a", "follows", "b"))], by="me"),
            lambda: dg.judgments.judge("gamma", "a", True, by="me"),
            lambda: dg.memory.remember(["said"], conversation_id="1"),
            lambda: dg.rules.set({}),
            lambda: dg.calibration.reset(),
            lambda: dg.create_workspace("new"),
        )],
    }))
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with the store, and with an embedder that fits what it holds."""
    plugins = copied(tmp_path_factory.mktemp("tree")) / "docgraph" / "plugins"
    shutil.copy(WIKI, plugins / "stores" / "wiki.py")
    (plugins / "embedders" / "newcomer.py").write_text(NEWCOMERS["embedders"].lstrip())
    return plugins.parent.parent


def test_a_store_that_only_reads_needs_at_most_twelve_methods() -> None:
    classes = [node for node in ast.parse(WIKI.read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef)]
    methods = [node.name for each in classes for node in each.body if isinstance(node, ast.FunctionDef)]
    assert len(methods) == 11 <= 12


@pytest.mark.slow
def test_a_store_that_only_reads_passes_the_suite_of_those(tree: Path) -> None:
    out = python(
        tree, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "tests/contract/test_stores.py", "-k", "wiki"
    )
    assert re.search(r"^\d{2,3} passed", out, flags=re.MULTILINE), out[-500:]
    assert "skipped" not in out


@pytest.mark.slow
def test_over_a_store_that_only_reads_everything_is_asked_and_nothing_is_kept(tree: Path, tmp_path: Path) -> None:
    answer = json.loads(python(tree, "-c", READING_TRIP, tmp_path))
    refused = answer.pop("refused")
    assert answer == {
        "plan": ["a", "b"],
        "run": ["a", "b"],
        "executed": True,
        "contract": True,
        "explained": "expanded",
        "compared": True,
        "by words": "b/b#0",
        "asked": ["graph", "lexical"],
        "failed": {},
        "documents": ["b"],
        "relationships": ["gone"],
        "types": {"follows": 2},
        "checked": 1,
        "impact": 0,
        "may write": False,
        "runs": [],
    }
    assert len(refused) == 11
    assert all(message.startswith("the store 'wiki' only reads: ") for message in refused), refused

"""The command line: what it writes, where, with which exit code, and that nothing in a document can steer it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from docgraph.bootstrap import connect
from docgraph.cli import edge
from docgraph.cli.text.output import printable
from docgraph.domain.context import AssembledContext, RetrievedContext
from docgraph.domain.explanation import Explanation
from docgraph.domain.graph import Document
from docgraph.domain.plan import parse_plan
from docgraph.domain.report import IngestReport
from docgraph.domain.run import Run
from docgraph.domain.workspace import Workspace
from tests import ROOT

HOSTILE = "\x1b]0;owned\x07\x1b[31mred\x9b2J\u202eevil"
QUESTION = "why is the queue bounded"
Command = Callable[..., tuple[int, str, str]]

pytestmark = pytest.mark.integration


def _write_corpus(folder: Path) -> None:
    (folder / "queue.md").write_text(
        "---\nid: adr-1\ntitle: Bounded queue\ntype: decision\nexplains: [runbook, missing]\n---\n"
        "The queue is bounded so that waiting ends. A full queue refuses.\n"
    )
    (folder / "runbook.md").write_text("---\nid: runbook\ntitle: Night alarm\n---\nWhat to do when the bell rings.\n")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    _write_corpus(folder)
    return folder


@pytest.fixture(scope="module")
def environment(embedded_database_url: str, corpus: Path) -> Iterator[dict[str, str]]:
    """Variables under which ``docgraph`` finds a workspace ``cli-tests`` with the corpus."""
    variables = {"DOCGRAPH_DATABASE_URL": embedded_database_url, "DOCGRAPH_WORKSPACE": "cli-tests", "COLUMNS": "120"}
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    assert edge.run(["ingest", str(corpus)]) == 0
    with connect() as dg:
        text = f"The queue {HOSTILE} is bounded here."
        dg.ingest_records([Document(document_id="hostile", title=f"Queue {HOSTILE}", text=text)])
    yield variables
    edge.run(["workspaces", "drop", "cli-tests", "--yes"])
    for name, value in before.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value


@pytest.fixture
def docgraph(environment: dict[str, str], capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs one command: (exit code, standard output, standard error)."""

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = edge.run(arguments)
        written = capsys.readouterr()
        return code, written.out, written.err

    return run


def _json(docgraph: Command, *arguments: str) -> Any:
    code, out, _ = docgraph(*arguments, "--json")
    assert code == 0
    return json.loads(out)


# ---------------------------------------------------------------- what it answers


def test_the_report_adds_up_and_names_what_was_rejected(docgraph: Command, corpus: Path) -> None:
    code, out, _ = docgraph("ingest", str(corpus))
    assert code == 0
    assert "3 in = 0 stored + 0 updated + 2 skipped + 1 rejected" in out
    assert "broken.pdf" in out
    report = IngestReport.model_validate(_json(docgraph, "ingest", str(corpus)))
    assert report.n_in == sum(report.counts.values()) == 3


def test_a_dry_run_says_so_and_writes_nothing(docgraph: Command, tmp_path: Path) -> None:
    (tmp_path / "new.md").write_text("# New\n\nA new text.\n")
    before = _json(docgraph, "workspaces", "list")
    code, out, _ = docgraph("ingest", str(tmp_path), "--dry-run")
    assert code == 0
    assert "nothing was written" in out
    assert _json(docgraph, "workspaces", "list") == before


def test_plan_shows_seeds_related_documents_and_every_cut(docgraph: Command) -> None:
    code, out, _ = docgraph("plan", QUESTION, "--max-documents", "2")
    assert code == 0
    assert "1 seed → 1 more document over 1 relationship (explains 1)." in out
    assert "← explains  from adr-1" in out
    assert "missing_document" in out


def test_plan_json_is_a_plan_that_execute_obeys(docgraph: Command, tmp_path: Path) -> None:
    _, out, _ = docgraph("plan", QUESTION, "--json", "--max-documents", "2")
    plan = parse_plan(out)
    (tmp_path / "plan.json").write_text(out)
    result = _json(docgraph, "execute", str(tmp_path / "plan.json"))
    context = RetrievedContext.model_validate(result["context"])
    AssembledContext.model_validate(result["assembled"])
    assert context.document_ids == plan.document_ids


def test_without_relationships_the_sentence_says_that_they_are_off(docgraph: Command) -> None:
    _, out, _ = docgraph("plan", QUESTION, "--no-relationships")
    assert "3 seeds; relationships are off." in out


def test_where_no_relationship_adds_a_document_the_sentence_says_what_the_plan_equals(docgraph: Command) -> None:
    _, out, _ = docgraph("plan", QUESTION)
    assert "3 seeds; relationships add no document: same result as without relationships." in out


def test_the_preset_literal_is_asked_for_in_one_word(docgraph: Command) -> None:
    """Every seed expands, and what a request by this preset cannot choose is refused with its name."""
    plan = _json(docgraph, "plan", QUESTION, "--preset", "literal", "--max-chunks", "1")
    assert (plan["constraints"]["preset"], plan["constraints"]["evidence_rule"]) == ("literal", "similarity")
    assert [seed["expands"] for seed in plan["seed_documents"]] == [True]
    code, _, err = docgraph("plan", QUESTION, "--preset", "literal", "--signal", "mean")
    assert code == 1
    assert "preset 'literal' has seed_signal = 'chunk', not 'mean'" in err


def test_a_document_that_the_question_names_says_so(docgraph: Command) -> None:
    _, out, _ = docgraph("plan", "what says ADR 1?", "--max-documents", "1")
    assert "named in the question (“ADR 1”)" in out
    _, out, _ = docgraph("plan", "what says ADR 1?", "--max-documents", "1", "--no-names")
    assert "named in the question" not in out


def test_exactly_so_many_seeds_can_be_asked_for(docgraph: Command) -> None:
    assert len(_json(docgraph, "plan", QUESTION, "--max-seeds", "1")["seed_documents"]) == 1


@pytest.mark.slow
def test_a_what_if_leaves_a_relationship_aside_and_writes_nothing(docgraph: Command) -> None:
    before = _json(docgraph, "relationships")
    for option in (["--without-edge", "adr-1|explains|runbook"], ["--without-type", "explains"]):
        plan = _json(docgraph, "plan", QUESTION, "--max-documents", "2", *option)
        assert [d["document_id"] for d in plan["expanded_documents"]] == []
    assert _json(docgraph, "plan", QUESTION, "--add-seed", "runbook")["seed_documents"][0]["document_id"] == "runbook"
    dropped = _json(docgraph, "plan", QUESTION, "--drop-seed", "adr-1")
    assert "adr-1" not in [d["document_id"] for d in dropped["seed_documents"]]
    assert _json(docgraph, "relationships") == before


def test_run_json_is_a_whole_run_with_its_contract_kept(docgraph: Command) -> None:
    run = Run.model_validate(_json(docgraph, "run", QUESTION))
    assert run.contract
    assert all(check.passed for check in run.contract)


def test_run_text_writes_the_assembled_context_alone(docgraph: Command) -> None:
    run = Run.model_validate(_json(docgraph, "run", QUESTION))
    _, out, _ = docgraph("run", QUESTION, "--text")
    assert out == printable(run.assembled.text) + "\n"


def test_explain_gives_the_option_that_would_let_a_document_in(docgraph: Command) -> None:
    code, out, _ = docgraph("explain", QUESTION, "--document", "runbook", "--no-relationships", "--max-documents", "1")
    assert code == 0
    assert "not in the plan" in out
    assert "--relationships" in out
    Explanation.model_validate(_json(docgraph, "explain", QUESTION, "--document", "runbook"))


def test_lists_have_their_documented_shapes(docgraph: Command) -> None:
    documents = _json(docgraph, "documents")
    assert [d["document_id"] for d in documents["documents"]] == ["adr-1", "hostile", "runbook"]
    edges = _json(docgraph, "relationships", "--type", "explains", "--dangling")
    assert [e["to_document_id"] for e in edges["relationships"]] == ["missing"]
    workspaces = _json(docgraph, "workspaces")["workspaces"]
    assert "cli-tests" in [w.name for w in TypeAdapter(list[Workspace]).validate_python(workspaces)]


@pytest.mark.slow
def test_a_relation_type_is_switched_off_and_on_again(docgraph: Command) -> None:
    off = {t["relation_type"]: t["on"] for t in _json(docgraph, "workspaces", "types", "off", "explains")["types"]}
    assert off["explains"] is False
    assert "+" not in docgraph("plan", QUESTION, "--max-documents", "2")[1].split("Left out")[0]
    on = {t["relation_type"]: t["on"] for t in _json(docgraph, "workspaces", "types", "on", "explains")["types"]}
    assert on["explains"] is True


@pytest.mark.slow
def test_workspaces_are_created_and_dropped_only_with_a_yes(docgraph: Command) -> None:
    assert Workspace.model_validate(_json(docgraph, "workspaces", "create", "short-lived")).n_documents == 0
    assert docgraph("workspaces", "create", "short-lived")[0] == 1
    assert _json(docgraph, "workspaces", "drop", "short-lived", "--yes") == {"dropped": "short-lived", "n_documents": 0}
    assert docgraph("workspaces", "drop", "short-lived", "--yes")[0] == 1


def test_doctor_checks_every_part(docgraph: Command) -> None:
    answer = _json(docgraph, "doctor")
    assert answer["ok"] is True
    assert [c["name"] for c in answer["checks"]] == [
        "python",
        "settings",
        "dashboard",
        "sample corpus",
        "disk",
        "database",
        "sessions",
        "embedder",
        "workspace",
        "codes",
        "relation types",
        "query sets",
    ]
    codes = next(c["detail"] for c in answer["checks"] if c["name"] == "codes")
    assert codes == "used for quantized search only, 256 MB at most (DOCGRAPH_RESIDENT_MB)"
    assert docgraph("doctor")[1].startswith("docgraph ")


# ---------------------------------------------------------------- what it refuses


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["plan", ""], 1),
        (["plan", "q", "--max-documents", "0"], 1),
        (["plan", "q" * 30_000], 1),
        (["plan", "q", "--workspace", "nowhere"], 1),
        (["plan", "q", "--workspace", "No Name"], 1),
        (["explain", "q", "--document", "nobody"], 1),
        (["execute", "no-such-file.json"], 1),
        (["plan", "q", "--without-type", "no-such-type"], 1),
        (["run", "q", "--without-edge", "adr-1|explains"], 1),
        (["run", "q", "--without-edge", "adr-1|explains|adr-1"], 1),
        (["run", "q", "--drop-seed", "nobody"], 1),
        (["run", "q", "--add-seed", "nobody"], 1),
        (["run", "q", "--add-seed", "adr-1", "--drop-seed", "adr-1"], 1),
        (["ingest", "/no/such/folder"], 1),
        (["workspaces", "types", "off", "no-such-type"], 1),
        (["nonsense"], 2),
        (["plan"], 1),
        (["explain", "q"], 2),
        (["plan", "q", "--mode", "slow"], 2),
        (["plan", "q", "--max-documents", "many"], 2),
        (["schema", "nonsense"], 2),
    ],
)
def test_an_error_is_one_line_with_its_exit_code_and_never_a_traceback(
    docgraph: Command, arguments: list[str], code: int
) -> None:
    found, out, err = docgraph(*arguments)
    assert found == code, err
    assert out == ""
    assert "Traceback" not in err
    if code == 1:
        lines = err.splitlines()
        assert lines[0].startswith("error: ")
        assert [line[:6] for line in lines[1:]] in ([], ["hint: "])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "postgresql://u:marker-password@127.0.0.1:1/x"),
        ("DATABASE_URL", "marker-password"),
        ("EMBEDDER", "nonsense"),
        ("PORT", "none"),
    ],
)
def test_a_fault_of_the_set_up_ends_with_3_and_shows_no_password(
    docgraph: Command, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"DOCGRAPH_{name}", value)
    code, out, err = docgraph("documents")
    assert (code, out) == (3, "")
    assert err.startswith("error: ")
    assert "marker-password" not in err
    code, out, err = docgraph("doctor")
    assert code == 3
    assert "marker-password" not in out + err


def test_a_forged_plan_is_refused(docgraph: Command, tmp_path: Path) -> None:
    plan = _json(docgraph, "plan", QUESTION)
    plan["constraints"]["max_relationship_depth"] = 2
    (tmp_path / "forged.json").write_text(json.dumps(plan))
    code, _, err = docgraph("execute", str(tmp_path / "forged.json"))
    assert code == 1
    assert "max_relationship_depth" in err


def test_nothing_in_a_document_can_steer_the_terminal(docgraph: Command) -> None:
    for arguments in (["run", QUESTION], ["run", QUESTION, "--json"], ["run", QUESTION, "--text"], ["documents"]):
        _, out, _ = docgraph(*arguments)
        assert not set(out) & set("\x1b\x07\x9b\u202e"), arguments


def test_control_characters_are_shown_as_escapes() -> None:
    assert printable("a\x1b[0m\tb\n\x9b\u202e") == "a\\x1b[0m\tb\n\\x9b\\u202e"


# ---------------------------------------------------------------- how it is used


@pytest.mark.slow
def test_it_works_in_a_pipe_without_colour(environment: dict[str, str]) -> None:
    command = [sys.executable, "-c", "from docgraph.cli import main; main()", "run", QUESTION]
    whole = subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, check=True)
    assert b"\x1b" not in whole.stdout
    assert "●".encode() in whole.stdout
    ascii_only = {**os.environ, **environment, "PYTHONIOENCODING": "ascii"}
    assert subprocess.run(command, cwd=ROOT, env=ascii_only, capture_output=True, check=False).returncode == 0


@pytest.mark.slow
def test_a_reader_that_leaves_early_is_no_error(environment: dict[str, str]) -> None:
    program = f"{sys.executable} -c 'from docgraph.cli import main; main()' schema run | head -c 10"
    finished = subprocess.run(program, shell=True, cwd=ROOT, capture_output=True, check=False)
    assert finished.stdout == b'{\n  "$sche'
    assert finished.stderr == b""


def test_the_package_can_be_run_as_a_module() -> None:
    command = [sys.executable, "-m", "docgraph", "workspaces", "list", "--nonsense"]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert finished.returncode == 2
    assert "--nonsense" in finished.stderr

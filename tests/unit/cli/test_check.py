"""``docgraph check``: what it writes, that hostile titles stay text, and the exit code for continuous integration."""

from __future__ import annotations

import io
import json
import signal
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.progress import Progress, TextColumn

from docgraph import plugins
from docgraph.bootstrap import connect
from docgraph.cli.text import progress as progress_lines
from docgraph.cli.text.progress import CheckProgress
from docgraph.domain.finding import CheckReport, Finding
from docgraph.domain.graph import Document, Relationship
from docgraph.plugins.checks.shape.orphan import Orphan
from docgraph.ports import Outcome, RelationshipGraph
from tests.command_line import Command, filled_workspace, running

WORKSPACE = "cli-check"
HOSTILE = "Evil \x1b[31m | ![x](http://e.example/p.png) <img src=x> @someone\u202e"
DOCUMENTS = (
    Document(document_id="queue", title=HOSTILE, text="The queue is bounded."),
    *(Document(document_id=f"d-{i:02}", title=f"Part {i}", text=f"Part {i} of the whole.") for i in range(15)),
)
EDGES = tuple(
    Relationship(from_document_id=start, relation_type=via, to_document_id=end)
    for start, via, end in (
        ("queue", "explains", "nowhere"),
        ("queue", "references", "d-01"),
        ("queue", "explains", "d-01"),
        *((f"d-{i:02}", "references", f"d-{i:02}") for i in range(12)),
    )
)

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module", autouse=True)
def _environment(embedded_database_url: str) -> Iterator[None]:
    with filled_workspace(embedded_database_url, WORKSPACE, DOCUMENTS, EDGES):
        yield


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs ``docgraph check …``: (exit code, standard output, standard error)."""
    return running("check", capsys)


@pytest.fixture
def rules(tmp_path: Path) -> Callable[[str], str]:
    def write(text: str) -> str:
        (tmp_path / "rules.toml").write_text(text, encoding="utf-8")
        return str(tmp_path / "rules.toml")

    return write


def test_every_check_is_listed_with_its_denominator_and_its_findings_stand_below(check: Command) -> None:
    code, out, err = check()
    assert (code, err) == (1, "")
    for name in plugins.available("checks"):
        assert name in out
    assert "self_link" in out
    assert "12 of 15 relationships" in out
    assert "there is no document nowhere" in out
    assert "fix: remove queue —explains→ nowhere" in out


def test_long_lists_say_how_much_of_them_is_shown(check: Command) -> None:
    assert "10 of 12 shown" in check("--only", "self_link")[1]
    assert "3 of 12 shown" in check("--only", "self_link", "--limit", "3")[1]
    assert "shown" not in check("--only", "self_link", "--limit", "12")[1]


def test_json_is_the_whole_report(check: Command) -> None:
    code, out, _ = check("--json")
    assert code == 1
    with connect() as dg:
        assert json.loads(out) == dg.check().model_dump(mode="json")
    assert CheckReport.model_validate_json(out).count("error") == 13


def test_only_the_checks_that_are_named_run(check: Command, rules: Callable[[str], str]) -> None:
    _, out, _ = check("--only", "orphan,hub", "--only", "self_link", "--json")
    results = json.loads(out)["results"]
    assert sorted(result["check_id"] for result in results) == ["hub", "orphan", "self_link"]
    off = rules("[checks.orphan]\non = false")
    _, out, _ = check("--only", "orphan", "--rules", off, "--json")
    assert [result["on"] for result in json.loads(out)["results"]] == [True]


def test_rules_switch_checks_off_and_set_severity_and_parameters(check: Command, rules: Callable[[str], str]) -> None:
    path = rules(
        "[checks.self_link]\non = false\n[checks.orphan]\nseverity = 'warning'\nparameters = { few = 20 }\n"
        "[checks.unknown_type.parameters]\nvocabulary = ['references']\n"
    )
    _, out, _ = check("--rules", path, "--json")
    results = {result["check_id"]: result for result in json.loads(out)["results"]}
    assert (results["self_link"]["on"], results["self_link"]["findings"]) == (False, [])
    assert {finding["severity"] for finding in results["orphan"]["findings"]} == {"warning"}
    assert [finding["relation_types"] for finding in results["unknown_type"]["findings"]] == [["explains"]]
    assert "self_link" in check("--rules", path)[1]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--only", "self_link"), 1),
        (("--only", "self_link", "--fail-on", "never"), 0),
        (("--only", "orphan"), 0),
        (("--only", "orphan", "--fail-on", "warning"), 0),
        (("--only", "self_link", "--fail-on", "warning"), 1),
        (("--only", "opposite_directions"), 0),
    ],
)
def test_the_exit_code_follows_the_worst_finding(check: Command, arguments: tuple[str, ...], code: int) -> None:
    assert check(*arguments)[0] == code


def test_a_severity_that_a_rule_sets_counts_for_the_exit_code(check: Command, rules: Callable[[str], str]) -> None:
    assert (
        check("--only", "orphan", "--rules", rules("[checks.orphan]\nseverity = 'error'\nparameters = { few = 20 }"))[0]
        == 1
    )


def test_markdown_shows_hostile_titles_letter_by_letter(check: Command) -> None:
    code, out, _ = check("--markdown", "--fail-on", "never")
    assert code == 0
    assert out.startswith("## ")
    assert "\\!\\[x\\](" in out
    assert "\\<img" in out.replace("\\\\", "")
    for stray in ("![x]", " <img", " @someone", "\x1b", "\u202e"):
        assert stray not in out
    table = [row for row in out.splitlines() if row.startswith("| ")]
    assert len(table) == len(plugins.available("checks")) + 2
    assert all(row.replace("\\|", "").count("|") == 5 for row in table)
    assert "12 of 15 relationships" in out
    assert "- 10 of 12 shown" in out


def test_hostile_titles_do_not_steer_the_terminal(check: Command) -> None:
    for arguments in ((), ("--json",)):
        out = check(*arguments)[1]
        assert "\x1b[31m" not in out
        assert "\u202e" not in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--only", "orfan"), "there is no check 'orfan'"),
        (("--rules", "nowhere.toml"), "cannot read 'nowhere.toml'"),
        (("--json", "--markdown"), "both write to standard output"),
        (("--workspace", "nobody"), "nobody"),
    ],
)
def test_a_mistake_is_one_line_and_a_hint(check: Command, arguments: tuple[str, ...], words: str) -> None:
    code, out, err = check(*arguments)
    assert (code, out) == (1, "")
    problem = json.loads(err)["error"]["message"] if "--json" in arguments else err.splitlines()[0]
    assert words in problem


@pytest.mark.slow
def test_a_rule_that_cannot_be_meant_is_an_error(check: Command, rules: Callable[[str], str]) -> None:
    for text, words in (
        ("[checks.orfan]", "there is no check 'orfan'"),
        ("[checks.hub]\nparameters = {most = 1}", "no parameter 'most'"),
        ("[checks.hub]\nparameters = {max_fan_out = 'x'}", "expected a number"),
        ("[checks", "rules.toml is not TOML"),
    ):
        for only in ((), ("--only", "hub")):
            code, out, err = check("--rules", rules(text), *only)
            assert (code, out) == (1, "")
            assert words in err


def test_a_wrong_value_of_fail_on_is_wrong_usage(check: Command) -> None:
    assert check("--fail-on", "info")[0] == 2


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl+C while the check of orphans runs, the last of those that are asked for."""

    def interrupting(self: Orphan, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        signal.raise_signal(signal.SIGINT)
        return Outcome(1, [Finding.about("orphan", "info", "Never seen.", document_ids=("queue",))])

    monkeypatch.setattr(Orphan, "find", interrupting)


@pytest.mark.usefixtures("interrupted")
def test_ctrl_c_writes_what_is_finished_and_is_never_taken_for_all_fine(check: Command) -> None:
    asked = ("--only", "self_link,orphan", "--fail-on", "never")
    code, out, err = check(*asked, "--json")
    report = CheckReport.model_validate_json(out)
    assert (code, report.complete, report.not_run) == (130, False, ("orphan",))
    assert [len(result.findings) for result in report.results] == [12, 0]
    assert err == f"{CheckProgress.stopping}\n"
    for form in ((), ("--markdown",)):
        code, out, _ = check(*asked, *form)
        assert code == 130
        assert "stopped after 1 of 2 checks: 12 errors" in out
        assert "stopped before it started" in out


@pytest.mark.usefixtures("interrupted")
def test_stopped_before_anything_was_found_no_count_of_findings_is_written(check: Command) -> None:
    code, out, _ = check("--only", "orphan")
    assert code == 130
    assert out.startswith("stopped before any of 1 check had run, in 16 documents and 15 relationships of cli-check")


def test_on_a_terminal_the_check_that_runs_stands_beside_the_bar_and_no_rate() -> None:
    shown = io.StringIO()
    with Progress(TextColumn("{task.description}"), console=Console(file=shown, force_terminal=True)) as bar:
        CheckProgress(bar).update(3, 18, "Link to itself")
    assert "Link to itself" in shown.getvalue()
    assert "/s" not in shown.getvalue()


def test_elsewhere_only_a_check_that_takes_long_writes_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    progress = CheckProgress()
    progress.update(3, 18, "Link to itself")
    assert not capsys.readouterr().err
    monkeypatch.setattr(progress_lines, "SECONDS_BETWEEN_STEPS", 0.0)
    progress.update(3, 18, "Link to itself")
    assert capsys.readouterr().err == "3 of 18 checks  Link to itself\n"


def test_findings_are_written_as_sarif_and_as_code_quality(check: Command, tmp_path: Path) -> None:
    sarif, quality = tmp_path / "s.sarif", tmp_path / "q.json"
    code, out, _ = check("--sarif", str(sarif), "--code-quality", str(quality), "--json")
    found = {each["finding_id"] for result in json.loads(out)["results"] for each in result["findings"]}
    [run] = json.loads(sarif.read_text(encoding="utf-8"))["runs"]
    assert code == 1
    assert {each["partialFingerprints"]["docgraphFindingId/v1"] for each in run["results"]} == found
    assert not any("locations" in each for each in run["results"])  # these documents come from no file
    assert json.loads(quality.read_text(encoding="utf-8")) == []

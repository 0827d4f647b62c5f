"""``docgraph gate``: a folder is imported aside, checked and evaluated; one exit code, and nothing is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from docgraph.cli import edge
from docgraph.domain.finding import Finding
from docgraph.views.relationships.findings.as_annotations import SHOWN, as_annotations
from docgraph.views.relationships.findings.located import Located, line_of

FILES = {
    "one.md": "---\ntitle: One\nsupersedes: adr-9.md\n---\n# One\n\nText of harbours.\n\n"
    "See [two](two.md) and\n[gone](nope.md) here.\n",
    "my notes/two, too.md": "# Two\n\nBoats sleep.\n\n## Part\n\nBack to [one](../one.md) and [none](none.md).\n",
    "lonely.md": "# Lonely ::error::##[set-output name=x]y\n\nNobody links here.\n",
    "two.md": "# Second\n\nIn front of the harbour, boats queue.\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOCGRAPH_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    monkeypatch.setenv("DOCGRAPH_DATA_DIR", str(tmp_path / "data"))
    return tmp_path


def _run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    capfd.readouterr()
    code = edge.run(["gate", *arguments])
    return code, capfd.readouterr().out


def test_a_gate_fails_by_its_findings_asks_no_database_and_keeps_nothing(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = sorted(folder.rglob("*"))
    code, said = _run(capfd, "docs")
    assert code == 1
    assert said.startswith("Gate failed (findings of severity error or worse): 3 errors")
    assert _run(capfd, "docs", "--fail-on", "never")[0] == 0
    rules = folder / "rules.toml"
    rules.write_text("[checks.missing_endpoint]\non = false\n", encoding="utf-8")
    code, said = _run(capfd, "docs", "--rules", "rules.toml")
    assert code == 0
    assert said.startswith("Gate passed: 0 errors")
    assert sorted(each for each in folder.rglob("*") if each != rules) == before


def test_findings_are_annotations_with_file_and_line(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, said = _run(capfd, "docs", "--annotations", "github", "--summary", "gate.md")
    assert code == 1
    *commands, verdict = said.splitlines()
    assert verdict.startswith("Gate failed")
    assert all(each.startswith(("::error ", "::warning ", "::notice ")) for each in commands)
    places = {each.split("::")[1].split(",title=")[0] for each in commands}
    assert places >= {
        "error file=docs/one.md,line=3",
        "error file=docs/one.md,line=10",
        "error file=docs/my notes/two%2C too.md,line=7",
    }
    assert "##[" not in said
    assert (folder / "gate.md").read_text(encoding="utf-8").startswith("## Gate failed")


def test_the_whole_is_json_sarif_and_code_quality(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, said = _run(capfd, "docs", "--json", "--sarif", "s.sarif", "--code-quality", "q.json")
    answer = json.loads(said)
    assert (code, answer["passed"]) == (1, False)
    findings = {f["finding_id"]: f for result in answer["report"]["results"] for f in result["findings"]}
    _check_sarif(json.loads((folder / "s.sarif").read_text(encoding="utf-8")), findings, folder)
    issues = json.loads((folder / "q.json").read_text(encoding="utf-8"))
    assert {each["fingerprint"] for each in issues} == set(findings)
    assert all((folder / each["location"]["path"]).is_file() for each in issues)
    assert {each["severity"] for each in issues} <= {"info", "minor", "major", "critical", "blocker"}
    assert all(each["description"] and each["location"]["lines"]["begin"] >= 1 for each in issues)


def _check_sarif(log: dict[str, Any], findings: dict[str, Any], folder: Path) -> None:
    """What SARIF 2.1.0 asks for of the properties that are used, and that each leads to a file and a line that is."""
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    [run] = log["runs"]
    assert set(run) <= {"tool", "columnKind", "originalUriBaseIds", "results"}
    rules = run["tool"]["driver"]["rules"]
    assert run["tool"]["driver"]["name"] == "docgraph"
    assert len({rule["id"] for rule in rules}) == len(rules) > 20
    for rule in rules:
        assert rule["shortDescription"]["text"]
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
    assert {each["partialFingerprints"]["docgraphFindingId/v1"] for each in run["results"]} == set(findings)
    for each in run["results"]:
        assert rules[each["ruleIndex"]]["id"] == each["ruleId"]
        assert each["level"] in ("error", "warning", "note")
        assert each["message"]["text"]
        [place] = each["locations"]
        uri = place["physicalLocation"]["artifactLocation"]["uri"]
        assert " " not in uri
        lines = (folder / unquote(uri)).read_text(encoding="utf-8").splitlines()
        if "region" in place["physicalLocation"]:
            assert 1 <= place["physicalLocation"]["region"]["startLine"] <= len(lines)
        else:
            assert each["ruleId"] == "orphan"


def test_questions_are_a_gate_too(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "q.jsonl").write_text(
        json.dumps({"id": "q1", "query": "Where do boats sleep?", "relevant": ["my notes/two, too"]}) + "\n"
    )
    given = ("docs", "--fail-on", "never", "--queries", "q.jsonl", "-m", "recall@5")
    code, said = _run(capfd, *given, "--fail-under", "recall@5=0.5", "--markdown")
    assert code == 0, said
    assert "Gate passed" in said
    assert "| recall@" in said
    (folder / "q.jsonl").write_text(json.dumps({"id": "q1", "query": "Boats?", "relevant": ["nowhere"]}) + "\n")
    code, said = _run(capfd, *given, "--fail-under", "recall@5=0.5", "--json")
    assert (code, json.loads(said)["gates"][0]["passed"]) == (1, False)
    assert json.loads(said)["sentence"].startswith("Gate failed (1 of 1 gate")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("docs", "--json", "--markdown"), "all write to standard output"),
        (("docs", "--fail-under", "recall@5=1"), "--fail-under needs questions"),
        (("empty",), "no file"),
        (("nowhere",), "nowhere"),
    ],
)
def test_a_gate_that_cannot_run_does_not_pass(
    folder: Path, capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    (folder / "empty").mkdir()
    code = edge.run(["gate", *arguments])
    captured = capfd.readouterr()
    assert code != 0
    assert told in captured.err
    assert captured.out == ""


def test_hostile_text_stays_in_its_annotation() -> None:
    """A runner takes every line that begins with two colons for a command, and an older form of them anywhere."""
    hostile = "a\r\n::set-output name=x::y ##[add-mask]z 100% \x1b[31m"
    finding = Finding.about("orphan", "warning", hostile, document_ids=("a",))
    [made] = as_annotations([Located(finding, "a,b:c%\n::stop-commands::x.md", 3)])
    assert made.startswith(
        "::warning file=a%2Cb%3Ac%25%0A%3A%3Astop-commands%3A%3Ax.md,line=3,title=docgraph orphan::a "
    )
    assert "\n" not in made
    assert "\r" not in made
    assert "##[" not in made
    assert "\x1b" not in made
    assert "100%25" in made


def test_no_more_annotations_than_are_shown() -> None:
    found = [Located(Finding.about("orphan", "error", f"f {n}", document_ids=(f"d{n}",))) for n in range(SHOWN + 5)]
    *shown, rest = as_annotations(found)
    assert len(shown) == SHOWN
    assert rest == "5 more of severity error are in the summary"


@pytest.mark.parametrize(
    ("texts", "line"),
    [(("b c",), 2), (("c d",), 3), (("nothing", "e"), 5), (("nothing",), None), (("",), None), ((), None)],
)
def test_a_text_is_found_by_its_line_whatever_its_white_space(texts: tuple[str, ...], line: int | None) -> None:
    assert line_of(texts, "a\nb\n  c\td\n\ne") == line

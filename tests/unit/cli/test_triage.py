"""``docgraph ignore``, ``withdraw``, ``triage``, ``rules``; ``check`` with what is ignored, stored rules, its queue."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from docgraph.bootstrap import connect
from docgraph.cli import edge
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.request import RetrievalRequest
from tests.command_line import Command, filled_workspace

WORKSPACE = "cli-ignore"
HOSTILE = "Evil \x1b[31m ![x](http://e.example/p.png)"
DOCUMENTS = (
    Document(document_id="queue", title=HOSTILE, text="The queue is bounded."),
    Document(document_id="slot", title="Slot", text="A slot holds a payment."),
    Document(document_id="alarm", title="Alarm", text="The alarm rings."),
)
EDGES = tuple(
    Relationship(from_document_id=start, relation_type=via, to_document_id=end)
    for start, via, end in (
        ("alarm", "references", "nowhere"),
        ("queue", "explains", "slot"),
        ("queue", "references", "slot"),
    )
)

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module", autouse=True)
def _environment(embedded_database_url: str) -> Iterator[None]:
    with filled_workspace(embedded_database_url, WORKSPACE, DOCUMENTS, EDGES):
        with connect() as dg:
            saved = dg.runs.save(RetrievalRequest(query="queue", seed_document_ids=("queue",), max_documents=2))
        yield
        with connect() as dg:
            dg.runs.delete(saved.run_id, forever=True)


@pytest.fixture
def docgraph(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs ``docgraph …``: (exit code, standard output, standard error); nothing is ignored at first."""
    with connect() as dg:
        dg.rules.withdraw([each.subject_id for each in dg.rules.dismissals()])

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = edge.run(list(arguments))
        written = capsys.readouterr()
        return code, written.out, written.err

    return run


def missing(docgraph: Command) -> str:
    """The id of the one finding that is an error."""
    results = json.loads(docgraph("check", "--json")[1])["results"]
    return next(str(r["findings"][0]["finding_id"]) for r in results if r["check_id"] == "missing_endpoint")


@pytest.mark.slow
def test_an_ignored_finding_fails_no_build_is_listed_on_request_and_taken_up_again(docgraph: Command) -> None:
    finding = missing(docgraph)
    code, out, _ = docgraph("ignore", finding[:6], "--by", "Ann", "--reason", "It is on its way.")
    assert (code, out.startswith(f"{finding}  ignored by Ann on ")) == (0, True)
    code, out, _ = docgraph("check")
    assert (code, "1 finding ignored: --ignored lists them" in out, "nowhere" in out) == (0, True, False)
    code, out, _ = docgraph("check", "--ignored")
    assert "error: Alarm —references→ nowhere" in out
    assert ": It is on its way." in out
    code, out, _ = docgraph("check", "--ignored", "--markdown")
    assert "### Ignored: 1" in out
    assert "1 finding ignored" in out.splitlines()[-1]
    report = json.loads(docgraph("check", "--json")[1])
    assert [each["dismissal"]["by"] for each in report["ignored"]] == ["Ann"]
    code, out, _ = docgraph("withdraw", finding)
    assert (code, out) == (0, f"{finding}  open again: Alarm —references→ nowhere: there is no document nowhere\n")
    assert docgraph("check")[0] == 1


def test_the_id_of_a_decision_takes_up_again_all_that_was_ignored_with_it(docgraph: Command) -> None:
    again = tuple(Relationship(from_document_id=i, relation_type="cites", to_document_id="paper") for i in "abc")
    with connect() as dg:
        texts = [Document(document_id=i, title=i, text=f"Text {i}.") for i in "abc"]
        dg.ingest_records(texts, again)
        decision = next(each for each in dg.check().decisions if each.label == "3 × paper")
    try:
        code, out, _ = docgraph("ignore", decision.decision_id, "--by", "Ann", "--reason", "On paper.")
        assert (code, len(out.splitlines())) == (0, 3)
        assert f"with decision {decision.decision_id}" in docgraph("check", "--ignored")[1]
        code, out, _ = docgraph("withdraw", decision.decision_id[:8])
        assert code == 0
        assert {row.split("  ")[0] for row in out.splitlines()} == set(decision.finding_ids)
        assert docgraph("withdraw", decision.decision_id)[0] == 1, "nothing is ignored with it any more"
    finally:
        with connect() as dg:
            dg.documents.delete(["a", "b", "c"])


def test_it_is_open_again_with_its_story_when_a_text_changes(docgraph: Command) -> None:
    finding = missing(docgraph)
    docgraph("ignore", finding, "--by", "Ann", "--reason", "Later.")
    with connect() as dg:
        dg.ingest_records([Document(document_id="slot", title="Slot", text="Another slot.")])
        assert dg.check().ignored
        dg.ingest_records([Document(document_id="alarm", title="Alarm", text="It rings no more.")], EDGES[:1])
    code, out, _ = docgraph("check", "--only", "missing_endpoint")
    assert code == 1
    said = " ".join(out.split())
    assert "ignored by Ann on" in said
    assert "but the text of Alarm changed since" in said
    assert "but the text of Alarm changed since" in docgraph("check", "--markdown")[1]


def test_findings_say_how_many_saved_questions_depend_on_them_and_stand_in_that_order(docgraph: Command) -> None:
    code, out, _ = docgraph("check", "--by-effect")
    assert code == 1
    queue = out[out.index("By effect") :]
    assert "1 of 1 saved question" in queue
    assert queue.index("1 of 1 saved question") < queue.index("nowhere")
    assert "\x1b[31m" not in out
    markdown = docgraph("check", "--by-effect", "--markdown")[1]
    assert "(1 of 1 saved question)" in markdown.partition("### By effect")[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ignore", "ffffffffffffffff", "--reason", "x"), "no finding has the id 'ffffffffffffffff'"),
        (("ignore", "f", "--reason", "x"), "no finding has the id 'f'"),
        (("withdraw", "ffffffff"), "no ignored finding has the id 'ffffffff'"),
        (("rules", "set", "nowhere.toml"), "cannot read 'nowhere.toml'"),
    ],
)
def test_a_mistake_is_one_line_and_a_hint(docgraph: Command, arguments: tuple[str, ...], message: str) -> None:
    code, out, err = docgraph(*arguments)
    assert (code, out) == (1, "")
    assert message in err.splitlines()[0]


def test_ignoring_needs_a_reason(docgraph: Command) -> None:
    code, _, err = docgraph("ignore", missing(docgraph), "--by", "Ann")
    assert code == 1
    assert "reason" in err.splitlines()[0]


@pytest.mark.slow
def test_stored_rules_hold_unless_a_file_is_named_and_can_be_read_back(docgraph: Command, tmp_path: Path) -> None:
    off, other = tmp_path / "off.toml", tmp_path / "other.toml"
    off.write_text(
        '[checks.missing_endpoint]\non = false\n[checks.hub]\nseverity = "info"\nparameters = {max_fan_out = 9}\n'
    )
    other.write_text("")
    assert docgraph("rules", "show")[1].startswith("# no rules stored in cli-ignore")
    assert docgraph("rules", "set", str(off))[1] == "2 rules stored in cli-ignore.\n"
    assert docgraph("check")[0] == 0
    assert docgraph("check", "--only", "missing_endpoint")[0] == 1
    assert docgraph("check", "--rules", str(other))[0] == 1
    shown = docgraph("rules", "show")[1]
    off.write_text(shown)
    assert docgraph("rules", "set", str(off), "--json")[0] == 0
    assert docgraph("rules", "show")[1] == shown
    rules = json.loads(docgraph("rules", "show", "--json")[1])["rules"]
    assert (rules["hub"]["parameters"], rules["missing_endpoint"]["on"]) == ({"max_fan_out": 9}, False)
    assert docgraph("rules", "reset")[1] == "Every check of cli-ignore runs with its defaults.\n"
    assert docgraph("check")[0] == 1


@pytest.fixture
def unsaid() -> Iterator[None]:
    """Nothing is said of any decision afterwards."""
    yield
    with connect() as dg:
        dg.triage.withdraw([each.entry_id for each in dg.triage.list()])


@pytest.mark.usefixtures("unsaid")
def test_a_decision_is_given_away_with_a_day_and_a_comment_and_the_queue_says_so(docgraph: Command) -> None:
    finding = missing(docgraph)
    code, out, _ = docgraph("triage", "assign", finding[:6], "--to", HOSTILE, "--by", "Ann")
    assert code == 0
    assert "assigned to Evil " in out
    assert "\x1b" not in out
    assert docgraph("triage", "due", "2001-02-03", finding, "--by", "Ann")[0] == 0
    assert docgraph("triage", "comment", finding, "--text", "It is on its way.", "--by", "Ben")[0] == 0
    out = docgraph("check", "--by-effect")[1]
    assert ", overdue since 3 Feb 2001, 1 comment" in out
    assert "overdue since 3 Feb 2001" in docgraph("check", "--by-effect", "--markdown")[1]
    [decision] = json.loads(docgraph("check", "--json", "--due", "today")[1])["decisions"]
    assert decision["finding_ids"] == [finding]
    assert [each["text"] for each in decision["triage"]["entries"]] == [HOSTILE, "2001-02-03", "It is on its way."]
    assert json.loads(docgraph("check", "--json", "--due", "2001-02-02")[1])["decisions"] == []
    assert len(json.loads(docgraph("check", "--json", "--assigned", HOSTILE.upper())[1])["decisions"]) == 1
    assert json.loads(docgraph("check", "--json", "--assigned", "Ann")[1])["decisions"] == []
    listed = json.loads(docgraph("triage", "--json")[1])["triage"]
    assert [each["kind"] for each in listed] == ["comment", "due", "assigned"]
    assert docgraph("triage", "withdraw", str(listed[0]["entry_id"]))[0] == 0
    assert "1 comment" not in docgraph("check", "--by-effect")[1]


@pytest.mark.usefixtures("unsaid")
def test_what_is_no_decision_no_day_and_no_number_is_said(docgraph: Command) -> None:
    finding = missing(docgraph)
    for arguments, words in (
        (("assign", "ffffffff", "--to", "Ann"), "no open decision has the id 'ffffffff'"),
        (("due", "31.12.2026", finding), "'31.12.2026' is not a date"),
        (("comment", finding, "--text", " "), "this one is empty"),
        (("withdraw", "4711"), "there is no entry number 4711"),
    ):
        code, out, err = docgraph("triage", *arguments)
        assert (code != 0, out) == (True, "")
        assert words in err
    assert "No entries yet" in docgraph("triage")[1]
    assert docgraph("check", "--due", "tomorrow")[0] != 0

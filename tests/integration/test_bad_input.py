"""Bad input from end to end: one line that says what and what next, the right exit code, and nothing half-written."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import docgraph
from docgraph.domain.graph import Chunk, Document
from docgraph.domain.report import IngestReport
from tests import ROOT
from tests.integration.commands import PREFIX, Command, counts, said

# ---------------------------------------------------------------- commands

LONG = "x" * 5_000
REFUSED: list[tuple[list[str], int, str]] = [
    (["plan", ""], 1, "the query is empty"),
    (["run", " \t "], 1, "the query is empty"),
    (["plan", "\x00"], 1, "the query is empty"),
    (["plan", "x " * 500_000], 1, r"query \(1,000,000 characters\).*at most 20000"),
    (["run", "half \ud800"], 1, "not valid text"),
    (["plan", "q", "-w", "nowhere"], 1, "no workspace 'nowhere'"),
    (["plan", "q", "-w", "Bad Name"], 1, "no workspace can be called 'Bad Name'"),
    (["plan", "q", "-w", ""], 1, "no workspace can be called ''"),
    (["workspaces", "create", ""], 1, "no workspace can be called ''"),
    (["workspaces", "create", "?!"], 1, r"no workspace can be called '\?!'"),
    (["workspaces", "create", "w"], 1, "'w' exists already"),
    (["workspaces", "drop", "\ud800", "--yes"], 1, "no workspace"),
    (["explain", "q", "-d", "nobody"], 1, "no document has the id 'nobody'"),
    (["explain", "q", "-d", LONG], 1, "no document has the id 'x{80}'"),
    (["plan", "q", "--seed", "nobody"], 1, "'nobody', named as a seed"),
    (["plan", "q", "--seed", "\x01"], 1, "seed_document_ids"),
    (["plan", "q", "--types", "no_such_type"], 1, "no relationship has the type 'no_such_type'"),
    (["workspaces", "types", "off", "no_such_type"], 1, "the workspace has no relation type 'no_such_type'"),
    (["plan", "q", "--max-documents", "0"], 1, "max_documents = '0'"),
    (["plan", "q", "--max-chunks", "9" * 40], 1, "max_chunks"),
    (["ingest", "/no/such/folder"], 1, "No such file"),
    (["ingest", ""], 1, "no path is given"),
    (["ingest", "a\x00b"], 1, "null"),
    (["ingest", "\ud800"], 1, "cannot be read"),
    (["ingest", "/dev/null"], 1, "is a device"),
    (["ingest", __file__, "--prune"], 1, "only a folder can be used with prune"),
    (["execute", "no-such-plan.json"], 1, "No such file"),
    (["execute", "a\x00b"], 1, "null"),
    (["execute", "/dev/zero"], 1, "a device, not a file"),
    (["execute", os.devnull], 1, "a device, not a file"),
    (["nonsense"], 2, "No such command 'nonsense'"),
    (["plan", "q", "--nonsense"], 2, "No such option: --nonsense"),
    (["plan", "q", "--max-documents", "many"], 2, "--max-documents"),
    (["plan", "q", "--signal", "smell"], 2, "'smell' is not one of"),
    (["explain", "q"], 2, "--document"),
    (["documents", "--limit", "0"], 2, "--limit"),
    (["relationships", "--limit", "9" * 40], 2, "--limit"),
    (["execute", "plan.json", "--token-budget", "9" * 40], 2, "--token-budget"),
    (["dashboard", "-w", "Bad Name"], 1, "no workspace can be called"),
]


def test_every_refused_command_says_one_line_and_what_next_and_changes_nothing(
    command: Command, module_url: str
) -> None:
    before = counts(module_url)
    for arguments, expected, words in REFUSED:
        code, out, err = command(*arguments)
        message, _ = said(err)
        assert (code, out) == (expected, ""), (arguments[:3], err)
        assert re.search(words, message), (arguments[:3], message)
        assert len(err) < 600, arguments[:3]
        assert "Traceback" not in err
        assert "internal error" not in err
    assert counts(module_url) == before


@pytest.mark.parametrize("arguments", [REFUSED[0][0], REFUSED[5][0], REFUSED[-3][0]])
def test_with_json_an_error_is_one_json_object_of_a_stable_shape(command: Command, arguments: list[str]) -> None:
    code, _, plain = command(*arguments)
    message, hint = said(plain)
    again, out, err = command(*arguments, "--json")
    assert (again, out) == (code, "")
    assert json.loads(err) == {"error": {"message": message, "hint": hint, "exit_code": code}}
    assert err.count("\n") == 1


def test_odd_questions_are_answered_like_any_other(command: Command) -> None:
    for query in ("the of and", "?!… --", "🙂", "a\x00b"):
        code, out, err = command("run", "--json", "--signal", "hybrid", "--", query)
        assert (code, err) == (0, ""), query
        run = json.loads(out)
        assert all(check["passed"] for check in run["contract"])


def test_a_plan_file_that_is_no_sealed_plan_is_refused(command: Command, tmp_path: Path, module_url: str) -> None:
    before, file = counts(module_url), tmp_path / "plan.json"
    good = json.loads(command("plan", "queue", "--json")[1])
    limits = good["constraints"]
    cases = {
        b"": "Invalid JSON",
        b"\xff\x00\xfe": "Invalid JSON",
        b"[]": "should be an object",
        b"null": "object",
        json.dumps(good).encode()[:-40]: "Invalid JSON",
        b"[" * 100_000: "recursion",
        json.dumps({**good, "zzz": 1}).encode(): "zzz: Extra inputs",
        json.dumps({**good, "query": "other"}).encode(): "does not fit the content",
        json.dumps({**good, "workspace": "other"}).encode(): "does not fit the content",
        json.dumps({**good, "constraints": {**limits, "max_relationship_depth": 2}}).encode(): "max_relationship_depth",
        json.dumps({**good, "constraints": {**limits, "traversal_enabled": True}}).encode(): "traversal_enabled",
        b" " * 3_000_000: "at most 2,000,000",
    }
    for content, words in cases.items():
        file.write_bytes(content)
        code, out, err = command("execute", str(file))
        assert (code, out) == (1, ""), content[:50]
        assert words in said(err)[0]
    assert counts(module_url) == before


def test_a_real_process_ends_with_the_same_lines_and_codes(module_url: str, tmp_path: Path) -> None:
    environment = {**os.environ, f"{PREFIX}DATABASE_URL": module_url}
    start = [sys.executable, "-c", "from docgraph.cli import main; main()"]
    for arguments, code in ((["plan", b"caf\xe9"], 1), (["documents", "-w", "nowhere"], 1), (["plan", "--nope"], 2)):
        ended = subprocess.run([*start, *arguments], cwd=ROOT, env=environment, capture_output=True, check=False)
        assert (ended.returncode, ended.stdout) == (code, b"")
        said(ended.stderr.decode())


# ---------------------------------------------------------------- files

GOOD_TEXT = "# Good\n\nThe queue is bounded.\n"


@pytest.fixture
def bad_folder(tmp_path: Path) -> Path:
    """One good file among everything that can be wrong with a file."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    files: dict[str, bytes] = {
        "good.md": GOOD_TEXT.encode(),
        "latin.txt": "Le café est fermé.\n".encode("latin-1"),
        "empty.md": b"",
        "spaces.md": b" \n\n",
        "binary.md": b"\x00\x01\x02" * 99,
        "noise.txt": bytes(range(1, 9)) * 50,
        "half-utf16.md": b"\xff\xfeq",
        "no-text.pdf": b"%PDF-1.7\n%%EOF",
        "damaged.pdf": b"%PDF-1.4\n1 0 obj\n<<" * 9,
        "not.pdf": b"hello",
        "yaml.md": b"---\ntitle: [1\n---\ntext",
        "tag.md": b"---\nx: !!python/name:os\n---\ntext",
        "bomb.md": b"---\na: &a [1,2,3,4,5,6,7,8,9]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
        b"c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n---\ntext",
        "same-1.md": b"---\nid: same\n---\none",
        "same-2.md": b"---\nid: same\n---\ntwo",
        "nosuffix": b"text",
        "long-line.md": b"x" * 1_000_001,
        "records.jsonl": b'{"id": "r", "text": "R"}\n{bad\n{"id": "r", "text": "2"}\n',
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    with (folder / "huge.txt").open("wb") as file:
        file.truncate(100_000_001)  # sparse: it takes no room
    (folder / "folder.md").mkdir()
    (folder / "nowhere.md").symlink_to("no-such-file.md")
    (folder / "outside.md").symlink_to(__file__)
    os.mkfifo(folder / "fifo.md")
    (folder / os.fsdecode(b"name-\xff.md")).write_bytes(b"text")
    if os.geteuid() != 0:
        (folder / "locked.md").write_bytes(b"text")
        (folder / "locked.md").chmod(0)
    return folder


REASONS = {
    "empty.md": "0 bytes",
    "spaces.md": "white space",
    "binary.md": "NUL byte",
    "noise.txt": "control characters",
    "half-utf16.md": "utf-16",
    "no-text.pdf": "PDF",
    "damaged.pdf": "PDF",
    "not.pdf": "not a PDF",
    "bomb.md, header": "aliases",
    "same-2.md": "already used by same-1.md",
    "nosuffix": "no loader reads",
    "long-line.md": "1,000,001 characters",
    "huge.txt": "100,000,001 bytes",
    "nowhere.md": "leads nowhere",
    "outside.md": "leads out",
    "fifo.md": "FIFO",
    "locked.md": "Permission denied",
    "records.jsonl, line 2": "not JSON",
    "records.jsonl, line 3": "stands already on line 1",
    "name-\\udcff.md": "not valid UTF-8",
}


def test_each_bad_file_is_rejected_with_its_reason_and_the_good_ones_are_stored(
    command: Command, bad_folder: Path
) -> None:
    code, out, err = command("ingest", str(bad_folder), "--json", STORE="memory", DATABASE_URL="")
    assert code == 0, err
    report = IngestReport.model_validate_json(out)
    reasons = {o.source: o.reason for o in report.outcomes if o.outcome == "rejected"}
    expected = {name: words for name, words in REASONS.items() if name != "locked.md" or os.geteuid() != 0}
    assert reasons.keys() == expected.keys()
    for name, words in expected.items():
        assert words in reasons[name], (name, reasons[name])
        assert "\n" not in reasons[name]
    assert report.n_in == sum(report.counts.values())
    assert {o.document_id for o in report.outcomes if o.outcome == "stored"} == {
        *("good", "latin", "same", "r"),
        *("yaml", "tag", "bomb"),  # a bad header costs no text
    }
    shown = command("ingest", str(bad_folder), STORE="memory", DATABASE_URL="")[1]
    assert f"7 stored + 0 updated + 0 skipped + {len(reasons)} rejected" in shown


@pytest.mark.parametrize("name", ["empty.md", "binary.md", "huge.txt", "damaged.pdf", "half-utf16.md"])
def test_a_single_bad_file_fails_and_leaves_the_workspace_as_it_was(
    command: Command, bad_folder: Path, module_url: str, name: str
) -> None:
    before = counts(module_url)
    code, out, _ = command("ingest", str(bad_folder / name))
    assert code == 1
    assert "1 in = 0 stored + 0 updated + 0 skipped + 1 rejected" in out
    assert counts(module_url) == before


# ---------------------------------------------------------------- vectors

NAN, INFINITY = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("vector", "words"),
    [
        ((1.0,) * 3, "3 numbers"),
        ((), "0 numbers"),
        ((0.0,) * 256, "no usable direction"),
        ((1e-30,) * 256, "no usable direction"),
        ((1e38,) * 256, "no usable direction"),
        ((NAN,) + (1.0,) * 255, "not finite"),
        ((INFINITY,) + (1.0,) * 255, "not finite"),
    ],
)
def test_a_given_vector_that_cannot_be_compared_is_rejected_before_anything_is_written(
    module_url: str, vector: tuple[float, ...], words: str
) -> None:
    """Of the document and of a chunk; past the model's own check, as a program may bring it."""
    whole = Document(document_id="a", title="a", text="Changed.").model_copy(update={"vector": vector})
    chunk = Chunk(chunk_id="c", chunk_index=0, text="t", token_count=1).model_copy(update={"vector": vector})
    part = Document(document_id="new", title="n", text="New.").model_copy(update={"chunks": (chunk,)})
    before = counts(module_url)
    with docgraph.connect(module_url, workspace="w") as dg:
        report = dg.ingest_records([whole, part])
    assert (report.n_stored, report.n_rejected) == (0, 2)
    assert all(words in outcome.reason for outcome in report.outcomes)
    assert counts(module_url) == before

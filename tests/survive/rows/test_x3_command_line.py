"""X3: whatever stands on the command line, there is an answer or one line that says what is wrong."""

from __future__ import annotations

import io
import random
from typing import Any

import pytest

from docgraph.cli import edge
from tests.integration.commands import PREFIX
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import DOCUMENTS, EDGE

ROW = Row(
    row="X3",
    what="command line: random bytes, surrogates, huge and empty arguments, unknown options, numbers out of range",
    rule="exit code 0 to 3, one line that says what and one that says what next; never a traceback",
    n=2_000,
    short=60,
    case="a command line",
)
COMMANDS = [
    "plan",
    "run",
    "execute",
    "explain",
    "compare",
    "check",
    "documents",
    "relationships",
    "retrieve",
    "converse",
    "ingest",
    "workspaces",
    "doctor",
    "runs",
    "judge",
    "memory",
    "calibrate",
    "vocabulary",
    "suggestions",
    "impact",
    "export",
    "import",
    "schema",
    "benchmark",
    "nonsense",
]
OPTIONS = [
    "-w",
    "--workspace",
    "--json",
    "--types",
    "--max-documents",
    "--max-chunks",
    "--seed",
    "--signal",
    "-d",
    "--document",
    "--limit",
    "--nonsense",
    "--help",
    "--token-budget",
    "--html",
    "--by",
    "--reason",
    "--dry-run",
    "--top-k",
    "--threshold",
    "--mode",
    "--",
    "-",
    "-x",
    "--=x",
]
TEXTS: tuple[str, ...] = (
    "",
    " ",
    "a",
    "queue a",
    "\x00",
    "\ud800",
    "\udcff\udcfe",
    "x" * 30_000,
    "9" * 400,
    "-1",
    "1e999",
    "nan",
    "'; DROP TABLE x --",
    "../../etc/passwd",
    "/dev/null",
    "\x1b[31mred\x1b[0m",
    "‮é🦑",
    "%s%n{0}",
    "[bold]x[/bold]",
    "a\nb",
    "\u2028",
    "w",
)
STEERING = (["documents", "--\x1b[31mred"], ["plan", "queue \x1b]0;title\x07"], ["run", "queue \x1b[31mred"])
"""What would reach a terminal where a message or an answer repeats it."""
LEFT_ALONE = {"dashboard", "mcp", "db"}
"""Commands that stay, or that end what other tests use."""


def arguments(rng: random.Random) -> list[str]:
    """A command with up to six words behind it."""
    words = [rng.choice(COMMANDS)]
    for _ in range(rng.randrange(7)):
        kind = rng.random()
        if kind < 0.4:
            words.append(rng.choice(OPTIONS))
        elif kind < 0.9:
            words.append(rng.choice(TEXTS))
        else:
            words.append(rng.randbytes(rng.randrange(1, 40)).decode("utf-8", "surrogateescape"))
    return words


@pytest.mark.timeout(900)
def test_x3_whatever_stands_on_the_command_line_is_answered_in_order(
    tally: Tally,
    tmp_path: Any,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    new_database_url: str,
) -> None:
    import docgraph

    monkeypatch.setenv(f"{PREFIX}DATABASE_URL", new_database_url)
    monkeypatch.setenv(f"{PREFIX}WORKSPACE", "w")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))  # a command that asks there is told nothing
    with docgraph.connect() as dg:
        dg.ingest_records(DOCUMENTS, [EDGE])
    some = [(case, arguments(case.rng)) for case in tally.cases()]
    for case, given in [*some, *((" ".join(words), words) for words in STEERING)]:
        with tally.trying(case):
            capsys.readouterr()
            code = edge.run(given)
            said = capsys.readouterr()
            assert code in (0, 1, 2, 3), (given, code, said.err[:500])
            assert "Traceback" not in said.out + said.err, given
            assert "internal error" not in said.err, (given, said.err[:500])
            assert code == 0 or len(said.err) < 3_000, (given, len(said.err))
            assert "\x1b" not in said.out + said.err, given

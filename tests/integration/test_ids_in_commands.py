"""Every command that takes a document's id takes it whatever its case."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from docgraph.cli import edge as program
from docgraph.cli.commands import application
from docgraph.domain.graph import Document, Relationship
from tests.command_line import filled_workspace

DOCUMENTS = [Document(document_id=i, title=f"On {i}", text=f"The text of {i}.") for i in ("ADR-1", "Note", "Queue")]
EDGES = [Relationship(from_document_id="ADR-1", relation_type="cites", to_document_id="Queue")]
EDGE = "ADR-1|cites|Queue"

COMMANDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("plan", "seed_document_ids"): ("plan", "The text", "--seed", "ADR-1", "--json"),
    ("plan", "added_seed_ids"): ("plan", "The text", "--add-seed", "Queue", "--json"),
    ("plan", "dropped_seed_ids"): ("plan", "The text", "--drop-seed", "Note", "--json"),
    ("plan", "without_edges"): ("plan", "The text", "--without-edge", EDGE, "--json"),
    ("explain", "document"): ("explain", "The text", "--document", "Note"),
    ("relationships", "document"): ("relationships", "--document", "ADR-1", "--json"),
    ("relationships export", "document"): ("relationships", "export", "--document", "ADR-1"),
    ("history", "document"): ("history", "--document", "ADR-1", "--json"),
    ("edit", "start"): ("edit", "remove", "ADR-1", "cites", "Queue", "--dry-run", "--json", "--by", "Ann"),
    ("edit", "target"): ("edit", "retarget", "ADR-1", "cites", "Queue", "Note", "--dry-run", "--by", "Ann"),
    ("judge", "document_id"): ("judge", "Why?", "Note", "--relevant", "--by", "Ann"),
    ("impact", "remove"): ("impact", "--remove", EDGE, "--json"),
    ("impact", "retype"): ("impact", "--retype", f"{EDGE}=needs", "--json"),
    ("impact", "flip"): ("impact", "--flip", EDGE, "--json"),
    ("impact", "retarget"): ("impact", "--retarget", f"{EDGE}=Note", "--json"),
    ("impact", "add"): ("impact", "--add", "Queue|cites|Note", "--json"),
}
"""(command, parameter) → arguments that name documents as they are stored."""

OF_OTHER_THINGS = {"run_id", "run", "ids", "suggestion_id", "evaluation_id", "go_on", "query_id"}
AS_IN_PLAN = {"seed_document_ids", "added_seed_ids", "dropped_seed_ids", "without_edges"}
"""Options of every question, read by one function."""

NAMED = re.compile(r"\b(ADR-1|Note|Queue)\b")
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\+00:00|Z)")
"""What only says when a command ran: the second one may run a second later."""
TAKES_IDS = re.compile(r"\b(ID|DOCUMENT_ID|FROM|TO|EDGE)\b")


def parameters(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """(command, parameter) whose metavar is that of an id."""
    for each in command.params:
        if each.metavar and TAKES_IDS.search(each.metavar) and each.name not in OF_OTHER_THINGS:
            yield " ".join(path), each.name
    for name, sub in getattr(command, "commands", {}).items():
        yield from parameters(sub, (*path, name))


def test_every_parameter_that_is_an_id_stands_in_the_table() -> None:
    found = {(c, n) for c, n in parameters(typer.main.get_command(application())) if n not in AS_IN_PLAN or c == "plan"}
    assert found == COMMANDS.keys()


def other_case(argument: str) -> str:
    return NAMED.sub(lambda found: found[0].swapcase(), argument)


@pytest.fixture(scope="module", autouse=True)
def small_workspace(embedded_database_url: str) -> Iterator[None]:
    with filled_workspace(embedded_database_url, "ids", DOCUMENTS, EDGES):
        yield


def said(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> tuple[int, str]:
    capsys.readouterr()
    code = program.run(list(arguments))
    return code, MOMENT.sub("then", capsys.readouterr().out)


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=lambda a: " ".join(a[:3]))
def test_a_command_says_the_same_whatever_the_case_of_an_id(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = said(capsys, arguments)
    assert code == 0
    assert said(capsys, tuple(map(other_case, arguments))) == (0, text)

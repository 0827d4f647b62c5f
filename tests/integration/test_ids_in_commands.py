"""Every command and every tool of assistants that takes a document's id takes it whatever its case."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import anyio
import click
import pytest
import typer
from mcp.client import Client

import docgraph
from docgraph.cli import edge as program
from docgraph.domain.graph import Document, Relationship
from docgraph.orchestration.docgraph import Docgraph
from tests.command_line import filled_workspace
from tests.integration.mcp_servers import asked, called

DOCUMENTS = [Document(document_id=i, title=f"On {i}", text=f"The text of {i}.") for i in ("ADR-1", "Note", "Queue")]
EDGES = [Relationship(from_document_id="ADR-1", relation_type="cites", to_document_id="Note")]
EDGE = "ADR-1|cites|Note"

COMMANDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("explain", "document"): ("explain", "The text", "--document", "Note"),
    ("explain", "seed_document_ids"): ("explain", "The text", "--document", "Note", "--seed", "ADR-1"),
    ("plan", "seed_document_ids"): ("plan", "The text", "--seed", "ADR-1", "--json"),
    ("plan", "add_seed"): ("plan", "The text", "--add-seed", "Queue", "--json"),
    ("plan", "drop_seed"): ("plan", "The text", "--drop-seed", "Note", "--json"),
    ("plan", "without_edge"): ("plan", "The text", "--without-edge", EDGE, "--json"),
    ("relationships", "document"): ("relationships", "--document", "ADR-1", "--json"),
    ("relationships export", "document"): ("relationships", "export", "--document", "ADR-1"),
    ("history", "document"): ("history", "--document", "ADR-1", "--json"),
    ("edit", "start"): ("edit", "accept", "ADR-1", "cites", "Note", "--dry-run", "--by", "Ann"),
    ("judge", "document_id"): ("judge", "Why?", "Note", "--relevant", "--by", "Ann"),
    ("impact", "remove"): ("impact", "--remove", EDGE),
    ("impact", "retarget"): ("impact", "--retarget", f"{EDGE}=Queue"),
}
NAMES = {"ADR-1", "Note", "Queue", EDGE, f"{EDGE}=Queue"}
TYPE = "cites"


def other_case(argument: str) -> str:
    return argument.swapcase().replace(TYPE.swapcase(), TYPE) if argument in NAMES else argument


@pytest.fixture(scope="module", autouse=True)
def small_workspace(embedded_database_url: str) -> Iterator[None]:
    with filled_workspace(embedded_database_url, "ids", DOCUMENTS, EDGES):
        yield


def said(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> tuple[int, str]:
    capsys.readouterr()
    code = program.run(list(arguments))
    return code, capsys.readouterr().out


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=lambda a: " ".join(a[:3]))
def test_a_command_says_the_same_whatever_the_case_of_an_id(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = said(capsys, arguments)
    assert code == 0
    assert said(capsys, tuple(map(other_case, arguments))) == (0, text)

"""Relationships by way of a file, in PostgreSQL and from the command line."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import docgraph
from docgraph import Document, Relationship
from docgraph.domain.edit import Edit
from docgraph.errors import ConflictError
from tests.integration.commands import Command, said

HOSTILE = "=cmd|' /C calc'!A0"
KEYS = [("a", "explains", "b"), ("a", "explains", "c"), ("b", "1/2", HOSTILE)]


def fill(dg: docgraph.Docgraph) -> None:
    documents = [Document(document_id=i, title=f"-{i}", text=f"The queue of {i} is bounded.") for i in "abc"]
    dg.ingest_records(documents, [_edge(key) for key in KEYS])


def _edge(key: tuple[str, str, str]) -> Relationship:
    metadata = {"extractor": "links", "z": 1, "a": 2.5, "text": "it says so"}
    return Relationship(
        from_document_id=key[0], relation_type=key[1], to_document_id=key[2], relationship_metadata=metadata
    )


@pytest.fixture
def url(new_database_url: str) -> str:
    """A database with a workspace ``w``."""
    with docgraph.connect(new_database_url, workspace="w") as dg:
        fill(dg)
    return new_database_url


def exported(dg: docgraph.Docgraph) -> tuple[bytes, bytes]:
    return b"".join(dg.relationships.export("csv")), b"".join(dg.relationships.export("jsonl"))


def _written(rows: list[dict[str, str]]) -> bytes:
    """A file as a spreadsheet with semicolons saves it."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), delimiter=";")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def test_a_file_is_imported_in_one_piece_and_undone_to_the_same_bytes(url: str) -> None:
    with docgraph.connect(url, workspace="w") as dg:
        before = exported(dg)
        rows = list(csv.DictReader(io.StringIO(before[0].decode("utf-8-sig"), newline="")))
        rows[0] |= {"from": "b", "to": "a", "decision": "accept", "reason": "turned"}
        rows[1] |= {"decision": "remove"}
        rows[2] |= {"type": "explains"}
        diff = dg.relationships.read_file(_written(rows), name="edited.csv")
        assert diff.sentence == "2 to change, 1 to remove; 0 unchanged"
        entries = dg.relationships.import_file(diff, by="Ann")
        assert {entry.act for entry in entries} == {"1"}
        assert [edge.key for edge in dg.relationships.list()] == [("b", "explains", HOSTILE), ("b", "explains", "a")]
    with docgraph.connect(url, workspace="w") as dg:
        assert dg.relationships.history() == entries[::-1]
        for entry in reversed(entries):
            dg.relationships.undo(entry.entry_id, by="Ben")
        assert exported(dg) == before


def test_both_stores_write_the_same_file(url: str) -> None:
    with docgraph.connect(url, workspace="w") as dg, docgraph.connect(store="memory", workspace="w") as other:
        fill(other)
        assert exported(dg) == exported(other)
        assert other.relationships.read_file(exported(dg)[0]).n_unchanged == len(KEYS)


def test_two_people_import_from_two_places_and_nothing_is_lost(url: str) -> None:
    with docgraph.connect(url, workspace="w") as ann, docgraph.connect(url, workspace="w") as ben:
        file = exported(ann)[1].replace(b'"decision":""', b'"decision":"accept"')
        read_by_ben = ben.relationships.read_file(file)
        ann.relationships.edit([Edit(action="remove", key=KEYS[0])], by="Ann", reason="nonsense")
        with pytest.raises(ConflictError, match=r"Ann removed a —explains→ b at .* “nonsense”"):
            ben.relationships.import_file(read_by_ben, by="Ben")
        diff = ben.relationships.read_file(file)
        assert diff.sentence == "2 to accept; 1 conflict; 0 unchanged"
        ben.relationships.import_file(diff, by="Ben")
        assert [entry.by for entry in ann.relationships.history()] == ["Ben", "Ben", "Ann"]


# ---------------------------------------------------------------- the command line


@pytest.fixture
def there(command: Command) -> Iterator[None]:
    """The relationships in the workspace of the command line."""
    with docgraph.connect(workspace="w", settings=None) as dg:
        fill(dg)
        yield
        dg.drop_workspace("w")


def parsed(command: Command, *arguments: str, code: int = 0) -> dict[str, Any]:
    found, out, err = command(*arguments, "--json")
    assert found == code, err
    result: dict[str, Any] = json.loads(out)
    return result


@pytest.mark.usefixtures("there")
def test_a_file_goes_out_and_comes_back_by_command(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "edges.csv"
    assert command("relationships", "export", "-o", str(file))[:2] == (0, f"Wrote {file}\n")
    code, out, _ = command("relationships", "import", str(file), "--by", "Ann")
    assert (code, out) == (0, "edges.csv: nothing to change; 3 unchanged\n\nNothing to do.\n")
    text = file.read_bytes().replace(b",,,,,links", b",accept,read both,,,links", 1)
    file.write_bytes(text + b",,,c,,explians,a\r\n")
    code, out, _ = command("relationships", "import", str(file), "--by", "Ann", "--dry-run")
    assert code == 1
    assert "1 to accept; 1 conflict; 2 unchanged" in out
    assert "= line 2: -a —explains→ -b “read both”" in out
    assert "+ line 5: -c —explians→ -a" in out
    assert "the vocabulary has no type 'explians'" in out
    assert out.endswith("Nothing was written.\n")
    found = parsed(command, "relationships", "import", str(file), "--by", "Ann", "--new-types", "--reason", "new")
    assert (found["workspace"], found["diff"]["sentence"]) == ("w", "1 to add, 1 to accept; 2 unchanged")
    assert [entry["reason"] for entry in found["entries"]] == ["new", "read both"]
    code, out, _ = command("relationships", "import", str(file), "--by", "Ann")
    assert code == 1
    assert "Ann accepted a —explains→ b at" in out


@pytest.mark.usefixtures("there")
def test_files_that_cannot_be_are_explained_and_nothing_is_written(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "bad.csv"
    file.write_bytes(b"from,type,to,decision\na,explains,b,perhaps\n")
    code, out, _ = command("relationships", "import", str(file), "--by", "Ann")
    assert code == 1
    assert "line 2, column decision: 'perhaps' is not a decision" in out
    assert "Nothing was written: fix the file first." in out
    code, out, err = command("relationships", "import", str(tmp_path / "none.csv"), "--by", "Ann")
    assert (code, out) == (1, "")
    assert "cannot read" in said(err)[0]
    code, _, err = command("relationships", "export", "-o", str(tmp_path / "no" / "folder.csv"))
    assert (code, "cannot write" in said(err)[0]) == (1, True)
    assert [path.name for path in tmp_path.iterdir()] == ["bad.csv"]
    code, _, err = command("relationships", "--document", "a", "export")
    assert (code, "put options of export after it" in said(err)[0]) == (2, True)


@pytest.mark.usefixtures("there")
def test_json_lines_pass_through_pipes(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    with docgraph.connect(workspace="w", settings=None) as dg:
        file = b"".join(dg.relationships.export("jsonl", relation_type="1/2"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(file)))
    found = parsed(command, "relationships", "import", "-", "--by", "Ann", "--dry-run")
    assert found["diff"]["sentence"] == "nothing to change; 1 unchanged; 2 not in the file, kept"
    assert found["diff"]["name"] == "standard input"
    code, out, _ = command("relationships", "export", "--format", "jsonl", "--type", "1/2")
    assert (code, out.encode()) == (0, file)
    code, out, _ = command("relationships", "--type", "explains")
    assert (code, "2 shown of 3 relationships in w, filtered" in out) == (0, True)

"""A command that imports nothing says so by its exit code, and makes no workspace that was not there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docgraph.cli.commands import dashboard
from docgraph.errors import EmbedderError
from docgraph.plugins.embedders.wordllama import WordLlamaEmbedder
from tests.integration.commands import Command, counts, said


def no_vectors(*_: object) -> None:
    raise EmbedderError("the model is gone", hint="install it again")


def test_an_empty_folder_is_an_error_that_says_what_to_name(command: Command, module_url: str, tmp_path: Path) -> None:
    before = counts(module_url)
    for options in ((), ("--dry-run",), ("--prune",), ("-w", "w")):
        code, out, err = command("ingest", str(tmp_path), "-w", "new", *options)
        message, hint = said(err)
        assert (code, out) == (1, ""), options
        assert message.startswith("there is nothing to import in ")
        assert hint.startswith("name a folder or a file with documents")
    assert counts(module_url) == before


def test_a_folder_of_which_nothing_can_be_read_is_reported_and_fails(
    command: Command, module_url: str, tmp_path: Path
) -> None:
    (tmp_path / "photo.png").write_bytes(b"\x89PNG")
    before = counts(module_url)
    code, out, _ = command("ingest", str(tmp_path), "-w", "new")
    assert code == 1
    assert "no loader reads .png" in out
    assert "Nothing was imported: no source could be read." in out
    code, out, _ = command("ingest", str(tmp_path), "-w", "new", "--json")
    assert (code, json.loads(out)["n_rejected"]) == (1, 1)
    assert counts(module_url) == before
    (tmp_path / "note.md").write_text("# A note\n\nalpha", encoding="utf-8")
    assert command("ingest", str(tmp_path), "-w", "new")[0] == 0
    assert command("workspaces", "drop", "new", "--yes")[0] == 0


def test_an_embedder_that_fails_leaves_no_workspace(
    command: Command, module_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "note.md").write_text("# A note\n\nalpha", encoding="utf-8")
    before = counts(module_url)
    monkeypatch.setattr(WordLlamaEmbedder, "embed", no_vectors)
    code, _, err = command("ingest", str(tmp_path), "-w", "new")
    assert (code, "the model is gone" in err) == (3, True)
    assert counts(module_url) == before


def test_a_sample_that_cannot_be_loaded_leaves_no_workspace(
    command: Command, module_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = counts(module_url)
    monkeypatch.setattr(WordLlamaEmbedder, "embed", no_vectors)
    with pytest.raises(EmbedderError):
        dashboard.load_sample(tmp_path)
    assert counts(module_url) == before

"""``docgraph workspaces embed``: what it says while and after it works, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from docgraph.domain.graph import Document
from docgraph.ingestion.embedding import anew
from docgraph.orchestration.importing import embedding
from tests.command_line import Command, filled_workspace, running

pytestmark = pytest.mark.integration
NAME = "cli-embedding"
TEXT = "The booking queue of berth {n} is bounded so that late orders wait in the harbor, and never get lost at sea."
DOCUMENTS = [Document(document_id=f"d{n}", title=f"Berth {n}", text=TEXT.format(n=n)) for n in range(30)]
OLD, NEW = "wordllama:l2_supercat:256", "wordllama:l2_supercat:64"
TO_64 = ("embed", NAME, "--embedder", "wordllama", "--dimension", "64")


@pytest.fixture
def workspaces(embedded_database_url: str, capsys: pytest.CaptureFixture[str]) -> Iterator[Command]:
    with filled_workspace(embedded_database_url, NAME, DOCUMENTS, []):
        yield running("workspaces", capsys)


def test_a_workspace_is_embedded_anew_and_asked_as_before(
    workspaces: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    """The settings name another embedder than the workspace has then."""
    code, out, err = workspaces(*TO_64)
    assert (code, err.splitlines()[-1][:8]) == (0, "30 of 30")
    assert f"{NAME} now uses {NEW}; the vectors of {OLD} were deleted (90 texts in " in out
    assert "Of 30 generated questions the passage is read for " in out
    assert "DOCGRAPH_EMBEDDERS" not in out
    assert NEW in workspaces("list")[1]
    code, out, _ = running("plan", capsys)("bounded queue", "--json")
    assert (code, json.loads(out)["embedder_id"]) == (0, NEW)


def test_stopped_it_says_so_and_the_same_command_goes_on(workspaces: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anew, "AT_ONCE", 9)
    embed, batches = anew._embed, iter(range(100))

    def stopped(*given: object) -> bool:
        return embed(*given) and next(batches) != 3  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(anew, "_embed", stopped)
        code, out, _ = workspaces(*TO_64, "--questions", "0")
    assert (code, out.splitlines()[1]) == (130, f"{OLD} is still in use; the same command resumes.")
    assert f"{NAME}: stopped; 36 of 90 texts are embedded (36 texts in " in out
    status = workspaces("embed", NAME, "--status")[1]
    assert f"36 of 90 texts are embedded with {NEW}; until all are, {OLD} answers." in status
    said = json.loads(workspaces("embed", NAME, "--status", "--json")[1])
    assert (said["embedder"], said["embedding"]["n_done"], said["embedding"]["n_total"]) == (OLD, 36, 90)
    code, _, err = workspaces("embed", NAME, "--embedder", "wordllama", "--dimension", "128")
    assert (code, "finish that first, or throw it away" in err) == (1, True)
    said = json.loads(workspaces(*TO_64, "--questions", "0", "--json")[1])
    assert (said["n_embedded"], said["n_total"], said["switched"], said["gain"]) == (54, 90, True, None)


def test_it_is_given_up_without_a_trace(workspaces: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "there are no unfinished vectors" in workspaces("embed", NAME, "--abandon")[1]
    with monkeypatch.context() as patch:
        patch.setattr(embedding, "embed_lacking", lambda *_, **__: False)
        assert workspaces(*TO_64)[0] == 130
    assert "the unfinished vectors were discarded" in workspaces("embed", NAME, "--abandon")[1]
    assert workspaces("embed", NAME, "--status")[1].splitlines() == [f"{NAME}: {OLD}."]


def test_what_cannot_be_is_refused_with_what_to_do(workspaces: Command) -> None:
    for arguments, said in (
        (("embed", NAME), f"holds vectors of {OLD} already"),
        (("embed", NAME, "--model", "/nowhere"), "add --embedder"),
        (("embed", NAME, "--embedder", "onnx", "--model", "/nowhere"), "'/nowhere' is not on this machine"),
        (("embed", NAME, "--embedder", "wordllama", "--url", "http://x"), "cannot use it"),
        (("embed", NAME, "--embedder", "nonesuch"), "no embedders plug-in is called 'nonesuch'"),
        (("embed", "nonesuch", "--embedder", "wordllama"), "there is no workspace 'nonesuch'"),
    ):
        code, _, err = workspaces(*arguments)
        assert (code != 0, said in err) == (True, True), (arguments, err)

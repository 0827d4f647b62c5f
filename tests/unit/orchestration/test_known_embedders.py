"""Which embedder a workspace is asked by: its own, as far as the settings know it; no database ever names a file."""

from __future__ import annotations

from pathlib import Path

import pytest

import docgraph
from docgraph import bootstrap, plugins
from docgraph.boundary.embedders import EmbedderChoice, parse_embedders
from docgraph.domain.graph import Document
from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import EmbedderError, EmbeddingMismatchError, SettingsError
from docgraph.orchestration.embedders import KnownEmbedders
from docgraph.settings import read_settings
from docgraph.testing.builders import HashingEmbedder

DOCUMENT = Document(document_id="a", title="Queue", text="The queue is bounded.")
SHA = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"


def test_choices_are_written_as_settings_take_them() -> None:
    text = f"onnx, onnx=/models/bge, onnx=/models/minilm@{SHA.upper()}, onnx"
    found = parse_embedders(text)
    assert found == (
        EmbedderChoice("onnx"),
        EmbedderChoice("onnx", "/models/bge"),
        EmbedderChoice("onnx", "/models/minilm", SHA),
    )
    assert parse_embedders(", ".join(each.words for each in found)) == found
    assert [each.name for each in found] == ["onnx", "bge", "minilm"]
    with pytest.raises(SettingsError, match="is not an embedder plug-in"):
        read_settings(embedders="/models/bge")


def test_a_workspace_of_the_packaged_embedder_is_asked_whatever_the_settings_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of any width; imports go into it, and new workspaces get the configured one."""
    with docgraph.connect(store="memory", workspace="w", embedder_dimension=64) as first:
        first.ingest_records([DOCUMENT])
        database = first.session.adapters.database
        monkeypatch.setattr(bootstrap, "build_database", lambda *_, **__: database)
        with docgraph.connect(store="memory", workspace="w", embedder_dimension=128) as second:
            assert second.plan("bounded queue").embedder_id == "wordllama:l2_supercat:64"
            assert second.ingest_records([DOCUMENT]).n_skipped == 1
            second.create_workspace("new")
            assert {w.name: w.embedder.dimension for w in second.workspaces()} == {"w": 64, "new": 128}


def test_one_that_the_settings_name_is_built_when_a_workspace_asks_for_it_once() -> None:
    built = []

    def build(choice: EmbedderChoice) -> HashingEmbedder:
        built.append(choice)
        return HashingEmbedder(32 if choice.model == "/b" else 16)

    known = KnownEmbedders(build, parse_embedders("hashing=/a, other=/a, hashing=/b"))
    info = EmbedderInfo(name="hashing", model="sha256", dimension=32)
    assert known.of("w", info, configured=info) is known.of("w", info, configured=info)
    assert [each.words for each in built] == ["hashing=/a", "hashing=/b"]


def test_one_that_cannot_be_had_is_told_with_what_to_set() -> None:
    def build(choice: EmbedderChoice) -> HashingEmbedder:
        if choice.model == "/gone":
            raise EmbedderError("'/gone' is not on this machine")
        return HashingEmbedder(16)

    known = KnownEmbedders(build, parse_embedders("onnx=/gone, onnx=/other"))
    info = EmbedderInfo(name="onnx", model="minilm@471a670d", dimension=384)
    with pytest.raises(EmbeddingMismatchError) as caught:
        known.of("docs", info, configured=EmbedderInfo(name="wordllama", dimension=256))
    said = str(caught.value)
    assert (
        "workspace 'docs' holds vectors of onnx:minilm@471a670d:384, but the configured embedder is wordllama" in said
    )
    assert "onnx=/gone: '/gone' is not on this machine; onnx=/other is hashing:sha256:16" in said
    assert "name where minilm lies: DOCGRAPH_EMBEDDERS=onnx=FOLDER" in said
    assert "docgraph workspaces embed docs" in said


@pytest.mark.parametrize("name", ["onnx", "sentence_transformers", "wordllama", "ollama", "os", "../../x"])
def test_what_a_workspace_says_of_its_embedder_never_names_a_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A forged backup may say whatever it likes: nothing is built by a model, a folder or an address in it."""
    asked = []
    monkeypatch.setattr(plugins, "build", lambda kind, plugin, **options: asked.append((plugin, options)))
    settings = read_settings()
    known = bootstrap._known_embedders(settings)
    info = EmbedderInfo(name=name, model=f"{tmp_path}/evil", dimension=384)
    with pytest.raises((EmbeddingMismatchError, AttributeError)):
        known.of("w", info, configured=info)
    assert all(set(options) <= {"dimension", "threads"} for _, options in asked)
    assert {plugin for plugin, _ in asked} <= {"onnx", "wordllama"}

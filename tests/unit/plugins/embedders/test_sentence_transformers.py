"""The sentence-transformers plug-in against a stand-in for the library, in its old and in its new form."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from docgraph import plugins
from docgraph.errors import EmbedderError
from docgraph.testing.builders import HashingEmbedder
from docgraph.testing.suites.embedders import check_embedder

HASHING = HashingEmbedder(dimension=32)


class Old:
    """What version 3 of the library offers; vectors are three units long."""

    given: dict[str, Any]

    def __init__(self, model: str, **options: Any) -> None:
        if "missing" in model:
            raise OSError("no such model")
        type(self).given = options
        self.bars_while_loading = sys.modules["transformers.utils.logging"].is_progress_bar_enabled()

    def get_sentence_embedding_dimension(self) -> int:
        return 32

    def encode(self, texts: list[str], **_: Any) -> Any:
        return 3 * HASHING.embed(texts)


class New(Old):
    """Version 5: the method has a new name, the old one warns."""

    def get_embedding_dimension(self) -> int:
        return 32

    def get_sentence_embedding_dimension(self) -> int:
        warnings.warn("renamed", FutureWarning, stacklevel=2)
        return 32


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Callable[[type], None]:
    bars = SimpleNamespace(shown=True)
    logging = ModuleType("transformers.utils.logging")
    logging.is_progress_bar_enabled = lambda: bars.shown  # type: ignore[attr-defined]
    logging.disable_progress_bar = lambda: setattr(bars, "shown", False)  # type: ignore[attr-defined]
    logging.enable_progress_bar = lambda: setattr(bars, "shown", True)  # type: ignore[attr-defined]
    for name in ("transformers", "transformers.utils"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, logging.__name__, logging)
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "TOKENIZERS_PARALLELISM"):
        monkeypatch.setenv(name, "1")

    def install(version: type) -> None:
        module = ModuleType("sentence_transformers")
        module.SentenceTransformer = version  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "sentence_transformers", module)

    return install


def model_folder(folder: Path, weights: bytes) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(weights)
    return folder


@pytest.mark.parametrize("version", [Old, New])
def test_the_plug_in_keeps_every_promise_with_both_forms_of_the_library(
    library: Callable[[type], None], version: type
) -> None:
    library(version)
    embedder = plugins.build("embedders", "sentence_transformers")
    assert embedder.info.embedder_id == "sentence_transformers:sentence-transformers/all-MiniLM-L6-v2:32"
    check_embedder(embedder)


def test_a_model_is_loaded_from_this_machine_only_and_in_silence(library: Callable[[type], None]) -> None:
    library(New)
    embedder = plugins.build("embedders", "sentence_transformers")
    assert (New.given["local_files_only"], New.given["trust_remote_code"]) == (True, False)
    assert not embedder._loaded.bars_while_loading
    assert sys.modules["transformers.utils.logging"].is_progress_bar_enabled(), "as it was before"


def test_a_folder_is_known_by_its_content_so_that_two_models_are_never_taken_for_one(
    library: Callable[[type], None], tmp_path: Path
) -> None:
    library(New)
    folders = [
        model_folder(tmp_path / place / "model", weights)
        for place, weights in (("a", b"1"), ("b", b"2"), ("moved", b"1"))
    ]
    one, other, moved = (plugins.build("embedders", "sentence_transformers", model=str(f)).info.model for f in folders)
    assert one == moved != other
    assert one.startswith("model@")


def test_a_model_that_is_not_here_is_named_with_what_to_do(library: Callable[[type], None]) -> None:
    library(New)
    with pytest.raises(EmbedderError, match="'missing' is not on this machine") as raised:
        plugins.build("embedders", "sentence_transformers", model="missing")
    assert "local model folder" in raised.value.hint


def test_a_vector_that_is_not_finite_is_refused(
    library: Callable[[type], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    library(New)
    monkeypatch.setattr(New, "encode", lambda self, texts, **_: np.full((len(texts), 32), np.nan))
    with pytest.raises(EmbedderError, match="not finite"):
        plugins.build("embedders", "sentence_transformers").embed(["x"])

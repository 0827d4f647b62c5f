"""The cross-encoder plug-in against a stand-in for the library, in its old and in its new form."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from docgraph import plugins
from docgraph.errors import EmbedderError, PluginError
from docgraph.testing.suites.rerankers import TEXTS, check_reranker


class New:
    """Raw scores: shared words minus one."""

    given: dict[str, Any]

    def __init__(self, model: str, **options: Any) -> None:
        if "broken" in model:
            raise OSError("no config.json")
        type(self).given = options

    def predict(
        self, pairs: Any, *, activation_fn: Any = None, batch_size: int = 32, show_progress_bar: Any = None
    ) -> Any:
        assert activation_fn == "identity"
        return np.array([len({*a.lower().split()} & {*b.lower().split()}) - 1.0 for a, b in pairs])


class Old(New):
    def predict(
        self, pairs: Any, *, activation_fct: Any = None, batch_size: int = 32, show_progress_bar: Any = None
    ) -> Any:
        return super().predict(pairs, activation_fn=activation_fct)


class Several(New):
    def predict(self, pairs: Any, **_: Any) -> Any:
        return np.zeros((len(pairs), 3))


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Any:
    def use(kind: type) -> None:
        module, torch = ModuleType("sentence_transformers"), ModuleType("torch")
        module.CrossEncoder = kind  # type: ignore[attr-defined]
        torch.nn = SimpleNamespace(Identity=lambda: "identity")  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "sentence_transformers", module)
        monkeypatch.setitem(sys.modules, "torch", torch)

    return use


@pytest.mark.parametrize("kind", [Old, New])
def test_it_keeps_every_promise_and_asks_for_nothing_from_outside(library: Any, kind: Any, tmp_path: Path) -> None:
    library(kind)
    check_reranker(plugins.build("rerankers", "cross_encoder", model=str(tmp_path)))
    assert kind.given == {"device": "cpu", "local_files_only": True, "trust_remote_code": False}


def test_a_model_of_several_labels_is_refused(library: Any, tmp_path: Path) -> None:
    library(Several)
    with pytest.raises(EmbedderError, match=r"shape \(5, 3\)"):
        plugins.build("rerankers", "cross_encoder", model=str(tmp_path)).rerank("why", TEXTS)


def test_a_folder_without_a_model_and_a_name_that_is_no_folder_are_told(library: Any, tmp_path: Path) -> None:
    library(New)
    (tmp_path / "broken").mkdir()
    with pytest.raises(EmbedderError, match=r"cannot be loaded: no config\.json"):
        plugins.build("rerankers", "cross_encoder", model=str(tmp_path / "broken"))
    with pytest.raises(EmbedderError, match="found no model folder 'cross-encoder/ms-marco'"):
        plugins.build("rerankers", "cross_encoder", model="cross-encoder/ms-marco")


def test_a_missing_package_is_named_with_its_install_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(PluginError, match=r"docgraph\[cross-encoder\]"):
        plugins.build("rerankers", "cross_encoder", model=str(tmp_path))

"""Every embedder keeps the promises of the shipped suite."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys

import numpy as np
import pytest

from docgraph import plugins
from docgraph.errors import EmbedderError
from docgraph.plugins.bundled import PIECES, WEIGHTS, bundled
from docgraph.testing.builders import HashingEmbedder
from docgraph.testing.suites.embedders import TEXTS, check_embedder

_SERVICES = {"ollama", "openai_compatible"}  # driven against a local server in tests/unit/embedders
_OF_FOLDERS = {"onnx", "sentence_transformers"}  # models of one's own; tests/unit/plugins/embedders has a small one


@pytest.mark.parametrize("name", sorted(set(plugins.available("embedders")) - _SERVICES - _OF_FOLDERS))
def test_every_offline_embedder_keeps_every_promise(name: str) -> None:
    check_embedder(plugins.build("embedders", name))


def test_the_hashing_embedder_of_the_tests_keeps_them_too() -> None:
    check_embedder(HashingEmbedder())


def test_a_missing_optional_package_is_named_with_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(plugins.PluginError, match="sentence-transformers"):
        plugins.build("embedders", "sentence_transformers")


def test_wordllama_gives_the_same_bits_in_another_process() -> None:
    code = (
        "from docgraph import plugins; from docgraph.testing.suites.embedders import TEXTS;"
        "print(plugins.build('embedders','wordllama').embed(TEXTS).tobytes().hex())"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == plugins.build("embedders", "wordllama").embed(TEXTS).tobytes().hex()


def test_wordllama_is_the_model_that_stored_vectors_were_made_with_whatever_release_it_is_read_out_of() -> None:
    """The files of 0.2.2 and of 0.4.0 are the same (a line's end of the second aside); its vectors name a workspace."""
    pieces = json.dumps(json.loads(bundled(PIECES).read_bytes()), sort_keys=True)
    assert hashlib.sha256(bundled(WEIGHTS).read_bytes()).hexdigest() == (
        "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5"
    )
    assert hashlib.sha256(pieces.encode()).hexdigest() == (
        "e431517545a0dc959126692888945285ee6e9228684831779ad80ac26ffeebe5"
    )
    embedder = plugins.build("embedders", "wordllama")
    (vector,) = embedder.embed(["Why was the queue bounded?"])
    assert embedder.info.embedder_id == "wordllama:l2_supercat:256"
    assert vector[:4].tolist() == pytest.approx([-0.08265527, -0.06895248, 0.03444653, 0.04083584], abs=1e-7)


def test_reading_the_model_runs_nothing_of_its_package() -> None:
    code = (
        "import sys; from docgraph import plugins; plugins.build('embedders','wordllama').embed(['a text']);"
        "plugins.build('tokenizers','wordllama').count('a text'); print('wordllama' in sys.modules)"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == "False"


def test_wordllama_shortened_is_the_beginning_of_the_whole() -> None:
    whole = plugins.build("embedders", "wordllama").embed(TEXTS)
    short = plugins.build("embedders", "wordllama", dimension=64)
    head = whole[:, :64] / np.linalg.norm(whole[:, :64], axis=1, keepdims=True)
    assert short.info.embedder_id == "wordllama:l2_supercat:64"
    assert np.allclose(short.embed(TEXTS), head, atol=1e-6)


def test_wordllama_refuses_a_model_it_does_not_have() -> None:
    with pytest.raises(EmbedderError, match="no model 'other'"):
        plugins.build("embedders", "wordllama", model="other")


def test_loading_wordllama_leaves_the_root_logger_alone() -> None:
    code = (
        "import logging; from docgraph import plugins; plugins.build('embedders','wordllama');"
        "print(logging.getLogger().handlers, logging.getLogger().level == logging.WARNING)"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == "[] True"

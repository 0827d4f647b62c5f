"""Embeds with a sentence model in ONNX form from a local folder, by onnxruntime: no PyTorch, nothing is downloaded."""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from docgraph.domain.graph import Vectors
from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import EmbedderError
from docgraph.plugins.embedders._answers import in_batches, unit_rows

MODELS = ("model.onnx", "onnx/model.onnx", "model_int8.onnx", "onnx/model_int8.onnx", "onnx/model_quantized.onnx")
"""Where a folder has its weights; the first that is there is taken."""
MAX_TOKENS = 512
_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_AT_ONCE = 1_024
_LOOKING_AT_ALL = b"DynamicQuantize"
_FOLDER = "a folder holds model.onnx (or onnx/model_int8.onnx) and tokenizer.json; docgraph downloads nothing"


def build(
    *, model: str | None = None, sha256: str | None = None, batch_size: int = 32, threads: int = 1
) -> OnnxEmbedder:
    """``model`` is a folder, or a .onnx file of one; ``sha256`` = that of the .onnx file, checked before it runs.

    ``threads`` = cores that one call uses. Needs ``pip install 'docgraph[onnx]'``. Raises EmbedderError for a model
    that is not there, is another one, or is none.
    """
    runtime = importlib.import_module("onnxruntime")
    if model is None:
        raise EmbedderError("the onnx embedder needs a model", hint=f"set embedder_model to a folder: {_FOLDER}")
    files = _files(Path(model).expanduser())
    if sha256 is not None and files.sha256 != sha256.strip().lower():
        raise EmbedderError(
            f"{files.path} is not the model that was asked for: its sha256 is {files.sha256}, not {sha256[:80]}",
            hint="put the right file there, or change embedder_sha256",
        )
    options = runtime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads, options.log_severity_level = threads, 1, 3
    runtime.disable_telemetry_events()
    try:
        session = runtime.InferenceSession(files.weights, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the library's errors have no common base but this one
        raise _unusable(files.path, error) from error
    return OnnxEmbedder(session, files, batch_size=batch_size)


@dataclass(frozen=True)
class Files:
    """What was read of a model, once: what was hashed is what runs.

    ``label`` = the folder's name and eight digits of everything that a vector depends on; ``max_tokens`` = where texts
    are cut; ``pooling`` = ``mean`` (over a text's tokens) or ``cls`` (its first one).
    """

    path: Path
    weights: bytes
    tokenizer: Tokenizer
    max_tokens: int
    pooling: str
    sha256: str
    label: str


class OnnxEmbedder:
    """Unit vectors of a local model. Texts of equal length share a batch, so none is padded and none sees another.

    Models that quantize while they run choose their scale over a whole batch: they get one text at a time. Thread-safe.
    """

    def __init__(self, session: Any, files: Files, *, batch_size: int) -> None:
        self._session, self._files = session, files
        self._inputs = frozenset(each.name for each in session.get_inputs())
        self._output = session.get_outputs()[0].name
        if not {"input_ids"} <= self._inputs <= _INPUTS:
            raise _unusable(files.path, f"it asks for {', '.join(sorted(self._inputs))[:200]}")
        self._batch_size = 1 if _LOOKING_AT_ALL in files.weights else batch_size
        width = self._vectors([files.tokenizer.encode("width").ids]).shape[1]
        self.info = EmbedderInfo(name="onnx", model=files.label, dimension=width)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), float32, unit rows; white space gives zeros. Raises EmbedderError."""
        clean = [text.encode("utf-8", "replace").decode() for text in texts]
        return in_batches(clean, self.info.dimension, batch_size=_AT_ONCE, ask=self._ask)

    def _ask(self, texts: list[str]) -> Vectors:
        rows = [each.ids for each in self._files.tokenizer.encode_batch(texts)]
        found = np.zeros((len(rows), self.info.dimension), dtype=np.float32)
        for places in _of_one_length(rows, self._batch_size):
            found[places] = self._vectors([rows[place] for place in places])
        return found

    def _vectors(self, rows: list[list[int]]) -> Vectors:
        """Unit vectors of texts as token ids, all of one length."""
        ids = np.asarray(rows, dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        try:
            (states,) = self._session.run([self._output], {name: given[name] for name in sorted(self._inputs)})
        except Exception as error:  # the library's errors have no common base but this one
            raise _unusable(self._files.path, error) from error
        states = np.asarray(states, dtype=np.float64)
        if states.ndim == 3:  # a row for each token; a model that pools itself gives one for each text
            states = states[:, 0] if self._files.pooling == "cls" else states.mean(axis=1)
        if states.ndim != 2 or len(states) != len(rows) or not np.isfinite(states).all():
            raise _unusable(self._files.path, f"it gave shape {states.shape} or values that are not finite")
        return unit_rows(states)


def _of_one_length(rows: Sequence[Sequence[int]], size: int) -> Iterator[list[int]]:
    """Places of rows of equal length, at most ``size`` at once; short rows first."""
    by_length: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        by_length.setdefault(len(row), []).append(place)
    for _, places in sorted(by_length.items()):
        yield from (places[start : start + size] for start in range(0, len(places), size))


def _files(given: Path) -> Files:
    path = given if given.is_file() else next((p for p in map(given.joinpath, MODELS) if p.is_file()), None)
    if path is None:
        raise EmbedderError(f"the ONNX model {str(given)!r} is not on this machine", hint=_FOLDER)
    folder = next((p for p in (path.parent, path.parent.parent) if (p / "tokenizer.json").is_file()), None)
    if folder is None:
        raise EmbedderError(f"there is no tokenizer.json beside {path}", hint=_FOLDER)
    try:
        weights, pieces = path.read_bytes(), (folder / "tokenizer.json").read_bytes()
        tokenizer, max_tokens, pooling = Tokenizer.from_buffer(pieces), _max_tokens(folder), _pooling(folder)
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_tokens)
    except Exception as error:  # the tokenizer's errors have no common base but this one
        raise _unusable(folder, error) from error
    sha256 = hashlib.sha256(weights).hexdigest()
    whole = hashlib.sha256(f"{sha256} {hashlib.sha256(pieces).hexdigest()} {max_tokens} {pooling}".encode())
    label = f"{folder.resolve().name}@{whole.hexdigest()[:8]}"
    return Files(path, weights, tokenizer, max_tokens, pooling, sha256, label)


def _max_tokens(folder: Path) -> int:
    """Where the model was trained to cut texts, at most as many as it has positions for."""
    positions = _json(folder / "config.json").get("max_position_embeddings", MAX_TOKENS)
    return min(int(_json(folder / "sentence_bert_config.json").get("max_seq_length") or MAX_TOKENS), int(positions))


def _pooling(folder: Path) -> str:
    return "cls" if _json(folder / "1_Pooling" / "config.json").get("pooling_mode_cls_token") else "mean"


def _json(path: Path) -> dict[str, Any]:
    found = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found if isinstance(found, dict) else {}


def _unusable(path: Path, why: object) -> EmbedderError:
    said = " ".join(str(why).split())[:200]
    return EmbedderError(f"{path} is no model that the onnx embedder can run: {said}", hint=_FOLDER)

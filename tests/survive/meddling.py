"""What embedders, rerankers and providers of somebody's own may do instead of what they promise."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from docgraph.domain.packet import PacketRequest
from docgraph.ports.retrieval import Reranked
from tests.survive.workspaces import REQUEST
from tests.unit.retrieval.parties import hit

SECRET = "hunter2-of-a-plug-in"
NAN, INFINITY = float("nan"), float("inf")
Trick = Callable[[list[str], Any], Any]
"""(texts that it was given, the right vectors) → what it gives."""


class Nameless(Exception):
    """Its text cannot be told."""

    def __str__(self) -> str:
        raise RuntimeError(SECRET)


def raising(error: Exception) -> Callable[..., Any]:
    """A party that fails."""

    def failing(*_: Any) -> Any:
        raise error

    return failing


def _deep(*_: Any) -> Any:
    return _deep()


def _cleared(texts: list[str], right: Any) -> Any:
    texts.clear()
    return right


def _turned(texts: list[str], right: Any) -> Any:
    texts.reverse()
    return right


def _kept(value: float) -> Trick:
    """Its own buffer, which it writes over while the caller still has it."""
    buffers: list[Any] = []

    def keeping(_: list[str], right: Any) -> Any:
        for each in buffers:
            each[...] = value
        buffers.append(right)
        return right

    return keeping


def _flood(_: list[str], right: Any) -> Any:
    threads = [threading.Thread(target=lambda: None) for _ in range(50)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return right


def _changed(change: Callable[[Any], Any]) -> Trick:
    return lambda _, right: change(right)


def _first(value: float) -> Trick:
    def changing(_: list[str], right: Any) -> Any:
        changed = right.astype(np.float64)
        changed[:, 0] = value
        return changed

    return changing


WRONG: dict[str, Trick] = {
    "a key error": raising(KeyError(SECRET)),
    "an index error": raising(IndexError(SECRET)),
    "out of memory": raising(MemoryError()),
    "stops an iteration": raising(StopIteration(SECRET)),
    "an assertion": raising(AssertionError(SECRET)),
    "a broken pipe": raising(BrokenPipeError(SECRET)),
    "what cannot be told": raising(Nameless()),
    "calls itself": _deep,
    "nothing": _changed(lambda _: None),
    "a text": _changed(lambda _: "1.0"),
    "a mapping": _changed(lambda _: {"data": [[1.0]]}),
    "a generator": _changed(iter),
    "no rows": _changed(lambda right: right[:0]),
    "a row too few": _changed(lambda right: right[:-1]),
    "a row too many": _changed(lambda right: np.vstack([right, right[:1]])),
    "one row for all": _changed(lambda right: right[0]),
    "too wide": _changed(lambda right: np.hstack([right, right])),
    "too narrow": _changed(lambda right: right[:, :-1]),
    "turned": _changed(lambda right: np.ones((right.shape[1], len(right) + 1))),
    "ragged": _changed(lambda right: [[1.0], *right.tolist()]),
    "words": _changed(lambda right: right.astype(str)),
    "complex": _changed(lambda right: right + 1j),
    "objects": _changed(lambda right: np.full(right.shape, None)),
    "moments": _changed(lambda right: right.astype(np.int64).view("datetime64[s]")),
    "NaN": _first(NAN),
    "infinity": _first(INFINITY),
    "too large for 32 bits": _first(1e300),
}
RIGHT: dict[str, Trick] = {
    "a list": _changed(lambda right: right.tolist()),
    "64 bits": _changed(lambda right: right.astype(np.float64)),
    "another order in memory": _changed(np.asfortranarray),
    "not to be written": _changed(lambda right: (right.setflags(write=False), right)[1]),
    "clears what it was given": _cleared,
    "turns what it was given": _turned,
    "writes NaN over what it gave": _kept(NAN),
    "writes zeros over what it gave": _kept(0.0),
    "starts fifty threads": _flood,
}

SCORED: dict[str, Callable[[list[str], list[Reranked]], Any]] = {
    "a key error": raising(KeyError(SECRET)),
    "an index error": raising(IndexError(SECRET)),
    "calls itself": _deep,
    "what cannot be told": raising(Nameless()),
    "nothing": lambda _, right: None,
    "no list": lambda _, right: 7,
    "numbers": lambda _, right: [each.score for each in right],
    "one too few": lambda _, right: right[:-1],
    "none": lambda _, right: [],
    "one behind the end": lambda texts, right: [*right[:-1], Reranked(len(texts), 0.5)],
    "one before the start": lambda _, right: [*right[:-1], Reranked(-1, 0.5)],
    "places as texts": lambda _, right: [Reranked(str(each.index), each.score) for each in right],  # type: ignore[arg-type]
    "places as fractions": lambda _, right: [Reranked(each.index + 0.5, each.score) for each in right],  # type: ignore[arg-type]
    "NaN": lambda _, right: [Reranked(each.index, NAN) for each in right],
    "infinity": lambda _, right: [Reranked(each.index, INFINITY) for each in right],
    "a score as None": lambda _, right: [Reranked(each.index, None) for each in right],  # type: ignore[arg-type]
    "clears what it was given": lambda texts, right: (texts.clear(), right)[1],
    "turns what it was given": lambda texts, right: (texts.reverse(), right)[1],
    "another order": lambda _, right: right[::-1],
}


def _meddle(request: PacketRequest, access: Any) -> Any:
    for name, value in (("top_k", 0), ("query", SECRET), ("mode", "nonsense"), ("threshold", NAN)):
        object.__setattr__(request, name, value)
    return [hit("mine")]


def _nonsense(request: PacketRequest, access: Any) -> Any:
    for given in (None, 7, "x", REQUEST):
        for method in ("evidence", "full_text", "memories"):
            try:
                getattr(access, method)(given, -1)
            except Exception:  # whatever it is: nobody else's loss
                continue
    return [hit("mine")]


def _exit(*_: Any) -> Any:
    raise SystemExit(3)


FOUND = {
    "a key error": raising(KeyError(SECRET)),
    "calls itself": _deep,
    "ends the program": _exit,
    "what cannot be told": raising(Nameless()),
    "meddles with the question": _meddle,
    "asks nonsense": _nonsense,
}

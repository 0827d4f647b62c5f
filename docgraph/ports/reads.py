"""Reads put down before they are asked, so that a store can answer several in one trip."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

_PLAIN = frozenset((str, int, float, bool, type(None)))
T = TypeVar("T")
P = ParamSpec("P")


@dataclass(frozen=True, eq=False)
class Read(Generic[T]):
    """One question to a snapshot: the name of its method, with what it is asked."""

    name: str
    arguments: tuple[Any, ...]
    options: Mapping[str, Any]

    def of(self, snapshot: object) -> T:
        """The answer of a snapshot, asked for alone."""
        answer: T = getattr(snapshot, self.name)(*self.arguments, **self.options)
        return answer

    @property
    def key(self) -> Hashable:
        """Equal for reads that ask the same: the order of documents counts, as it does in answers."""
        return (self.name, _key(self.arguments), _key(self.options))


def read(method: Callable[Concatenate[Any, P], T], /, *arguments: P.args, **options: P.kwargs) -> Read[T]:
    """The read that ``method`` of a snapshot is: ``read(Snapshot.documents_by_id, ids)``."""
    return Read(method.__name__, arguments, options)


def one_by_one(snapshot: object, reads: Sequence[Read[Any]]) -> tuple[Any, ...]:
    """Every read asked alone, in order: what ``at_once`` is where there are no trips to save."""
    return tuple(each.of(snapshot) for each in reads)


def _key(value: Any) -> Hashable:
    """What a value is told from others by; of a vector its bytes."""
    if type(value) in _PLAIN:  # nearly every value, and the other questions cost more than the answer
        return (type(value), value)
    if hasattr(value, "tobytes"):  # an array, of numpy or of a process without it
        return (type(value), getattr(value, "shape", None), str(getattr(value, "dtype", "")), value.tobytes())
    if isinstance(value, Mapping):
        return tuple((name, _key(value[name])) for name in sorted(value))
    if isinstance(value, list | tuple):
        return tuple(map(_key, value))
    if is_dataclass(value):
        return tuple(_key(getattr(value, field.name)) for field in fields(value))
    return (type(value), value)

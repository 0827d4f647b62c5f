"""Takes in what a provider answered: whatever is no hit is left out and counted, and the rest is made of plain values.

Everything here reads things that others wrote and may run their code: it belongs into the source's own thread, within
the time that the source has.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docgraph.domain.packet import ProviderHit

MAX_CONTENT = 100_000
"""Characters of one hit that are kept."""
MAX_TEXT = 10_000
"""Characters of one text in the metadata."""
MAX_SOURCE, MAX_NAME = 1_000, 200
"""Characters of a source, and of a channel, a kind of scores or a field's name."""
MAX_KEY = 4_000
"""Characters of a document's or chunk's id; a longer one is none, because half an id is another one."""
MAX_CHANNELS = 100
MAX_DEPTH, MAX_ITEMS = 10, 1_000
"""Levels of metadata, and items of one list or mapping in it."""
MAX_VALUES, MAX_CHARACTERS = 10_000, 200_000
"""What all metadata of one hit may hold together."""
MAX_INTEGER = 2**63
"""Beyond it other programs cannot read the JSON."""


@dataclass(frozen=True)
class Intake:
    """The hits of one provider, and how many things were no hits; ``broken`` = the answer as a whole was none."""

    hits: tuple[ProviderHit, ...] = ()
    n_malformed: int = 0
    broken: bool = False


def take(answer: Any, *, limit: int) -> Intake:
    """The hits among the first ``limit`` things of an answer, each rebuilt out of plain values.

    An answer that is no list or tuple, that cannot be read, or that holds things of which none is a hit, is *broken*:
    a schema error. NaN, infinite and impossibly large scores become unknown. Raises nothing, whatever the answer is.
    """
    try:
        if not isinstance(answer, list | tuple):
            return Intake(broken=True)
        items = list(islice(answer, limit))
        hits = tuple(hit for each in items if (hit := _hit(each)) is not None)
    except BaseException:  # a list of its own kind may do anything while it is read
        return Intake(broken=True)
    return Intake(hits, len(items) - len(hits), broken=bool(items) and not hits)


def number(value: Any) -> float | None:
    """A real number as a float; None for NaN and for what no float can hold. Raises TypeError for anything else."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError("this is no number")
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def _hit(each: Any) -> ProviderHit | None:
    """``each`` with every field read once, checked and copied; None when one of them is not what it has to be."""
    from docgraph.domain.packet import ProviderHit

    if not isinstance(each, ProviderHit):
        return None
    try:
        document_id, chunk_id = (_whole(part) for part in _items(each.key, 3))
        content = _text(each.content, MAX_CONTENT)
        if not content.strip():
            return None
        return ProviderHit(
            key=(document_id, chunk_id),
            content=content,
            source=_text(each.source, MAX_SOURCE),
            score=None if each.score is None else number(each.score),
            score_kind=_text(each.score_kind, MAX_NAME),
            channels=tuple(_text(channel, MAX_NAME) for channel in _items(each.channels, MAX_CHANNELS)),
            metadata=_Plain().mapping(each.metadata, 0),
        )
    except Exception:  # a hit made past its validation, or of a class of its own: whatever is wrong, it is no hit
        return None


def _items(value: Any, limit: int) -> Iterator[Any]:
    if not isinstance(value, list | tuple):
        raise TypeError("this is no list")
    return islice(value, limit)


def _whole(value: Any) -> str:
    found = _text(value, MAX_KEY + 1)
    if not 0 < len(found) <= MAX_KEY:
        raise ValueError("an id is empty or too long")
    return found


def _text(value: Any, limit: int) -> str:
    """A plain ``str`` of at most ``limit`` characters as UTF-8 can carry it: half a surrogate pair becomes ``?``."""
    if not isinstance(value, str):
        raise TypeError("this is no text")
    found = str.__str__(value)[:limit]  # past whatever a class of its own makes of it
    return found if found.isascii() else found.encode("utf-8", "replace").decode("utf-8")


class _Plain:
    """Makes JSON values of anything, within a budget for all of them together; what is beyond it becomes None."""

    def __init__(self) -> None:
        self._values, self._characters = MAX_VALUES, MAX_CHARACTERS

    def mapping(self, value: Any, depth: int) -> dict[str, Any]:
        """A mapping with texts as names; fields whose name is neither text nor number are left out."""
        if not isinstance(value, dict):
            raise TypeError("this is no mapping")
        made: dict[str, Any] = {}
        for name, each in islice(dict.items(value), MAX_ITEMS):
            if isinstance(name, str | int | float):
                said = name if isinstance(name, str) else repr(self._number(name))
                made[self._spent(_text(said, MAX_NAME))] = self._value(each, depth + 1)
        return made

    def _value(self, value: Any, depth: int) -> Any:
        self._values -= 1
        if value is None or depth > MAX_DEPTH or self._values < 0 or self._characters <= 0:
            return None
        if isinstance(value, dict):
            return self.mapping(value, depth)
        if isinstance(value, list | tuple):
            return [self._value(each, depth + 1) for each in islice(value, MAX_ITEMS)]
        if isinstance(value, str):
            return self._spent(_text(value, min(MAX_TEXT, self._characters)))
        if isinstance(value, Real):
            return self._number(value)
        return f"<{type_name(value)}>"

    def _spent(self, text: str) -> str:
        self._characters -= len(text)
        return text

    @staticmethod
    def _number(value: Any) -> bool | int | float | None:
        if isinstance(value, bool):
            return value
        if isinstance(value, Integral):
            found = int(value)
            return found if -MAX_INTEGER <= found < MAX_INTEGER else None
        return number(value)


def type_name(value: Any) -> str:
    """The name of a value's class, where it is a name: a class that others made may be called anything."""
    found = type.__dict__["__name__"].__get__(type(value))
    return found if isinstance(found, str) and found.isidentifier() and len(found) <= MAX_NAME // 2 else "Unknown"

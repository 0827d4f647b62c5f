"""What a rerun would make again out of the same things: pictures, tables, cards; the last of each kind a session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from docgraph.ui.frame.state import session

_KEPT = "plan_built"
_BY_VALUE = (str, int, tuple, frozenset, dict)

T = TypeVar("T")


def built(kind: str, make: Callable[[], T], *of: object) -> T:
    """What ``make`` makes out of ``of``; the same object again while nothing of that is another.

    Runs and comparisons are frozen and shared, so they are told apart by identity; plain values and collections by
    what they hold. One a kind is kept, in the session: another workspace or reader never sees it.
    """
    memory: dict[str, tuple[tuple[object, ...], Any]] = session().page.setdefault(_KEPT, {})
    known = memory.get(kind)
    if known is None or len(known[0]) != len(of) or not all(map(_same, known[0], of)):
        known = memory[kind] = (of, make())
    made: T = known[1]
    return made


def _same(a: object, b: object) -> bool:
    return a is b or (isinstance(a, _BY_VALUE) and type(a) is type(b) and a == b)

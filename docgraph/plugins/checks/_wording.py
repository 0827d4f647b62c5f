"""Numbers and short lists in the sentences of findings, and what is left of a name without its marks."""

from __future__ import annotations

import re
from collections.abc import Sequence

MAX_NAMED = 6
_MARKS = re.compile(r"[\W_]+")


def counted(n: int, noun: str) -> str:
    """``1 relationship``, ``2,300 relationships``."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def plain(name: str) -> str:
    """A name in lower case, without marks, its words one space apart."""
    return " ".join(_MARKS.sub(" ", name.casefold()).split())


def listed(names: Sequence[str]) -> str:
    """``a, b and c``; of a long list the first few and how many more there are."""
    shown = list(names[:MAX_NAMED])
    if len(names) > MAX_NAMED:
        return f"{', '.join(shown)} and {len(names) - MAX_NAMED:,} more"
    return " and ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))

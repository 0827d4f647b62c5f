"""When two names of relation types are two spellings of one name."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

_SEPARATORS = re.compile(r"[\W_]+")
MIN_SHARED = 0.9
MIN_LENGTH = 6


def plain(name: str) -> str:
    """The name without case, spaces and marks: ``Depends-On`` and ``depends_on`` are ``dependson``."""
    return _SEPARATORS.sub("", name.casefold())


def one_word(name: str, other: str) -> bool:
    """Whether the names differ by case, separators, a plural ``s`` or one slip of the pen alone.

    ``superseded_by`` and ``supersedes`` differ by more than that, and so do ``updates`` and ``updated``.
    """
    a, b = sorted((plain(name), plain(other)))
    if name == other or not a:
        return False
    if a.removesuffix("s") == b.removesuffix("s"):
        return True
    return len(a) >= MIN_LENGTH and SequenceMatcher(None, a, b, autojunk=False).ratio() >= MIN_SHARED

"""When two names of relation types are two spellings of one name, and what of a title texts leave out."""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher
from functools import lru_cache

_BRACKETS = re.compile(r"\s*\([^()]{1,100}\)$")
_SEPARATORS = re.compile(r"[\W_]+")
_LETTERS = str.maketrans(
    {"\u00ad": None, "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st"}
    | {"\ufb06": "st"}
)
"""What type-setting makes of letters, and the hyphen that nobody sees until a line ends there."""
MIN_SHARED = 0.9
MIN_LENGTH = 6


def plain_letters(text: str) -> str:
    """``text`` with one character for a letter and its marks (NFC), letters for ligatures, and no soft hyphens.

    A reader sees no difference, and whoever looks for a word finds it however it was written.
    """
    return text if text.isascii() else unicodedata.normalize("NFC", text.translate(_LETTERS))


@lru_cache(maxsize=4096)
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
    if min(len(a), len(b)) < MIN_LENGTH or (a[0] != b[0] and a[-1] != b[-1]):
        return False
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    return matcher.real_quick_ratio() >= MIN_SHARED and matcher.ratio() >= MIN_SHARED


def without_brackets(title: str) -> str:
    """The title without what it adds in brackets at its end, as texts write it."""
    return _BRACKETS.sub("", title)

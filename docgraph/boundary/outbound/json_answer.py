"""Reads the JSON of an answer, when it holds no more values than were to be expected."""

from __future__ import annotations

import json
import re
from typing import Any

_VALUE = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[{,]', re.DOTALL)
"""A string, however it ends, or what every other value follows: there are at least as many as values."""


def parsed(content: bytes, max_values: int) -> Any:
    """The value in ``content``: UTF-8, with or without a byte order mark; of equal keys the last one counts.

    ``NaN`` and ``Infinity`` are read as such, and numbers may be as large as floats cannot be: whoever expects numbers
    looks at them. A value costs some 100 bytes of memory however short it is written, so that a body of ``[],[],…``
    takes thirty times its length: more than ``max_values`` are refused before they are made. Raises ValueError, with
    the words that go on from the name of who answered, for that and for what is no JSON (also: nested some hundred
    levels deep, or an integer of more than 4,300 digits).
    """
    if sum(map(content.count, (b",", b"[", b"{", b'"'))) > max_values:
        for number, _ in enumerate(_VALUE.finditer(content)):
            if number >= max_values:
                raise ValueError(f"answered with more than {max_values:,} values")
    try:
        return json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise ValueError("did not answer with JSON") from None

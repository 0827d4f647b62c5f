"""The phrases by which a decision record names the records that it replaced, changed, or was replaced by."""

from __future__ import annotations

import re

_PHRASE = re.compile(
    r"\b(?:(super[sc]eded|amended)[ \t]{1,5}by|(super[sc]edes|amends))\b[ \t]{0,5}:?[ \t]{0,5}", re.IGNORECASE
)


def phrases_in(line: str) -> list[tuple[str, int, int]]:
    """(relation type, start, end) of each phrase: what it is about stands from ``end`` to the next ``start``.

    ``supercedes`` and ``superceded by`` are read too: widespread tools write them so.
    """
    found = []
    for match in _PHRASE.finditer(line):
        word = (match[1] or match[2]).casefold().replace("rc", "rs")
        found.append((f"{word}_by" if match[1] else word, match.start(), match.end()))
    return found

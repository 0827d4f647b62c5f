"""The phrases by which a decision record names the records that it replaced, changed, or was replaced by."""

from __future__ import annotations

import re

_PHRASE = re.compile(
    r"\b(?:(super[sc]eded|amended)[ \t]{1,5}by|(super[sc]edes|amends))\b[ \t]{0,5}:?[ \t]{0,5}", re.IGNORECASE
)

_RECORD = re.compile(
    r"\s{0,3}([A-Z][a-z]{1,30}(?: [a-z]{1,30}){0,3}):?[ \t]{1,5}(\[\d{1,6}\. [^\[\]]{1,300}\]\([^()\s]{1,300}\))[ .]*"
)
"""A line as adr-tools writes it: ``Clarifies [10. Queues](0010-queues.md)``."""


def phrase_before_record(line: str) -> tuple[str, str] | None:
    """(relation type, link) of a line that is a phrase and a link to a numbered record, and nothing else."""
    found = _RECORD.fullmatch(line)
    return None if found is None else (found[1].casefold().replace(" ", "_"), found[2])


def phrases_in(line: str) -> list[tuple[str, int, int]]:
    """(relation type, start, end) of each phrase: what it is about stands from ``end`` to the next ``start``.

    ``supercedes`` and ``superceded by`` are read too: widespread tools write them so.
    """
    found = []
    for match in _PHRASE.finditer(line):
        word = (match[1] or match[2]).casefold().replace("rc", "rs")
        found.append((f"{word}_by" if match[1] else word, match.start(), match.end()))
    return found

"""The phrases by which a decision record names the records that it replaced, changed, or was replaced by."""

from __future__ import annotations

import re

_BY = "super[sc]eded|replaced|amended|obsoleted|deprecated"
_DOES = "super[sc]edes|replaces|amends|obsoletes"
_PHRASE = re.compile(
    rf"\b(?:({_BY})(?:[ \t]{{1,5}}|[ \t]{{0,3}}[(,;:\u2013\u2014-][ \t]{{0,3}})"
    rf"(?:by|in[ \t]{{1,3}}favou?r[ \t]{{1,3}}of|see)\b|({_DOES})\b)[ \t]{{0,5}}(?::(?!\w{{1,20}}:`))?[ \t]{{0,5}}",
    re.IGNORECASE,
)
_TYPES = {"deprecated": "replaced"}
"""What is deprecated in favour of another is replaced by it."""
_RECORD = re.compile(
    r"\s{0,3}([A-Z][a-z]{1,30}(?: [a-z]{1,30}){0,3}):?[ \t]{1,5}(\[\d{1,6}\. [^\[\]]{1,300}\]\([^()\s]{1,300}\))[ .]*"
)
"""A line as adr-tools writes it: ``Clarifies [10. Queues](0010-queues.md)``."""
_TYPED = re.compile(
    r"\s{0,8}(?:[-*+]\s{1,4})?\[?"
    r"((?:refine|extend|clarifie|implement|explain|relate|require)(?:s|d|d by|s to|ed by|d to)|depends on|part of)"
    r"\]?:?[ \t]{1,5}((?:\[\[|\[).{1,600})",
    re.IGNORECASE,
)
"""An item of a list of links as MADR and log4brains write it: ``- Refined by [Queues](0010-queues.md)``."""


def phrase_before_record(line: str) -> tuple[str, str] | None:
    """(relation type, link) of a line that is a phrase and a link to a numbered record, and nothing else."""
    found = _RECORD.fullmatch(line)
    return None if found is None else (found[1].casefold().replace(" ", "_"), found[2])


def typed_link(line: str) -> tuple[str, str] | None:
    """(relation type, links) of an item in a list of links that begins with how the record is related."""
    found = _TYPED.fullmatch(line)
    return None if found is None else (found[1].casefold().replace(" ", "_"), found[2])


def phrases_in(line: str) -> list[tuple[str, int, int]]:
    """(relation type, start, end) of each phrase: what it is about stands from ``end`` to the next ``start``.

    ``supercedes`` and ``superceded by`` are read too: widespread tools write them so.
    """
    found = []
    for match in _PHRASE.finditer(line):
        word = (match[1] or match[2]).casefold().replace("rc", "rs")
        found.append((f"{_TYPES.get(word, word)}_by" if match[1] else word, match.start(), match.end()))
    return found

"""A finding with the file that it is about, for those who show findings beside the lines of files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from docgraph.domain.finding import Finding
from docgraph.views.relationships.findings.report import proposal
from docgraph.views.words.texts import excerpt

MAX_SENTENCE = 1_000
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class Located:
    """``path`` = the file, with ``/``, relative to where the command ran ("" = none is known).

    ``line`` counts from 1; None = not known.
    """

    finding: Finding
    path: str = ""
    line: int | None = None

    @property
    def message(self) -> str:
        """The finding's sentence and its fix, on one line."""
        fix = proposal(self.finding.fix)
        return excerpt(self.finding.sentence, MAX_SENTENCE) + (f" (fix: {excerpt(fix, MAX_SENTENCE)})" if fix else "")


def line_of(texts: Iterable[str], source: str) -> int | None:
    """The line, from 1, at which the first of ``texts`` that stands in ``source`` begins; white space may differ."""
    flat, lines = _flat(source)
    for text in texts:
        wanted = _SPACE.sub(" ", text).strip().strip("…").strip()
        if wanted and (at := flat.find(wanted)) >= 0:
            return lines[at]
    return None


def _flat(source: str) -> tuple[str, list[int]]:
    """The source with every stretch of white space as one space, and the line of each of its characters."""
    pieces: list[str] = []
    lines: list[int] = []
    line, start = 1, 0
    for gap in _SPACE.finditer(source):
        word = source[start : gap.start()] + " "
        pieces.append(word)
        lines += [line] * len(word)
        line += gap.group().count("\n")
        start = gap.end()
    pieces.append(source[start:])
    lines += [line] * (len(source) - start)
    return "".join(pieces), lines

"""What a picture says, as text beside it, and whether the product still says it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

READ = Path(__file__).with_name("words.js").read_text(encoding="utf-8")
"""A function of JavaScript: the words of the page that is open, as ``Line`` takes them."""

_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_CHANGING = (
    (re.compile(rf"\b\d{{1,2}} (?:{_MONTHS})(?: \d{{4}})?\b"), "DAY"),
    (re.compile(r"\brev [0-9a-f]{6,}\b"), "rev #"),
    (re.compile(r"[+−-]?\d[\d.,:]*"), "#"),
)
"""What is no word: days, revisions, counts and figures of any kind."""


class Line(NamedTuple):
    """Words of one block of the picture; ``at_edge`` = a pixel more or less may cut them off, or bring them in."""

    text: str
    at_edge: bool = False


def written(lines: Sequence[Line]) -> str:
    """The file beside a picture: a line a block."""
    return "".join(f"{line.text}\n" for line in lines)


def differences(kept: str, today: Sequence[Line]) -> list[str]:
    """What the file beside a picture says and the page does not (``- …``), and the other way round (``+ …``).

    Counts, figures and days may differ. A line at an edge may be missing on either side.
    """
    lines = kept.splitlines()
    before, after = [*map(_plain, lines)], [_plain(line.text) for line in today]
    lasting = {_plain(line.text) for line in today if line.at_edge}
    found = []
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            found += [f"- {lines[i]}" for i in range(a, b) if before[i] not in lasting]
            found += [f"+ {today[i].text}" for i in range(c, d) if not today[i].at_edge]
    return found


def _plain(line: str) -> str:
    for pattern, name in _CHANGING:
        line = pattern.sub(name, line)
    return line

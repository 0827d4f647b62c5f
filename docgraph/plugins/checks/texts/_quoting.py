"""Links in the sentences that an import keeps as the evidence of relationships."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LINK = re.compile(r"!?\[\[([^\[\]]{1,500})\]\]|\[([^\[\]]{1,500})\]\(([^()\s]{1,500})\)?")


@dataclass(frozen=True)
class Link:
    """Where a link stands in a sentence, its label, and its address; of a wiki link both are what it names."""

    start: int
    end: int
    label: str
    address: str


def links_in(sentence: str) -> Iterator[Link]:
    """The Markdown and wiki links in a sentence, in order; the last one may be cut off in its address."""
    for found in _LINK.finditer(sentence):
        label = found[1] or found[2]
        yield Link(found.start(), found.end(), label, found[3] or label)

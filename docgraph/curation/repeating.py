"""Targets that the same documents point at, one beside the other: a navigation that every page repeats."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from docgraph.domain.finding import Finding

ALIKE, LEAST = 0.9, 2
"""Share of all documents that point at two targets which have to point at both; targets that are together one cause."""

Block = tuple[str, tuple[str, ...]]
"""A relation type and the targets that stand together, by id."""


def blocks(findings: Iterable[Finding]) -> dict[str, Block]:
    """finding_id → the block that its relationship is of, where its target shares its documents with another one.

    A page does not link to itself in its own navigation, or does and is passed over, so a target counts as pointing at
    itself. A target joins the first block, of the one that most documents point at, with whose first target it agrees.
    """
    single = {each.finding_id: each.relationships[0] for each in findings if len(each.relationships) == 1}
    starts: dict[tuple[str, str], set[str]] = defaultdict(set)
    for start, via, end in single.values():
        starts[(via, end)] |= {start, end}
    gathered: list[list[tuple[str, str]]] = []
    for target in sorted(starts, key=lambda each: (-len(starts[each]), each)):
        for block in gathered:
            if block[0][0] == target[0] and _alike(starts, block[0], target):
                block.append(target)
                break
        else:
            gathered.append([target])
    found: dict[tuple[str, str], Block] = {}
    for block in gathered:
        if len(block) >= LEAST:
            found |= dict.fromkeys(block, (block[0][0], tuple(sorted(end for _, end in block))))
    return {i: found[(key[1], key[2])] for i, key in single.items() if (key[1], key[2]) in found}


def _alike(starts: Mapping[tuple[str, str], set[str]], one: tuple[str, str], other: tuple[str, str]) -> bool:
    both = len(starts[one] & starts[other])
    return both >= ALIKE * (len(starts[one]) + len(starts[other]) - both)

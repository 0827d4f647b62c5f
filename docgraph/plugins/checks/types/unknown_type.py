"""Relation types that are not in the workspace's vocabulary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docgraph.domain.edit import Edit
from docgraph.domain.finding import Finding
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.spelling import one_word
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks._wording import counted
from docgraph.plugins.checks.types._inverses import retyped
from docgraph.ports import MENTIONS, Outcome, RelationshipGraph

MAX_COMPARED = 100_000
"""Spellings are compared while unknown types times known ones are no more than this."""


class UnknownType(BaseCheck):
    """The fix gives its relationships the one name of the ``vocabulary`` that is another spelling of theirs."""

    check_id = "unknown_type"
    title = "Type outside the vocabulary"
    why = "A request that names its types misses relationships whose type is misspelt."
    unit = "types"
    parameters: Mapping[str, Any] = {"vocabulary": ()}

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """One finding a type; ``mentions`` needs no place in the vocabulary. Skipped while that is empty."""
        vocabulary = sorted(set(parameters["vocabulary"]))
        if not vocabulary:
            return Outcome(0, skipped="no vocabulary is set")
        used = [name for name in graph.types if name != MENTIONS]
        unknown: dict[str, list[EdgeKey]] = {name: [] for name in used if name not in vocabulary}
        keys = {edge.key for edge in graph.relationships}
        for key in sorted(keys):
            if key[1] in unknown:
                unknown[key[1]].append(key)
        compared = vocabulary if len(unknown) * len(vocabulary) <= MAX_COMPARED else []
        findings = [self._finding(name, mine, compared, keys=keys) for name, mine in unknown.items()]
        return Outcome(len(used), findings, "" if used else "there is no stated relationship")

    def _finding(self, name: str, mine: Sequence[EdgeKey], vocabulary: Sequence[str], *, keys: set[EdgeKey]) -> Finding:
        spellings = [known for known in vocabulary if one_word(name, known)]
        said = f"{name} ({counted(len(mine), 'relationship')}) is not in the vocabulary"
        fix: tuple[Edit, ...] = ()
        if len(spellings) == 1:
            said += f"; most likely {spellings[0]} is meant"
            fix = retyped(mine, spellings[0], there=keys)
        return self.finding(said, relation_types=(name,), fix=fix)


build = UnknownType

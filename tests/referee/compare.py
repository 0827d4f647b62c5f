"""Imports a folder with docgraph and holds its relationships against the independent count."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docgraph
from tests.referee.count import counted
from tests.referee.count.folder import Pairs

LIST = Path(__file__).parent / "repositories.toml"
_UNSTATED = frozenset(("body_references", "title_mentions"))
"""Extractors of what a text merely mentions; nobody else counts that."""
_STRUCTURE = frozenset(("part_of",))
"""What lies in what: no link of anybody's."""


@dataclass(frozen=True)
class Repository:
    """A public repository of documents: its folder, and the dialects that it is written in."""

    name: str
    folder: str
    dialects: tuple[str, ...]
    ends: str = "source"
    """What pairs are made of: paths (``source``) or ids (``id``)."""


@dataclass(frozen=True)
class Compared:
    """Pairs of one folder: those that were counted, and those that the import made.

    ``structure`` = pairs whose only relationship is that one holds the other, which no count knows.
    """

    counted: Pairs
    made: Pairs
    structure: Pairs
    seconds: float

    @property
    def found(self) -> Pairs:
        """Counted ones that the import has as a relationship that is stated, not as a mere mention."""
        return self.counted & (self.made | self.structure)

    @property
    def missed(self) -> Pairs:
        """Counted ones that the import lacks."""
        return self.counted - self.made - self.structure

    @property
    def extra(self) -> Pairs:
        """Stated relationships of the import that the count lacks: wrong, or stated in a way that it does not read."""
        return self.made - self.counted

    @property
    def share(self) -> float:
        """Found of counted, 0 to 1; 1 where there is nothing to find."""
        return len(self.found) / len(self.counted) if self.counted else 1.0


def compared(root: Path, *dialects: str, ends: str = "source") -> Compared:
    """Count a folder, import it as it lies, and hold both against each other."""
    started = time.perf_counter()
    with docgraph.connect(store="memory", workspace="referee") as dg:
        dg.ingest(root)
        seconds = time.perf_counter() - started
        names = {each.document_id: each.source for each in dg.documents.list()}
        made: dict[bool, set[tuple[str, str]]] = {True: set(), False: set()}
        for edge in dg.relationships.list():
            source, target = edge.from_document_id, edge.to_document_id
            if target not in names:
                continue
            pair = (source, target) if ends == "id" else (names[source], names[target])
            if pair[0] == pair[1] or edge.relationship_metadata.get("extractor") in _UNSTATED:
                continue
            made[edge.relation_type in _STRUCTURE].add(pair)
    return Compared(counted(root, *dialects), frozenset(made[False]), frozenset(made[True] - made[False]), seconds)


def repositories() -> Iterator[Repository]:
    """The public repositories that are measured."""
    given: dict[str, Any] = tomllib.loads(LIST.read_text(encoding="utf-8"))
    for each in given["repository"]:
        yield Repository(each["name"], each["folder"], tuple(each["dialects"]), each.get("ends", "source"))

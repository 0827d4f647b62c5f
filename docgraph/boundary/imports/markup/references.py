"""What a text written for Sphinx says of others and of itself: references with their places, labels, terms, needs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

DEFINES = "defines"
"""Field of metadata that says what others may refer to in a document: its ``labels``, ``terms`` and ``needs``."""
MAX_DEFINED = 5_000
MAX_NAME = 300
_TITLED = re.compile(r"(?:.*[^\\])?<([^<>]{1,500})>\s*", re.DOTALL)


@dataclass(frozen=True)
class Reference:
    """One place that refers to something: ``kind`` is the role or directive, ``start`` … ``end`` where it stands."""

    kind: str
    target: str
    start: int
    end: int


@dataclass
class Markup:
    """References in text order; ``labels`` (folded) → title of the section, ``terms`` of glossaries, ids of needs."""

    references: list[Reference] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    terms: dict[str, None] = field(default_factory=dict)
    needs: dict[str, None] = field(default_factory=dict)

    def label(self, name: str, section: str) -> None:
        """Keep a label; the first of one name counts."""
        key = folded(name)
        if key and len(key) <= MAX_NAME and len(self.labels) < MAX_DEFINED:
            self.labels.setdefault(key, section[:MAX_NAME])

    def term(self, name: str) -> None:
        """Keep a term of a glossary."""
        _keep(self.terms, folded(name))

    def need(self, name: str) -> None:
        """Keep the id of a need."""
        _keep(self.needs, name.strip())

    @property
    def defines(self) -> dict[str, Any]:
        """What is kept of it as metadata; empty for a text that defines nothing."""
        found = {"labels": self.labels, "terms": list(self.terms), "needs": list(self.needs)}
        return {name: value for name, value in found.items() if value}


def with_defined(metadata: dict[str, Any], markup: Markup) -> dict[str, Any]:
    """The metadata with what the text defines; a field of that name which the author wrote stays."""
    found = markup.defines
    return {**metadata, DEFINES: found} if found and DEFINES not in metadata else metadata


def folded(name: str) -> str:
    """A label or term as it is compared: in lower case, with single spaces."""
    return " ".join(name.split()).casefold()


def target_of(content: str) -> str:
    """What a role's content names: ``the pump <pump-sec>`` → ``pump-sec``; empty where it is no link (``!name``)."""
    if content.startswith("!"):
        return ""
    titled = _TITLED.fullmatch(content)
    return " ".join((titled[1] if titled else content).split())


def entries_of(lines: Iterator[tuple[str, int]], *, glob: bool) -> Iterator[Reference]:
    """The entries of a table of contents; ``lines`` with their places. Web addresses and ``self`` name no document."""
    for line, start in lines:
        entry = line.strip()
        if not entry or entry.startswith((":", "..", "#", "%")):
            continue
        name = target_of(entry)
        if name and name != "self" and "://" not in name:
            kind = "glob" if glob and any(mark in name for mark in "*?[") else "toctree"
            yield Reference(kind, name, start, start + len(line))


def _keep(names: dict[str, None], name: str) -> None:
    if name and len(name) <= MAX_NAME and len(names) < MAX_DEFINED:
        names.setdefault(name)

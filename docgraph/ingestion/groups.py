"""Finds files of an import that are read as one, such as the tables of a graph that another program wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import Adjusted, Rejected
from docgraph.ingestion.scanning import Source
from docgraph.ports import FolderLoader, Loader


@dataclass(frozen=True)
class Group:
    """Files that belong together, the one that stands for them first."""

    loader: FolderLoader
    names: tuple[str, ...]
    read: Mapping[str, Callable[[], bytes]]

    def load(self) -> Iterator[Document | Relationship | Rejected | Adjusted]:
        """What they hold. Raises ValueError and OSError as a loader does."""
        return self.loader.load_group(lambda name: self.read[name](), self.names)


def grouped(sources: Sequence[Source], loaders: Sequence[Loader]) -> tuple[dict[str, Group], list[Source]]:
    """(groups by the file that stands for each, the sources without the others of a group)."""
    names = tuple(source.name for source in sources)
    read = {source.name: source.read for source in sources}
    groups: dict[str, Group] = {}
    others: set[str] = set()
    for loader in loaders:
        if not isinstance(loader, FolderLoader):
            continue
        for found in loader.groups(names):
            if not others.intersection(found):
                groups[found[0]] = Group(loader, found, {name: read[name] for name in found})
                others.update(found[1:])
    return groups, [source for source in sources if source.name not in others]


def by_suffix(loaders: Sequence[Loader]) -> dict[str, Loader]:
    """Suffix → the loader that reads it, the first of several."""
    return {suffix: loader for loader in reversed(loaders) for suffix in loader.suffixes}


def holds_many(loader: Loader) -> bool:
    """Whether a file of this kind holds many documents."""
    return bool(getattr(loader, "holds_many", False))


@contextmanager
def resting(loaders: Sequence[Loader]) -> Iterator[None]:
    """Around the reading of files: what loaders keep running for them ends with it."""
    try:
        yield
    finally:
        for loader in loaders:
            if rest := getattr(loader, "rest", None):
                rest()

"""Opens the files of a folder of which a name does not say how many documents they hold: tables, trees, JSON."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from docgraph.boundary.files.regular import reason_of
from docgraph.domain.graph import Document
from docgraph.ingestion.groups import by_suffix, grouped, holds_many
from docgraph.ingestion.names import suffix_of
from docgraph.ingestion.scanning import RECORD_SUFFIXES, Scan
from docgraph.ports import Loader

BY_CONTENT = frozenset({".json"})
"""Of one document each, but most files in the world that are called so are something else: settings, data, locks."""
MAX_OPENED_BYTES = 50_000_000
MAX_FILE_BYTES = 2_000_000


@dataclass(frozen=True)
class Contents:
    """What was found: ``refused`` = file → why no document is in it, ``counted`` = file → its documents."""

    refused: dict[str, str] = field(default_factory=dict)
    counted: dict[str, int] = field(default_factory=dict)


def contents_of(scan: Scan, loaders: Sequence[Loader], names: Collection[str]) -> Contents:
    """Open those of ``names`` that hold many documents, or none, as their content is.

    The first 50 MB are opened, each file up to 2 MB; what is beyond, and files that are read together with others,
    are in neither count. Nothing raises.
    """
    loader_of = by_suffix(loaders)
    unsure = {
        suffix
        for suffix, loader in loader_of.items()
        if suffix in BY_CONTENT or (holds_many(loader) and suffix not in RECORD_SUFFIXES)
    }
    candidates = [each for each in scan.sources if each.name in names and suffix_of(each.name) in unsure]
    found = Contents()
    if not candidates:
        return found
    groups, alone = grouped(scan.sources, loaders)
    single = {source.name for source in alone} - groups.keys()
    n_bytes = 0
    for source in candidates:
        if source.name not in single:
            continue
        try:
            data = source.read()
            n_bytes += len(data)
            if n_bytes > MAX_OPENED_BYTES:
                break
            if len(data) <= MAX_FILE_BYTES:
                items = loader_of[suffix_of(source.name)].load(data, source=source.name)
                found.counted[source.name] = sum(isinstance(item, Document) for item in items)
        except OSError as error:
            found.refused[source.name] = f"the file cannot be read: {reason_of(error)}"
        except (ValueError, RecursionError) as error:
            found.refused[source.name] = str(error)
    return found

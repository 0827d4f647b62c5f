"""What every archive has to keep to: limits, names that stay inside, and how its files are named."""

from __future__ import annotations

from dataclasses import dataclass

from docgraph.ingestion.names import suffix_of
from docgraph.ingestion.scanning import Source

BLOCK = 1 << 20
REPORTED_EVERY = 64
UNPACK = "unpack it and import the folder: docgraph ingest FOLDER"
BOMB = f"the archive expands beyond the limit: a zip bomb? If not, {UNPACK}"
EMPTY = "the archive is empty: there is no file in it"
_TARS = (".tar", ".tar.gz", ".tgz")


@dataclass(frozen=True)
class ArchiveLimits:
    """``max_ratio`` holds for an archive as a whole, once it has expanded to 10 MB."""

    max_entries: int = 20_000
    max_total_bytes: int = 500_000_000
    max_ratio: int = 200

    def room(self, n_bytes: int) -> int:
        """Bytes that an archive of ``n_bytes`` may expand to."""
        return min(self.max_total_bytes, max(10_000_000, n_bytes * self.max_ratio))


class TooMuchError(Exception):
    """More bytes than are left."""


def is_archive(name: str) -> bool:
    """Whether a file stands for the files in it."""
    return suffix_of(name) == ".zip" or is_tar(name)


def is_tar(name: str) -> bool:
    """Whether a file is a tar archive, compressed by gzip or not."""
    return name.casefold().endswith(_TARS)


def is_hidden(name: str) -> bool:
    """Whether a file of an archive is a system's own."""
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/"))


def too_many(n: int, limits: ArchiveLimits) -> str:
    """Why an archive of so many files is refused."""
    return f"the archive has {n:,} files; at most {limits.max_entries:,} are allowed; {UNPACK}"


def without_common_folder(sources: list[Source]) -> list[Source]:
    """An archive of one folder is that folder: ``corpus/docs.jsonl`` becomes ``docs.jsonl``."""
    first = {source.name.split("/", 1)[0] for source in sources}
    if len(first) != 1 or not all("/" in source.name for source in sources):
        return sources
    return [Source(source.name.split("/", 1)[1], source.read) for source in sources]


def one_line(error: Exception) -> str:
    """What an error says, on one line."""
    return " ".join(str(error).split())[:200] or type(error).__name__

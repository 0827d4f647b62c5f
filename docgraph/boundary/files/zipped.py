"""What a zip archive holds, and how its entries may be compressed; nothing is expanded."""

from __future__ import annotations

import io
import zipfile

from docgraph.boundary.text import one_line

_READ = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""What programs write unless they are told otherwise; expanding bzip2 or LZMA takes ten times as long."""
_NAMES = {9: "deflate64", 12: "bzip2", 14: "LZMA", 20: "Zstandard", 93: "Zstandard", 95: "XZ", 98: "PPMd"}


def entries_of(data: bytes, max_expanded: int, *, name: str, fault: str) -> list[zipfile.ZipInfo]:
    """The entries of an archive, from its directory alone.

    Raises ValueError, ``fault`` and why, for what is no archive, and for one that says it expands to more bytes than
    ``max_expanded``; ``name`` = what is expanded, in words.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"{fault}: {one_line(str(error), 150)}") from None
    expanded = sum(entry.file_size for entry in entries)
    if expanded > max_expanded:
        raise ValueError(f"{name} expands to {expanded:,} bytes; at most {max_expanded:,} are read: a zip bomb?")
    return entries


def check_method(entry: zipfile.ZipInfo) -> None:
    """Raises ValueError for an entry that is neither stored nor deflated."""
    if entry.compress_type not in _READ:
        name = _NAMES.get(entry.compress_type, f"method {entry.compress_type}")
        raise ValueError(f"it is compressed by {name}, and only deflate is read: pack it anew, or unpack it")

"""How the entries of a zip archive may be compressed."""

from __future__ import annotations

import zipfile

_READ = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""What programs write unless they are told otherwise; expanding bzip2 or LZMA takes ten times as long."""
_NAMES = {9: "deflate64", 12: "bzip2", 14: "LZMA", 20: "Zstandard", 93: "Zstandard", 95: "XZ", 98: "PPMd"}


def check_method(entry: zipfile.ZipInfo) -> None:
    """Raises ValueError for an entry that is neither stored nor deflated."""
    if entry.compress_type not in _READ:
        name = _NAMES.get(entry.compress_type, f"method {entry.compress_type}")
        raise ValueError(f"it is compressed by {name}, and only deflate is read: pack it anew, or unpack it")

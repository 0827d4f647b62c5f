"""Judges file names that come from outside: relative, inside the root, printable; others are refused by name."""

from __future__ import annotations

import re

_DRIVE = re.compile(r"^[A-Za-z]:")
MAX_NAME = 1_000
MAX_PART = 255


def safe_name(name: str) -> str:
    """``name`` with ``/`` between its parts. Raises ValueError with one line that says what is wrong with it."""
    if "\x00" in name:
        raise ValueError("the name has a NUL character in it")
    if any(ord(character) < 32 or ord(character) == 127 for character in name):
        raise ValueError("the name has a control character in it")
    if any("\ud800" <= character <= "\udfff" for character in name):
        raise ValueError("the name is not valid UTF-8")
    path = name.replace("\\", "/")
    if path.startswith("/") or _DRIVE.match(path):
        raise ValueError("the name is an absolute path; only relative names are allowed")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise ValueError("the name leads out of the folder (..)")
    if not parts or len(path) > MAX_NAME or any(len(part) > MAX_PART for part in parts):
        raise ValueError("the name is empty or too long")
    return "/".join(parts)


def shown(name: str) -> str:
    """``name`` as a report can hold it: control characters and lone surrogates as escapes, at most 300 characters."""
    escaped = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in name[:300])
    return escaped or "(no name)"


def suffix_of(name: str) -> str:
    """The suffix in lower case, with its dot; empty when there is none."""
    last = name.rsplit("/", 1)[-1]
    return f".{last.rsplit('.', 1)[1].lower()}" if "." in last[1:] else ""

"""Whose a document is, as its metadata say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

OWNER_FIELDS = ("owning_sig", "sig", "owner", "owners", "author", "authors")
"""Metadata fields that say whose a document is, in the order in which they are asked; ``-`` and ``_`` are one."""

MAX_OWNER = 200


def owner_of(metadata: Mapping[str, Any], fields: Sequence[str] = OWNER_FIELDS) -> str:
    """The first name in the first of ``fields`` that the metadata, or the header in them, have; empty = none."""
    header = metadata.get("header")
    found = {**(header if isinstance(header, Mapping) else {}), **metadata}
    named = {_key(str(name)): value for name, value in found.items()}
    for field in fields:
        value = named.get(_key(field))
        first = next(iter(value), None) if isinstance(value, list | tuple) else value
        if isinstance(first, str) and (name := " ".join(first.split(",")[0].split())):
            return name[:MAX_OWNER]
    return ""


def _key(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")

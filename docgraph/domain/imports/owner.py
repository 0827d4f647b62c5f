"""Whose a document is, as its metadata say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docgraph.domain.imports.fields import field_key, with_header

OWNER_FIELDS = ("owning_sig", "sig", "owner", "owners", "author", "authors")
"""Metadata fields that say whose a document is, in the order in which they are asked; ``-`` and ``_`` are one."""

MAX_OWNER = 200


def owner_of(metadata: Mapping[str, Any], fields: Sequence[str] = OWNER_FIELDS) -> str:
    """The first name in the first of ``fields`` that the metadata, or the header in them, have; empty = none."""
    named = {field_key(name): value for name, value in with_header(metadata).items()}
    for field in fields:
        value = named.get(field_key(field))
        first = next(iter(value), None) if isinstance(value, list | tuple) else value
        if isinstance(first, str) and (name := " ".join(first.split(",")[0].split())):
            return name[:MAX_OWNER]
    return ""

"""Whose a document is, as its metadata say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from docgraph.domain.imports.fields import field_key, with_header

OWNER_FIELDS = ("owning_sig", "sig", "owner", "owners", "author", "authors")
"""Metadata fields that say whose a document is, in the order in which they are asked; ``-`` and ``_`` are one."""

MAX_OWNER = 200


MAX_OWNERS = 100
"""Names that are read of one document."""

_ASIDE = re.compile(r"[(<]([^()<>]*)[)>]")
"""A handle or an address beside a name: ``Ann Lee (@ann)``, ``Ann Lee <ann@harbor.example>``."""


def owner_of(metadata: Mapping[str, Any], fields: Sequence[str] = OWNER_FIELDS) -> str:
    """The first name in the first of ``fields`` that the metadata, or the header in them, have; empty = none."""
    named = _by_field(metadata)
    for field in fields:
        value = named.get(field_key(field))
        first = next(iter(value), None) if isinstance(value, list | tuple) else value
        if isinstance(first, str) and (name := " ".join(first.split(",")[0].split())):
            return name[:MAX_OWNER]
    return ""


def owners_of(metadata: Mapping[str, Any], fields: Sequence[str] = OWNER_FIELDS) -> tuple[str, ...]:
    """Every name in the first of ``fields`` that names somebody, each once, in the order of the text; at most 100."""
    named = _by_field(metadata)
    for field in fields:
        value = named.get(field_key(field))
        texts = value if isinstance(value, list | tuple) else [value]
        names = (
            " ".join(part.split())[:MAX_OWNER] for text in texts if isinstance(text, str) for part in text.split(",")
        )
        if found := tuple(dict.fromkeys(filter(None, names))):
            return found[:MAX_OWNERS]
    return ()


def is_called(owner: str, person: str) -> bool:
    """Whether an owner is this person: the same name, handle or address, whatever the case."""
    return bool(_names(owner) & _names(person))


@lru_cache(maxsize=8_192)
def _names(text: str) -> frozenset[str]:
    aside = [found.strip().removeprefix("@") for found in _ASIDE.findall(text)]
    bare = " ".join(_ASIDE.sub(" ", text).split()).removeprefix("@")
    return frozenset(name.casefold() for name in (bare, *aside) if name)


def _by_field(metadata: Mapping[str, Any]) -> dict[str, Any]:
    return {field_key(name): value for name, value in with_header(metadata).items()}

"""Metadata fields as they are compared, the owner and status that they name, and suffixes of sidecar files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

TARGET_KEYS = ("to", "target", "id", "document_id", "path", "title", "ref", "document")
"""Of ``{to: …, note: …}`` the keys whose value names a document, the first that is there."""

SIDECAR_SUFFIXES = (".yaml", ".yml", ".json", ".toml")
"""Files that may hold the metadata of the document beside them."""


def field_key(name: object) -> str:
    """``Superseded-By`` → ``superseded_by``."""
    return str(name).strip().casefold().replace("-", "_").replace(" ", "_")


def with_header(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """A document's fields and those of the header in them; its own count first."""
    header = metadata.get("header")
    return {**(header if isinstance(header, Mapping) else {}), **metadata}


MARKDOWN = (
    *(".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mkdown", ".markdn", ".mdwn", ".mdtxt", ".mdtext"),
    *(".mdx", ".qmd", ".rmd", ".mdc"),
)
"""Markdown and what is made of it: with components (MDX, MDC), with code that runs (Quarto, R Markdown)."""
MEDIA = (
    *(".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".avif", ".ico", ".tif", ".tiff", ".heic"),
    *(".mp3", ".wav", ".m4a", ".ogg", ".flac", ".mp4", ".webm", ".ogv", ".mov", ".mkv", ".3gp"),
)
"""Pictures, sounds and films, which pages show and nobody reads."""


MOVED = ("moved", "redirect", "redirected", "relocated")
"""Words of a status of a stub: a document that says that its text is elsewhere."""
STATUS_FROM = "status_from"
"""Field of metadata that says that ``status`` was read in the text: no field of the document gives it."""

_WORD = re.compile(r"[^\W\d_]+")


def status_word(metadata: Mapping[str, Any]) -> str:
    """First word of the field ``status``, of the metadata or of the header in it, in lower case; empty: none."""
    header = metadata.get("header")
    for fields in (metadata, header if isinstance(header, Mapping) else {}):
        for name, value in fields.items():
            if str(name).casefold() == "status" and isinstance(value, str) and (word := _WORD.search(value)):
                return word[0].casefold()
    return ""


OWNER_FIELDS = ("owning_sig", "sig", "owner", "owners", "author", "authors")
"""Metadata fields that name the owner of a document, in the order in which they are asked; ``-`` and ``_`` are one."""

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

"""Fields of metadata as they are compared, and what a value that is a mapping names a document by."""

from __future__ import annotations

from collections.abc import Mapping
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

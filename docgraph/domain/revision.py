"""The revision of a workspace: an order-independent hash of its content, cheap to move by one change.

Every document, relationship and switched-off type has a fingerprint (128 bits of SHA-256); the revision is their sum
modulo 2¹²⁸. Adding is one addition and removing one subtraction, so a store never has to read the rest again.

Where something stood is no content: neither the file or folder that a document was read from, nor in which file and on
which line a relationship was stated.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from docgraph.domain.graph import PreparedDocument, Relationship

MODULUS = 1 << 128
_PLACE_OF_DOCUMENT = {"source", "ingestion_id"}
_PLACE_OF_RELATIONSHIP = {"source", "order"}


def document_fingerprint(prepared: PreparedDocument) -> int:
    """Covers the document's row and its chunks' ids, headings and texts; vectors and hashes follow from those."""
    row = prepared.document.model_dump(mode="json", exclude={*_PLACE_OF_DOCUMENT, "content_hash"})
    chunks = [(c.chunk_index, c.chunk_id, c.heading_path, c.text) for c in prepared.chunks]
    return _fingerprint("document", row, chunks)


def relationship_fingerprint(relationship: Relationship) -> int:
    """Covers the edge's key and its metadata, without the place where it was stated."""
    said = {k: v for k, v in relationship.relationship_metadata.items() if k not in _PLACE_OF_RELATIONSHIP}
    return _fingerprint("relationship", *relationship.key, said)


def off_type_fingerprint(relation_type: str) -> int:
    """Covers one relation type that plans leave out: switching it changes plans, so it changes the revision."""
    return _fingerprint("off", relation_type)


def moved(revision: int, *, added: Iterable[int] = (), removed: Iterable[int] = ()) -> int:
    """``revision`` after fingerprints came and went; the order never matters."""
    return (revision + sum(added) - sum(removed)) % MODULUS


def revision_text(revision: int) -> str:
    """32 hex digits, as ``Workspace.revision`` carries them; an empty workspace has 32 zeros."""
    return f"{revision:032x}"


def _fingerprint(*parts: Any) -> int:
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16], "big")

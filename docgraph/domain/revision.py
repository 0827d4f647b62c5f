"""The revision of a workspace: an order-independent hash of its content, cheap to move by one change.

Every document, relationship and type that is switched off or gives reasons only has a fingerprint (128 bits of
SHA-256); the revision is their sum modulo 2¹²⁸. Adding is one addition and removing one subtraction, so a store never
has to read the rest again.

Where something stood is no content: neither the file or import that a document came with, nor in which file and on
which line a relationship was stated. The place has 128 bits of its own above those of the content, so that a sum tells
of both: its lower half is the revision, whatever is added to the upper one.

Rankings read documents alone. So two more sums are kept: that of the relationships (and of the types that are switched
off), which taken from the revision leaves the *content revision*, and that of the vectors, which is added to it: given
vectors do not follow from a text. A program that knows of neither moves the revision only; what is left then is another
content revision than before, never an old one by mistake.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from docgraph.domain.graph import PreparedDocument, Relationship
from docgraph.domain.type_roles import Decided, TypeDecision

BITS = 128
MODULUS = 1 << 2 * BITS
N_BYTES = 2 * BITS // 8
"""How many bytes hold a relationship's fingerprint; those of an earlier version hold half as many, and no place."""
N_DOCUMENT_BYTES = 3 * BITS // 8
"""A document's holds that of its vectors above the place; those of earlier versions are as short as above."""
_PLACE_OF_DOCUMENT = ("source", "ingestion_id")
_PLACE_OF_RELATIONSHIP = ("source", "order")


def document_fingerprint(prepared: PreparedDocument) -> int:
    """Covers the document's row and its chunks' ids, headings and texts; ``with_vectors`` adds the vectors."""
    row = prepared.document.model_dump(mode="json", exclude={"content_hash"})
    place = [row.pop(name) for name in _PLACE_OF_DOCUMENT]
    chunks = [(c.chunk_index, c.chunk_id, c.heading_path, c.text) for c in prepared.chunks]
    place += [[c.chunk_index, c.place.model_dump()] for c in prepared.chunks if c.place is not None]
    return _placed(_fingerprint("document", row, chunks), [prepared.document.document_id, *place], known=any(place))


def with_vectors(fingerprint: int, prepared: PreparedDocument) -> int:
    """A document's fingerprint with 128 bits of its vectors above: no part of the revision, and of ``moved`` none."""
    import numpy as np

    rows = [prepared.vector, prepared.chunk_vectors]
    if prepared.title_vector is not None:  # else the fingerprint is what it was before titles had vectors
        rows.append(prepared.title_vector)
    given = [hashlib.sha256(np.ascontiguousarray(row, dtype="<f4").tobytes()).hexdigest() for row in rows]
    return fingerprint + (_fingerprint("vectors", prepared.document.document_id, given) << 2 * BITS)


def with_vectors_of(fingerprint: int, stored: int) -> int:
    """A document's fingerprint with what the ``stored`` one says of its vectors, which stay."""
    return fingerprint + (stored >> 2 * BITS << 2 * BITS)


def relationship_fingerprint(relationship: Relationship) -> int:
    """Covers the edge's key and its metadata."""
    said = dict(relationship.relationship_metadata)
    place = [said.pop(name, None) for name in _PLACE_OF_RELATIONSHIP]
    known = any(part is not None for part in place)
    return _placed(_fingerprint("relationship", *relationship.key, said), [*relationship.key, *place], known=known)


def off_type_fingerprint(relation_type: str) -> int:
    """Covers one relation type that plans leave out: switching it changes plans, so it changes the revision."""
    return _fingerprint("off", relation_type)


def reasons_only_fingerprint(decision: TypeDecision) -> int:
    """Covers one relation type that brings no document in, and the words of who decided so: plans carry both."""
    return _fingerprint("reasons_only", decision.relation_type, decision.words)


def decided_fingerprints(decided: Decided) -> list[int]:
    """Of every decision about relation types that plans depend on."""
    return [*map(off_type_fingerprint, decided.off), *map(reasons_only_fingerprint, decided.reasons_only)]


def moved(state: int, *, added: Iterable[int] = (), removed: Iterable[int] = ()) -> int:
    """``state`` after fingerprints came and went; the order never matters."""
    return (state + sum(added) - sum(removed)) % MODULUS


def moved_relationships(state: int, *, added: Iterable[int] = (), removed: Iterable[int] = ()) -> int:
    """The sum of the relationships and types that are off, wherever they stood, after some came and went."""
    return (state + sum(added) - sum(removed)) % (1 << BITS)


def moved_vectors(state: int, *, added: Iterable[int] = (), removed: Iterable[int] = ()) -> int:
    """The sum of the documents' vectors after these fingerprints of documents came and went."""
    return (state + sum(f >> 2 * BITS for f in added) - sum(f >> 2 * BITS for f in removed)) % (1 << BITS)


def content_text(state: int, *, relationships: int, vectors: int) -> str:
    """32 hex digits, as ``Workspace.content_revision`` carries them: what rankings read, without relationships."""
    return revision_text(state - relationships + vectors)


def revision_text(state: int) -> str:
    """32 hex digits, as ``Workspace.revision`` carries them; an empty workspace has 32 zeros."""
    return f"{state % (1 << BITS):032x}"


def same_content(one: Relationship, other: Relationship) -> bool:
    """Whether two relationships say the same, wherever they were stated."""
    return revision_text(relationship_fingerprint(one)) == revision_text(relationship_fingerprint(other))


def places_text(state: int) -> str:
    """32 hex digits, as ``Workspace.places`` carries them."""
    return f"{state >> BITS:032x}"


def _placed(content: int, place: list[Any], *, known: bool) -> int:
    return content + ((_fingerprint("place", *place) << BITS) if known else 0)


def _fingerprint(*parts: Any) -> int:
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16], "big")

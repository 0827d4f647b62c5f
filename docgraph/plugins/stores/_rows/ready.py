"""Things as they can be kept, whatever the database: texts cleaned, one for each key, numbered."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeVar

from pydantic import BaseModel

from docgraph.domain.graph import ChunkPlace
from docgraph.domain.judgment import passage_key
from docgraph.domain.type_roles import MANUAL, TypeChange, default_decisions
from docgraph.errors import ConflictError, EmbeddingMismatchError
from docgraph.plugins.stores._rows.writing import cleaned

if TYPE_CHECKING:
    from docgraph.domain.curation import Dismissal, TriageEntry
    from docgraph.domain.finding import Rule
    from docgraph.domain.graph import StoredChunk, Vectors
    from docgraph.domain.imports.record import ImportState
    from docgraph.domain.judgment import Judgment, PassageJudgment, PassageKey
    from docgraph.domain.memory import Memory
    from docgraph.domain.person import SignIn
    from docgraph.domain.type_roles import Decided, Origin, TypeDecision
    from docgraph.domain.workspace import EmbedderInfo
    from docgraph.ports import EdgeChange

M = TypeVar("M", bound=BaseModel)
JudgmentKey = tuple[str, str]
"""(query, document_id)."""
CANDIDATES = 50
"""Memories that are looked at by similarity, and by words, at least."""


def storable(model: M, mode: Literal["python", "json"] = "python") -> M:
    """The model without what no database holds. Raises IngestionError."""
    return type(model).model_validate(cleaned(model.model_dump(mode=mode)))


# ---------------------------------------------------------------- curation


def ready_rules(rules: Mapping[str, Rule]) -> dict[str, Rule]:
    """check_id → rule, by check_id. Raises IngestionError."""
    ready = {cleaned(check_id): storable(rule) for check_id, rule in rules.items()}
    return dict(sorted(ready.items()))


def ready_dismissals(dismissals: Sequence[Dismissal]) -> dict[str, Dismissal]:
    """subject_id → dismissal; of two about one subject the last. Raises IngestionError.

    Content hashes are in the order of their documents' ids.
    """
    by_document = ({"content_hashes": dict(sorted(each.content_hashes.items()))} for each in dismissals)
    ready = [storable(each.model_copy(update=hashes)) for each, hashes in zip(dismissals, by_document, strict=True)]
    return {each.subject_id: each for each in ready}


def ready_triage(entries: Sequence[TriageEntry], *, after: int) -> tuple[TriageEntry, ...]:
    """The entries, numbered from ``after`` + 1. Raises IngestionError."""
    ready = enumerate(map(storable, entries), start=after + 1)
    return tuple(each.model_copy(update={"entry_id": number}) for number, each in ready)


def newest_first(dismissals: Iterable[Dismissal]) -> tuple[Dismissal, ...]:
    """Newest first, then by subject_id."""
    by_id = sorted(dismissals, key=lambda each: each.subject_id)
    return tuple(sorted(by_id, key=lambda each: each.at, reverse=True))


# ---------------------------------------------------------------- relation types


def ready_decisions(decisions: Sequence[TypeDecision]) -> tuple[TypeDecision, ...]:
    """The last decision about each type, by type."""
    found = {}
    for each in decisions:
        texts = {name: cleaned(getattr(each, name)) for name in ("relation_type", "who", "at", "reason")}
        found[texts["relation_type"]] = each.model_copy(update=texts)
    return tuple(found[name] for name in sorted(found))


def with_defaults(
    decided: Decided, decisions: Sequence[TypeDecision], origins: Iterable[Origin]
) -> tuple[TypeDecision, ...]:
    """The decisions, and those that follow from them and from where relationships come from."""
    return (*decisions, *default_decisions(origins, decided.after(decisions)))


def moves_origins(changes: Iterable[EdgeChange]) -> bool:
    """Whether changes say anew where relationships come from: what people state or look at says nothing of that."""
    ends = ((each.before, each.after) for each in changes)
    moved = [edge for old, new in ends if (old and old.key) != (new and new.key) for edge in (old, new) if edge]
    return any(edge.relationship_metadata.get("extractor") != MANUAL for edge in moved)


def type_changes(decided: Decided, decisions: Sequence[TypeDecision], *, after: int) -> tuple[TypeChange, ...]:
    """What the decisions change, as entries that follow the last one, ``after``."""
    pairs = enumerate(decided.changes(decisions), start=after + 1)
    return tuple(TypeChange(entry_id=i, before=old, after=new) for i, (old, new) in pairs)


# ---------------------------------------------------------------- judgments


def ready_judgments(judgments: Sequence[Judgment]) -> dict[JudgmentKey, Judgment]:
    """Judgments by key; of two with the same key the last one."""
    return dict(sorted({(each.query, each.document_id): each for each in map(storable, judgments)}.items()))


def ready_passages(judgments: Sequence[PassageJudgment]) -> dict[PassageKey, PassageJudgment]:
    """The same of judgments of passages."""
    return dict(sorted({passage_key(each): each for each in map(storable, judgments)}.items()))


def moved_passage(judgment: PassageJudgment, new: str) -> PassageJudgment:
    """The judgment after its document got the id ``new``; the passage is called after it."""
    old, chunk_id = judgment.document_id, judgment.chunk_id
    named = f"{new}{chunk_id.removeprefix(old)}" if chunk_id.startswith(f"{old}#") else chunk_id
    return judgment.model_copy(update={"document_id": new, "chunk_id": named})


def query_hash(query: str) -> str:
    """SHA-256 (hex) of a question's text, which an index holds however long the question is."""
    return hashlib.sha256(query.encode("utf-8")).hexdigest()


# ---------------------------------------------------------------- conversation memory


def ready_memories(
    memories: Sequence[Memory], vectors: Vectors, embedder: EmbedderInfo
) -> tuple[tuple[Memory, ...], Vectors]:
    """The memories and their vectors; of two with one id the last counts.

    Raises EmbeddingMismatchError and IngestionError.
    """
    import numpy as np  # a plan from the shell loads none

    rows = np.asarray(vectors, dtype=np.float32)
    if rows.shape != (len(memories), embedder.dimension):
        raise EmbeddingMismatchError(
            f"{len(memories)} memories come with vectors of shape {rows.shape}, expected "
            f"({len(memories)}, {embedder.dimension}) (embedder {embedder.embedder_id})",
            hint="use the workspace's embedder: one vector for each text",
        )
    if not np.isfinite(rows).all():
        raise EmbeddingMismatchError(
            "the vectors of memories hold values that are not finite",
            hint="check the embedder: NaN and infinity cannot be compared",
        )
    clean = [storable(memory) for memory in memories]
    last = sorted({memory.memory_id: place for place, memory in enumerate(clean)}.values())
    return tuple(clean[place] for place in last), rows[last]


# ---------------------------------------------------------------- imports


def packed(state: ImportState) -> bytes:
    """The state as it is stored, in one piece of compressed JSON; equal states give equal bytes."""
    return zlib.compress(storable(state, "json").model_dump_json().encode("utf-8", "replace"), 6)


def unpacked(data: bytes) -> ImportState:
    """A stored state."""
    from docgraph.domain.imports.record import ImportState

    return ImportState.model_validate_json(zlib.decompress(data))


# ---------------------------------------------------------------- places of chunks


def place_column(place: ChunkPlace | None) -> list[int | None] | None:
    """``[start, end, line, page]``; None where the place is not known."""
    return None if place is None else [place.start, place.end, place.line, place.page]


def place_of(column: Sequence[int | None] | None) -> ChunkPlace | None:
    """The place that such a column holds."""
    if column is None:
        return None
    start, end, line, page = column
    return ChunkPlace.trusted({"start": start, "end": end, "line": line, "page": page})


def placed_anew(stored: Sequence[StoredChunk], cut: Sequence[StoredChunk]) -> tuple[StoredChunk, ...]:
    """The stored chunks with the places of those that are cut today: equal index and text, else none is known."""
    places = {(chunk.chunk_index, chunk.text): chunk.place for chunk in cut}
    return tuple(
        chunk
        if (place := places.get((chunk.chunk_index, chunk.text))) == chunk.place
        else chunk.model_copy(update={"place": place})
        for chunk in stored
    )


# ---------------------------------------------------------------- sign-ins


def ready_sign_in(sign_in: SignIn) -> SignIn:
    """As it is kept: what comes from the provider and the browser is without NUL."""
    texts = {name: cleaned(getattr(sign_in, name)) for name in ("name", "subject", "browser", "ended_by")}
    return sign_in.model_copy(update=texts)


def newest_sign_ins(sign_ins: Iterable[SignIn]) -> tuple[SignIn, ...]:
    """The order in which they are listed."""
    return tuple(sorted(sign_ins, key=lambda each: (each.created, each.sign_in_id), reverse=True))


def taken(sign_in: SignIn) -> ConflictError:
    """Two sign-ins have the same token."""
    return ConflictError(f"a sign-in {sign_in.short_id} is kept already", hint="sign in once more")

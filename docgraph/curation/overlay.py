"""A workspace as if edits of its relationships were saved already: a view over a snapshot; nothing is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from heapq import merge
from typing import Any

from docgraph.curation.editing import edited
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Relationship, StoredChunk, StoredDocument, Vector
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.request import SeedSignal
from docgraph.domain.type_roles import Origin, default_decisions
from docgraph.domain.where import Condition
from docgraph.domain.workspace import Workspace
from docgraph.ports import (
    ALL,
    ChunkHit,
    ChunkScore,
    FieldValue,
    FittingChunks,
    Hop,
    Probe,
    RankedDocument,
    RankedHop,
    Read,
    Snapshot,
    WordHit,
    one_by_one,
    origins_of,
    types_followed,
)

_OF_RELATIONSHIPS = frozenset(
    (
        "outgoing",
        "count_outgoing",
        "incoming",
        "count_linking",
        "relation_types",
        "followed_types",
        "type_origins",
        "relationships",
        "rank_with_neighbours",
    )
)


class EditedSnapshot:
    """``snapshot`` with ``edits`` applied in their order (``ports.Snapshot``).

    Relationships are answered as if the edits were saved, in the same orders and limits; everything else is asked of
    the snapshot below. ``workspace`` keeps its revision: the edited state has none of its own yet. ``by`` and ``at``
    stand in the provenance of what the edits make. Raises what ``editing.edited`` raises.
    """

    def __init__(self, snapshot: Snapshot, edits: Sequence[Edit], *, by: str = "", at: str = "") -> None:
        self._below = snapshot
        self._before = _touched(snapshot, edits)
        after = edited(self._before.values(), edits, by=by, at=at, document_hashes=_hashes(snapshot, edits))
        self._after = {edge.key: edge for edge in after}
        self._outgoing = _End(self._before, after, end=_start, order=_by_type_and_target)
        self._incoming = _End(self._before, after, end=_target, order=_by_type_and_start)

    @property
    def changed_sources(self) -> frozenset[str]:
        """Documents that lose or gain an outgoing relationship; what is said about one that stays does not count."""
        return frozenset(key[0] for key in self._before.keys() ^ self._after.keys())

    @property
    def changed_targets(self) -> frozenset[str]:
        """Documents that lose or gain a link to them."""
        return frozenset(key[2] for key in self._before.keys() ^ self._after.keys())

    # ------------------------------------------------------------ relationships

    def outgoing(
        self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None, limit: int
    ) -> tuple[Relationship, ...]:
        """See ``ports.RelationshipReader.outgoing``."""
        more = self._outgoing.most_hidden(document_ids)
        read = self._below.outgoing(document_ids, relation_types=relation_types, limit=min(limit + more, ALL))
        return self._outgoing.merged(read, tuple(dict.fromkeys(document_ids)), types=relation_types, limit=limit)

    def count_outgoing(self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None) -> dict[str, int]:
        """See ``ports.RelationshipReader.count_outgoing``."""
        counts = self._below.count_outgoing(document_ids, relation_types=relation_types)
        for edges, step in ((self._before, -1), (self._after, 1)):
            for start, via, _ in edges:
                if start in counts and (relation_types is None or via in relation_types):
                    counts[start] += step
        return counts

    def count_linking(self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None) -> dict[str, int]:
        """See ``ports.RelationshipReader.count_linking``; where edits touch it, of everything that links there."""
        counts = self._below.count_linking(document_ids, relation_types=relation_types)
        touched = sorted({key[2] for key in self._before.keys() | self._after.keys()} & counts.keys())
        starts: dict[str, set[str]] = {document_id: set() for document_id in touched}
        for edge in self.incoming(touched, relation_types=relation_types, limit=ALL) if touched else ():
            starts[edge.to_document_id].add(edge.from_document_id)
        return counts | {document_id: len(found - {document_id}) for document_id, found in starts.items()}

    def incoming(
        self, document_ids: Sequence[str], *, relation_types: Sequence[str] | None, limit: int
    ) -> tuple[Relationship, ...]:
        """See ``ports.RelationshipReader.incoming``."""
        more = self._incoming.most_hidden(document_ids)
        read = self._below.incoming(document_ids, relation_types=relation_types, limit=min(limit + more, ALL))
        return self._incoming.merged(read, sorted(set(document_ids)), types=relation_types, limit=limit)

    def relation_types(self) -> dict[str, int]:
        """See ``ports.RelationshipReader.relation_types``."""
        counts = self._below.relation_types()
        for edges, step in ((self._before, -1), (self._after, 1)):
            for _, via, _ in edges:
                counts[via] = counts.get(via, 0) + step
        return {via: counts[via] for via in sorted(counts) if counts[via]}

    def followed_types(self) -> tuple[str, ...] | None:
        """See ``ports.RelationshipReader.followed_types``."""
        return types_followed(self)

    def type_origins(self) -> tuple[Origin, ...]:
        """See ``ports.RelationshipReader.type_origins``."""
        stored = self._below.documents_by_id(sorted({key[2] for key in self._before.keys() | self._after.keys()}))
        counts = Counter({each[:3]: each.n for each in self._below.type_origins()})
        for edges, step in ((self._before, -1), (self._after, 1)):
            for each in origins_of(edge for key, edge in edges.items() if key[2] in stored):
                counts[each[:3]] += step * each.n
        return tuple(Origin(*key, n) for key, n in sorted(counts.items()) if n)

    def relationships(
        self, *, document_id: str | None = None, relation_type: str | None = None, dangling: bool | None = None
    ) -> Iterator[Relationship]:
        """See ``ports.RelationshipReader.relationships``."""
        below = self._below.relationships(document_id=document_id, relation_type=relation_type, dangling=dangling)
        stored = set() if dangling is None else set(self._below.documents_by_id([key[2] for key in self._after]))
        new = (
            edge
            for edge in self._after.values()
            if (document_id is None or document_id in (edge.from_document_id, edge.to_document_id))
            and (relation_type is None or relation_type == edge.relation_type)
            and (dangling is None or dangling == (edge.to_document_id not in stored))
        )
        kept = (edge for edge in below if edge.key not in self._before)
        yield from merge(kept, new, key=_key)

    # ------------------------------------------------------------ everything else, as it is below

    @property
    def workspace(self) -> Workspace:
        """The workspace below with the number of relationships after the edits, and the roles that types have then."""
        return self._workspace

    @cached_property
    def _workspace(self) -> Workspace:
        below = self._below.workspace
        n = below.n_relationships + len(self._after) - len(self._before)
        decided = below.decided
        if self._before.keys() != self._after.keys():
            decided = decided.after(default_decisions(self.type_origins(), decided))
        roles = {"off_relation_types": decided.off, "type_decisions": decided.decisions}
        return below.model_copy(update={"n_relationships": n, **roles})

    def statements(self) -> tuple[str, ...]:
        """What was sent below since the last call."""
        return self._below.statements()

    def at_once(self, *reads: Read[Any]) -> tuple[Any, ...]:
        """See ``ports.Snapshot.at_once``; together below, unless the edits have a say in one of them."""
        if any(each.name in _OF_RELATIONSHIPS for each in reads):
            return one_by_one(self, reads)
        return self._below.at_once(*reads)

    def rank_documents(
        self,
        probe: Probe,
        signal: SeedSignal,
        *,
        limit: int,
        document_ids: Sequence[str] = (),
        where: Mapping[str, str] | None = None,
        matching: Sequence[Condition] = (),
    ) -> tuple[RankedDocument, ...]:
        """See ``ports.DocumentSearch.rank_documents``."""
        return self._below.rank_documents(
            probe, signal, limit=limit, document_ids=document_ids, where=where, matching=matching
        )

    def count_matching(self, conditions: Sequence[Condition]) -> int:
        """See ``ports.DocumentSearch.count_matching``: edits of relationships change no metadata."""
        return self._below.count_matching(conditions)

    def metadata_values(self, *, limit: int) -> tuple[FieldValue, ...]:
        """See ``ports.DocumentSearch.metadata_values``."""
        return self._below.metadata_values(limit=limit)

    def rank_with_neighbours(
        self,
        probe: Probe,
        signal: SeedSignal,
        *,
        limit: int,
        document_ids: Sequence[str],
        hop: Hop,
        matching: Sequence[Condition] = (),
    ) -> RankedHop:
        """See ``ports.DocumentSearch.rank_with_neighbours``; the neighbours are those below, before the edits."""
        below = self._below.rank_with_neighbours(
            probe, signal, limit=limit, document_ids=document_ids, hop=hop, matching=matching
        )
        return RankedHop(below.documents)  # edges are told by ``outgoing``, which knows of the edits

    def documents_of_nearest_chunks(self, vector: Vector, *, limit: int) -> tuple[RankedDocument, ...]:
        """See ``ports.DocumentSearch.documents_of_nearest_chunks``."""
        return self._below.documents_of_nearest_chunks(vector, limit=limit)

    def fitting_chunks_of(self, document_ids: Sequence[str], probe: Probe, *, asked: str, limit: int) -> FittingChunks:
        """See ``ports.ChunkSearch.fitting_chunks_of``."""
        return self._below.fitting_chunks_of(document_ids, probe, asked=asked, limit=limit)

    def nearest_chunks_of(
        self, document_ids: Sequence[str], vector: Vector, *, per_document: int
    ) -> tuple[ChunkHit, ...]:
        """See ``ports.ChunkSearch.nearest_chunks_of``."""
        return self._below.nearest_chunks_of(document_ids, vector, per_document=per_document)

    def nearest_chunks(self, vector: Vector, *, limit: int) -> tuple[ChunkHit, ...]:
        """See ``ports.ChunkSearch.nearest_chunks``."""
        return self._below.nearest_chunks(vector, limit=limit)

    def nearest_chunk_scores(self, vector: Vector, *, limit: int) -> tuple[ChunkScore, ...]:
        """See ``ports.ChunkSearch.nearest_chunk_scores``."""
        return self._below.nearest_chunk_scores(vector, limit=limit)

    def chunks_with_words(self, probe: Probe, *, limit: int) -> tuple[WordHit, ...]:
        """See ``ports.ChunkSearch.chunks_with_words``."""
        return self._below.chunks_with_words(probe, limit=limit)

    def documents_by_id(self, document_ids: Sequence[str]) -> dict[str, StoredDocument]:
        """See ``ports.DocumentReader.documents_by_id``."""
        return self._below.documents_by_id(document_ids)

    def count_holding(self, words: Sequence[str]) -> dict[str, int]:
        """See ``ports.DocumentSearch.count_holding``."""
        return self._below.count_holding(words)

    def documents_named(self, keys: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """See ``ports.DocumentReader.documents_named``."""
        return self._below.documents_named(keys)

    def documents(self, *, doc_type: str | None = None, text: str | None = None) -> Iterator[StoredDocument]:
        """See ``ports.DocumentReader.documents``."""
        return self._below.documents(doc_type=doc_type, text=text)

    def chunks(self, document_id: str) -> tuple[StoredChunk, ...]:
        """See ``ports.DocumentReader.chunks``."""
        return self._below.chunks(document_id)


class _End:
    """The edits as they are seen from one end of the relationships."""

    def __init__(
        self,
        before: Mapping[EdgeKey, Relationship],
        after: Iterable[Relationship],
        *,
        end: Callable[[Relationship], str],
        order: Callable[[Relationship], tuple[str, str]],
    ) -> None:
        self._before, self._end, self._order = before, end, order
        self._hidden = Counter(end(edge) for edge in before.values())
        self._new: dict[str, list[Relationship]] = {}
        for edge in after:
            self._new.setdefault(end(edge), []).append(edge)

    def most_hidden(self, document_ids: Sequence[str]) -> int:
        """How many of one document's relationships below do not count, at most: so many more have to be read."""
        return max((self._hidden[document_id] for document_id in document_ids), default=0)

    def merged(
        self, read: Sequence[Relationship], document_ids: Sequence[str], *, types: Sequence[str] | None, limit: int
    ) -> tuple[Relationship, ...]:
        """What was read below with the edits, document by document, at most ``limit`` of each."""
        groups: dict[str, list[Relationship]] = {document_id: [] for document_id in document_ids}
        for edge in read:
            if edge.key not in self._before:
                groups.setdefault(self._end(edge), []).append(edge)
        for document_id, group in groups.items():
            group += [e for e in self._new.get(document_id, ()) if types is None or e.relation_type in types]
            group.sort(key=self._order)
        return tuple(edge for group in groups.values() for edge in group[:limit])


def _touched(snapshot: Snapshot, edits: Sequence[Edit]) -> dict[EdgeKey, Relationship]:
    """Those of the relationships that the edits name or would make which are there, by key."""
    keys = {key for edit in edits for key in (edit.key, edit.result) if key is not None}
    if not keys:
        return {}
    starts, types = sorted({key[0] for key in keys}), sorted({key[1] for key in keys})
    read = snapshot.outgoing(starts, relation_types=types, limit=ALL)
    return {edge.key: edge for edge in read if edge.key in keys}


def _hashes(snapshot: Snapshot, edits: Sequence[Edit]) -> dict[str, str]:
    """document_id → content hash of the stored documents at the ends of what the edits name or would make."""
    ids = {i for edit in edits for key in (edit.key, edit.result) if key is not None for i in (key[0], key[2])}
    return {i: document.content_hash for i, document in snapshot.documents_by_id(sorted(ids)).items()}


def _key(edge: Relationship) -> EdgeKey:
    return edge.key


def _start(edge: Relationship) -> str:
    return edge.from_document_id


def _target(edge: Relationship) -> str:
    return edge.to_document_id


def _by_type_and_target(edge: Relationship) -> tuple[str, str]:
    return (edge.relation_type, edge.to_document_id)


def _by_type_and_start(edge: Relationship) -> tuple[str, str]:
    return (edge.relation_type, edge.from_document_id)

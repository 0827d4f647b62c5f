"""Reads the pages of somebody else's wiki out of its export, a file that is never written."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from docgraph.domain.graph import PreparedDocument, Relationship, StoredChunk, StoredDocument, Vector, Vectors
from docgraph.domain.ranking import best_first, document_word_scores, seed_scores
from docgraph.domain.request import SeedSignal
from docgraph.domain.where import Condition, facets_of_document, meets
from docgraph.domain.workspace import EmbedderInfo, Workspace
from docgraph.ports import ChunkHit, MinimalSnapshot, Probe, RankedDocument, filter_fields


@dataclass(frozen=True)
class Page:
    document: StoredDocument
    vector: Vector
    chunks: tuple[StoredChunk, ...]
    chunk_vectors: Vectors


@dataclass(frozen=True)
class Wiki(MinimalSnapshot):
    here: Workspace
    pages: Mapping[str, Page]
    links: tuple[Relationship, ...]

    @property
    def workspace(self) -> Workspace:
        return self.here

    def documents(self, *, doc_type: str | None = None, text: str | None = None) -> Iterator[StoredDocument]:
        for document in (page.document for page in self.pages.values()):
            said = f"{document.title}\n{document.document_id}".lower()
            if doc_type in (None, document.doc_type) and (text or "").lower() in said:
                yield document

    def documents_by_id(self, document_ids: Sequence[str]) -> dict[str, StoredDocument]:
        return {i: self.pages[i].document for i in document_ids if i in self.pages}

    def chunks(self, document_id: str) -> tuple[StoredChunk, ...]:
        return self.pages[document_id].chunks if document_id in self.pages else ()

    def relationships(
        self, *, document_id: str | None = None, relation_type: str | None = None, dangling: bool | None = None
    ) -> Iterator[Relationship]:
        for link in self.links:
            at_either_end = document_id is None or document_id in (link.from_document_id, link.to_document_id)
            is_wanted = dangling in (None, link.to_document_id not in self.pages)
            if at_either_end and is_wanted and relation_type in (None, link.relation_type):
                yield link

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
        fields, wanted = filter_fields(where), where or {}
        inside = {i: p for i, p in self.pages.items() if all(getattr(p.document, n) == wanted[n] for n in fields)}
        inside = {i: p for i, p in inside.items() if meets(matching, facets_of_document(p.document))}
        scores = seed_scores(
            signal,
            summary={i: cosines(page.vector[None, :], probe.vector)[0] for i, page in inside.items()},
            chunk={i: max(cosines(p.chunk_vectors, probe.vector)) for i, p in inside.items() if p.chunks},
            words=document_word_scores(probe.text, {i: texts(page) for i, page in inside.items()}),
        )
        ranked = ((rank, i, self.pages[i].document) for rank, i in enumerate(best_first(scores), start=1))
        return tuple(
            RankedDocument(i, page.title, rank, round(scores[i], 6), page.ingestion_id, page.doc_type)
            for rank, i, page in ranked
            if rank <= limit or i in document_ids
        )

    def nearest_chunks(self, vector: Vector, *, limit: int) -> tuple[ChunkHit, ...]:
        return self.nearest_chunks_of(tuple(self.pages), vector, per_document=limit)[:limit]

    def nearest_chunks_of(
        self, document_ids: Sequence[str], vector: Vector, *, per_document: int
    ) -> tuple[ChunkHit, ...]:
        pages = [self.pages[i] for i in set(document_ids) if i in self.pages]
        found = (hit for page in pages for hit in sorted(hits(page, vector), key=by_distance)[:per_document])
        return tuple(sorted(found, key=by_distance))


@dataclass(frozen=True)
class Wikis:
    wiki: Wiki

    def workspaces(self) -> tuple[Workspace, ...]:
        return (self.wiki.workspace,)

    def reading(self, workspace: str) -> AbstractContextManager[Wiki]:
        return nullcontext(self.wiki)

    def close(self) -> None:
        pass


def build(data_dir: str) -> Wikis:
    return opened((Path(data_dir) / "wiki.json").read_text())


def opened(text: str) -> Wikis:
    export = json.loads(text)
    embedder = EmbedderInfo(**export["embedder"])
    pages = {}
    for each in sorted(export["pages"], key=lambda each: each["document"]["document_id"]):
        chunks = tuple(StoredChunk(**chunk) for chunk in each["chunks"])
        rows = np.array(each["chunk_vectors"], dtype=np.float32).reshape(len(chunks), embedder.dimension)
        document, vector = StoredDocument(**each["document"]), np.array(each["vector"], dtype=np.float32)
        pages[document.document_id] = Page(document, vector, chunks, rows)
    links = sorted((Relationship(**link) for link in export["links"]), key=lambda link: link.key)
    here = Workspace(
        name="example",
        embedder=embedder,
        revision=hashlib.sha256(text.encode()).hexdigest()[:32],
        n_documents=len(pages),
        n_relationships=len(links),
        n_chunks=sum(len(page.chunks) for page in pages.values()),
    )
    return Wikis(Wiki(here, pages, tuple(links)))


def example(embedder: EmbedderInfo, documents: Sequence[PreparedDocument]) -> Wikis:
    """For the compliance suite."""
    return opened(exported(embedder, documents))


def exported(embedder: EmbedderInfo, documents: Sequence[PreparedDocument]) -> str:
    """What the wiki would write."""
    pages = [
        {
            "document": p.document.model_dump(),
            "vector": p.vector.tolist(),
            "chunks": [chunk.model_dump() for chunk in p.chunks],
            "chunk_vectors": p.chunk_vectors.tolist(),
        }
        for p in documents
    ]
    links = [edge.model_dump() for p in documents for edge in p.relationships]
    return json.dumps({"embedder": embedder.model_dump(), "pages": pages, "links": links})


def cosines(rows: Vectors, vector: Vector) -> list[float]:
    a, b = rows.astype(np.float64), vector.astype(np.float64)
    norms = np.sqrt((a * a).sum(axis=1) * (b * b).sum())
    return list(np.divide((a * b).sum(axis=1), norms, out=np.zeros(len(a)), where=norms > 0).clip(-1, 1).tolist())


def texts(page: Page) -> list[str]:
    return [f"{page.document.title} {page.document.summary}", *(chunk.text for chunk in page.chunks)]


def hits(page: Page, vector: Vector) -> list[ChunkHit]:
    pairs = zip(page.chunks, cosines(page.chunk_vectors, vector), strict=True)
    return [ChunkHit(chunk, round(cosine, 6), 1 - cosine) for chunk, cosine in pairs]


def by_distance(hit: ChunkHit) -> tuple[float, str, int]:
    return (hit.distance, hit.chunk.document_id, hit.chunk.chunk_index)

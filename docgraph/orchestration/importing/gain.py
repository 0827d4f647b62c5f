"""What other vectors bring, on questions that the corpus asks of itself: asked before the switch and after it."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from docgraph.domain.embedding import EmbeddingGain, OwnAnswer, Share
from docgraph.domain.graph import StoredChunk, StoredDocument
from docgraph.domain.request import RetrievalRequest
from docgraph.evaluation.own_questions import order, sentences_of, softened, words_of
from docgraph.orchestration.pipeline import run
from docgraph.orchestration.session import Session
from docgraph.ports import Progress, Snapshot

SEED = 1
_MORE = 2
"""Documents that are looked at for each question: not every text has a sentence that one can be made of."""


@dataclass(frozen=True)
class _Said:
    """A document with sentences of it, and the chunk that each stands in."""

    document: StoredDocument
    sentences: Mapping[str, StoredChunk]


def own_questions(snapshot: Snapshot, n: int) -> tuple[OwnAnswer, ...]:
    """At most ``n`` questions about one document each, not asked yet; equal texts and number, equal questions."""
    ids = heapq.nsmallest(_MORE * n, (d.document_id for d in snapshot.documents()), key=lambda i: order(SEED, i))
    documents = snapshot.documents_by_id(ids)
    said = [_said(documents[i], snapshot.chunks(i)) for i in ids if i in documents]
    words = sorted({word for each in said for sentence in each.sentences for word in words_of(sentence)})
    holding = snapshot.count_holding(words)
    n_documents = snapshot.workspace.n_documents
    made = (_question(each, holding, n_documents) for each in said)
    return tuple(each for each in made if each is not None)[:n]


def _said(document: StoredDocument, chunks: Sequence[StoredChunk]) -> _Said:
    texts = [chunk.text for chunk in chunks]
    plain = [(" ".join(chunk.text.split()), chunk) for chunk in chunks]
    places: dict[str, StoredChunk] = {}
    for sentence in sentences_of(texts, seed=SEED, document_id=document.document_id):
        if (holder := next((chunk for text, chunk in plain if sentence in text), None)) is not None:
            places[sentence] = holder
    return _Said(document, places)


def _question(said: _Said, holding: Mapping[str, int], n_documents: int) -> OwnAnswer | None:
    for sentence, chunk in said.sentences.items():
        if query := softened([sentence], said.document.title, holding, n_documents):
            return OwnAnswer(query=query[:1_000], document_id=said.document.document_id, chunk_id=chunk.chunk_id)
    return None


def answered(
    session: Session, questions: Sequence[OwnAnswer], progress: Progress | None
) -> tuple[OwnAnswer, ...] | None:
    """The questions with what the default request reads now; None = ``progress`` was cancelled on the way."""
    found = []
    for number, each in enumerate(_asked(session, questions), start=1):
        found.append(each)
        if progress is not None:
            progress.update(number, len(questions), "own questions asked")
            if progress.cancelled():
                return None
    return tuple(found)


def _asked(session: Session, questions: Sequence[OwnAnswer]) -> Iterator[OwnAnswer]:
    for each in questions:
        made = run(session, RetrievalRequest(query=each.query), verify="later")
        chunks = {(document_id, chunk.chunk_id) for document_id, chunk in made.context.ranked_chunks}
        read = {"document": each.document_id in made.plan.document_ids}
        yield each.model_copy(update={**read, "passage": (each.document_id, each.chunk_id) in chunks})


def gain_of(before: Sequence[OwnAnswer], after: Sequence[OwnAnswer]) -> EmbeddingGain | None:
    """What both were asked, side by side; None where nothing was asked."""
    pairs = list(zip(before, after, strict=True))
    if not pairs:
        return None
    return EmbeddingGain(
        n=len(pairs),
        documents=_share([(a.document, b.document) for a, b in pairs]),
        passages=_share([(a.passage, b.passage) for a, b in pairs]),
    )


def _share(pairs: Sequence[tuple[bool, bool]]) -> Share:
    return Share(
        before=round(100 * sum(a for a, _ in pairs) / len(pairs), 1),
        after=round(100 * sum(b for _, b in pairs) / len(pairs), 1),
        better=sum(b and not a for a, b in pairs),
        worse=sum(a and not b for a, b in pairs),
    )

"""Reading the content of a foreign table: as the reference store does, with its words and distances looked up once."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from docgraph.domain.content_words import FUNCTION_WORDS, held_stems, stem, words
from docgraph.domain.graph import PreparedDocument
from docgraph.domain.ranking import document_word_scores, text_word_scores
from docgraph.plugins.stores.memory.reading import Content, MemorySnapshot, texts_of
from docgraph.ports import Probe, WordHit
from docgraph.ports.reading import ALL

_WORD = re.compile(r"\w+")


class WordIndex:
    """Which parts of which documents hold a word; made once for a content, because its texts do not change.

    The parts of a document are title with summary, then its chunks. A text without any word of a question counts like
    an empty one in ``domain.ranking``: so the scores are the same, and only the texts that hold one are looked at.
    """

    def __init__(self, content: Content) -> None:
        self._parts = {i: texts_of(each) for i, each in content.documents.items()}

    @cached_property
    def _places(self) -> Mapping[str, array[int]]:
        """Word → numbers of the parts that hold it, over all documents in their order."""
        places: dict[str, array[int]] = {}
        number = 0
        for parts in self._parts.values():
            for part in parts:
                for word in set(_WORD.findall(part.lower())):
                    places.setdefault(word, array("I")).append(number)
                number += 1
        return places

    @cached_property
    def stems(self) -> Mapping[str, int]:
        """Stem → number of documents that hold a word of it."""
        counted: Counter[str] = Counter()
        for parts in self._parts.values():
            counted.update(frozenset[str]().union(*map(held_stems, parts)))
        return counted

    def held(self, question: str) -> dict[str, list[str]]:
        """document_id → its parts; those that hold no word of the question are empty."""
        wanted = set(_WORD.findall(question.lower()))
        holding = {number for word in wanted for number in self._places.get(word, ())}
        held, number = dict[str, list[str]](), 0
        for document_id, parts in self._parts.items():
            held[document_id] = [part if number + n in holding else "" for n, part in enumerate(parts)]
            number += len(parts)
        return held


class TableSnapshot(MemorySnapshot):
    """One unchanging view of a foreign table's content (``ports.Snapshot``)."""

    def __init__(self, content: Content, index: WordIndex) -> None:
        super().__init__(content)
        self._index = index

    def count_holding(self, asked: Sequence[str]) -> dict[str, int]:
        """See ``ports.DocumentSearch.count_holding``."""
        counted = (word for word in asked if words(word) and word not in FUNCTION_WORDS)
        return {word: self._index.stems.get(stem(word), 0) for word in counted}

    def _document_words(self, question: str, inside: Sequence[PreparedDocument]) -> Mapping[str, float]:
        held = self._index.held(question)
        texts = {}
        for document_id in (p.document.document_id for p in inside):
            head, *bodies = held[document_id]
            texts[document_id] = [head, *filter(None, bodies)]
        return document_word_scores(question, texts)

    def chunks_with_words(self, probe: Probe, *, limit: int) -> tuple[WordHit, ...]:
        """See ``ports.ChunkSearch.chunks_with_words``; distances are those of the documents that are told alone."""
        held = self._index.held(probe.text)
        texts = {
            (chunk.document_id, chunk.chunk_index): text
            for document_id, prepared in self._content.documents.items()
            for chunk, text in zip(prepared.chunks, held[document_id][1:], strict=True)
        }
        scores = text_word_scores(probe.text, texts)
        best = sorted(scores, key=lambda place: (-scores[place], place))[:limit]
        near = self.nearest_chunks_of([place[0] for place in best], probe.vector, per_document=ALL)
        hits = {(hit.chunk.document_id, hit.chunk.chunk_index): hit for hit in near}
        return tuple(WordHit(hits[place].chunk, hits[place].score, round(scores[place], 6)) for place in best)

"""Plain questions: sentences of documents, word for word, each answered by the one passage that it stands in."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from benchmarks.quality.sets import Question
from docgraph import Docgraph
from docgraph.domain.passages.evidence import Evidence

SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"(])")
SEED = 7


def sentences(there: Docgraph, *, n_documents: int = 100, n_each: int = 1) -> list[Question]:
    """Up to ``n_each`` sentences of ``n_documents`` documents, seeded choice; a document without one gives none."""
    rng, asked = random.Random(SEED), list[Question]()
    ids = [document.document_id for document in there.documents.list()]
    for document_id in rng.sample(ids, min(n_documents, len(ids))):
        middle = middle_sentences([chunk.text for chunk in there.documents.chunks(document_id)])
        for sentence in rng.sample(middle, min(n_each, len(middle))):
            held = Evidence(text=sentence, document_id=document_id)
            asked.append(Question(sentence, frozenset({document_id}), "", evidence=(held,), target=document_id))
    return asked


def middle_sentences(texts: Sequence[str]) -> list[str]:
    """The sentences of 8 to 40 words in the middle third of a document, whose passages are given in their order."""
    found = [
        sentence
        for text in texts
        for paragraph in re.split(r"\n\s*\n", text)
        for sentence in (" ".join(part.split()) for part in SENTENCE_END.split(paragraph))
        if 8 <= len(sentence.split()) <= 40 and sentence[-1] in ".!?" and sentence[0].isalpha()
    ]
    third = len(found) // 3
    return found[third : max(third + 1, 2 * len(found) // 3 + 1)]

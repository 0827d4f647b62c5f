"""The sentence in which a found document names the one that it leads to, as plain reading text."""

from __future__ import annotations

from docgraph.domain.content_words import sentence_spans
from docgraph.domain.run import Run
from docgraph.views.plan.documents import evidence_of
from docgraph.views.plan.reasons import ReasonLine
from docgraph.views.words.reading import readable_line

MAX_SENTENCE = 260


def sentence_read(run: Run, reason: ReasonLine, title: str) -> str:
    """The sentence that names ``title``: in what is read of the document it starts at, else as the import found it.

    Empty when only the header states the relationship: a line of a header is no sentence. It reads the chunks of a run,
    so that a stage quotes what was read; ``views.words.provenance`` knows no run, and quotes what imports noted.
    """
    found = evidence_of(run, reason.edge[0])
    for chunk in sorted(found.chunks if found is not None else (), key=lambda c: c.chunk_index):
        for start, end in sentence_spans(chunk.text):
            sentence = read_aloud(chunk.text[start:end])
            if title in sentence:
                return sentence
    return read_aloud(reason.text)


def read_aloud(text: str) -> str:
    """A sentence on one line without the marks of its format, no longer than can be read on a stage."""
    plain = readable_line(text)
    return plain if len(plain) <= MAX_SENTENCE else plain[: MAX_SENTENCE - 1].rstrip() + "…"

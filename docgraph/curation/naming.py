"""Finds the sentences of a document that name another one, with the extractors that imports find mentions with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from docgraph.boundary.imports.markup.references import anchors_of, gathered
from docgraph.domain.content_words import sentence_spans
from docgraph.domain.edge_evidence import Quote
from docgraph.domain.graph import Document, DocumentRef, Section, StoredChunk, StoredDocument
from docgraph.domain.naming import numbered_as, other_names
from docgraph.ports import DocumentReader, RelationExtractor, Titles

MAX_NAMESAKES = 200
"""Documents whose titles or ids contain those of the named one, read so that the longest name wins, as in imports."""

MAX_SENTENCES = 2_000
"""Sentences of one passage that are looked at."""

_SPEAKING = re.compile(r"[\d_./-]")
"""An id that has one of these is no word of the language: where it stands, it is meant."""
_MIN_ID = 3


class Naming:
    """Knows when a text of ``speaker`` names the document ``named_id``, whether that is stored or not."""

    def __init__(
        self,
        extractors: Sequence[RelationExtractor],
        speaker: StoredDocument,
        named_id: str,
        *,
        named: StoredDocument | None,
        snapshot: DocumentReader,
    ) -> None:
        self._extractors, self._speaker, self._named_id = extractors, speaker, named_id
        around = _namesakes(named, snapshot) if named else {}
        known = {d.document_id: d for d in (*around.values(), speaker, *([named] if named else []))}
        refs = tuple(DocumentRef(document_id=i, title=known[i].title) for i in sorted(known))
        sources = {i: known[i].source for i in sorted(known) if known[i].source}
        names = {i: _called(known[i]) for i in sorted(known)}
        anchors = gathered(pair for i in sorted(known) for pair in anchors_of(known[i]))
        self._titles = Titles(refs, sources, names, anchors=anchors)
        self._by_id = _id_pattern(named_id, known.keys() - {named_id})

    def quotes(self, chunk: StoredChunk) -> tuple[Quote, ...]:
        """The sentences of a passage that name it, in order.

        The whole passage is one quote where only all of it does: a link that is defined in another place …
        """
        if self._speaker.document_id == self._named_id or not self._names(chunk, chunk.text):
            return ()
        spans = list(islice(sentence_spans(chunk.text), MAX_SENTENCES))
        found = tuple(Quote(start=start, end=end) for start, end in spans if self._names(chunk, chunk.text[start:end]))
        return found or (Quote(start=0, end=len(chunk.text)),)

    def _names(self, chunk: StoredChunk, text: str) -> bool:
        if self._by_id is not None and self._by_id.search(text):
            return True
        document = Document(
            document_id=self._speaker.document_id,
            title=self._speaker.title,
            source=self._speaker.source,
            text=text,
            sections=(Section(heading_path=chunk.heading_path, text=text),),
        )
        return any(
            edge.to_document_id == self._named_id
            for extractor in self._extractors
            for edge in extractor.extract(document, self._titles)
        )


def _called(document: StoredDocument) -> tuple[str, ...]:
    return (*other_names(document.metadata, document.source), *numbered_as(document.metadata))


def _namesakes(named: StoredDocument, snapshot: DocumentReader) -> dict[str, StoredDocument]:
    """Documents whose titles or ids contain the title, or the last part of the id, of ``named``."""
    parts = {named.title.strip(), named.document_id.rsplit("/", 1)[-1]} - {""}
    found = (d for part in sorted(parts) for d in islice(snapshot.documents(text=part), MAX_NAMESAKES))
    return {document.document_id: document for document in found}


def _id_pattern(document_id: str, others: Iterable[str]) -> re.Pattern[str] | None:
    """The id, or its last part where no other id ends so, as a word of its own, whatever its case.

    None for an id that could be a word of the language.
    """
    last = _last_part(document_id)
    names = {document_id.strip()} | ({last} if all(_last_part(other) != last for other in others) else set())
    telling = sorted(n for n in names if len(n) >= _MIN_ID and _SPEAKING.search(n) and not n.isdigit())
    if not telling:
        return None
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, telling))})(?![\w-])", re.IGNORECASE)


def _last_part(document_id: str) -> str:
    return document_id.strip().rsplit("/", 1)[-1].casefold()

"""The sentence of a document that names another one, out of what imports noted of the relationships between the two."""

from __future__ import annotations

from collections.abc import Mapping

from docgraph.domain.content_words import sentence_spans
from docgraph.domain.graph import Relationship
from docgraph.domain.overrides import EdgeKey
from docgraph.views.words.reading import readable_line

MENTIONS = "mentions"
"""The type of relationships that were only found in running text."""

Provenance = Mapping[EdgeKey, Relationship]
"""Key of an edge → the stored relationship, with where it was found; and of the same two documents, the mention."""


def naming_sentence(edge: EdgeKey, provenance: Provenance, title: str) -> str:
    """The sentence that names the target of ``edge``, without marks; empty when only a header states it. Hostile data.

    Of the edge's own quotation, else of the mention of the target by the same document. Where a run is at hand,
    ``views.presenter.quotes`` looks in the chunks that were read first.
    """
    for key in (edge, (edge[0], MENTIONS, edge[2])):
        stored = provenance.get(key)
        said = stored.relationship_metadata if stored is not None else {}
        if said.get("place") == "body" and said.get("text"):
            return _sentence(str(said["text"]), (title, edge[2]))
    return ""


def _sentence(quote: str, names: tuple[str, ...]) -> str:
    """Of a quotation of several sentences the first that holds one of the names."""
    said = readable_line(quote)
    wanted = [name.casefold() for name in map(readable_line, names) if name]
    sentences = [said[start:end] for start, end in sentence_spans(said)]
    return next((each for each in sentences if any(name in each.casefold() for name in wanted)), said)

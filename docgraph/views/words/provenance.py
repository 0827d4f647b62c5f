"""Where a relationship is stated, who changed it, and the sentence that names its target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docgraph.domain.content_words import sentence_spans
from docgraph.domain.graph import Relationship
from docgraph.domain.overrides import EdgeKey
from docgraph.views.words.moments import moment, person
from docgraph.views.words.reading import readable_line
from docgraph.views.words.texts import line

_PLACES = {
    "front_matter": "in the document's front matter",
    "header": "in a header field of the document",
    "status": "in the document's status line",
    "body": "in the document's text",
    "record": "in an imported record",
    "metadata": "in the metadata of its passages",
}
_HEADERS = frozenset(("front_matter", "header", "status"))
_EXTRACTORS = {
    "front_matter": "stated",
    "header_fields": "stated",
    "status_lines": "stated",
    "markdown_links": "a link",
    "sphinx_references": "a reference",
    "wiki_links": "a wiki link",
    "title_mentions": "names the other title",
    "body_references": "names the other document",
    "jsonl": "stated",
    "metadata": "stated",
    "llama_index": "stated",
}
_DONE = {
    "add": "added",
    "retype": "given this type",
    "flip": "reversed",
    "retarget": "target changed",
    "reanchor": "pointed at this section",
    "restate": "restated",
    "remove": "removed",
}
MANUAL = "manual"
"""The extractor of a relationship that a person stated."""


def provenance_words(relationship: Relationship) -> str:
    """``stated in the document's front matter``; ``suggested, accepted by Ann, 22 Nov 2026, 02:04 UTC``.

    One line, plain text; names in it come from the data and are hostile. A relationship that says nothing of itself
    has an ``unknown source``.
    """
    data = relationship.relationship_metadata
    edited = _mapping(data.get("edited"))
    found = _found(str(edited.get("extractor") or "") if edited else str(data.get("extractor") or ""), data)
    if not edited:
        return found or ("added by hand" if data.get("extractor") == MANUAL else "unknown source")
    who = f"by {person(str(edited.get('by') or ''))}, {moment(str(edited.get('at') or ''))}"
    if edited.get("suggested") or data.get("suggested"):
        return f"suggested, accepted {who}"
    done = _DONE.get(str(edited.get("action") or ""), "changed")
    return f"{found}, {done} {who}" if found else f"{done} {who}"


def stated_words(relationship: Relationship) -> str:
    """Where a relationship stands that no sentence tells: ``stated in the header``."""
    data = relationship.relationship_metadata
    place = str(data.get("place") or "")
    if place in _HEADERS and not _mapping(data.get("edited")):
        return "stated in the header"
    return provenance_words(relationship)


def provenance_quote(relationship: Relationship) -> str:
    """The line of the document that states the relationship, where it is kept, without marks; hostile data."""
    return readable_line(str(relationship.relationship_metadata.get("text") or ""))


def source_name(relationship: Relationship) -> str:
    """One word to filter by: the extractor that found it, ``manual`` for a person, ``--`` for neither."""
    return str(relationship.relationship_metadata.get("extractor") or "") or "--"


def reviewed(relationship: Relationship) -> tuple[str, str] | None:
    """Who accepted the relationship, and when (ISO 8601); None when nobody did."""
    review = _mapping(relationship.relationship_metadata.get("review"))
    if not review:
        return None
    return person(str(review.get("reviewed_by") or "")), str(review.get("reviewed_at") or "")


def review_words(relationship: Relationship) -> str:
    """``accepted by Ann, 22 Nov 2026, 02:04 UTC``, or ``not reviewed``."""
    found = reviewed(relationship)
    return f"accepted by {found[0]}, {moment(found[1])}" if found else "not reviewed"


def _found(extractor: str, data: Mapping[str, Any]) -> str:
    """What the import saw, in words; empty when nothing was imported."""
    if extractor in ("", MANUAL):
        return ""
    what = _EXTRACTORS.get(extractor, f"found by {extractor}")
    place, others = str(data.get("place") or ""), line(str(data.get("may_be_in") or ""))
    if place:
        what += f" {_PLACES.get(place, f'in {place}')}"
    return f"may be in {others}: {what}" if others else what


def _mapping(value: object) -> Mapping[str, Any]:
    """Metadata can hold anything: what is no mapping says nothing."""
    return value if isinstance(value, Mapping) else {}


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

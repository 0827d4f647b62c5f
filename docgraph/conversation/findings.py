"""Reads a packet for a conversation: which documents it is made from, which passages, who was asked and who failed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from docgraph.domain.content_words import on_one_line
from docgraph.domain.conversation import MAX_FOCUS, MAX_TITLE, FocusDocument
from docgraph.domain.graph import MAX_ID_LENGTH
from docgraph.domain.packet import ContextCandidate, RetrievalResponse


@dataclass(frozen=True)
class Passage:
    """A candidate as it is told to a person; ``heading`` is the innermost one, empty where there is none."""

    document: FocusDocument | None
    source: str
    heading: str
    relevance: float

    @property
    def name(self) -> str:
        """``Design: Hold life cycle › Expiry``."""
        title = self.source if self.document is None else self.document.title
        return f"{title} › {self.heading}" if self.heading and self.heading != title else title


def passages(response: RetrievalResponse) -> tuple[Passage, ...]:
    """The candidates in order."""
    return tuple(_passage(candidate) for candidate in response.context_packet.candidates)


def documents(found: Iterable[Passage], *, without: Iterable[str] = ()) -> tuple[FocusDocument, ...]:
    """The documents of passages, each once, in order, ``MAX_FOCUS`` at most; ``without`` = ids that do not count."""
    gone, kept = set(without), dict[str, FocusDocument]()
    for passage in found:
        if passage.document is not None and passage.document.document_id not in gone:
            kept.setdefault(passage.document.document_id, passage.document)
    return tuple(kept.values())[:MAX_FOCUS]


def asked_providers(responses: Iterable[RetrievalResponse]) -> tuple[str, ...]:
    """Names of the providers that were asked, each once, in order."""
    names = [name for response in responses for name in _names(response.routing_metadata.get("selected_providers"))]
    return tuple(dict.fromkeys(names))


def failures(responses: Iterable[RetrievalResponse]) -> dict[str, str]:
    """Provider → type of the error that kept it from answering."""
    found: dict[str, str] = {}
    for response in responses:
        told = response.routing_metadata.get("failures")
        for name, failure in told.items() if isinstance(told, dict) else ():
            kind = failure.get("error_type") if isinstance(failure, dict) else ""
            found.setdefault(str(name), on_one_line(str(kind or "failed"), 60))
    return found


def ready_providers(response: RetrievalResponse) -> tuple[str, ...]:
    """Names of the providers that are enabled and available, in the order in which routing knows them."""
    flags, statuses = (response.routing_metadata.get(key) for key in ("flags", "statuses"))
    if not isinstance(flags, dict) or not isinstance(statuses, dict):
        return ()
    return tuple(
        name
        for name, on in flags.items()
        if on is True and statuses.get(name, "available") == "available" and 0 < len(name) <= 100
    )


def _passage(candidate: ContextCandidate) -> Passage:
    said = candidate.metadata
    path = said.get("heading_path")
    heading = path[-1] if isinstance(path, list | tuple) and path and isinstance(path[-1], str) else ""
    return Passage(
        document=_document(candidate),
        source=on_one_line(candidate.source or candidate.id, MAX_TITLE),
        heading=on_one_line(heading, MAX_TITLE),
        relevance=candidate.confidence,
    )


def _document(candidate: ContextCandidate) -> FocusDocument | None:
    """None for what is no document (a memory), and for an id that no document can have."""
    said = candidate.metadata
    document_id = said.get("document_id")
    if not isinstance(document_id, str) or not 0 < len(document_id) <= MAX_ID_LENGTH:
        return None
    if any(character < " " or character == "\x7f" for character in document_id):
        return None
    title = on_one_line(_text(said.get("title")), MAX_TITLE) or on_one_line(document_id, MAX_TITLE)
    doc_type = on_one_line(_text(said.get("doc_type")), MAX_TITLE)
    return FocusDocument(document_id=document_id, title=title, doc_type=doc_type)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _names(value: Any) -> list[str]:
    return [name for name in value if isinstance(name, str)] if isinstance(value, list | tuple) else []

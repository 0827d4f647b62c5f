"""Finds "Superseded by …", "Amends …" in the status of decision records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from docgraph.domain.graph import Document, Relationship
from docgraph.plugins.extractors._edges import Edges, tidy
from docgraph.plugins.extractors._named_targets import named_targets
from docgraph.plugins.extractors._status_phrases import phrase_before_record, phrases_in
from docgraph.plugins.extractors._targets import index_of
from docgraph.ports import Titles

MAX_LINES = 200
_FIRST_LINES = 40
_MAX_LINE = 2_000
_STATUS_LINE = re.compile(r"\s{0,8}(?:[-*+]\s{1,4})?(?:\*\*|__|:)?status:?(?:\*\*|__)?:?\s", re.IGNORECASE)
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.{1,200}?)[\s#]*")
_LINKED = re.compile(r"\[\[|\]\(|`")
_ONE_NAME = re.compile(r"\s*(?:and|,|;|&)\s*", re.IGNORECASE)


class StatusLines:
    """Lines under a heading *Status*, lines that start with ``Status:``, and the front matter field ``status``.

    ``Superseded by [x](y.md)`` → ``superseded_by``; so ``Amended by``, ``Supersedes`` and ``Amends``. After the
    phrase stand links, or names as in front matter (``ADR-0005``, a number, an id, a title). Any other phrase counts in
    a line as adr-tools writes it: ``Clarifies [10. Queues](0010-queues.md)`` → ``clarifies``.
    """

    name = "status_lines"
    default_on = True

    def extract(self, document: Document, titles: Titles) -> Iterable[Relationship]:
        """Edges in text order."""
        edges = Edges(document, self.name)
        targets = index_of(titles)
        for line in _status_lines(document):
            phrases = phrases_in(line[:_MAX_LINE])
            if not phrases and (other := phrase_before_record(line[:_MAX_LINE])):
                for named in named_targets(other[1], document, targets):
                    edges.add(other[0], named.document_id, place="status", text=line)
            for place, (relation_type, _, end) in enumerate(phrases):
                until = phrases[place + 1][1] if place + 1 < len(phrases) else len(line)
                for name in _names(line[end:until]):
                    for named in named_targets(name, document, targets, field="status"):
                        edges.add(relation_type, named.document_id, place="status", text=line)
        return edges.found()


def _names(rest: str) -> Iterator[str]:
    """What follows a phrase: everything when there are links in it, else the names up to the end of the sentence."""
    if _LINKED.search(rest):
        yield rest
        return
    sentence = re.split(r"\.(?:\s|$)|[;()\"]| on \d", rest, maxsplit=1)[0].strip(" .,:*_-")
    yield from (name for name in _ONE_NAME.split(sentence) if name)


def _status_lines(document: Document) -> Iterator[str]:
    status = document.metadata.get("status")
    if isinstance(status, str):
        yield tidy(status)
    for section in document.sections:
        if section.heading_path and section.heading_path[-1].strip(" :").casefold() == "status":
            yield from section.text.split("\n", MAX_LINES)[:MAX_LINES]
    lines = document.text.split("\n", MAX_LINES)[:MAX_LINES]
    yield from (line for line in lines[:_FIRST_LINES] if _STATUS_LINE.match(line[:_MAX_LINE]))
    if not document.sections:
        yield from _under_heading(lines)


def _under_heading(lines: list[str]) -> Iterator[str]:
    inside = False
    for line in lines:
        heading = _HEADING.fullmatch(line[:_MAX_LINE])
        if heading:
            inside = heading[1].strip(" :").casefold() == "status"
        elif inside:
            yield line


def build() -> StatusLines:
    """The extractor; it has no options."""
    return StatusLines()

"""Finds numbered documents named in running text: ``:pep:`8```, ``PEP 8``, ``ADR-12``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from docgraph.domain.graph import Document, Relationship
from docgraph.plugins.extractors._edges import Edges, quote_around
from docgraph.plugins.extractors._targets import Targets, folder_of, index_of, numbered_id
from docgraph.ports import NameReading, Titles

_MORE = re.compile(r"(?:,?\s{1,20}(?:and|or|&)\s{1,20}|\s{0,3},\s{0,20})0*(\d{1,5})\b(?![\w%])")
_PATH = re.compile(
    r"(?<![\w/.(\[<#:=-])"
    r"((?:\.{1,2}/)?(?:[\w-]{1,60}/){0,5}\d{2,6}[-_][\w-]{2,150}\.(?:md|markdown|rst|adoc|txt|html))(?![\w/])"
)
DEFAULT_KINDS = ("ADR", "PEP")


class BodyReferences:
    """``PEP 8``, ``PEPs 8, 9 and 10``, ``:pep:`8``` → ``mentions``, when the workspace holds the series at all.

    Series whose files have numbers only are named by the word that an import learnt (``ADR-7``, ``ADR0007``), and by
    the path of a file (``adr/0007-yaml.md``).

    A number that the series does not have is a dangling edge; a document that names itself makes no reference. Off
    in plans by default: such mentions are many and say little about what a reader needs next.
    """

    name = "body_references"
    default_on = False
    learns = True

    def __init__(self, kinds: Sequence[str], relation_type: str) -> None:
        self._type = relation_type
        self._kinds = tuple(kind.strip() for kind in kinds)
        words = "|".join(sorted((re.escape(kind.strip()) for kind in kinds if kind.strip()), reverse=True)) or r"(?!)"
        self._role = re.compile(
            rf":({words}):`(?:[^`<>]{{0,300}}<)?0*(\d{{1,5}})(?:#[^`<>]{{0,200}})?>?`", re.IGNORECASE
        )
        self._mention = re.compile(rf"(?<![\w/-])({words})s?(?:[-\s]\s{{0,20}}#?)0*(\d{{1,5}})(?![\w.]\w)")

    def extract(self, document: Document, titles: Titles) -> Iterable[Relationship]:
        """Edges in text order."""
        edges = Edges(document, self.name)
        targets = index_of(titles)
        text = document.text
        near = document.document_id.rpartition("/")[0]
        if titles.reading is not None:
            self._add_learnt(edges, document, titles.reading)
        self._add_called(edges, document, targets)
        self._add_paths(edges, document, targets)
        for kind, number, start, end in sorted(self._numbers(text), key=lambda found: found[2]):
            if targets.has_series(kind):
                target = targets.by_number(kind, number, near=near) or numbered_id(document.document_id, kind, number)
                if target != document.document_id:
                    edges.add(self._type, target, place="body", text=quote_around(text, start, end))
        return edges.found()

    def _add_learnt(self, edges: Edges, document: Document, reading: NameReading) -> None:
        """Mentions by the words of series that a profile names, of documents that are there."""
        known = {kind.casefold() for kind in self._kinds}
        words = [re.escape(word) for word in reading.words if word.casefold() not in known]
        if not words:
            return
        mention = re.compile(rf"(?<![\w/-])({'|'.join(sorted(words))})s?(?:[-\s]\s{{0,20}}#?)0*(\d{{1,6}})(?![\w.]\w)")
        for found in mention.finditer(document.text):
            target = reading.numbered(found[1], int(found[2]))
            if target is not None and target != document.document_id:
                quote = quote_around(document.text, found.start(), found.end())
                edges.add(self._type, target, place="body", text=quote, series=found[1])

    def _add_called(self, edges: Edges, document: Document, targets: Targets) -> None:
        """Mentions by the words of series whose documents have numbers only, of documents that are there."""
        near = document.document_id.rpartition("/")[0]
        for found in _called(tuple(sorted(targets.words))).finditer(document.text) if targets.words else ():
            target = targets.by_number(found[1], int(found[2]), near=near)
            if target is not None and target != document.document_id:
                quote = quote_around(document.text, found.start(), found.end())
                edges.add(self._type, target, place="body", text=quote, series=found[1])

    def _add_paths(self, edges: Edges, document: Document, targets: Targets) -> None:
        """Mentions by the path of a numbered file (``adr/0007-yaml.md``), of documents that are there."""
        folder = folder_of(document)
        for found in _PATH.finditer(document.text):
            target = targets.by_path(found[1], folder) or targets.by_tail(found[1])
            if target is not None and target != document.document_id:
                quote = quote_around(document.text, found.start(1), found.end(1))
                edges.add(self._type, target, place="body", text=quote, series="path")

    def _numbers(self, text: str) -> Iterable[tuple[str, int, int, int]]:
        """(kind, number, start, end) of each number named."""
        for found in self._role.finditer(text):
            yield found[1], int(found[2]), found.start(), found.end()
        for found in self._mention.finditer(text):
            yield found[1], int(found[2]), found.start(), found.end()
            more = _MORE.match(text, found.end()) if found[0][len(found[1])] == "s" else None
            while more:
                yield found[1], int(more[1]), more.start(1), more.end()
                more = _MORE.match(text, more.end())


@lru_cache(maxsize=32)
def _called(words: tuple[str, ...]) -> re.Pattern[str]:
    """``ADR-7``, ``ADRs 7``, ``ADR0007`` for these words."""
    each = "|".join(map(re.escape, words))
    return re.compile(rf"(?<![\w/-])({each})s?(?:[-_\s]\s{{0,20}}#?|(?=\d))0*(\d{{1,6}})(?![\w.]\w)")


def build(*, kinds: Sequence[str] = DEFAULT_KINDS, relation_type: str = "mentions") -> BodyReferences:
    """An extractor for the series ``kinds`` (the words that stand before the numbers)."""
    return BodyReferences(kinds, relation_type)

"""Finds "Superseded by …", "Amends …" in the status of decision records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from docgraph.domain.graph import Document, Relationship
from docgraph.plugins.extractors._edges import Edges
from docgraph.plugins.extractors._named_targets import named_targets
from docgraph.plugins.extractors._status_phrases import phrase_before_record, phrases_in, typed_link
from docgraph.plugins.extractors._status_places import Said, said_in
from docgraph.plugins.extractors._targets import index_of
from docgraph.ports import Titles

_MAX_LINE = 2_000
_LINK = re.compile(
    r"\[\[[^\[\]]{1,500}\]\]|\[[^\[\]]{0,500}\]\(<?[^()<>\s]{1,500}>?(?:\s\"[^\"]{0,200}\")?\)|:\w{1,20}:`[^`]{1,500}`"
    r"|`[^`]{1,300}`"
)
_RESTRUCTURED = re.compile(r"(?<!:)`[^`<>]{0,300}<([^`<>\s]{1,500})>`_{1,2}")
_BETWEEN = re.compile(r"[\s,;&/+()]*(?:and|or|und|et)?[\s,;&/+()]*", re.IGNORECASE)
_ONE_NAME = re.compile(r"\s*(?:\band\b|,|;|&)\s*", re.IGNORECASE)
_END = re.compile(r"\.(?:\s|$)|[;()\"]| on \d|,? (?:see|because|since|as|due|when|after|in)\b")
_NUMBERED = re.compile(r"(?:[A-Za-z]{2,12}[-_ ]{0,2})?#?\d{1,9}(?:[-_][\w-]{1,200})?(?:\.\w{1,8})?")
_PROSE = re.compile(r"(?:the|a|an|our|this|that|these|new|another|other|it|its|what|which|something)\b", re.IGNORECASE)


class StatusLines:
    """Lines under *Status* (a heading, underlined or in bold), ``Status:`` at the top (list, table, heading), the field
    ``status``; and fields at the top that are a phrase by themselves: ``- Supersedes [x](y.md)``, ``## Superseded by``.

    ``Superseded by [x](y.md)`` → ``superseded_by``; so ``Replaced by``, ``Amended by``, ``Obsoleted by``,
    ``Supersedes``, ``Replaces``, ``Amends`` and ``Obsoletes``; ``Deprecated in favour of`` → ``replaced_by``. After the
    phrase stand links, or names as in front matter (``ADR-0005``, a number, an id, a title). Any other phrase counts in
    a line as adr-tools writes it: ``Clarifies [10. Queues](0010-queues.md)`` → ``clarifies``, and in a list of links as
    MADR and log4brains write it: ``- Refined by [x](y.md)``.
    """

    name = "status_lines"
    default_on = True

    def extract(self, document: Document, titles: Titles) -> Iterable[Relationship]:
        """Edges in text order."""
        edges = Edges(document, self.name)
        targets = index_of(titles)
        for said in said_in(document):
            for relation_type, name in _stated(said):
                for named in named_targets(name, document, targets, field="status"):
                    edges.add(relation_type, named.document_id, place="status", text=said.text, anchor=named.anchor)
        return edges.found()


def _stated(said: Said) -> Iterator[tuple[str, str]]:
    """(relation type, what is named) of each phrase in a line."""
    line = said.line[:_MAX_LINE]
    phrases = phrases_in(line)
    if said.typed and phrases and phrases[0][1] > 0:
        return
    if not phrases:
        other = phrase_before_record(line) or (typed_link(line) if said.typed else None)
        if other:
            yield other
        return
    for place, (relation_type, _, end) in enumerate(phrases):
        until = phrases[place + 1][1] if place + 1 < len(phrases) else len(line)
        for name in _names(line[end:until], strict=said.strict):
            yield relation_type, name


def _names(rest: str, *, strict: bool) -> Iterator[str]:
    """What follows a phrase: links up to where other words come between them, else names up to the end of the sentence.

    With ``strict`` only links and numbers are names.
    """
    rest = _RESTRUCTURED.sub(r"[link](\1)", rest)
    links = list(_LINK.finditer(rest))
    if links and not _NUMBERED.match(_before(rest, links[0])) and _is_sentence_end(rest[: links[0].start()]):
        links = []
    if links:
        end = links[0].end()
        for link in links[1:]:
            if not _BETWEEN.fullmatch(rest[end : link.start()]):
                break
            end = link.end()
        yield rest[:end]
        return
    sentence = _END.split(rest, maxsplit=1)[0].strip(" .,:*_-")
    for name in _ONE_NAME.split(sentence):
        if name and (_NUMBERED.fullmatch(name) if strict else not _PROSE.match(name)):
            yield name


def _before(rest: str, link: re.Match[str]) -> str:
    return rest[: link.start()].strip(" (:*_")


def _is_sentence_end(words: str) -> bool:
    return bool(re.search(r"[a-z)]\.\s", words))


def build() -> StatusLines:
    """The extractor; it has no options."""
    return StatusLines()

"""Finds "Superseded by …", "Amends …" in the status of decision records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from docgraph.domain.graph import Document, Relationship
from docgraph.plugins.extractors._edges import Edges, tidy
from docgraph.plugins.extractors._named_targets import named_targets
from docgraph.plugins.extractors._targets import index_of
from docgraph.ports import Titles

_BY = "super[sc]eded|replaced|amended|obsoleted|deprecated"
_DOES = "super[sc]edes|replaces|amends|obsoletes"
_PHRASE = re.compile(
    rf"\b(?:({_BY})(?:[ \t]{{1,5}}|[ \t]{{0,3}}[(,;:\u2013\u2014-][ \t]{{0,3}})"
    rf"(?:by|in[ \t]{{1,3}}favou?r[ \t]{{1,3}}of|see)\b|({_DOES})\b)[ \t]{{0,5}}(?::(?!\w{{1,20}}:`))?[ \t]{{0,5}}",
    re.IGNORECASE,
)
_TYPES = {"deprecated": "replaced"}
"""What is deprecated in favour of another is replaced by it."""
_RECORD = re.compile(
    r"\s{0,3}([A-Z][a-z]{1,30}(?: [a-z]{1,30}){0,3}):?[ \t]{1,5}(\[\d{1,6}\. [^\[\]]{1,300}\]\([^()\s]{1,300}\))[ .]*"
)
"""A line as adr-tools writes it: ``Clarifies [10. Queues](0010-queues.md)``."""
_TYPED = re.compile(
    r"\s{0,8}(?:[-*+]\s{1,4})?\[?"
    r"((?:refine|extend|clarifie|implement|explain|relate|require)(?:s|d|d by|s to|ed by|d to)|depends on|part of)"
    r"\]?:?[ \t]{1,5}((?:\[\[|\[).{1,600})",
    re.IGNORECASE,
)
"""An item of a list of links as MADR and log4brains write it: ``- Refined by [Queues](0010-queues.md)``."""


def phrase_before_record(line: str) -> tuple[str, str] | None:
    """(relation type, link) of a line that is a phrase and a link to a numbered record, and nothing else."""
    found = _RECORD.fullmatch(line)
    return None if found is None else (found[1].casefold().replace(" ", "_"), found[2])


def typed_link(line: str) -> tuple[str, str] | None:
    """(relation type, links) of an item in a list of links that begins with how the record is related."""
    found = _TYPED.fullmatch(line)
    return None if found is None else (found[1].casefold().replace(" ", "_"), found[2])


def phrases_in(line: str) -> list[tuple[str, int, int]]:
    """(relation type, start, end) of each phrase: what it is about stands from ``end`` to the next ``start``.

    ``supercedes`` and ``superceded by`` are read too: widespread tools write them so.
    """
    found = []
    for match in _PHRASE.finditer(line):
        word = (match[1] or match[2]).casefold().replace("rc", "rs")
        found.append((f"{_TYPES.get(word, word)}_by" if match[1] else word, match.start(), match.end()))
    return found


MAX_LINES = 200
_FIRST_LINES = 40
_MAX_LINE = 2_000
_STATUS_LINE = re.compile(
    r"\s{0,8}(?:>\s{0,3})?(?:[-*+]\s{1,4})?(?:\*\*|__|\*|_|:)?status:?(?:\*\*|__|\*|_)?:?\s", re.I
)
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.{1,200}?)[\s#]*")
_BOLD = re.compile(r"\s{0,3}(?:\*\*|__)([^*_]{1,100})(?:\*\*|__)\s{0,3}:?\s*")
_ITEM = re.compile(r"\s{0,8}(?:>\s{0,3})?(?:[-*+•]\s{1,4})?(?:\*\*|__|\*|_|:)?(?=\S)")
_MARKED = re.compile(r"\s{0,8}(?:[-*+>•]\s|\*\*|__|:\w)")
_CELL = re.compile(r"(?<!\\)\|")
_LINE = re.compile(r"[\s|:-]+")
_MARKS = re.compile(r"\*\*|(?<!`)__|~~")
_LISTS = frozenset(("links", "related", "related decisions", "relations", "relationships", "more information"))


class Said(NamedTuple):
    """A line that may say a status: ``text`` as it stands, ``line`` without marks.

    ``strict`` = only a link or a number behind a phrase is a name; ``typed`` = it is an item of a list of links.
    """

    text: str
    line: str
    strict: bool = False
    typed: bool = False


def said_in(document: Document) -> Iterator[Said]:
    """Every such line, in the order: metadata, sections, the top of the text."""
    header = document.metadata.get("header")
    for fields in (document.metadata, header if isinstance(header, Mapping) else {}):
        for name, value in fields.items():
            if str(name).casefold() == "status" and isinstance(value, str):
                yield Said(tidy(value), tidy(value))
    for section in document.sections:
        yield from _under(section.heading_path[-1] if section.heading_path else "", section.text)
    lines = [line[:_MAX_LINE] for line in document.text.split("\n", MAX_LINES)[:MAX_LINES]]
    yield from _at_top(lines)
    yield from _under_own_lines(lines, headings=not document.sections)


def _under(heading: str, text: str) -> Iterator[Said]:
    """What stands in a section."""
    name = _name(heading)
    if name == "status":
        yield from _of_lines(text.split("\n", MAX_LINES)[:MAX_LINES])
    elif name in _LISTS:
        for line in text.split("\n", MAX_LINES)[:MAX_LINES]:
            item = _plain(line)
            if _MARKED.match(line):
                yield Said(line, item, strict=True, typed=True)
    elif _is_phrase(name):
        for line in text.split("\n", MAX_LINES)[:MAX_LINES]:
            yield Said(line, f"{name} {_plain(line)}", strict=True)


def _at_top(lines: list[str]) -> Iterator[Said]:
    """Fields in lists, tables and headings above the second heading of a record."""
    header: list[str] = []
    n_headings = 0
    for place, line in enumerate(lines[:_FIRST_LINES]):
        heading = _HEADING.fullmatch(line)
        n_headings += heading is not None
        words = _plain(heading[1]) if heading else _plain(line)
        if heading and n_headings > 1 and not (_names_status(words) or _begins_with_phrase(words)):
            continue
        if heading and n_headings > 1 and _name(words) not in ("status",):
            yield Said(line, words, strict=_begins_with_phrase(words))
        elif "|" in line and line.lstrip().startswith("|"):
            cells = _cells(line)
            if n_headings < 2:
                yield from _of_row(line, cells)
                yield from _below(header, line, cells, lines[place + 1 : place + 2])
            header = cells if not header or not _LINE.fullmatch(line) else header
        elif _STATUS_LINE.match(f"{line} "):
            yield Said(line, words)
        elif n_headings < 2 and (_MARKED.match(line) or ":" in line[:40]) and _begins_with_phrase(words):
            yield Said(line, words, strict=True)
        if "|" not in line:
            header = []


def _under_own_lines(lines: list[str], *, headings: bool) -> Iterator[Said]:
    """What stands below a line that is only *Status*, in bold, or (with ``headings``) as a heading."""
    inside = False
    for line in lines:
        heading = _HEADING.fullmatch(line)
        bold = _BOLD.fullmatch(line)
        if heading or bold:
            inside = _name((heading or bold or [""])[1]) == "status" and (headings or not heading)
        elif inside:
            yield from _of_lines([line])


def _of_lines(lines: list[str]) -> Iterator[Said]:
    for line in _joined(lines):
        if line.lstrip().startswith("|"):
            cells = _cells(line)
            rows = list(_of_row(line, cells))
            yield from rows or (Said(line, _plain(cell)) for cell in cells)
        else:
            yield Said(line, _plain(line))


def _joined(lines: list[str]) -> Iterator[str]:
    """The lines, one whose link goes on in the next together with that."""
    open_line = ""
    for line in lines:
        whole = f"{open_line} {line.strip()}" if open_line else line
        if whole.count("[") > whole.count("]") and line.strip() and len(whole) < _MAX_LINE:
            open_line = whole
            continue
        open_line = ""
        yield whole
    if open_line:
        yield open_line


def _of_row(line: str, cells: list[str]) -> Iterator[Said]:
    """A row of two columns: ``| Status | superseded by … |``, ``| Superseded by | … |``."""
    if len(cells) < 2:
        return
    name = _name(cells[0])
    if name == "status":
        yield Said(line, _plain(cells[1]))
    elif _is_phrase(name):
        yield Said(line, f"{name} {_plain(cells[1])}", strict=True)


def _below(header: list[str], line: str, cells: list[str], following: list[str]) -> Iterator[Said]:
    """The one row below a header with a column *Status*; a table of several rows is a list of other records."""
    names = [_name(cell) for cell in header]
    if "status" not in names or _LINE.fullmatch(line) or any("|" in each for each in following):
        return
    place = names.index("status")
    if names[0] != "status" and len(names) == 2 and _name(cells[0]) == "status":
        return
    if place < len(cells):
        yield Said(line, _plain(cells[place]))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _CELL.split(line.strip().strip("|"))][:50]


def _plain(line: str) -> str:
    """A line without marks of lists, quotes and emphasis."""
    return _ITEM.sub("", _MARKS.sub("", line).strip(), count=1).strip()


def _name(words: str) -> str:
    return tidy(_MARKS.sub("", words)).strip(" :*_`").casefold()


def _names_status(words: str) -> bool:
    return _name(words.partition(":")[0]) == "status"


def _begins_with_phrase(words: str) -> bool:
    found = phrases_in(words[:200])
    return bool(found) and found[0][1] == 0


def _is_phrase(name: str) -> bool:
    found = phrases_in(f"{name} ")
    return len(found) == 1 and found[0][1] == 0 and found[0][2] >= len(name)


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


build = StatusLines

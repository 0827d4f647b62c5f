"""What the look reads of one file: its metadata, title, links and length, by bounded means and without a parser."""

from __future__ import annotations

import posixpath
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from docgraph.boundary.imports.front_matter import fenced, read_sidecar
from docgraph.domain.imports.fields import MARKDOWN
from docgraph.domain.report import Rejected
from docgraph.ingestion.names import suffix_of
from docgraph.ingestion.profiling.sidecars import Beside


@dataclass
class Gathered:
    """What was read of a folder: heads by name, sidecars' fields by the name of their document, faults."""

    heads: dict[str, Head] = field(default_factory=dict)
    fields: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    sidecars: dict[str, list[Beside]] = field(default_factory=dict)
    faults: list[tuple[str, str]] = field(default_factory=list)
    name: str = ""
    """What the folder itself is called."""
    elsewhere: tuple[str, ...] = ()
    """Addresses at which other projects are read, as the folder itself says."""
    n_bytes: int = 0
    stopped: bool = False

    def all_fields(self, name: str) -> dict[str, Any]:
        """A document's own fields and those of its sidecar."""
        head = self.heads.get(name)
        return {**self.fields.get(name, {}), **(head.fields if head else {})}


MAX_HEAD = 400_000
"""Bytes of one file that are looked at."""
MAX_LINKS = 1_000
MAX_KEPT = 6_000
"""Characters of a text that are kept, for the words before its number."""
RESTRUCTURED = (".rst", ".rest")
PAGES = (".html", ".htm", ".xhtml")
TEXTS = (*MARKDOWN, *RESTRUCTURED, *PAGES, ".txt", ".adoc", ".org")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_LINK = re.compile(
    r"(?<!!)\[((?:[^\[\]\n]|\n(?![ \t]*\n)|\[[^\[\]\n]{0,200}+\]){0,300}+)\]"
    r"\(\s{0,5}<?([^\s()<>]{1,500}(?:\([^\s()]{0,100}\)[^\s()<>]{0,300})?)"
)
_REFERENCE = re.compile(r"^ {0,3}\[[^\[\]\n]{1,200}\]:[ \t]{1,20}<?([^\s<>]{1,500})", re.MULTILINE)
_HREF = re.compile(r"<a\s[^<>]{0,500}?href=[\"']([^\"'<>\s]{1,500})[\"']", re.IGNORECASE)
_RST_LINK = re.compile(r"`[^`<>]{0,300}<([^<>`\s]{1,500})>`__?")
_RST_TARGET = re.compile(r"^\.\. _[^:\n]{1,200}: (\S{1,500})", re.MULTILINE)
CITATION = re.compile(r"\[\[[^\[\]\n]{1,100}\]\]\(")
_HEADING = re.compile(r"^ {0,3}#{1,2} +(.{1,300}?)[ #]*$", re.MULTILINE)
_RST_HEADING = re.compile(r"^(\S.{0,300})\n([=*#~^-])\2{2,}\s*$", re.MULTILINE)
_TITLE = re.compile(r"<title[^<>]{0,200}>([^<>]{1,300})</title>", re.IGNORECASE)
_FIELD = re.compile(r"^:?([A-Za-z][\w -]{0,40}):[ \t]{1,40}(\S[^\n]{0,500})$")
_TEMPLATE = re.compile(r"\{%-?\s{0,10}\w|\{\{\s{0,10}(?:content|page\.|site\.)")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_NAMED = re.compile(r"(?<![\w/-])([A-Z][A-Za-z]{1,11}?)s?[-\s]\s{0,20}#?0*(\d{1,6})(?![\w.]\w)")
_FRONT_MATTER_LINES = 60


@dataclass(frozen=True)
class Link:
    """A link in a text: its label, its address as written, and the line it stands in."""

    label: str
    href: str
    line: str


@dataclass(frozen=True)
class Head:
    """What a file begins with.

    ``fault`` = why its metadata, or a line of it, cannot be read; ``n_text`` = characters below it. ``named`` =
    words with a number behind them, as ``KEP-32``, each once.
    """

    name: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""
    links: tuple[Link, ...] = ()
    n_text: int = 0
    n_citations: int = 0
    citation: str = ""
    is_template: bool = False
    fault: str = ""
    text: str = ""
    named: tuple[tuple[str, int], ...] = ()

    @property
    def folder(self) -> str:
        """Where the file lies; empty for the top."""
        return posixpath.dirname(self.name)


def read_head(name: str, data: bytes) -> Head:
    """The head of one text file; nothing in it raises."""
    text = data[:MAX_HEAD].decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
    suffix = suffix_of(name)
    block, body = fenced(text)
    fields: Mapping[str, Any] = {}
    fault = ""
    if block is not None:
        try:
            fields, told = read_sidecar(block, toml=text.startswith("+++"), first_line=2)
            fault = next((each.reason for each in told if isinstance(each, Rejected)), "")
        except ValueError as error:
            fault = str(error)
    elif suffix in RESTRUCTURED or suffix == ".txt":
        fields = dict(_fields(body))
    plain = _COMMENT.sub("", body) if "<!--" in body else body
    plain = plain if suffix in PAGES else without_code(plain)
    return Head(
        name=name,
        fields=fields,
        title=str(fields.get("title") or _heading(body, suffix))[:300],
        links=tuple(_links(plain, suffix)),
        n_text=len(body.strip()),
        n_citations=len(CITATION.findall(plain)) if suffix in MARKDOWN else 0,
        citation=found[0][:80] if suffix in MARKDOWN and (found := CITATION.search(plain)) else "",
        is_template=suffix in PAGES and bool(_TEMPLATE.search(body)),
        fault=fault,
        text=plain[:MAX_KEPT],
        named=tuple(
            dict.fromkeys((sys.intern(each[1]), int(each[2])) for each in islice(_NAMED.finditer(body), MAX_LINKS))
        ),
    )


def _fields(text: str) -> Iterator[tuple[str, str]]:
    """RFC-822 headers and docinfo at the top of a text."""
    lines = text.lstrip("\n").split("\n", _FRONT_MATTER_LINES)[:_FRONT_MATTER_LINES]
    for line in lines:
        if found := _FIELD.match(line):
            yield found[1], found[2].strip()
        elif (line and not line[0].isspace()) or not line:
            return


def _heading(text: str, suffix: str) -> str:
    pattern = _TITLE if suffix in PAGES else _RST_HEADING if suffix in RESTRUCTURED else _HEADING
    found = pattern.search(text[:20_000])
    return found[1].strip() if found else ""


def without_code(text: str, *, openings: bool = False) -> str:
    """The text with lines of fenced code left empty; with ``openings`` the lines that open it stay."""
    kept, fence = [], ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if found and not fence:
            fence = found[1]
            kept.append(line if openings else "")
            continue
        elif fence:
            if found and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        else:
            kept.append(line)
            continue
        kept.append("")
    return "\n".join(kept)


def _links(text: str, suffix: str) -> Iterator[Link]:
    if suffix in PAGES:
        found = [("", each[1], each.start()) for each in _HREF.finditer(text)]
    elif suffix in RESTRUCTURED:
        found = [("", each[1], each.start()) for pattern in (_RST_LINK, _RST_TARGET) for each in pattern.finditer(text)]
    elif "](" in text or "]:" in text:
        found = [(each[1], each[2], each.start()) for each in _LINK.finditer(text)]
        found += [("", each[1], each.start()) for each in _REFERENCE.finditer(text)]
    else:
        found = []
    for label, href, start in found[:MAX_LINKS]:
        first, last = text.rfind("\n", 0, start) + 1, text.find("\n", start)
        yield Link(label[:200], href, text[first : last if last >= 0 else len(text)].strip()[:300])

"""Reads AsciiDoc: sections, code, tables and lists as text, attributes of the header as metadata, links as links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from docgraph.boundary.limits import MAX_HEADER_LINES, MAX_HEADER_VALUE
from docgraph.boundary.text import decode_prose, one_line
from docgraph.domain.graph import Document
from docgraph.plugins.loaders._anchors import html_anchors, links_inside
from docgraph.plugins.loaders._composing import BoundedLoader, compose
from docgraph.plugins.loaders._markdown_outline import headings_in, markdown_sections

MAX_INLINE = 4_000
"""Characters of a line in which macros are looked for; a longer one is text as it stands."""
_ATTRIBUTE = re.compile(r":(!?[A-Za-z0-9_][\w-]{0,60}!?):(?:[ \t]+(.*))?")
_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)")
_ANCHOR_LINE = re.compile(r"\[\[([^\[\],]{1,200})(?:,[^\[\]]{0,300})?\]\]")
_BLOCK_LINE = re.compile(r"\[([^\[\]]{0,500})\]")
_BLOCK_ID = re.compile(r"#([\w.:-]{1,200})|(?:^|,)[ \t]*id=[\"']?([\w.:-]{1,200})")
_DELIMITER = re.compile(r"(-{4,}|\.{4,}|\+{4,}|/{4,}|={4,}|\*{4,}|_{4,}|--|`{3,}.*|[|,:!]={3,})[ \t]*")
_TITLE = re.compile(r"\.(?![.\s])(\S.*)")
_LIST = re.compile(r"[ \t]*(\*{1,5}|\.{1,5}|-|\d{1,4}\.)[ \t]+(?=\S)")
_TERM = re.compile(r"[ \t]*(\S.{0,500}?)(?:::{1,3}|;;)(?:[ \t]+(.*))?")
_CONDITION = re.compile(r"(?:ifdef|ifndef|ifeval|endif)::.*")
_INCLUDE = re.compile(r"include::([^\[\]\s]{1,500})\[[^\]]{0,500}\]")
_BLOCK_MACRO = re.compile(r"(?:image|video|audio|toc)::[^\[\]]{0,500}\[([^\[\]]{0,500})\]")
_REFERENCE = re.compile(r"(?<!\\)\{([A-Za-z0-9_][\w-]{0,60})\}")
_INLINE = re.compile(
    r"(?P<code>(?<!\w)`(?=\S)[^`]{1,1000}(?<=\S)`(?!\w)|``[^`]{1,1000}``)|(?P<tick>`)"
    r"|xref:(?P<xref>[^\s\[\]]{1,200})\[(?P<xref_text>[^\[\]]{0,500})\]"
    r"|<<(?P<cross>[^<>,]{1,300})(?:,(?P<cross_text>[^<>]{0,300}))?>>"
    r"|(?:link:(?P<link>[^\s\[\]]{1,500})|(?P<url>(?:https?|ftp|irc|mailto):[^\s\[\]<>]{1,500}))\[(?P<text>[^\[\]]{0,500})\]"
    r"|\[\[(?P<place>[^\[\],]{1,200})(?:,[^\[\]]{0,300})?\]\]"
    r"|anchor:(?P<anchor>[\w.:-]{1,200})\[[^\[\]]{0,300}\]"
    r"|image:[^\s\[\]]{1,500}\[(?P<image>[^\[\]]{0,500})\]"
    r"|(?:kbd|btn|menu|pass|icon|footnote|stem):[^\s\[\]]{0,200}\[(?P<said>[^\[\]]{0,500})\]"
)
_WORDS = re.compile(r"[^\W_]+")
_TICKS = 3
_RAW = frozenset("-.+/`")
"""Delimiters of blocks whose lines are no text of AsciiDoc."""


@dataclass
class Converted:
    """A text as Markdown, the attributes of its header, and (line from 0, id) of its places."""

    text: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    places: list[tuple[int, str]] = field(default_factory=list)


def as_markdown(text: str, *, in_module: bool = False) -> Converted:
    """The text with a line for every line of its own, so that lines keep their numbers.

    ``in_module`` = it is a page of an Antora module, where ``xref:`` names pages by module; elsewhere it is a path.
    """
    found = Converted()
    writer = _Writer(found, in_module)
    found.text = "\n".join(writer.line(number, line) for number, line in enumerate(text.split("\n")))
    return found


class _Writer:
    """Where the lines stand: in the header, in blocks of which kind, behind which attributes."""

    def __init__(self, found: Converted, in_module: bool) -> None:
        self._found = found
        self._xref = "xref:" if in_module else ""
        self._attributes: dict[str, str] = {}
        self._in_header = True
        self._raw = ""
        self._open: list[str] = []
        self._language = ""

    def line(self, number: int, line: str) -> str:
        """One line of Markdown."""
        line = line.rstrip()
        if self._raw:
            return self._in_raw(line)
        if line.startswith("//") and not line.startswith("////"):
            return ""
        if found := _ATTRIBUTE.fullmatch(line):
            return self._attribute(found[1], found[2] or "", number)
        if found := _HEADING.fullmatch(line):
            return self._heading(number, len(found[1]), found[2])
        if self._in_header and self._is_header(line):
            return ""
        if not line.strip() or line.strip() == "+" or _CONDITION.fullmatch(line):
            return ""
        if found := _DELIMITER.fullmatch(line):
            return self._delimiter(found[1])
        return self._text(number, line)

    def _is_header(self, line: str) -> bool:
        """Author and revision stand right under the title; an empty line ends the header."""
        if not line:
            self._in_header = not self._found.fields.get("title")
            return True
        return bool(self._found.fields.get("title"))

    def _attribute(self, name: str, value: str, number: int) -> str:
        key = name.strip("!").lower()
        if "!" in name:
            self._attributes.pop(key, None)
            return ""
        self._attributes[key] = value.strip()[:MAX_HEADER_VALUE]
        if self._in_header and number < MAX_HEADER_LINES and value.strip():
            self._found.fields.setdefault(key.replace("-", "_"), one_line(self._replaced(value), MAX_HEADER_VALUE))
        return ""

    def _heading(self, number: int, level: int, title: str) -> str:
        title = self._inline(number, title)
        if level == 1 and self._in_header and "title" not in self._found.fields:
            self._found.fields["title"] = one_line(title, MAX_HEADER_VALUE)
            return f"# {title}"
        self._in_header = False
        words = _WORDS.findall(title.casefold())
        # Asciidoctor makes ``_like_this`` of a title, Antora's sites ``like-this``.
        self._found.places += [(number, f"_{'_'.join(words)}"), (number, "-".join(words))]
        return f"{'#' * level} {title}"

    def _delimiter(self, mark: str) -> str:
        kind = mark[0]
        if kind in _RAW and mark != "--":
            self._raw = mark
            language, self._language = self._language, ""
            if kind == "`":
                return mark
            return f"```{language}" if self._is_shown else ""
        if mark in self._open:
            del self._open[self._open.index(mark) :]
        else:
            self._open.append(mark)
        return ""

    def _in_raw(self, line: str) -> str:
        is_end = line == self._raw or (self._raw[0] == "`" and not line.strip("`") and len(line) >= _TICKS)
        if is_end:
            fence, self._raw = "```" if self._is_shown else "", ""
            return fence
        if not self._is_shown:
            return ""
        return line.replace("```", "'''") if line.lstrip().startswith("```") else line

    @property
    def _is_shown(self) -> bool:
        """Whether the block of raw lines is code; what it passes through, and comments, are left out."""
        return self._raw[0] not in "+/"

    def _text(self, number: int, line: str) -> str:
        self._in_header = False
        if found := _ANCHOR_LINE.fullmatch(line):
            self._found.places.append((number, found[1]))
            return ""
        if (found := _BLOCK_LINE.fullmatch(line)) and not line.startswith("[ "):
            return self._block_attributes(number, found[1])
        if found := _INCLUDE.fullmatch(line):
            return f"[{found[1]}](<{found[1]}>)"
        if found := _BLOCK_MACRO.fullmatch(line):
            return found[1].split(",")[0].strip().strip('"')
        if found := _TITLE.fullmatch(line):
            return f"**{self._inline(number, found[1])}**"
        lead = ""
        if found := _LIST.match(line):
            mark = found[1]
            depth = len(mark) - 1 if mark[0] in "*." else 0
            lead, line = f"{'  ' * depth}{'1.' if mark[0] in '.0123456789' else '-'} ", line[found.end() :]
        elif (found := _TERM.fullmatch(line)) and "::" not in found[1]:
            line = f"**{found[1]}** {found[2] or ''}".rstrip()
        elif line[0] == "|" and any(each[1:] == "===" for each in self._open):
            line = " ".join(line.replace("|", " | ").split()).removeprefix("| ")
        if line.endswith(" +"):
            line = line[:-2]
        quotes = "> " * sum(each[0] == "_" for each in self._open)
        return f"{quotes}{lead}{self._inline(number, line)}"

    def _block_attributes(self, number: int, written: str) -> str:
        for one, other in _BLOCK_ID.findall(written):
            self._found.places.append((number, one or other))
        kind, *more = [each.strip().strip('"') for each in written.split(",")]
        if kind in ("source", "listing", ""):
            language = next((each for each in more if each and "=" not in each and "%" not in each), "")
            self._language = language if re.fullmatch(r"[\w+#-]{1,30}", language) else ""
        return ""

    def _inline(self, number: int, line: str) -> str:
        if len(line) > MAX_INLINE:
            return line
        return _INLINE.sub(lambda found: self._macro(number, found), self._replaced(line))

    def _replaced(self, line: str) -> str:
        """With the values of attributes that the text itself sets; each once, never what a value names again."""
        return _REFERENCE.sub(lambda found: self._attributes.get(found[1].lower(), found[0]), line)[: MAX_INLINE * 2]

    def _macro(self, number: int, found: re.Match[str]) -> str:
        if found["code"]:
            return found["code"]
        if found["tick"]:
            return "\\`"  # it opens no code here, and shall open none in Markdown
        if place := found["place"] or found["anchor"]:
            self._found.places.append((number, place))
            return ""
        if target := found["xref"]:
            return _link(found["xref_text"], target if target.startswith("#") else f"{self._xref}{target}", target)
        if target := found["cross"]:
            target = target.strip()
            inside = "#" not in target and not target.endswith((".adoc", ".asciidoc"))
            return _link(found["cross_text"], f"#{target.lstrip('#')}" if inside else target, target)
        if target := found["link"] or found["url"]:
            return _link(found["text"], target, target)
        said = found["image"] if found["image"] is not None else found["said"]
        return (said or "").split(",")[0]


def _link(text: str | None, target: str, otherwise: str) -> str:
    said = (text or "").split(",window=")[0].split(",role=")[0].strip().rstrip("^").strip('"')
    said = said.replace("`", "") if said.count("`") % 2 else said
    where = f"<{target}>" if any(each in target for each in " ()") else target
    return f"[{said or otherwise}]({where})"


class AsciiDocLoader(BoundedLoader):
    """One document per file; nothing is included from other files: ``include::x[]`` is a link to ``x``.

    Attributes of the header are metadata, with ``_`` for ``-``; ids of sections, those that Asciidoctor and Antora make
    of titles too, are places that links lead to.
    """

    name = "asciidoc"
    suffixes: tuple[str, ...] = (".adoc", ".asciidoc")

    def load(self, data: bytes, *, source: str) -> Iterator[Document]:
        """The one document. Raises ValueError with a one-line reason."""
        text = decode_prose(data, max_bytes=self._max_bytes, max_line=self._max_line)
        found = as_markdown(text, in_module="/modules/" in f"/{source}")
        body = found.text
        if not body.strip():
            raise ValueError("the file has no text: only attributes and comments")
        heading, sections = markdown_sections(body)
        lines = body.split("\n")
        yield compose(
            source,
            text=body,
            sections=sections,
            title=heading,
            metadata=found.fields,
            anchors=html_anchors(lines, headings_in(body), found.places),
            links_inside=links_inside(body),
        )


build = AsciiDocLoader

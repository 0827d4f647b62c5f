"""Finds references and labels in reStructuredText as Sphinx reads it; code, comments and literals are passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from docgraph.boundary.imports.markup.references import Markup, Reference, Scan, entries_of, target_of
from docgraph.boundary.limits import MAX_LINKS, MAX_OUTLINE_CHARACTERS

_EXPLICIT = re.compile(r"([ \t]*(?:[-*+][ \t]+)?)\.\.(?:[ \t]+(.*))?")
_DIRECTIVE = re.compile(r"(?:\|[^|]{1,100}\|[ \t]+)?([A-Za-z][\w:+.-]{0,80})[ \t]?::(?:[ \t]+(.*))?")
_TARGET = re.compile(r"_(?:`([^`]{1,300})`|((?:[^:`\\]|\\.|:(?=\S)){1,300})):(?:[ \t]+(\S.*))?")
_ANONYMOUS = re.compile(r"[ \t]*(?:\.\. __:|__)[ \t]+(\S{1,500})")
_OPTION = re.compile(r"[ \t]+:([\w-]{1,60}):(?:[ \t]+(.*))?")
_BULLET = re.compile(r"[ \t]*(?:[-*+•]|(?:\d{1,6}|[A-Za-z#])[.)]|\((?:\d{1,6}|[A-Za-z#])\))[ \t]+")
_RULE = re.compile(r"([^\w\s])\1{2,}[ \t]*")
_INDIRECT = re.compile(r"`?[^`<>]{1,300}`?_")
_INLINE = re.compile(
    r"``(?:[^`]|`(?!`)){0,1000}``"
    r"|(?<![\w`:]):((?:[A-Za-z][\w+.-]{0,40}:){0,3}[A-Za-z][\w+.-]{0,40}):`([^`]{1,1000})`"
    r"|(?<![\w`])_`([^`]{1,300})`"
    r"|(?<![\w`:])`[^`<>]{0,500}<([^`<>]{1,500})>`__?"
)
LITERAL = frozenset(
    (
        "code",
        "code-block",
        "sourcecode",
        "literalinclude",
        "highlight",
        "raw",
        "math",
        "graphviz",
        "digraph",
        "graph",
        "inheritance-diagram",
        "mermaid",
        "uml",
        "needuml",
        "doctest",
        "testcode",
        "testoutput",
        "testsetup",
        "testcleanup",
        "prompt",
        "console",
        "parsed-literal",
        "productionlist",
        "ipython",
        "jupyter-execute",
        "plot",
        "command-output",
        "program-output",
        "prolog",
        "tikz",
        "drawio",
    )
)
"""Directives whose content is no text."""
_BESIDE = frozenset(("index", "meta", "only", "rst-class", "role", "highlight", "currentmodule", "default-role"))
"""Directives that may stand between a label and the title that it is of."""
INCLUDES = frozenset(("include", "literalinclude"))
_LINK_OPTIONS = frozenset(("links", "parent_needs", "parent_need"))


@lru_cache(maxsize=8)
def restructured(text: str) -> Markup:
    """What ``text`` refers to and what it defines, up to 2,000,000 characters and 20,000 references."""
    return _Scan(text[:MAX_OUTLINE_CHARACTERS]).run()


class _Scan(Scan):
    """One pass over the lines; prose is gathered in stretches, because a role may go over a line's end."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._glossary_end = 0

    def _line(self, at: int) -> int:
        """Read one line, and what belongs to it; the number of the next one."""
        line = self._lines[at]
        if not line.strip():
            self._flush(self._starts[at])
            return at + 1
        explicit = _EXPLICIT.fullmatch(line)
        if explicit and (len(line.rstrip()) == len(explicit[1]) + 2 or line[len(explicit[1]) + 2] in " \t"):
            self._flush(self._starts[at])
            return self._marked(at, len(explicit[1]), (explicit[2] or "").rstrip())
        if anonymous := _ANONYMOUS.fullmatch(line.rstrip()):
            self._refer("link", anonymous[1], at)
            return at + 1
        if self._is_title(at):
            return self._title(at)
        if _RULE.fullmatch(line) and self._prose < 0:
            return at + 1
        if self._prose < 0:
            self._prose = self._starts[at]
        if not line[0].isspace():
            self._settle()
        if line.rstrip().endswith("::"):
            self._flush(self._starts[at] + len(line))
            return self._after(at, _text_indent(line))
        return at + 1

    # ------------------------------------------------------------ sections

    def _is_title(self, at: int) -> bool:
        under = self._lines[at + 1] if at + 1 < len(self._lines) else ""
        line = self._lines[at]
        fits = not _RULE.fullmatch(line) and bool(_RULE.fullmatch(under))
        return fits and self._prose < 0 and (not line[0].isspace() or bool(at and _RULE.fullmatch(self._lines[at - 1])))

    def _title(self, at: int) -> int:
        self._section = " ".join(_INLINE.sub(_words, self._lines[at]).split())
        for label in self._waiting:
            self.markup.label(label, self._section)
        self._waiting.clear()
        self._inline(self._starts[at], self._starts[at] + len(self._lines[at]))
        return at + 2

    # ------------------------------------------------------------ explicit markup

    def _marked(self, at: int, indent: int, said: str) -> int:
        if target := _TARGET.fullmatch(said):
            return self._target(at, target)
        if said.startswith("__:"):
            self._refer("link", said[3:].strip(), at)
            return at + 1
        if directive := _DIRECTIVE.fullmatch(said):
            return self._directive(at, indent, directive[1].casefold(), directive[2] or "")
        if said.startswith("["):  # a footnote: text
            self._prose = self._starts[at]
            return at + 1
        return self._after(at, indent)

    def _target(self, at: int, target: re.Match[str]) -> int:
        name, where = (target[1] or target[2]).replace("\\", ""), target[3] or ""
        if where and not _INDIRECT.fullmatch(where.strip()):
            self._refer("link", where.strip().strip("`<>_"), at)
        elif where:
            self.markup.label(name, self._section)
        else:
            self._waiting.append(name)
        return at + 1

    def _directive(self, at: int, indent: int, name: str, argument: str) -> int:
        short = name.rpartition(":")[2] if name.startswith(("std:", "rst:")) else name
        if short not in _BESIDE:
            self._settle()
        end = self._options(at, short)
        if short == "toctree":
            return self._toctree(at, indent)
        if short in INCLUDES and argument:
            self._refer(short, argument.strip(), at)
        if short in LITERAL:
            return self._after(at, indent)
        if short == "glossary":
            return self._glossary(end, indent)
        self._inline(self._starts[at], self._starts[at] + len(self._lines[at]))
        return end

    def _options(self, at: int, name: str) -> int:
        """Read the options below a directive; the number of the line behind them."""
        options: dict[str, tuple[str, int]] = {}
        end = at + 1
        while end < len(self._lines) and (option := _OPTION.fullmatch(self._lines[end])):
            options[option[1]] = ((option[2] or "").strip(), end)
            end += 1
        for label in filter(None, (options.get("name", ("", 0))[0], options.get("label", ("", 0))[0])):
            self.markup.label(label, self._section)
        if "id" in options and name not in LITERAL and name != "toctree":
            self.markup.need(options["id"][0])
            self._need_links(options)
        return end

    def _need_links(self, options: dict[str, tuple[str, int]]) -> None:
        """Options of a need that name others; whether a name of another option is a need is for the reader to say."""
        for option, (value, line) in options.items():
            if option in ("id", "tags", "status", "style", "layout", "collapse", "hide", "class"):
                continue
            for each in re.split(r"[;,]", value[:5_000]):
                kind = "need_links" if option in _LINK_OPTIONS else f"need:{option}"
                if each.strip() and " " not in each.strip():
                    self._refer(kind, each.strip(), line)

    def _toctree(self, at: int, indent: int) -> int:
        end = self._after(at, indent)
        block = [(self._lines[n], self._starts[n]) for n in range(at + 1, end)]
        glob = any((found := _OPTION.fullmatch(line)) and found[1] == "glob" for line, _ in block)
        self._add(*entries_of(iter(block), glob=glob))
        return end

    def _glossary(self, at: int, indent: int) -> int:
        """Terms are the lines of the least indent inside; what stands below them is read as text."""
        within, place = None, at
        if at < self._glossary_end:  # one inside another: read already
            return at
        while place < len(self._lines):
            line = self._lines[place]
            depth = _indent(line)
            if line.strip() and depth <= indent:
                break
            within = depth if within is None and line.strip() else within
            if line.strip() and depth == within and not line.lstrip().startswith(".."):
                self.markup.term(line.split(" : ")[0])
            place += 1
        self._glossary_end = place
        return at

    def _after(self, at: int, indent: int) -> int:
        """The number of the first line behind the block that is indented more than ``indent``."""
        at += 1
        while at < len(self._lines) and (not self._lines[at].strip() or _indent(self._lines[at]) > indent):
            at += 1
        return at

    # ------------------------------------------------------------ text

    def _inline(self, start: int, end: int) -> None:
        for found in _INLINE.finditer(self._text, start, end):
            if found[1]:
                if name := target_of(found[2]):
                    self._add(Reference(found[1].casefold(), name, found.start(), found.end()))
            elif found[3]:
                self.markup.label(found[3], self._section)
            elif found[4] and not found[4].endswith("_"):
                self._add(Reference("link", "".join(found[4].split()), found.start(), found.end()))

    def _refer(self, kind: str, target: str, at: int) -> None:
        start = self._starts[at]
        self._add(Reference(kind, target, start, start + len(self._lines[at])))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _text_indent(line: str) -> int:
    bullet = _BULLET.match(line)
    return bullet.end() if bullet else _indent(line)


def _words(found: re.Match[str]) -> str:
    """A mark in a title as it is read: ``:ref:`pump <p>``` → ``pump``."""
    inside = found[2] or found[3] or found[0].strip("`_")
    return inside.partition("<")[0].strip() or inside


_LINK = re.compile(r"``(?:[^`]|`(?!`)){0,1000}``|\[LINK:[ \t]*([A-Za-z0-9][\w.:/-]{0,200})[ \t]*\]")
_BODY = re.compile(r"[ \t]*\.\.[ \t]+([A-Za-z][\w:+.-]{0,80})::")


def strict(text: str) -> Markup:
    """What a text refers to, in text order; literals and indented examples refer to nothing."""
    found = (
        Reference("strict", each[1], start + each.start(), start + each.end())
        for start, end in _prose(text)
        for each in _LINK.finditer(text[start:end])
        if each[1]
    )
    return Markup(references=list(islice(found, MAX_LINKS)))


def _prose(text: str) -> Iterator[tuple[int, int]]:
    """(begin, end) of the stretches between examples: lines that are indented, but for bodies of notes and the like."""
    begin = place = 0
    body: int | None = None  # how far the directive is indented whose body may come
    for line in text.splitlines(keepends=True):
        indent = len(line) - len(line.lstrip(" \t"))
        if line.strip():
            if body is not None and indent <= body:
                body = None
            if opened := _BODY.match(line):
                body = None if opened[1] in LITERAL else indent
            if (indent >= 4 or line.startswith("\t")) and body is None:
                if begin < place:
                    yield begin, place
                begin = place + len(line)
        place += len(line)
    if begin < place:
        yield begin, place

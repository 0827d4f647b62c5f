"""Finds references and labels in MyST Markdown: roles, directives in fences, ``(label)=``, ``[](#label)``."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from docgraph.boundary.imports.markup.references import Markup, Reference, Scan, entries_of, target_of
from docgraph.boundary.imports.markup.restructured import INCLUDES, LITERAL, restructured
from docgraph.boundary.limits import MAX_OUTLINE_CHARACTERS

_SIGNS = re.compile(
    r"\{[A-Za-z][\w:+.-]{0,80}\}|^\([^()\n]{1,300}\)=[ \t]*$|\]\((?:#|project:)|<project:|<#", re.MULTILINE
)
_FENCE = re.compile(r"([ \t]*(?:>[ \t]?)*)(`{3,}|~{3,}|:{3,})[ \t]*(?:\{([A-Za-z][\w:+.-]{0,80})\})?[ \t]*([^`\n]*)")
_LABEL = re.compile(r"[ \t]{0,3}\(([^()\n]{1,300})\)=[ \t]*")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.{1,300}?)[ \t#]*")
_CELLS = frozenset(("bash", "c", "cpp", "css", "dot", "html", "js", "julia", "node", "ojs", "perl", "python", "r"))
"""Languages of cells that other tools run (``{r}``): code, not text."""
_OPTION = re.compile(r"[ \t>]*:?([\w-]{1,60}):(?:[ \t]+(.*))?")
_INLINE = re.compile(
    r"\{([A-Za-z][\w:+.-]{0,80})\}(`{1,3})([^`]{1,1000})\2(?!`)"
    r"|(`{1,5})(?!`)(?:[^`]|`(?!\4)){0,1000}?\4(?!`)"
    r"|\]\((?:project:)?#([^()\s]{1,300})\)"
    r"|<(?:project:)?#([^<>\s]{1,300})>"
    r"|(?:\]\(|<)project:([^()<>\s#]{1,500})(?:#[^()<>\s]{0,300})?[)>]"
)


@lru_cache(maxsize=8)
def myst(text: str) -> Markup:
    """What ``text`` refers to and what it defines, up to 2,000,000 characters; nothing for Markdown that is no MyST."""
    text = text[:MAX_OUTLINE_CHARACTERS]
    if not _SIGNS.search(text):
        return Markup()
    return _Scan(text).run()


class _Scan(Scan):
    """One pass over the lines; a directive's content is read as text, code is passed over."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._open: list[str] = []

    def _line(self, at: int) -> int:
        line = self._lines[at]
        if fence := _FENCE.fullmatch(line):
            self._flush(self._starts[at])
            return self._fenced(at, fence)
        if not line.strip():
            self._flush(self._starts[at])
        elif label := _LABEL.fullmatch(line):
            self._flush(self._starts[at])
            self._waiting.append(label[1])
        elif heading := _HEADING.fullmatch(line):
            self._flush(self._starts[at])
            self._heading(heading[1], at)
        else:
            self._prose = self._starts[at] if self._prose < 0 else self._prose
            self._settle()
        return at + 1

    def _heading(self, title: str, at: int) -> None:
        self._section = " ".join(title.split())
        for label in self._waiting:
            self.markup.label(label, self._section)
        self._waiting.clear()
        self._inline(self._starts[at], self._starts[at] + len(self._lines[at]))

    # ------------------------------------------------------------ directives

    def _fenced(self, at: int, fence: re.Match[str]) -> int:
        """What a fence holds; the number of the next line that is to be read."""
        name = (fence[3] or "").casefold().removeprefix("std:")
        if not name and self._closes(fence):
            self._open.pop()
            return at + 1
        if not name:
            return at + 1 if fence[2][0] == ":" else self._end(at, fence)
        self._settle()
        body, options = self._options(at + 1, name)
        argument = fence[4].strip()
        if name == "toctree":
            end = self._end(at, fence)
            block = ((self._lines[n], self._starts[n]) for n in range(body, end - 1))
            self._add(*entries_of(block, glob="glob" in options))
            return end
        if name in INCLUDES and argument:
            self._add(Reference(name, argument, self._starts[at], self._starts[at] + len(self._lines[at])))
        if name == "eval-rst":
            return self._restructured(body, self._end(at, fence))
        if name in LITERAL or name in _CELLS or name.startswith("code"):
            return self._end(at, fence)
        if name == "glossary":
            return self._glossary(body, self._end(at, fence))
        self._inline(self._starts[at], self._starts[at] + len(self._lines[at]))
        self._open.append(fence[2])
        return body

    def _closes(self, fence: re.Match[str]) -> bool:
        """Whether a fence ends the innermost directive whose content is read."""
        mark = self._open[-1] if self._open else " "
        return not fence[4].strip() and fence[2].startswith(mark)

    def _options(self, at: int, name: str) -> tuple[int, dict[str, str]]:
        """(the first line behind a directive's options, the options): ``:name: x``, or YAML between two ``---``."""
        options: dict[str, str] = {}
        fenced = at < len(self._lines) and self._lines[at].strip() == "---"
        at += fenced
        while at < len(self._lines) and (option := _OPTION.fullmatch(self._lines[at])):
            if not fenced and not self._lines[at].lstrip(" \t>").startswith(":"):
                break
            options[option[1]] = (option[2] or "").strip()
            at += 1
        at += fenced and at < len(self._lines) and self._lines[at].strip() == "---"
        for label in filter(None, (options.get("name"), options.get("label"))):
            self.markup.label(label, self._section)
        if options.get("id") and name not in LITERAL and name != "toctree":
            self.markup.need(options["id"])
        return at, options

    def _end(self, at: int, fence: re.Match[str]) -> int:
        """The number of the line behind the one that closes a fence; a fence that is not closed goes to the end."""
        mark = fence[2]
        for n in range(at + 1, len(self._lines)):
            inside = self._lines[n].strip(" \t>")
            if len(inside) >= len(mark) and not inside.strip(mark[0]):
                return n + 1
        return len(self._lines)

    def _restructured(self, start: int, end: int) -> int:
        begin = self._starts[start] if start < len(self._lines) else len(self._text)
        last = max(start, end - 1)
        found = restructured(self._text[begin : self._starts[last] if last < len(self._lines) else len(self._text)])
        self._add(*(replace(each, start=each.start + begin, end=each.end + begin) for each in found.references))
        for name, section in found.labels.items():
            self.markup.label(name, section or self._section)
        for term in found.terms:
            self.markup.term(term)
        return end

    def _glossary(self, start: int, end: int) -> int:
        """Terms are the lines without an indent inside; what stands below them is text."""
        last = max(start, end - 1)
        if start < last < len(self._lines):
            self._inline(self._starts[start], self._starts[last])
        for line in self._lines[start : max(start, end - 1)]:
            if line.strip() and not line[0].isspace() and not line.startswith((":", "%")):
                self.markup.term(line.split(" : ")[0])
        return end

    # ------------------------------------------------------------ text

    def _inline(self, start: int, end: int) -> None:
        for found in _INLINE.finditer(self._text, start, end):
            if found[1]:
                kind, name = found[1].casefold(), target_of(found[3])
            elif found[7]:
                kind, name = "doc", found[7]
            else:
                kind, name = "anchor", found[5] or found[6] or ""
            if name and not found[4]:
                self._add(Reference(kind, name, found.start(), found.end()))

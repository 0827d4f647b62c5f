"""MkDocs with Material: what stands indented under ``!!!``, ``???``, ``===`` and ``:::`` is text, no code."""

from __future__ import annotations

import re

from docgraph.ports import Dialect

_MARKER = re.compile(r"([ \t]*)(?:(?:!!!|\?\?\?\+?)[ \t]+[\w-]|===[!+]?[ \t]+[\"']|:::[ \t]*[\w.])")
_MARKED = re.compile(
    r"^[ \t]*(?:(?:!!!|\?\?\?\+?)[ \t]+[\w-]|===[!+]?[ \t]+[\"']|-{1,5}8<-{1,5}[ \t]+[\"'])", re.MULTILINE
)
_SIGNS = ("!!!", "???", "===", ":::")
_SNIPPET = re.compile(r";?-{1,5}8<-{1,5}[ \t]+[\"']([^\"'\n]{1,500})[\"']")
_INCLUDE = re.compile(r"\{![ \t]*([^!\n]{1,500}?)[ \t]*!\}|\{%[ \t]*include-markdown[ \t]+[\"']([^\"'\n]{1,500})[\"']")
_PART = re.compile(r":(?:-?\d{0,6}(?::-?\d{0,6}){0,2}|[\w-]{1,60})$")
_BASE = re.compile(r"\{\{[ \t]*(?:base_url|config\.site_url)[ \t]*\}\}/?")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_STEP = 4
"""Columns by which Python-Markdown indents what belongs to a block."""


class MkDocs(Dialect):
    """Admonitions, details, tabs, blocks of plug-ins; snippets are links to what they take in."""

    name = "mkdocs"
    title = "MkDocs"
    signs = ("mkdocs.yml", "mkdocs.yaml")
    suffixes = (".md", ".markdown")

    def marks(self, text: str, source: str) -> bool:
        """Whether an admonition, a tab or a snippet stands in the text."""
        return (any(sign in text for sign in _SIGNS) or "8<-" in text) and bool(_MARKED.search(text))

    def target(self, written: str, source: str) -> str | None:
        """The file that a snippet or an include takes in, without the lines of it that are meant."""
        if found := _SNIPPET.fullmatch(written):
            return None if "://" in found[1] else _PART.sub("", found[1]) or None
        if found := _INCLUDE.match(written):
            return (found[1] or found[2]).strip() or None
        if found := _BASE.match(written):
            return f"/{written[found.end() :]}"
        return None

    def unfolded(self, text: str, source: str) -> str:
        """What stands indented under a marker, moved to the left by as much as it is indented for that."""
        if not any(sign in text for sign in _SIGNS) or not source.lower().endswith(self.suffixes):
            return text
        lines = text.split("\n")
        marks: list[int] = []  # columns of the markers that the line stands under
        fence = ""
        for number, line in enumerate(lines):
            bare = line.expandtabs(_STEP)
            indent = len(bare) - len(bare.lstrip(" "))
            if not bare.strip():
                continue
            while marks and indent < marks[-1] + _STEP:
                marks.pop()
                fence = ""
            if not fence and (found := _MARKER.match(line)):
                column = len(found[1].expandtabs(_STEP))
                lines[number] = " " * max(column - _STEP * len(marks), 0) + bare.lstrip(" ")
                marks.append(column)
                continue
            if marks:
                lines[number] = bare[_STEP * len(marks) :]
            mark = _FENCE.match(line)
            if mark and not fence:
                fence = mark[1]
            elif mark and fence and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        return "\n".join(lines)


build = MkDocs

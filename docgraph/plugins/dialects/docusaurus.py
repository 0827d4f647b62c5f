"""Docusaurus and other sites of MDX: components in Markdown, numbers before names, addresses of the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from docgraph.plugins._code import blanked, code_in, with_spaces
from docgraph.plugins._tags import ANY_TAG, tag_at
from docgraph.ports import Dialect

MAX_STATEMENT = 300
"""Lines of one ``export`` with empty lines in it."""
_COMMENT = re.compile(r"\{/\*.*?\*/\}", re.DOTALL)
_STATEMENT = re.compile(r"(?:import[\s{*\"']|export[\s{*])")
_IMPORT = re.compile(r"import\s+(?:[\w$*{}\s,]{1,500}\s+from\s+)?[\"'][^\"'\n]{1,300}[\"']\s*;?\s*")
_MARKED = re.compile(
    r"^import\s[^\n]{0,300}[\"'](?:@(?:theme|site|docusaurus)/|[^\n\"']{1,300}\.mdx?[\"'])", re.MULTILINE
)
_ADMONITION = re.compile(r"^:::(?:note|tip|info|caution|danger|warning)\b", re.MULTILINE)
_NUMBERED = re.compile(r"(\d{1,6})\s{0,3}[-_.]{1,3}\s{0,3}([^\W\d_].*)")
_PAGE = re.compile(r"(.*?)\.(?:mdx?|markdown)")


class Docusaurus(Dialect):
    """``import`` and ``export`` and tags are no text, ``01-intro.md`` is ``intro``, ``@site/docs/x`` is ``/docs/x``."""

    name = "docusaurus"
    title = "Docusaurus"
    signs = (
        *("docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs", "docusaurus.config.cjs"),
        *("sidebars.js", "sidebars.ts"),
    )
    suffixes = (".md", ".mdx")

    def marks(self, text: str, source: str) -> bool:
        """Whether it is MDX, or takes in a part of the site's theme."""
        return source.lower().endswith(".mdx") or bool(_MARKED.search(text) or _ADMONITION.search(text))

    def names(self, source: str) -> Iterator[str]:
        """Its address without the numbers before its name and those of its folders, also below ``docs/``."""
        found = _PAGE.fullmatch(source.replace("\\", "/"))
        if found is None:
            return
        folder, name = posixpath.split(found[1])
        bare = [_without_number(part) for part in (*folder.split("/"), name) if part]
        paths = ["/".join(bare)] if bare != [*filter(None, folder.split("/")), name] else []
        if paths and folder and bare[-1] != name:
            paths.append(f"{folder}/{bare[-1]}")
        yield from (f"/{path}" for path in paths)
        if not source.startswith("docs/"):
            yield from (f"/docs/{path}" for path in (found[1], *paths))

    def target(self, written: str, source: str) -> str | None:
        """``@site/docs/x.md`` is a path from the top."""
        return f"/{written.removeprefix('@site/')}" if written.startswith("@site/") else None

    def readable(self, text: str, source: str) -> str:
        """Without imports and exports; in MDX also without comments and tags that lead nowhere."""
        if not source.lower().endswith((".mdx", ".md", ".mdc")):
            return text
        is_mdx = source.lower().endswith(".mdx")
        text = _without_statements(text, source, is_mdx) if "import" in text or "export" in text else text
        if not is_mdx:
            return text
        text = blanked(text, _COMMENT, source) if "{/*" in text else text
        return _without_tags(text, source) if "<" in text else text

    def is_plain_around_tags(self, source: str) -> bool:
        """In MDX neither a tag nor four spaces make a block of their own."""
        return source.lower().endswith(".mdx")


def _without_number(name: str) -> str:
    found = _NUMBERED.fullmatch(name)
    return found[2] if found else name


def _without_tags(text: str, source: str) -> str:
    """The text with spaces for tags; those that are links stay."""
    code = code_in(text, source)
    spans: list[tuple[int, int]] = []
    at = place = 0
    while (place := text.find("<", place)) >= 0:
        while at < len(code) and code[at][1] <= place:
            at += 1
        if at < len(code) and code[at][0] <= place:
            place = code[at][1]
            continue
        found = ANY_TAG.match(text, place, place + 4_000)
        if found is None:
            place += 1
            continue
        if tag_at(text, place) is None:
            spans.append(found.span())
        place = found.end()
    return with_spaces(text, spans)


def _without_statements(text: str, source: str, is_mdx: bool) -> str:
    """The text with spaces for ``import`` and ``export``, each at the beginning of a paragraph outside code."""
    lines = text.split("\n")
    code: set[int] | None = None  # looked for with the first line that may be a statement: most pages have none
    number, fresh = 0, True
    while number < len(lines):
        line = lines[number]
        may_be = fresh and _STATEMENT.match(line) and (is_mdx or _IMPORT.fullmatch(line))
        if may_be and code is None:
            code = _lines_of_code(text, source)
        if may_be and number not in (code or ()):
            end = _end_of_statement(lines, number) if is_mdx else number + 1
            lines[number:end] = [" " * len(each) for each in lines[number:end]]
            number = end
        else:
            fresh = not line.strip()
            number += 1
    return "\n".join(lines)


def _end_of_statement(lines: list[str], start: int) -> int:
    """The line behind a statement: an empty one, where no bracket is open."""
    open_ones, first_gap = 0, 0
    for number in range(start, min(start + MAX_STATEMENT, len(lines))):
        line = lines[number]
        if not line.strip():
            first_gap = first_gap or number
            if open_ones <= 0:
                return number
        open_ones += sum(line.count(bracket) for bracket in "({[") - sum(line.count(bracket) for bracket in ")}]")
    whole = min(start + MAX_STATEMENT, len(lines))
    return whole if open_ones <= 0 and whole == len(lines) else first_gap or start + 1


def _lines_of_code(text: str, source: str) -> set[int]:
    spans = code_in(text, source) if "`" in text or "~~~" in text else []
    return {
        line
        for start, end in spans
        for line in range(text.count("\n", 0, start), text.count("\n", 0, max(start, end - 1)) + 1)
    }


build = Docusaurus

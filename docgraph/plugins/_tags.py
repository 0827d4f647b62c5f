"""Finds links in tags: ``<a href="page.md">`` in HTML, ``<Link to="/page">`` and ``href={'/page'}`` in components."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

MAX_TAG = 2_000
MAX_TAGS = 20_000
"""Tags of one block of HTML that are looked at."""
_TEMPLATE = r"\{\{[^{}\n]{0,500}\}\}|\{%[^%\n]{0,500}%\}"
_QUOTED = rf"\"(?:{_TEMPLATE}|[^\"])*+\"|'(?:{_TEMPLATE}|[^'])*+'"
_BRACES = r"\{(?:[^{}]|\{[^{}]{0,500}+\}){0,500}+\}"
_TAG = re.compile(rf"<([A-Za-z][\w.:-]{{0,60}}+)(?=[\s/])((?:{_QUOTED}|{_BRACES}|[^<>\"'])++)>")
ANY_TAG = re.compile(rf"</?(?:[A-Za-z][\w.:-]{{0,60}}+(?:(?=[\s/])(?:{_QUOTED}|{_BRACES}|[^<>\"'])++)?)?>")
_ATTRIBUTE = re.compile(rf"([^\s\"'<>/={{}}]{{1,60}}+)(?:\s{{0,50}}+=\s{{0,50}}+({_QUOTED}|{_BRACES}|[^\s\"'<>`]++))?")
_IN_BRACES = re.compile(r"\{\s{0,20}(?:useBaseUrl\(\s{0,20})?([\"'`])([^\"'`{}$\n]{1,500})\1\s{0,20}(?:\)\s{0,20})?\}")
_NO_TEXT = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|textarea|template)\b[^<>]{0,500}>.*?(?:</\1\s{0,5}>|\Z)",
    re.DOTALL | re.IGNORECASE,
)


@dataclass(frozen=True)
class TagLink:
    """A link in a tag: its address, entities read, and where the tag stands in its text."""

    href: str
    start: int
    end: int


def tag_at(text: str, start: int) -> TagLink | None:
    """The link of the tag that begins at ``start``; None for any other tag, and for none."""
    found = _TAG.match(text, start, start + MAX_TAG)
    if found is None:
        return None
    name = found[1]
    wanted = ("href",) if name in ("a", "A") else ("to", "href") if _is_component(name) else ()
    values: dict[str, str] = {}
    for attribute in _ATTRIBUTE.finditer(found[2]) if wanted else ():
        values.setdefault(attribute[1].casefold(), attribute[2] or "")
    href = next((address for each in wanted if (address := _address(values.get(each, "")))), "")
    return TagLink(href, found.start(), found.end()) if href else None


def tags_in(block: str) -> Iterator[TagLink]:
    """The links of a block of HTML in text order; comments, scripts and styles have none."""
    if "<" not in block:
        return
    plain = _NO_TEXT.sub(lambda found: " " * len(found[0]), block) if _may_hide(block) else block
    place = plain.find("<")
    for _ in range(MAX_TAGS):
        if place < 0:
            return
        link = tag_at(plain, place)
        if link is not None:
            yield link
        place = plain.find("<", place + 1 if link is None else link.end)


def _may_hide(block: str) -> bool:
    folded = block.casefold()
    return any(sign in folded for sign in ("<!--", "<script", "<style", "<textarea", "<template"))


def _is_component(name: str) -> bool:
    """Whether a tag is a part that a page was given: ``Link``, ``DocCard``, ``router-link``; HTML has none such."""
    return name[0].isupper() or "-" in name


def _address(value: str) -> str:
    if value.startswith("{") and not value.startswith(("{{", "{%")):
        found = _IN_BRACES.fullmatch(value)
        return found[2].strip() if found else ""
    if value[:1] in "\"'" and value[-1:] == value[:1]:
        value = value[1:-1]
    return " ".join(unescape(value).split())

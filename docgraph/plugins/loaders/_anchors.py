"""Finds the ids that authors give to places in a text, and the section that each of them stands in or before."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from docgraph.domain.anchors import MAX_ANCHORS, OPEN, PATH, anchor_of, slug
from docgraph.plugins.loaders._outline import Heading

Anchors = Mapping[str, tuple[str, ...]]
"""Id → heading path of its section."""

MAX_LINE = 4_000
_FENCE = re.compile(r"[ \t>]{0,40}(`{3,}|~{3,})")
_TAG = re.compile(r"<([A-Za-z][\w.-]{0,60})\s[^<>]{0,500}>")
_ID = re.compile(r"\s(id|name)\s{0,3}=\s{0,3}(?:\"([^\"]{1,200})\"|'([^']{1,200})'|([^\s\"'<>{}/]{1,200}))")
_GIVEN = re.compile(r"\{:?[ \t]{0,3}#([^\s{}]{1,200})[^{}]{0,200}\}")
_GIVEN_AS_FIELD = re.compile(r"\{:?[^{}\n]{0,100}(?<![\w-])id=[\"']?([^\s{}\"']{1,200})[^{}\n]{0,100}\}")
_SHORTCODE = re.compile(r"<!--[ \t]{1,5}[a-z]{1,20}:[a-z]{1,30}[ \t]{1,5}([A-Za-z][\w.+-]{1,200})[ \t]{1,5}-->")
"""``<!-- md:setting config.archive -->``: a comment that a build turns into a place called by the word in it."""
_TAB = re.compile(r"[ \t]{0,40}===[!+]?[ \t]{1,5}([\"'])(.{1,200})\1[ \t]*")
_ICON = re.compile(r":[\w+-]{1,80}:|[*_`]")
"""``:octicons-image-16:`` and the marks of emphasis in the label of a tab."""
TAB = "==="
"""Stands before the label of a tab, which is a place by itself and behind the name of its section."""
_BEFORE = re.compile(rf"\[\]\(\){_GIVEN.pattern}")
_MYST = re.compile(r"[ \t]{0,20}\(([^()]{1,200})\)=[ \t]*")
_NAME = re.compile(r"[ \t]{0,20}:(?:name|label):[ \t]{1,5}(\S{1,200})[ \t]*")
_BLOCK = re.compile(r"(?<![\w^\[])(\^[A-Za-z0-9-]{1,100})[ \t]*$")
_LABEL = re.compile(r"[ \t]{0,20}\.\. _(`?)([^:`]{1,200})\1:[ \t]*")
_INLINE = re.compile(r"(?<!\w)_`([^`<>]{1,200})`")
_CODE = re.compile(r"(`{1,3})[^`]{1,500}\1")
_INSIDE = re.compile(
    r"(?<!!)\[[^\[\]]{1,500}\]\((#[^()\s]{1,300})\)|(?<!!)\[\[(#[^\[\]]{1,300})\]\]"
    r"|<a\s{1,5}href\s{0,3}=\s{0,3}[\"'](#[^\"'<>\s]{1,300})[\"'](?![^<>]{0,200}>[^\w<>]{0,20}</a>)",
    re.IGNORECASE,
)
"""A link in a tag whose label is a sign alone (an icon of a list of contributors) sends nobody to a section."""
_MARKDOWN_ELSEWHERE = re.compile(
    r"--8<--|\{[{%]|^[ \t]*import\s.{1,200}\.mdx?['\"]|\{(?:include|auto[\w-]{1,30}|eval-rst|glossary)\}|@include"
    r"|^:::[ \t]\w{1,60}\.[\w.]"
)
_RST_ELSEWHERE = re.compile(
    r"[ \t]{0,20}\.\. (?:[\w-]{1,20}:)?(?:include|auto[\w-]{1,30}|currentmodule|module|function|method|class|exception"
    r"|attribute|data|macro|type|var|member|option|envvar|glossary|describe|object|confval|directive|role)::"
)


def markdown_anchors(text: str, headings: Sequence[Heading], written: str = "") -> Anchors:
    """Ids of tags, attribute lists, labels and blocks of a Markdown text; those inside code are examples.

    ``written`` = the same lines with the comments that ``text`` is without: a build makes places of some of them.
    """
    commented = _named(written.split("\n"), _in_comments) if "<!--" in written else iter(())
    if not _may_hold(text):
        return _placed([], headings, commented)
    lines = text.split("\n")
    return _placed(lines, headings, chain(_named(lines, _in_markdown), commented), within=_bare_markdown)


def rst_anchors(text: str, headings: Sequence[Heading]) -> Anchors:
    """Labels, names and inline targets of a reStructuredText."""
    lines = text.split("\n")
    return _placed(lines, headings, _named(lines, _in_rst), within=lambda line: _LABEL.sub("", line))


def html_anchors(lines: Sequence[str], headings: Sequence[Heading], named: Iterable[tuple[int, str]]) -> Anchors:
    """Ids of a page's elements, given with the line that each stands at."""
    return _placed(lines, headings, named)


def links_inside(text: str) -> tuple[str, ...]:
    """The anchors that links of a Markdown text name in the text itself, each once, as many as are looked for."""
    if "](#" not in text and "[[#" not in text and "href" not in text:
        return ()
    found: dict[str, None] = {}
    for _, anchor in _named(text.split("\n"), _inside_links):
        if len(found) >= MAX_ANCHORS:
            break
        found.setdefault(anchor)
    return tuple(found)


def everything_unknown() -> Anchors:
    """Those of a text whose headings nobody looked for."""
    return {OPEN: ()}


def _may_hold(text: str) -> bool:
    return any(sign in text for sign in ("<", "{", ")=", "^", ":name:", ":label:", "--8<--", "@include", ":::", TAB))


def _named(lines: Sequence[str], of: Callable[[str], Iterator[str]]) -> Iterator[tuple[int, str]]:
    """(line, id) of each id outside fenced code."""
    fence = ""
    for number, line in enumerate(lines):
        mark = _FENCE.match(line[:MAX_LINE])
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
            yield from ((number, name) for name in of(line[:MAX_LINE]) if name == OPEN and fence)
        elif not fence:
            yield from ((number, name) for name in of(line[:MAX_LINE]))
        elif of is _in_markdown and (option := _NAME.fullmatch(line[:MAX_LINE])):  # of a directive
            yield number, option[1]


def _in_markdown(line: str) -> Iterator[str]:
    if _MARKDOWN_ELSEWHERE.search(line):
        yield OPEN
    if "<" in line:
        for tag in _TAG.finditer(line):
            for found in _ID.finditer(tag[0]):
                if found[1] == "id" or tag[1].lower() == "a":
                    yield found[2] or found[3] or found[4]
    if "{" in line:
        yield from (found[1] for found in _GIVEN.finditer(line))
        yield from (found[1] for found in _GIVEN_AS_FIELD.finditer(line))
    if TAB in line and (tab := _TAB.fullmatch(line)):
        yield TAB + slug(_ICON.sub("", tab[2]))
    if label := _MYST.fullmatch(line) or _NAME.fullmatch(line):
        yield label[1].strip()
    if "^" in line and (block := _BLOCK.search(line)):
        yield block[1]


def _in_comments(line: str) -> Iterator[str]:
    return (found[1] for found in _SHORTCODE.finditer(line))


def _inside_links(line: str) -> Iterator[str]:
    for found in _INSIDE.finditer(_CODE.sub("", line)):
        address = found[1] or found[2] or found[3]
        if anchor := anchor_of(address.partition("|")[0] if found[2] else address):
            yield anchor


def _bare_markdown(line: str) -> str:
    """A line without ids that stand before a heading; an attribute list belongs to what stands before itself."""
    line = _BEFORE.sub("", _TAG.sub("", line[:MAX_LINE]))
    return _MYST.sub("", re.sub(r"</[A-Za-z][\w.-]{0,60}>", "", line))


def _in_rst(line: str) -> Iterator[str]:
    if ".. " in line and _RST_ELSEWHERE.match(line):
        yield OPEN
    if label := _LABEL.fullmatch(line):
        yield " ".join(label[2].split())
    if name := _NAME.fullmatch(line):
        yield name[1]
    if "_`" in line:
        yield from (found[1] for found in _INLINE.finditer(line))


def _placed(
    lines: Sequence[str],
    headings: Sequence[Heading],
    named: Iterable[tuple[int, str]],
    *,
    within: Callable[[str], str] = str,
) -> Anchors:
    """Each id with its section: the one whose heading it stands in or right before, else the one around it.

    With them headings that their paths alone do not tell: of one name under one parent, or with a ``>`` in it.
    """
    paths = list(_paths(headings))
    starts = [heading.start for heading in headings]
    found: dict[str, tuple[str, ...]] = dict(_untold(headings, paths))
    for line, name in named:
        if len(found) >= MAX_ANCHORS:
            found[OPEN] = ()
            break
        if name == OPEN:
            found[OPEN] = ()
            continue
        at = bisect_right(starts, line)
        inside = at > 0 and line < headings[at - 1].end
        if not inside and at < len(headings) and not any(within(each).strip() for each in lines[line : starts[at]]):
            at += 1
        path = paths[at - 1] if at else ()
        if name.startswith(TAB):
            name = name.removeprefix(TAB)
            found.setdefault("-".join(filter(None, (slug(path[-1]) if path else "", name))), path)
        found.setdefault(name, path)
    return found


def _paths(headings: Sequence[Heading]) -> Iterator[tuple[str, ...]]:
    path: list[Heading] = []
    for heading in headings:
        path = [*(outer for outer in path if outer.level < heading.level), heading]
        yield tuple(outer.title for outer in path)


def _untold(headings: Sequence[Heading], paths: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    counts: Counter[str] = Counter()
    seen, counted = set(), set()  # behind a path that stands twice the paths alone count wrong
    for heading, path in zip(headings, paths, strict=True):
        name = slug(heading.title)
        if path in seen:
            counted.add(name)
        if name in counted:
            yield f"{name}-{counts[name]}", path
        elif PATH in heading.title:
            yield name, path
        counts[name] += 1
        seen.add(path)

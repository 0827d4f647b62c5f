"""Which section of a document an anchor leads to: headings as sites and tools name them, and ids that authors set."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

SECTION_ANCHORS = "section_anchors"
"""Field of a document's metadata: id → heading path, of ids that do not follow from the headings."""
BROKEN_ANCHORS = "broken_anchors"
"""Field of a document's metadata: anchors of links inside it that lead to none of its own sections."""
MAX_BROKEN = 50
OPEN = "*"
"""Stands among these ids where more are written elsewhere: an included file, a generated page, a text too large."""
PATH = " > "
"""Between the headings of a path, as documents keep them."""
MAX_ANCHOR = 300
MAX_ANCHORS = 2_000
MAX_HEADINGS = 200
"""Heading paths that are kept of a document; of one that has as many, more may not be known."""
_OUTLINED = frozenset(
    (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd", ".mdc", ".rst", ".rest", ".html", ".htm", ".xhtml")
)
_NO_SECTION = re.compile(
    r"top|_top|l\d+(?:c\d+)?(?:-l?\d+(?:c\d+)?)?|l\d+,\d+|(?:page|nameddest|zoom|search|t)=.*|id\d+|fn(?:ref)?[:-]?\w+|[/!?:].*",
    re.IGNORECASE,
)
_ENCODED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_NUMBERED = re.compile(r"(.{1,299}?)[-_](\d{1,3})")
_TAG = re.compile(
    r"</?(?:a|abbr|b|br|code|del|em|font|i|img|ins|kbd|mark|s|small|span|strong|sub|sup|u|wbr)(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
_OWN_ID = re.compile(r"[ \t]*\{:?[ \t]{0,5}#([^\s{}]{1,200})[^{}]{0,200}\}[ \t#]*$")
_SPELLING = 0.6
"""How alike two spellings of one word are, by their letters."""
_LEADING = re.compile(r"^[\W\d_]+")
_NO_SLUG = re.compile(r"[^\w\- ]")


def anchor_of(address: str) -> str:
    """What stands behind the first ``#`` of an address, decoded; empty where it names no section.

    Lines of code (``#L10``), the top of a page, text fragments, pages of a PDF and routes of an application name none.
    """
    fragment = _ENCODED.sub(_decoded, address.partition("#")[2].partition(":~:")[0])
    anchor = "".join(each if each.isprintable() else " " for each in fragment).strip().removeprefix("user-content-")
    return "" if len(anchor) > MAX_ANCHOR or _NO_SECTION.fullmatch(anchor) else anchor


def _decoded(found: re.Match[str]) -> str:
    return bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "replace")


def section_name(path: str) -> str:
    """The last heading of a path as a reader knows it: without tags and without the id that its author gave it."""
    bare = " ".join(_OWN_ID.sub("", _TAG.sub(" ", path.rpartition(PATH)[2])).split())
    return bare or path


def section_words(paths: Iterable[str]) -> str:
    """``its section Limits``, ``its sections Limits and Purpose``; empty where no section is named."""
    names = list(dict.fromkeys(section_name(path) for path in paths if path))
    if len(names) < 2:
        return f"its section {names[0]}" if names else ""
    return f"its sections {', '.join(names[:-1])} and {names[-1]}"


def slug(heading: str) -> str:
    """A heading's id as the forges make it."""
    return _NO_SLUG.sub("", heading.strip().lower()).replace(" ", "-")


class Sections:
    """The sections of one document by every name that leads to them.

    ``headings`` are its heading paths in text order, ``anchors`` what else its metadata say. Names are compared by
    letters and digits alone, for no two tools agree on the rest: ``#faq--help`` and ``#faq-help`` are *FAQ & Help*.
    """

    def __init__(self, title: str, headings: Sequence[str], anchors: object = None) -> None:
        given = anchors if isinstance(anchors, Mapping) else {}
        self._own = {str(name): str(path) for name, path in given.items() if name != OPEN}
        self._open = OPEN in given or len(headings) >= MAX_HEADINGS
        self._title = _key(title)
        self.paths = tuple(_paths(headings))
        self._by_key: dict[str, list[str]] = {}
        self._loose: dict[str, str] = {}
        for path in self.paths:
            heading = path.rpartition(PATH)[2]
            self._by_key.setdefault(_key(section_name(heading)), []).append(path)
            if own := _OWN_ID.search(heading):
                self._own.setdefault(own[1], path)
        for path in self.paths:  # some converters leave out what stands before the first letter
            self._loose.setdefault(_key(_LEADING.sub("", section_name(path))), path)
        for name, path in self._own.items():
            self._loose.setdefault(_key(name), path)

    def find(self, anchor: str) -> str | None:
        """The heading path of the section that an anchor names; empty for the beginning, None for no section."""
        for name in dict.fromkeys((anchor, anchor.casefold(), anchor.replace(" ", "-").casefold())):
            if name in self._own:
                return self._own[name]
        if anchor.startswith("^"):
            return None
        last = anchor.rpartition("#")[2]
        found = self._by_heading(anchor)
        return found if found is not None or last in ("", anchor) else self._by_heading(last)

    def _by_heading(self, anchor: str) -> str | None:
        key = _key(anchor)
        if found := self._by_key.get(key):
            return found[0]
        if key == self._title:
            return ""
        if numbered := _NUMBERED.fullmatch(anchor):
            base, place = _key(numbered[1]), int(numbered[2])
            same: list[str] = [""] if base == self._title else []
            same += self._by_key.get(base, ())
            if place < len(same):
                return same[place]
        return self._loose.get(key) if key else None

    @property
    def complete(self) -> bool:
        """Whether every section is known, so that an anchor that leads to none is broken."""
        return not self._open

    def close(self, anchor: str) -> str | None:
        """The one heading path that an anchor without a section most likely means."""
        from difflib import get_close_matches  # a question from the shell does without it

        named: dict[str, str] = {_key(section_name(path)): path for path in self.paths}
        found: list[str] = get_close_matches(_key(anchor.rpartition("#")[2])[:MAX_ANCHOR], named, n=2, cutoff=0.8)
        return named[found[0]] if len(found) == 1 and _same_words(anchor, section_name(named[found[0]])) else None

    def anchor_to(self, path: str, like: str) -> str | None:
        """An anchor that leads to the section at ``path``, written as ``like`` is: as a heading, or as its id.

        None where neither leads to that one, as for the second heading of one name.
        """
        name = section_name(path)
        written = (slug(name), name) if like == slug(like) else (name, slug(name))
        own = [each for each, there in self._own.items() if there == path]
        possible = (each for each in (*own[:1], *written) if 0 < len(each) <= MAX_ANCHOR)
        return next((each for each in possible if self.find(each) == path), None)


def _same_words(one: str, other: str) -> bool:
    """Whether two names differ in spelling, or in words that one lacks: *sparse* is no mistyped *dense*."""
    from difflib import SequenceMatcher

    ours, theirs = (slug(each.rpartition("#")[2])[:MAX_ANCHOR].split("-") for each in (one, other))
    changed = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    pairs = ((" ".join(ours[a:b]), " ".join(theirs[c:d])) for kind, a, b, c, d in changed if kind == "replace")
    return all(SequenceMatcher(None, *each, autojunk=False).ratio() >= _SPELLING for each in pairs)


def sections_of(title: str, headings: Sequence[str], metadata: Mapping[str, Any]) -> Sections:
    """Those of a document as it is stored, or as it will be."""
    return Sections(title, headings, metadata.get(SECTION_ANCHORS))


def is_outlined(source: str) -> bool:
    """Whether the format of a file is one whose headings and ids are all read."""
    return f".{source.lower().rpartition('.')[2]}" in _OUTLINED


def _paths(headings: Iterable[str]) -> Iterable[str]:
    """Every heading path in text order, those of headings without a text of their own too."""
    seen: set[str] = set()
    for joined in headings:
        parts = joined.split(PATH)
        for end in range(1, len(parts) + 1):
            path = PATH.join(parts[:end])
            if path not in seen:
                seen.add(path)
                yield path


def _key(name: str) -> str:
    """Letters and digits in one case, without accents; of a name without any, what it is made of."""
    folded = unicodedata.normalize("NFKD", name).casefold()
    return "".join(each for each in folded if each.isalnum()) or "".join(folded.split()).strip("-")

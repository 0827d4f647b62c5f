"""Hugo: ``{{< ref "page" >}}`` and ``{{% relref "page" %}}`` lead to pages, ``content`` is the top of the site."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docgraph.domain.imports.fields import MARKDOWN
from docgraph.ports import Dialect

_NAMED = (
    r"(?:\.[ \t]+)?(?:(?!path=|file=|url=)[\w-]{1,40}=[\"'`][^\"'`\n]{0,200}[\"'`][ \t]+)*(?:(?:path|file|url)=)?"
    r"[\"'`]?([^\"'`\s{}<>%]{1,400})[\"'`]?"
)
_REFERENCE = re.compile(
    r"\{\{[<%]?-?[ \t]*(?:ref|relref|include|readfile|card[ \t]+link=|button[ \t]+(?:rel)?ref=)[ \t]*"
    rf"{_NAMED}[^{{}}\n]{{0,200}}\}}\}}(.{{0,300}})"
)
_ADDRESSES = r"(?:abs|rel)(?:Lang)?URL"
_URL = re.compile(rf"\{{\{{-?[ \t]*[\"']([^\"'\n]{{1,400}})[\"'][ \t]*\|[ \t]*{_ADDRESSES}[ \t]*-?\}}\}}(.{{0,300}})")
_CALLED = re.compile(rf"\{{\{{-?[ \t]*{_ADDRESSES}[ \t]+[\"']([^\"'\n]{{1,400}})[\"'][ \t]*-?\}}\}}(.{{0,300}})")
_BASE = re.compile(r"\{\{-?[ \t]*(?:\.Site\.BaseURL|site\.BaseURL|\.Site\.Home\.RelPermalink)[ \t]*-?\}\}/?(.{0,300})")
_MARKED = re.compile(r"\{\{[<%]-?[ \t]*/?[ \t]*[\w-]{1,60}[^{}\n]{0,500}[>%]\}\}")
_PAGE = re.compile(
    r"content/(?:[a-z]{2}(?:-[a-z]{2,4})?/)?(.*?)(?:\.[a-z]{2}(?:-[a-z]{2,4})?)?\.(?:md|markdown|html|mmark)"
)
_FOLDER_PAGES = ("index", "_index")


class Hugo(Dialect):
    """A reference is a path of ``content``, or the name of a page wherever it lies; what is not, stays unread."""

    name = "hugo"
    title = "Hugo"
    signs = ("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json")
    suffixes = MARKDOWN

    def marks(self, text: str, source: str) -> bool:
        """Whether a shortcode stands in the text."""
        return ("{{<" in text or "{{%" in text) and bool(_MARKED.search(text))

    def names(self, source: str) -> Iterator[str]:
        """Its address below ``content``; a bundle's page is its folder."""
        found = _PAGE.fullmatch(source.replace("\\", "/"))
        if found is not None:
            folder, _, name = found[1].rpartition("/")
            yield f"/{folder}" if name in _FOLDER_PAGES else f"/{found[1]}"

    def target(self, written: str, source: str) -> str | None:
        """The page that a shortcode or a function of addresses names."""
        if "{{" not in written:
            return None
        for pattern in (_REFERENCE, _URL, _CALLED, _BASE):
            if found := pattern.fullmatch(written):
                address = "".join(part for part in found.groups() if part)
                return f"/{address}" if pattern is _BASE else address or None
        return None


build = Hugo

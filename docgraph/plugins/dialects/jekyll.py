"""Jekyll and its relatives: ``{% link %}``, ``{% post_url %}``, ``{{ site.baseurl }}`` and filters of addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docgraph.domain.imports.fields import MARKDOWN
from docgraph.ports import Dialect

_BASE = (
    r"(?:\{\{-?[ \t]*(?:site\.(?:baseurl|url|github\.url)|baseurl|base\.url|rootUrl)"
    r"(?:[ \t]*\|[^{}\n]{0,100})?[ \t]*-?\}\}/?)"
)
_BASES = re.compile(rf"{_BASE}{{1,3}}")
_TAGS = r"link|post_url|include_relative|content-ref[ \t]+url=|embed[ \t]+url=|page-ref[ \t]+page="
_LINK = re.compile(rf"\{{%-?[ \t]*({_TAGS})[ \t]*[\"']?([^\"'\n%]{{1,400}}?)[\"']?[ \t]*-?%\}}(.{{0,300}})")
_FILTERS = r"(?:relative_url|absolute_url|url|prepend:|locale_url|htmlBaseUrl)"
_FILTERED = re.compile(
    rf"\{{\{{-?[ \t]*[\"']([^\"'\n]{{1,400}})[\"'][ \t]*\|[ \t]*{_FILTERS}[^{{}}\n]{{0,100}}\}}\}}(.{{0,300}})"
)
_MARKED = re.compile(
    r"\{%-?[ \t]*(?:link|post_url|include_relative|highlight|raw)[ \t]|\{\{-?[ \t]*(?:site|page)\.\w"
    r"|\|[ \t]*(?:relative|absolute)_url"
)
_POST = re.compile(r"(?:(.*)/)?_posts/(?:.*/)?(\d{4})-(\d{2})-(\d{2})-(.+)\.(?:md|markdown|html)")
_COLLECTION = re.compile(r"_([a-z][\w-]{0,60}/.+)\.(?:md|markdown|html)")


class Jekyll(Dialect):
    """Tags name files from the top of the site; a base address stands for nothing before the path behind it."""

    name = "jekyll"
    title = "Jekyll"
    signs = ("_config.yml", "_config.yaml", "_config.toml")
    suffixes = MARKDOWN

    def marks(self, text: str, source: str) -> bool:
        """Whether a tag or a variable of the site stands in the text, or the page is a post."""
        return bool(_POST.fullmatch(source)) or (("{%" in text or "{{" in text) and bool(_MARKED.search(text)))

    def names(self, source: str) -> Iterator[str]:
        """The address that a post or a page of a collection has where nothing else is said."""
        path = source.replace("\\", "/")
        if post := _POST.fullmatch(path):
            yield f"/{post[2]}/{post[3]}/{post[4]}/{post[5]}"
        elif page := _COLLECTION.fullmatch(path):
            yield f"/{page[1]}"

    def target(self, written: str, source: str) -> str | None:
        """The file or address that is meant."""
        if "{{" not in written and "{%" not in written:
            return None
        base = _BASES.match(written)
        rest = written[base.end() :] if base else written
        if found := _LINK.fullmatch(rest):
            kind, path = found[1], found[2].strip()
            return path if kind not in ("link", "post_url") else f"/{path}" if kind == "link" else path
        if found := _FILTERED.fullmatch(rest):
            return f"{found[1]}{found[2]}"
        if base and "{" not in rest:
            return f"/{rest.lstrip('/')}"
        return None


build = Jekyll

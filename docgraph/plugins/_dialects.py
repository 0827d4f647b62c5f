"""Every dialect there is, built once, for the loaders and extractors that read by them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from docgraph import plugins

if TYPE_CHECKING:
    from docgraph.ports import Dialect


@cache
def dialects() -> tuple[Dialect, ...]:
    """All, by name: what one of them reads, every import reads."""
    return tuple(plugins.build("dialects", name) for name in plugins.available("dialects"))


def readable(text: str, source: str) -> str:
    """``text`` with spaces for what is no text, and of the same length."""
    for dialect in dialects():
        read = dialect.readable(text, source)
        text = read if len(read) == len(text) else text
    return text


def unfolded(text: str, source: str) -> str:
    """``text`` as a Markdown parser reads it rightly, with as many lines."""
    for dialect in dialects():
        text = dialect.unfolded(text, source)
    return text


def is_plain_around_tags(source: str) -> bool:
    """Whether a page's tags and indentation leave Markdown in and around them as it is."""
    return any(dialect.is_plain_around_tags(source) for dialect in dialects())


def meant(written: str, source: str) -> tuple[str, str] | None:
    """(dialect, path or name) of a link in the form of some tool."""
    for dialect in dialects():
        if (target := dialect.target(written, source)) is not None:
            return dialect.name, target
    return None

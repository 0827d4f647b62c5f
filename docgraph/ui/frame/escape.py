"""Makes text from documents safe to show: one function for labels that render markdown, one for HTML."""

from __future__ import annotations

import html as _html
import re

JOINER = "\u2060"
"""WORD JOINER: has no width, and breaks what is replaced in finished text (links, icons, emoji names, arrows)."""

_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_SPACE = re.compile(r"\s+")
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_REPLACED_LATER = re.compile(r"(?<=:)(?=\S)|(?<=[wW]{3})(?=\.)|(?=@)|(?<=[-<>=])(?=[-<>=])")


def plain(text: str) -> str:
    """``text`` without control characters and without marks that turn the reading direction around."""
    return _UNSEEN.sub("", text)


def label(text: str, *, limit: int | None = None) -> str:
    """``text`` for a label, title, caption or help text that Streamlit renders as markdown; it shows literally.

    Escapes every mark of markdown (images, links, HTML, code, ``$formula$``, lists) with a backslash, and breaks
    with a joiner of no width what Streamlit replaces after parsing (``https://…``, ``www.…``, addresses,
    ``:material/…:``, ``:emoji:``, ``:red[…]``, ``->``). Line breaks become spaces; ``limit`` = most characters.
    """
    line = _SPACE.sub(" ", plain(text)).strip()
    if limit is not None:
        line = shorten(line, limit)
    return _PUNCTUATION.sub(r"\\\1", _REPLACED_LATER.sub(JOINER, line))


def html(text: object) -> str:
    """``text`` for HTML, as content or inside a quoted attribute."""
    return _html.escape(plain(str(text)), quote=True)


def shorten(text: str, limit: int) -> str:
    """``text`` with at most ``limit`` characters; a cut one ends with an ellipsis."""
    return text if len(text) <= limit else text[: max(limit - 1, 0)].rstrip() + "…"

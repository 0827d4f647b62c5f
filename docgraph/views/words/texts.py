"""Text for a report: what a document says, without the characters that steer a reader, a terminal or a line."""

from __future__ import annotations

import re
import unicodedata

ELLIPSIS = "…"
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"
)
_NOT_IN_A_SLUG = re.compile(r"[^a-z0-9]+")


def clean(text: str) -> str:
    """``text`` with line breaks as ``\\n`` and without control characters, direction marks and lone surrogates."""
    return _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def line(text: str) -> str:
    """``clean`` text on one line."""
    return " ".join(clean(text).split())


def excerpt(text: str, limit: int) -> str:
    """The beginning of ``text`` on one line, at most ``limit`` characters; a cut one ends with an ellipsis."""
    whole = line(text)
    if len(whole) <= limit:
        return whole
    cut = whole[: limit - 1]
    return (cut[: cut.rfind(" ")] if " " in cut[limit // 2 :] else cut).rstrip() + ELLIPSIS


def slug(text: str, limit: int) -> str:
    """``text`` as lower-case ASCII words joined by ``-``, for a file's name; empty when it has none."""
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower()
    whole = _NOT_IN_A_SLUG.sub("-", ascii_text).strip("-")
    if len(whole) <= limit:
        return whole
    cut = whole[: limit + 1]
    return (cut[: cut.rfind("-")] if "-" in cut else cut[:limit]).strip("-")

"""The status that a document's metadata gives."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

MOVED = ("moved", "redirect", "redirected", "relocated")
"""Words of a status of a stub: a document that says that its text is elsewhere."""
STATUS_FROM = "status_from"
"""Field of metadata that says that ``status`` was read in the text: no field of the document gives it."""

_WORD = re.compile(r"[^\W\d_]+")


def status_word(metadata: Mapping[str, Any]) -> str:
    """First word of the field ``status``, of the metadata or of the header in it, in lower case; empty: none."""
    header = metadata.get("header")
    for fields in (metadata, header if isinstance(header, Mapping) else {}):
        for name, value in fields.items():
            if str(name).casefold() == "status" and isinstance(value, str) and (word := _WORD.search(value)):
                return word[0].casefold()
    return ""

"""What pandoc leaves out or writes otherwise: fields of Org files, links between files."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from docgraph.boundary.limits import MAX_HEADER_LINES, MAX_HEADER_VALUE
from docgraph.boundary.text import one_line

_ORG_KEY = re.compile(r"#\+([A-Za-z][\w-]{0,60}):[ \t]*(.*)")
_ORG_PROPERTY = re.compile(r"[ \t]*:([A-Za-z][\w-]{0,60}):[ \t]+(.*)")
_ID_LINK = re.compile(r"\[([^\[\]\n]{1,500})\]\(id:([\w.-]{1,200})\)")
_ORG_PLACE = re.compile(r"\]\(([^()\s]{1,500}?)::([^()\s]{0,500})\)")
_NOT_FIELDS = frozenset(("begin_src", "end_src", "include", "options", "property", "startup", "setupfile"))


def dropped_fields(text: str, kind: str) -> dict[str, str]:
    """The fields of a text that pandoc would drop."""
    return _org_fields(text) if kind == "org" else {}


def mended(body: str, kind: str) -> str:
    """Markdown in which links to other files are such: Org's ids and places."""
    if kind == "org":
        body = _ID_LINK.sub(lambda found: f"[[{found[2]}|{found[1]}]]", body)
        return _ORG_PLACE.sub(lambda found: f"]({found[1]}#{found[2].lstrip('*#')})", body)
    return body


def wiki_title(source: str) -> str:
    """The page's name, as MediaWiki shows it: without suffix, with spaces."""
    return PurePosixPath(source).stem.replace("_", " ")


def _org_fields(text: str) -> dict[str, str]:
    """``#+KEY: value`` and the property drawer above the first heading, names in lower case; a key twice is a list."""
    fields: dict[str, list[str]] = {}
    for line in text.split("\n", MAX_HEADER_LINES)[:MAX_HEADER_LINES]:
        if line.startswith("*"):
            break
        found = _ORG_KEY.match(line) or _ORG_PROPERTY.match(line)
        if found and found[2].strip() and found[1].lower() not in _NOT_FIELDS:
            fields.setdefault(found[1].lower().replace("-", "_"), []).append(found[2].strip())
    return {name: one_line(", ".join(values), MAX_HEADER_VALUE) for name, values in fields.items()}

"""Edits in an address: what a link to *today beside these edits* carries."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Any, Final

from pydantic import ValidationError

from docgraph.domain.edit import Edit
from docgraph.errors import RequestError

EDITS: Final = "edits"
"""The name of the input."""


MAX_EDITS = 100
MAX_LENGTH = 16_000
"""Characters of a packed text: browsers and servers cut longer addresses."""

_MAX_BYTES = 400_000
"""Bytes that a packed text may unfold to: 100 edits with the longest ids there are."""

_FIELDS = ("relation_type", "to_document_id", "suggested")
_HINT = "open the link again from where it was made"


def packed_edits(edits: Sequence[Edit]) -> str:
    """The edits as letters, digits, ``-`` and ``_``; equal edits give an equal text.

    Raises RequestError for more than ``MAX_EDITS``, and for a text that no address can hold.
    """
    if len(edits) > MAX_EDITS:
        raise RequestError(
            f"{len(edits):,} edits do not fit into a link; at most {MAX_EDITS} do", hint="compare fewer at once"
        )
    rows = json.dumps([_row(edit) for edit in edits], ensure_ascii=False, separators=(",", ":"))
    made = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    text = urlsafe_b64encode(made.compress(rows.encode()) + made.flush()).decode().rstrip("=")
    if len(text) > MAX_LENGTH:
        raise RequestError(f"{len(edits):,} edits are too long for a link", hint="compare fewer at once")
    return text


def unpacked_edits(text: str) -> tuple[Edit, ...]:
    """The edits of ``packed_edits``; the text may come from anywhere. Raises RequestError for any other text."""
    if len(text) > MAX_LENGTH:
        raise RequestError(f"the edits in this link have {len(text):,} characters: too many", hint=_HINT)
    try:
        rows = json.loads(_unfolded(text))
        edits = [_edit(row) for row in rows] if isinstance(rows, list) and 0 < len(rows) <= MAX_EDITS else []
    except (ValueError, zlib.error, RecursionError) as error:  # ValidationError and UnicodeError are ValueErrors
        raise RequestError(f"the edits in this link cannot be read: {_reason(error)}", hint=_HINT) from error
    if not edits:
        raise RequestError(f"the edits in this link are not 1 to {MAX_EDITS} edits", hint=_HINT)
    return tuple(edits)


def _row(edit: Edit) -> list[str]:
    """Action, start, type, end, then what else is set; what is empty at the end is left out."""
    row = [edit.action, *edit.key, *(getattr(edit, name) or "" for name in _FIELDS)]
    while not row[-1]:
        row.pop()
    return row


def _edit(row: Any) -> Edit:
    if not (isinstance(row, list) and 4 <= len(row) <= 4 + len(_FIELDS) and all(isinstance(cell, str) for cell in row)):
        raise ValueError("an edit is no list of four to seven texts")
    more = {name: value for name, value in zip(_FIELDS, row[4:], strict=False) if value}
    return Edit.model_validate({"action": row[0], "key": tuple(row[1:4]), **more})


def _unfolded(text: str) -> str:
    """The text behind the letters. A small text cannot unfold to a large one: what is more is refused, not made."""
    if not text.isascii() or not text.replace("-", "").replace("_", "").isalnum():
        raise ValueError("it has characters that no link has")
    unfolding = zlib.decompressobj(-zlib.MAX_WBITS)
    found = unfolding.decompress(urlsafe_b64decode(text + "=" * (-len(text) % 4)), _MAX_BYTES)
    if not unfolding.eof or unfolding.unused_data:
        raise ValueError("it is cut off, or too long")
    return found.decode()


def _reason(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return error.errors(include_url=False, include_input=False)[0]["msg"].removeprefix("Value error, ")
    if isinstance(error, json.JSONDecodeError | UnicodeError | zlib.error | RecursionError):
        return "it is damaged"
    return str(error)[:120]

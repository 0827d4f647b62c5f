"""Reads a JSON file as a whole: bounded in bytes, levels and values before the parser sees it."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from docgraph.boundary.limits import MAX_JSON_FILE, MAX_JSON_FILE_VALUES
from docgraph.boundary.shape import check_json
from docgraph.boundary.text import decode, one_line


def read_json(data: bytes, *, max_bytes: int = MAX_JSON_FILE) -> Any:
    """The value in ``data``. Raises ValueError with one line: too large, too deep, too many values, no JSON."""
    text = decode(data, max_bytes=max_bytes, max_line=max_bytes)
    try:
        check_json(text, max_values=MAX_JSON_FILE_VALUES)
        return json.loads(text, parse_constant=_refused)
    except json.JSONDecodeError as error:
        raise ValueError(f"the file is not JSON: {error.msg} in line {error.lineno}, character {error.colno}") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the file is refused: {one_line(str(error), 200)}") from None


def _refused(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")

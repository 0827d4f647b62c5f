"""Reads TOML with numbers as their author wrote them: ``1.10`` is a text, for the number 1.1 says something else."""

from __future__ import annotations

import tomllib
from typing import Any

from docgraph.boundary.imports.plain_json import plain_json
from docgraph.boundary.shape import check_toml


def read_toml(block: str, *, first_line: int = 1) -> dict[str, Any]:
    """The fields as plain JSON. Raises ValueError (``tomllib.TOMLDecodeError`` among them) and RecursionError."""
    check_toml(block, first_line=first_line)
    return dict(plain_json(tomllib.loads(block, parse_float=_number)))


def _number(text: str) -> float | str:
    number = float(text.replace("_", ""))
    return number if repr(number) == text and not text.endswith(".0") else text

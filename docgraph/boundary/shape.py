"""Looks at how JSON and TOML are built before a parser does: what would take memory beyond reason is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from docgraph.boundary import limits

_BRACKET = re.compile(r"[\[\]{}]")
_TOML_NO_KEY = re.compile(
    r'"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+(?:"{3,5}+|\Z)'
    r"|'''[^']*+(?:'(?!'')[^']*+)*+(?:'{3,5}+|\Z)"
    r'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+",
    re.DOTALL,
)
_TOML_KEY = re.compile(rf"(?<![\w-])[\w-]++(?:[ \t]*+\.[ \t]*+[\w-]++){{{limits.MAX_KEY_PARTS},}}+")


def check_json(text: str, *, max_values: int = limits.MAX_JSON_VALUES) -> None:
    """Raises ValueError with one line for JSON of too many levels or values; whether it is JSON is not looked at."""
    if len(text) <= limits.MAX_JSON_DEPTH:
        return  # too short for either
    plain = text.replace("\\\\", "").replace('\\"', "")
    n_strings = plain.count('"') // 2
    outside = "" if n_strings > 2 * max_values else "".join(plain.split('"')[::2])
    # A bound on the brackets looked at: there are no more in a text of so few values, whatever comes behind them.
    depth, _ = max(islice(_depths(outside), 2 * max_values), default=(0, 0))
    if depth > limits.MAX_JSON_DEPTH:
        raise ValueError(f"it is nested {depth:,} levels deep; at most {limits.MAX_JSON_DEPTH} are read: flatten it")
    n_values = max(sum(map(outside.count, ",[{")), sum(map(outside.count, "]}")), 0 if outside else n_strings // 2)
    if n_values > max_values:
        raise ValueError(f"it has about {n_values:,} values; at most {max_values:,} are read: keep only what is needed")


def check_toml(text: str, *, first_line: int = 1) -> None:
    """Raises ValueError with one line for TOML of too many levels or a key of too many dotted parts.

    ``first_line`` is where ``text`` starts in its file.
    """
    # A quoted part of a key counts as one, whatever dots it holds; comments hold no keys.
    outside = _TOML_NO_KEY.sub(lambda found: ("" if found[0][0] == "#" else "s") + "\n" * found[0].count("\n"), text)
    if key := _TOML_KEY.search(outside):
        n_parts, line = key[0].count(".") + 1, first_line + outside.count("\n", 0, key.start())
        raise ValueError(
            f"line {line} has a key of {n_parts:,} dotted parts; at most {limits.MAX_KEY_PARTS} are read: shorten it"
        )
    depth, before = max(_depths(outside), default=(0, 0))
    if depth > limits.MAX_FRONT_MATTER_DEPTH:
        line = first_line + outside.count("\n", 0, -before)
        raise ValueError(
            f"line {line} is nested {depth:,} levels deep; at most {limits.MAX_FRONT_MATTER_DEPTH} are read: flatten it"
        )


def _depths(text: str) -> Iterator[tuple[int, int]]:
    """(brackets open, minus the place) at each bracket, so that the first of the deepest is the largest."""
    depth = 0
    for found in _BRACKET.finditer(text):
        depth += 1 if found[0] in "[{" else -1
        yield depth, -found.start()

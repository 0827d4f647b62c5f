"""Counts lines of code by room, without docstrings and blank lines, for the table in docs/architecture.md.

python tools/weight.py            prints the table
python tools/weight.py --write    writes it into docs/architecture.md
"""

from __future__ import annotations

import argparse
import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- weight: written by tools/weight.py --write -->\n", "<!-- /weight -->"


class Room(NamedTuple):
    """Lines of code and number of modules in one room."""

    lines: int
    modules: int


def lines_of_code(text: str) -> int:
    """Lines of a module that are neither blank nor part of a docstring; comments count."""
    doc: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        for each in body if isinstance(body, list) else ():
            if (
                isinstance(each, ast.Expr)
                and isinstance(each.value, ast.Constant)
                and isinstance(each.value.value, str)
            ):
                doc.update(range(each.lineno, (each.end_lineno or each.lineno) + 1))
    return sum(1 for n, line in enumerate(text.splitlines(), 1) if line.strip() and n not in doc)


def rooms(root: Path = ROOT) -> dict[str, Room]:
    """Room → its weight, heaviest first: folders directly in ``docgraph``, its root modules, pages and app.py."""
    lines, modules = Counter[str](), Counter[str]()
    for path in [root / "app.py", *(root / "pages").rglob("*.py"), *(root / "docgraph").rglob("*.py")]:
        parts = path.relative_to(root).parts
        room = "/".join(parts[:2]) if len(parts) > 2 else parts[0]
        lines[room] += lines_of_code(path.read_text(encoding="utf-8"))
        modules[room] += 1
    return {room: Room(n, modules[room]) for room, n in sorted(lines.items(), key=lambda each: (-each[1], each[0]))}


def table(weights: dict[str, Room]) -> Iterator[str]:
    """The Markdown table, line by line; the last row is the total."""
    yield "| room | lines of code | modules |"
    yield "|---|---|---|"
    for room, weight in weights.items():
        yield f"| `{room}` | {weight.lines:,} | {weight.modules:,} |"
    total = Room(sum(each.lines for each in weights.values()), sum(each.modules for each in weights.values()))
    yield f"| all | {total.lines:,} | {total.modules:,} |"


def main() -> None:
    """Prints the table, or writes it into the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help="write the table into docs/architecture.md")
    text = "\n".join(table(rooms()))
    if not parser.parse_args().write:
        print(text)
        return
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN, 1)
    PAGE.write_text(f"{before}{BEGIN}{text}\n{END}{rest.split(END, 1)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()

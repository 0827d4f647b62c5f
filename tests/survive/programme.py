"""The rows there are, in the order of the programme: what each module under ``rows`` says of itself."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.survive.tally import Row

ROWS = Path(__file__).with_name("rows")


def programme() -> tuple[Row, ...]:
    """Every row; read from the modules' texts, so that nothing of what they test is imported."""
    return tuple(sorted((_row(path) for path in modules()), key=_place))


def modules() -> list[Path]:
    """The modules of rows."""
    return sorted(ROWS.glob("test_*.py"))


def module_of(row: str) -> Path:
    """The module of a row by the row's name."""
    return next(path for path in modules() if path.stem.startswith(f"test_{row.lower()}_"))


def _row(path: Path) -> Row:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "ROW" and isinstance(node.value, ast.Call):
            return Row(**{word.arg: ast.literal_eval(word.value) for word in node.value.keywords if word.arg})
    raise LookupError(f"{path.name} says no ROW")


def _place(row: Row) -> tuple[int, int]:
    kind, number = re.match(r"([A-Z])(\d+)", row.row).groups()  # type: ignore[union-attr]
    return "RDFENPSX".index(kind), int(number)

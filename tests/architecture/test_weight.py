"""The table of lines of code in docs/architecture.md is that of the tree of today, within a tenth."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

from tests import ROOT

TOLERANCE = 0.1
SMALL = 30
"""Lines by which a room may differ, however small it is."""


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docgraph_weight", ROOT / "tools" / "weight.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


WEIGHT = _tool()
PAGE: str = WEIGHT.PAGE.read_text(encoding="utf-8")


def written(page: str) -> dict[str, int]:
    """Room → lines of code, as the page's table has them; "all" among them."""
    block = page.split(WEIGHT.BEGIN, 1)[1].split(WEIGHT.END, 1)[0]
    return {
        room: int(lines.replace(",", ""))
        for room, lines in re.findall(r"^\| `?([\w/.]+)`? \| ([\d,]+) \|", block, re.M)
    }


def outdated(table: dict[str, int], today: dict[str, int]) -> list[str]:
    """What the table says otherwise than the tree of today, beyond the tolerance."""
    return [
        f"{room}: {table.get(room)} in docs/architecture.md, {today.get(room)} now"
        for room in sorted(table | today)
        if room not in table
        or room not in today
        or abs(table[room] - today[room]) > max(SMALL, TOLERANCE * today[room])
    ]


def test_the_table_of_weight_is_not_out_of_date() -> None:
    today = {room: weight.lines for room, weight in WEIGHT.rooms().items()}
    table = written(PAGE)
    assert len(table) > 10
    assert not outdated(table, today | {"all": sum(today.values())}), "run `make weight`"


def test_an_outdated_table_is_noticed() -> None:
    assert outdated({"docgraph/ui": 1000, "gone": 1}, {"docgraph/ui": 1200, "new": 1, "kept": 2}) == [
        "docgraph/ui: 1000 in docs/architecture.md, 1200 now",
        "gone: 1 in docs/architecture.md, None now",
        "kept: None in docs/architecture.md, 2 now",
        "new: None in docs/architecture.md, 1 now",
    ]
    assert not outdated({"docgraph/ui": 1000}, {"docgraph/ui": 1090})


def test_neither_docstrings_nor_blank_lines_are_weighed(tmp_path: Path) -> None:
    text = '"""One.\n\nMore."""\n\n# why\nX = 1\n"""What X is."""\n\ndef f():\n    """It,\n    all."""\n    X\n'
    assert WEIGHT.lines_of_code(text) == 4
    (tmp_path / "docgraph" / "ui").mkdir(parents=True)
    (tmp_path / "docgraph" / "ui" / "a.py").write_text(text)
    (tmp_path / "docgraph" / "root.py").write_text("X = 1\n")
    (tmp_path / "app.py").write_text("")
    assert WEIGHT.rooms(tmp_path) == {"docgraph/ui": (4, 1), "docgraph": (1, 1), "app.py": (0, 1)}

"""``python -m tests.survive.totals``: writes what the kept results come to into the pages that tell it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests import ROOT
from tests.survive.programme import programme
from tests.survive.tally import read_lines

LINES = ROOT / "docs" / "survive.jsonl"
"""The last line of each row that was run in its whole form."""
PAGES = (ROOT / "README.md", ROOT / "SECURITY.md", ROOT / "docs" / "reliability.md")
Lines = Mapping[str, Mapping[str, Any]]


def sentence(lines: Lines) -> str:
    """What the results come to, losses as plainly as gains."""
    run = [line for line in lines.values() if line["n"]]
    n, passed = sum(line["n"] for line in run), sum(line["passed"] for line in run)
    said = f"{passed:,} of {n:,} cases held, in {len(run)} of the programme's {len(programme())} rows"
    failed = [f"{line['row']} {line['passed']:,} of {line['n']:,}" for line in run if line["failed"]]
    if failed:
        said += f"; not all of them in {', '.join(failed)}"
    left = [row.row for row in programme() if row.row not in {line["row"] for line in run}]
    return said + (f". Not run in the whole form yet: {', '.join(left)}." if left else ".")


def table(lines: Lines) -> str:
    """One line a row: what is done, what must hold, how many held."""
    head = "| row | what is done | what must hold | held |\n|---|---|---|---|"
    return "\n".join([head, *(f"| {r.row} | {r.what} | {r.rule} | {_held(lines.get(r.row))} |" for r in programme())])


def _held(line: Mapping[str, Any] | None) -> str:
    if line is None:
        return "not run in the whole form yet"
    if line.get("skipped") and not line["n"]:
        return f"skipped: {line['skipped']}"
    return f"{line['passed']:,} of {line['n']:,} ({line['seconds']:,.0f} s)"


def written(page: Path, lines: Lines) -> str:
    """The page with these results between its marks."""
    text = page.read_text(encoding="utf-8")
    for name, content in (("survive", sentence(lines)), ("rows", table(lines))):
        marked = re.compile(f"(<!-- {name}: begin -->).*?(<!-- {name}: end -->)", re.DOTALL)
        gap = "\n" if name == "rows" else ""
        text = marked.sub(lambda m, c=content, g=gap: f"{m[1]}{g}{c}{g}{m[2]}", text)  # type: ignore[misc]
    return text


def write() -> None:
    """Write all pages anew."""
    lines = read_lines(LINES)
    for page in PAGES:
        page.write_text(written(page, lines), encoding="utf-8")


if __name__ == "__main__":
    write()

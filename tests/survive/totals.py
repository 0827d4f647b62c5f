"""``python -m tests.survive.totals``: writes what the kept results come to into the pages that tell it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests import ROOT
from tests.survive import history
from tests.survive.planted import planted, read_tried
from tests.survive.programme import programme
from tests.survive.tally import Row, read_lines

LINES = ROOT / "docs" / "survive.jsonl"
"""The last line of each row that was run in its whole form."""
PAGES = (ROOT / "README.md", ROOT / "SECURITY.md", ROOT / "docs" / "reliability.md")
Lines = Mapping[str, Mapping[str, Any]]


def noticed() -> str:
    """How many of the planted weaknesses their rows noticed."""
    tried = read_tried()
    there = planted()
    n = sum(bool(tried.get(each.name, {}).get("noticed")) for each in there)
    return f"{n:,} of {len(there):,} planted weaknesses noticed"


def situations(row: Row, line: Mapping[str, Any]) -> int:
    """How many distinct situations held: what only repeats another one does not count."""
    passed = int(line["passed"])
    return min(passed, row.situations) if row.situations else passed


def sentence(lines: Lines) -> str:
    """What the results come to, losses as plainly as gains."""
    run = [(row, lines[row.row]) for row in programme() if row.row in lines and lines[row.row]["n"]]
    held = sum(situations(*each) for each in run)
    said = f"{noticed()}; {held:,} distinct situations held, in {len(run)} of the programme's {len(programme())} rows"
    failed = [f"{row.row} {line['failed']:,} of {line['n']:,} cases" for row, line in run if line["failed"]]
    if failed:
        said += f"; not held: {', '.join(failed)}"
    left = [row.row for row in programme() if row.row not in {each.row for each, _ in run}]
    return said + (f". Not run in the whole form yet: {', '.join(left)}." if left else ".")


def table(lines: Lines) -> str:
    """One line a row: what is done, what one case is, what must hold, how many held."""
    head = "| row | what is done | one case is | what must hold | held | situations |\n|---|---|---|---|---|---|"
    each = (f"| {r.row} | {r.what} | {r.case} | {r.rule} | {_held(r, lines.get(r.row))} |" for r in programme())
    return "\n".join([head, *each])


def _held(row: Row, line: Mapping[str, Any] | None) -> str:
    if line is None:
        return "not run in the whole form yet | 0"
    if line.get("skipped") and not line["n"]:
        return f"skipped: {line['skipped']} | 0"
    return f"{line['passed']:,} of {line['n']:,} ({line['seconds']:,.0f} s) | {situations(row, line):,}"


def weaknesses() -> str:
    """One line a planted weakness: its row, what it breaks, whether the row noticed."""
    tried = read_tried()
    lines = ["| row | weakness | noticed |", "|---|---|---|"]
    order = [row.row for row in programme()]
    for mutant in sorted(planted(), key=lambda each: (order.index(each.row), each.name)):
        line = tried.get(mutant.name)
        found = "not tried yet" if line is None else "yes" if line["noticed"] else mutant.unnoticed or "no"
        if mutant.form == "whole":
            found += f" (whole form: {mutant.because})"
        lines.append(f"| {mutant.row} | {mutant.weakness} | {found} |")
    return "\n".join(lines)


def written(page: Path, lines: Lines) -> str:
    """The page with these results between its marks."""
    text = page.read_text(encoding="utf-8")
    for name, content in (("survive", sentence(lines)), ("rows", table(lines)), ("mutants", weaknesses())):
        marked = re.compile(f"(<!-- {name}: begin -->).*?(<!-- {name}: end -->)", re.DOTALL)
        gap = "" if name == "survive" else "\n"
        text = marked.sub(lambda m, c=content, g=gap: f"{m[1]}{g}{c}{g}{m[2]}", text)  # type: ignore[misc]
    return text


def write() -> None:
    """Write all pages anew."""
    lines = read_lines(LINES)
    for page in PAGES:
        page.write_text(written(page, lines), encoding="utf-8")
    history.write()


if __name__ == "__main__":
    write()

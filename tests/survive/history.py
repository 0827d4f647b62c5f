"""What rows have found, and when it was mended: a round that failed stays, whatever a later one comes to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests import ROOT

HISTORY = ROOT / "docs" / "survive-history.jsonl"
"""One find a line, in the order of their days: ``row``, ``found``, ``what``, ``mended`` (None: not yet), ``commit``."""
PAGE = ROOT / "docs" / "reliability.md"
MARKS = re.compile(r"(<!-- history: begin -->).*?(<!-- history: end -->)", re.DOTALL)
SAID = 3
"""Failures that are quoted; how many there were is always told."""
LENGTH = 200
Entry = Mapping[str, Any]


def read_history(path: Path = HISTORY) -> list[dict[str, Any]]:
    """All finds; none where there is no file."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [json.loads(line) for line in text.splitlines()]


def remember(path: Path, lines: Iterable[Entry], *, day: str, failures: Mapping[str, Iterable[str]]) -> None:
    """Add each round of a whole form that failed; one that held, whole, mends what its row had open.

    ``failures`` = row → what its cases said. A case that fails is kept by its number and tried again first, so that a
    round cannot hold by chance of its seed.
    """
    kept = read_history(path)
    for line in lines:
        if line["form"] != "whole" or not line["n"]:
            continue
        if line["failed"]:
            find = _find(line, day, [*failures.get(line["row"], ()), *line.get("known", ())])
            kept += [find] if find not in kept else []  # who runs tests side by side may tell of one twice
        elif not line.get("skipped"):
            kept = [{**each, "mended": each["mended"] or day} if each["row"] == line["row"] else each for each in kept]
    if kept:
        path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in kept), encoding="utf-8")


def _find(line: Entry, day: str, failures: list[str]) -> dict[str, Any]:
    said = "; ".join(_plain(each) for each in failures[:SAID]) or "the round broke off"
    what = f"{line['failed']:,} of {line['n']:,} cases failed (seed {line['seed']}): {said}"
    return {"row": line["row"], "found": day, "what": what, "mended": None, "commit": ""}


def _plain(text: str) -> str:
    """One line, and no folder of a machine."""
    text = " ".join(text.replace(f"{ROOT}/", "").split())
    return text if len(text) <= LENGTH else f"{text[: LENGTH - 1]}…"


def table(entries: Iterable[Entry]) -> str:
    """One line a find: row, what, found, mended."""
    head = "| row | what was found | found | mended |\n|---|---|---|---|"
    return "\n".join([head, *(f"| {e['row']} | {_cell(e['what'])} | {e['found']} | {_mended(e)} |" for e in entries)])


def _mended(entry: Entry) -> str:
    commit = f" ({entry['commit']})" if entry.get("commit") else ""
    return f"{entry['mended']}{commit}" if entry["mended"] else "**open**"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def written(text: str, entries: Iterable[Entry]) -> str:
    """A page with these finds between its marks."""
    return MARKS.sub(lambda match: f"{match[1]}\n{table(entries)}\n{match[2]}", text)


def write() -> None:
    """Write the page anew."""
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), read_history()), encoding="utf-8")


if __name__ == "__main__":
    write()

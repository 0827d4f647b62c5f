"""The weaknesses that are planted into a copy, one file each: the row that has to notice it, and what it breaks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import ROOT
from tests.survive.tally import Form

PATCHES = Path(__file__).with_name("mutants")
MUTANTS = ROOT / "docs" / "survive-mutants.jsonl"
"""The last line of each planted weakness that was tried."""
SHORT = 6
"""How many are tried with the tests."""


@dataclass(frozen=True)
class Mutant:
    """One planted weakness: the patch's file, what stands above the diff in it."""

    path: Path
    row: str
    weakness: str
    form: Form = "short"
    because: str = ""
    unnoticed: str = ""

    @property
    def name(self) -> str:
        """By which it is asked for."""
        return self.path.stem

    @property
    def touched(self) -> tuple[str, ...]:
        """The files that it changes, as the patch names them."""
        return tuple(re.findall(r"^\+\+\+ b/(\S+)$", self.path.read_text(encoding="utf-8"), re.MULTILINE))


def planted(folder: Path = PATCHES) -> tuple[Mutant, ...]:
    """All of them, by name."""
    return tuple(_read(path) for path in sorted(folder.glob("*.patch")))


def _read(path: Path) -> Mutant:
    head = re.split(r"^(?=diff |--- )", path.read_text(encoding="utf-8"), maxsplit=1, flags=re.MULTILINE)[0]
    said = dict(re.findall(r"^([A-Z][a-z]+): (.+)$", head, re.MULTILINE))
    form = said.get("Form", "short")
    if not said.get("Row") or not said.get("Weakness") or form not in ("short", "whole"):
        raise ValueError(f"{path.name} must begin with Row: and Weakness:; Form: is short or whole")
    return Mutant(
        path=path,
        row=said["Row"],
        weakness=said["Weakness"],
        form=form,  # type: ignore[arg-type]
        because=said.get("Because", ""),
        unnoticed=said.get("Unnoticed", ""),
    )


def read_tried(path: Path = MUTANTS) -> dict[str, dict[str, Any]]:
    """Name → the line of when it was tried last; nothing where there is no file."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return {line["mutant"]: line for line in map(json.loads, text.splitlines())}


def keep_tried(lines: Iterable[dict[str, Any]], there: Sequence[Mutant], path: Path = MUTANTS) -> None:
    """Put lines in the place of those of the same mutants; what is planted no more goes."""
    kept = {**read_tried(path), **{line["mutant"]: line for line in lines}}
    names = [mutant.name for mutant in there if mutant.name in kept]
    path.write_text("".join(json.dumps(kept[name], ensure_ascii=False) + "\n" for name in names), encoding="utf-8")


def quickest(there: Sequence[Mutant], tried: dict[str, dict[str, Any]], n: int = SHORT) -> list[Mutant]:
    """The ``n`` that were noticed soonest by the short forms of as many rows."""
    noticed = [each for each in there if each.form == "short" and tried.get(each.name, {}).get("noticed")]
    by_row: dict[str, Mutant] = {}
    for mutant in sorted(noticed, key=lambda each: tried[each.name]["seconds"]):
        by_row.setdefault(mutant.row, mutant)
    return list(by_row.values())[:n]

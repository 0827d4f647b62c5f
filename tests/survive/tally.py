"""A row of the programme of faults: what it does how often, how its cases are counted, the JSON line it ends with."""

from __future__ import annotations

import json
import os
import random
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

import pytest

Form = Literal["short", "whole"]
Item = TypeVar("Item")
FORM = "DOCGRAPH_TEST_SURVIVE"
"""``whole`` makes every row as often as its table says; otherwise each is made in its short form."""
SEED = "DOCGRAPH_TEST_SURVIVE_SEED"
RESULTS = "DOCGRAPH_TEST_SURVIVE_RESULTS"
"""The file in which a run puts its lines, in the place of those of the same rows."""
GIVE_UP = "DOCGRAPH_TEST_SURVIVE_GIVE_UP"
"""After how many failed cases a row gives up, where that is not ``MAX_FAILURES``."""
REGRESSIONS = Path(__file__).with_name("regressions")
SHORT_SEED = 20_261_123
MAX_FAILURES = 10


@dataclass(frozen=True)
class Row:
    """One row: its name, what is done, what must hold, how often in the whole form and in the short one.

    ``case`` says what one case is, ``situations`` how many distinct ones the whole form meets at most: a case that only
    repeats another one is none. 0 = each case is a situation of its own.
    """

    row: str
    what: str
    rule: str
    n: int
    short: int
    case: str = ""
    situations: int = 0


@dataclass(frozen=True)
class Case:
    """One case of a row: its number, and chance that depends on the seed and the number alone."""

    seed: int
    number: int
    rng: random.Random = field(compare=False)

    @property
    def name(self) -> str:
        """By which it can be made again."""
        return f"{self.seed}:{self.number}"


def form() -> Form:
    """Which form is asked for."""
    return "whole" if os.environ.get(FORM) == "whole" else "short"


class Tally:
    """The count of one row. A case that fails is counted and kept as a file; the row goes on, within reason."""

    def __init__(self, row: Row) -> None:
        self.row, self.form = row, form()
        given = os.environ.get(SEED)
        self.seed = int(given) if given else SHORT_SEED if self.form == "short" else secrets.randbelow(10**9)
        self.passed = 0
        self.failures: list[str] = []
        self.known: list[str] = []
        self.skipped = ""
        self.more: dict[str, Any] = {}
        self._began = time.monotonic()

    @property
    def whole(self) -> bool:
        """Whether this is the whole form."""
        return self.form == "whole"

    @property
    def n(self) -> int:
        """How many cases are asked for."""
        return self.row.n if self.whole else self.row.short

    def cases(self, n: int | None = None) -> Iterator[Case]:
        """The cases that failed once, then ``n`` new ones (None: as many as the row asks for)."""
        kept = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(REGRESSIONS.glob("*.json"))]
        failed = [(each["seed"], each["case"]) for each in kept if each["row"] == self.row.row]
        for seed, number in (*failed, *((self.seed, number) for number in range(self.n if n is None else n))):
            yield Case(seed, number, random.Random(f"{self.row.row}:{seed}:{number}"))

    def some(self, items: Iterable[Item]) -> Sequence[Item]:
        """All of the items in the whole form; in the short one as many as it has, spread over them."""
        given = list(items)
        if self.whole or len(given) <= self.n:
            return given
        return [given[index * len(given) // self.n] for index in range(self.n)]

    @contextmanager
    def trying(self, case: Case | str, *, known: str = "") -> Iterator[None]:
        """Count one case. ``known`` names the rule of a fault that is known: the row then fails when the case passes.

        Such a case still counts as one that failed.
        """
        name = case if isinstance(case, str) else case.name
        try:
            yield
        except (Exception, pytest.fail.Exception) as error:
            said = f"{name}: {type(error).__name__}: {error}"
            if known:
                self.known.append(f"{known} ({said[:300]})")
                return
            self.failures.append(said)
            self._keep(case, said)
            if len(self.failures) >= int(os.environ.get(GIVE_UP) or MAX_FAILURES):
                raise AssertionError(f"{len(self.failures)} cases failed: given up") from error
        else:
            if known:
                self.failures.append(f"{name}: what is known to fail passes: {known}")
            else:
                self.passed += 1

    def skip(self, reason: str) -> None:
        """End here: the row, or what is left of it, cannot run in this place."""
        self.skipped = reason
        pytest.skip(reason)

    def _keep(self, case: Case | str, said: str) -> None:
        if isinstance(case, Case):
            about = {"row": self.row.row, "seed": case.seed, "case": case.number, "said": said[:2_000]}
            name = f"{self.row.row.lower()}-{case.seed}-{case.number}.json"
            (REGRESSIONS / name).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")

    def line(self) -> dict[str, Any]:
        """What the row came to."""
        failed = len(self.failures) + len(self.known)
        return {
            "row": self.row.row,
            "what": self.row.what,
            "form": self.form,
            "n": self.passed + failed,
            "passed": self.passed,
            "failed": failed,
            "seed": self.seed,
            "seconds": round(time.monotonic() - self._began, 1),
            **self.more,
            **({"known": self.known} if self.known else {}),
            **({"skipped": self.skipped} if self.skipped else {}),
        }


def read_lines(path: Path) -> dict[str, dict[str, Any]]:
    """Row → its line, in the order of the file; nothing where there is no file."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return {line["row"]: line for line in map(json.loads, text.splitlines())}


def keep_lines(path: Path, lines: Iterable[dict[str, Any]], order: Sequence[str]) -> None:
    """Put lines into a file, in the place of those of the same rows, in the order of the programme."""
    kept = {**read_lines(path), **{line["row"]: line for line in lines}}
    names = [*(name for name in order if name in kept), *(name for name in kept if name not in order)]
    path.write_text("".join(json.dumps(kept[name], ensure_ascii=False) + "\n" for name in names), encoding="utf-8")

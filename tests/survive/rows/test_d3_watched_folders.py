"""D3: a folder is changed in every way while it is watched; the workspace is that of an import of it anew."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.survive.tally import Case, Row, Tally
from tests.survive.watched_folders import ACTS, Changed, watch

ROW = Row(
    row="D3",
    what="files and folders made, renamed, half written, replaced by folders and links, touched, gone during a watch",
    rule="after each round of changes, heard of or looked for, the workspace equals that of an import anew",
    n=200,
    short=20,
    case="a change, then two rounds of some, the last while it reads too; told of by the system (each fifth), or not",
)
ROUNDS = 3


def _rounds(case: Case, changed: Changed) -> Iterator[Callable[[], object]]:
    """Each of the acts in its turn, first alone, so that the short form has all of them."""
    for number in range(ROUNDS):
        first = ACTS[(case.number * ROUNDS + number) % len(ACTS)]
        acts = [first, *case.rng.choices(ACTS, k=case.rng.randrange(5) if number else 0)]
        meanwhile = case.rng.choice(ACTS) if number == ROUNDS - 1 else None

        def act(acts: list[Callable[[Changed], object]] = acts, then: object = meanwhile) -> object:
            for each in acts:
                each(changed)
            return (lambda: then(changed)) if callable(then) else None

        yield act


@pytest.mark.skipif(os.name != "posix", reason="links, and names that change while they are read, are a POSIX matter")
@pytest.mark.timeout(1_200)
def test_d3_a_watched_folder_is_imported_as_it_is(
    tally: Tally, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for case in tally.cases():
        with tally.trying(case):
            changed = Changed(tmp_path / f"{case.seed}-{case.number}", case.rng)
            seen = watch(monkeypatch, changed.root, _rounds(case, changed), told=case.number % 5 == 0)
            assert len(seen) == ROUNDS + 1
        capsys.readouterr()

"""D1: a backup that is damaged, cut, rearranged or forged is refused in a line, or makes what can be read."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from docgraph.errors import DocgraphError
from docgraph.orchestration.docgraph import Docgraph
from tests.survive.backup_files import FOREIGN, FORGED, KINDS, STAGED
from tests.survive.operations import ASK_NO_DATABASE, READING
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import REQUEST, fill, small, stored

ROW = Row(
    row="D1",
    what="backup files: bytes of every region, cuts, entries, manifests and rows forged; restored under questions",
    rule="one line and nothing changed, or what was written to the last bit; what is forged reads, or says its fault",
    n=412,
    short=8,
    case="a byte, a cut, an entry, a manifest or a row of a backup, changed in one way",
)
LONG = {"documents.measure_vector_search", "documents.search_recall", "relationships.patch"} | ASK_NO_DATABASE
"""What takes longer than all others, or reads nothing that a backup brings."""


@contextmanager
def _asked_meanwhile(url: str, answers: list[Any]) -> Iterator[list[str]]:
    """Questions one after the other over another connection; what was no answer of these, or no line, is told."""
    wrong: list[str] = []
    stop = threading.Event()

    def ask() -> None:
        with small(url) as dg:
            while not stop.is_set():
                try:
                    found = dg.run(REQUEST)
                    if (found.plan, found.context) not in answers:
                        wrong.append(f"another answer at {found.plan.corpus_revision}")
                except DocgraphError as error:
                    if not error.hint or "\n" in str(error):
                        wrong.append(str(error))
                except BaseException as error:
                    wrong.append(f"{type(error).__name__}: {error}")

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield wrong
    finally:
        stop.set()
        thread.join()


def _answer(dg: Docgraph) -> tuple[Any, Any]:
    run = dg.run(REQUEST)
    return run.plan, run.context


def _restored(dg: Docgraph, data: bytes) -> str:
    """ "" when workspaces were made of it; else the line with which it was refused."""
    try:
        dg.backups.restore(io.BytesIO(data), replace=True)
    except DocgraphError as error:
        assert error.hint, error
        assert "\n" not in str(error)
        assert len(str(error)) < 1_000
        return str(error)
    return ""


def _can_be_read(dg: Docgraph, kept: Mapping[str, Any]) -> None:
    """What was made of a forged file holds what it states, and every operation answers or says what is wrong."""
    for name, operation in READING.items():
        if name in LONG:
            continue
        try:
            operation(dg, kept)
        except DocgraphError as error:
            assert error.hint, f"{name}: {error}"
            assert "\n" not in str(error), f"{name}: {error}"
        except Exception as error:
            raise AssertionError(f"{name} over what was restored: {type(error).__name__}: {error}") from error


@pytest.mark.timeout(1_800)
def test_d1_a_bad_backup_changes_nothing_or_is_what_was_written(tally: Tally, new_database_url: str) -> None:
    refused = 0
    with small(new_database_url) as dg, psycopg.connect(new_database_url, autocommit=True) as watching:
        kept, sound = fill(dg), io.BytesIO()
        dg.backups.write(sound)
        before, kinds = stored(watching), list(KINDS)
        for name, change in STAGED.items():
            with tally.trying(name):
                assert _restored(dg, change(sound.getvalue())), "it was taken"
                assert stored(watching) == before, "something was changed"
        for name, change in FOREIGN.items():
            with tally.trying(name):
                assert not _restored(dg, change(sound.getvalue()))
                _can_be_read(dg, kept)
        assert not _restored(dg, sound.getvalue())
        for case in tally.cases(tally.n - (len(STAGED) if tally.whole else 0)):
            kind = kinds[case.number % len(kinds)]
            with tally.trying(case):
                said = _restored(dg, KINDS[kind](case.rng, sound.getvalue()))
                refused += bool(said)
                if said or kind not in FORGED:
                    assert stored(watching) == before, f"{kind}: {said or 'restored'}"
                else:
                    _can_be_read(dg, kept)
            if stored(watching) != before:
                kept = fill(dg)
                sound = io.BytesIO()
                dg.backups.write(sound)
                before = stored(watching)
        _restored_under_questions(tally, dg, new_database_url)
    tally.more["refused"] = refused


def _restored_under_questions(tally: Tally, dg: Docgraph, url: str) -> None:
    """Two backups take turns, and bad ones between them: every answer is that of the one or the other."""
    one, two = io.BytesIO(), io.BytesIO()
    dg.backups.write(one)
    first = _answer(dg)
    dg.documents.delete(["b"])
    dg.backups.write(two)
    second = _answer(dg)
    assert first != second
    with _asked_meanwhile(url, [first, second]) as wrong:
        for number in range(20 if tally.whole else 2):
            with tally.trying(f"restored under questions, {number}"):
                good = (one, two)[number % 2]
                bad = KINDS["a table"](next(tally.cases(1)).rng, good.getvalue())
                _restored(dg, bad)
                assert not _restored(dg, good.getvalue())
                assert _answer(dg) == (first, second)[number % 2]
                assert not wrong, wrong[:3]

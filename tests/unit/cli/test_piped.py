"""What is written to a pipe without rich is what rich writes there."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from docgraph.cli.text import output, piped

TEXTS = st.text(alphabet="abcde fg-.  \u25cf\u2190\n\t\u4e16", max_size=300)
WORDY = st.lists(st.sampled_from(["a", "words ", "  ", "queue-depth-alarm", "\u25cf", "\n", "x" * 70]), max_size=40)


def drawn(draw: Callable[[], None]) -> str:
    """What rich writes to a file of 120 columns."""
    file = io.StringIO()
    screen = Console(file=file, markup=False, emoji=False, highlight=False, width=piped.PIPE_WIDTH)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(output, "console", lambda: screen)
        draw()
    return file.getvalue()


@settings(max_examples=500, deadline=None)
@given(st.one_of(TEXTS, WORDY.map("".join), WORDY.map(" ".join)), st.sampled_from([0, 3, 14]), st.booleans())
@example("", 0, False)
@example("", 14, False)
@example("a" * 120, 0, False)
@example("word " * 24, 0, False)
@example("word " * 40, 14, False)
@example("   ", 3, False)
@example("x" * 200, 0, True)
def test_a_line_is_written_as_rich_writes_it(text: str, indent: int, whole: bool) -> None:
    written = piped.wrapped(output.printable(text), indent, whole=whole)
    as_drawn = drawn(lambda: output._drawn_line([text], indent=indent, whole=whole))
    assert written in (None, as_drawn)


CELLS = st.one_of(
    st.none(), st.booleans(), st.integers(-9_999, 99_999), st.floats(0, 1), st.text("ab c\u2190\u4e16", max_size=30)
)


RIGHT: list[tuple[str, ...]] = [(), ("two",), ("one", "three")]


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=5),
    st.sampled_from(RIGHT),
    st.booleans(),
)
def test_a_table_is_written_as_rich_writes_it(rows: list[tuple[object, ...]], right: Sequence[str], wrap: bool) -> None:
    columns = ("one", "two", "three")
    written = piped.tabulated(columns, [[output._cell(cell) for cell in row] for row in rows], right=right)
    assert written in (None, drawn(lambda: output._drawn_table(columns, rows, right=right, wrap=wrap)))


def test_plain_lines_and_tables_need_no_rich() -> None:
    assert piped.wrapped("  1  \u25cf  0.917  Design: Booking queue  design-booking-queue") is not None
    assert piped.wrapped("derived \u2190 a " * 20, 14) is not None
    assert piped.tabulated(("limit", "of"), [("max_seeds", "15")], right=("of",)) is not None


def test_every_character_that_counts_as_plain_is_one_cell_wide() -> None:
    plain = [chr(code) for code in range(0x11000) if chr(code) != "\n" and piped._PLAIN.fullmatch(chr(code))]
    assert len(plain) > 500
    assert [character for character in plain if cell_len(character) != 1] == []


@pytest.mark.parametrize("name", piped._DECIDES)
def test_a_variable_that_rich_listens_to_is_left_to_rich(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for other in piped._DECIDES:
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    assert piped.is_piped()
    monkeypatch.setenv(name, "1")
    assert not piped.is_piped()

"""Tables keep their heading rows and code its fence in every chunk."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph import plugins
from docgraph.domain.graph import Section, StoredChunk
from docgraph.ingestion.cutting.blocks import find_blocks
from docgraph.ingestion.cutting.chunking import ChunkingOptions, chunk_document
from docgraph.ingestion.cutting.pieces import Limits, cut_text
from tests.builders import document

TOKENIZER = plugins.build("tokenizers", "wordllama")
LIMITS = Limits(60, 75)
ROW = "| P{0:03} | {0} | the time that lane {0} waits |"
HEAD = "| name | default | meaning |\n|---|---|---|"
TABLE = "\n".join([HEAD, *map(ROW.format, range(40))])


def chunks_of(text: str, *, source: str = "d.md") -> tuple[StoredChunk, ...]:
    made = document("d", sections=(Section(heading_path=("A",), text=text),)).model_copy(update={"source": source})
    return chunk_document(made, TOKENIZER, ChunkingOptions(target_tokens=60, max_tokens=75))


def checked(text: str, *, source: str = "d.md") -> list[str]:
    """Texts of the chunks, of which none is over the limit and each says how many tokens it has."""
    found = chunks_of(text, source=source)
    assert len(found) > 2
    assert all(chunk.token_count == TOKENIZER.count(chunk.text) <= 75 for chunk in found)
    return [chunk.text for chunk in found]


def test_every_chunk_of_a_pipe_table_repeats_heading_row_and_separator() -> None:
    texts = checked(TABLE)
    assert all(text.startswith(HEAD + "\n| P") for text in texts)
    rows = [line for text in texts for line in text.split("\n")[2:]]
    assert rows == [ROW.format(n) for n in range(40)]


def test_a_table_in_a_quote_keeps_its_quote_marks() -> None:
    quoted = "\n".join(f"> {line}" for line in TABLE.split("\n"))
    assert all(text.startswith("> | name | default | meaning |\n> |---|---|---|\n> | P") for text in checked(quoted))


@pytest.mark.parametrize(("fence", "info"), [("```", "python"), ("~~~~", ' title="a"'), ("````", "")])
def test_every_chunk_of_a_code_block_is_opened_with_its_language_and_closed(fence: str, info: str) -> None:
    lines = [f"value_{n} = compute({n})" for n in range(60)]
    texts = checked("\n".join([f"{fence}{info}", *lines, fence]))
    assert all(text.startswith(f"{fence}{info}\n") and text.endswith(f"\n{fence}") for text in texts)
    assert [line for text in texts for line in text.split("\n")[1:-1]] == lines


def test_a_fence_in_a_list_keeps_its_indentation_and_code_below_a_chunk_s_first_line_too() -> None:
    lines = [f"      value_{n} = compute({n})" for n in range(60)]
    texts = checked("\n".join(["- Do this:", "", "    ```python", *lines, "    ```", "", "- Then that."]))
    code = [text for text in texts if "value_" in text]
    assert all("    ```python\n      value_" in text and "\n    ```" in text for text in code)
    assert texts[0].startswith("- Do this:")


def test_code_is_cut_at_a_blank_line_where_one_is_near() -> None:
    functions = [f"def f{n}(a, b):\n    c = a + b\n    return c * {n}\n" for n in range(20)]
    texts = checked("```python\n" + "\n".join(functions) + "```")
    assert all(text.startswith("```python\ndef f") for text in texts)


def test_a_fence_that_nobody_closes_is_closed_in_every_chunk_but_the_last() -> None:
    texts = checked("\n".join(["```", *(f"line {n} of a log" for n in range(60))]))
    assert all(text.startswith("```\n") for text in texts)
    assert all(text.endswith("\n```") for text in texts[:-1])


def test_every_chunk_of_a_grid_table_repeats_the_heading_rows_and_ends_with_a_rule() -> None:
    rule = "+------+---------------+"
    head = "\n".join([rule, "| name | meaning       |", rule.replace("-", "=")])
    rows = "\n".join(f"| P{n:03} | lane {n:3} waits |\n|      | for the lamp  |\n{rule}" for n in range(30))
    texts = checked(f"{head}\n{rows}", source="d.rst")
    assert all(text.startswith(f"{head}\n| P") and text.endswith(rule) for text in texts)


def test_every_chunk_of_a_simple_table_repeats_the_heading_and_ends_with_a_rule() -> None:
    rule = "=====  ================"
    rows = "\n".join(f"P{n:03}   lane {n} waits\n       for the lamp" for n in range(40))
    texts = checked(f"{rule}\nname   meaning\n{rule}\n{rows}\n{rule}", source="d.rst")
    assert all(text.startswith(f"{rule}\nname   meaning\n{rule}\nP") and text.endswith(rule) for text in texts)


@pytest.mark.parametrize("line", [".. code-block:: python", "For example::"])
def test_a_literal_block_of_restructuredtext_stays_one_in_every_chunk(line: str) -> None:
    text = "\n".join([line, "", *(f"    value_{n} = compute({n})" for n in range(60)), "", "And on."])
    head = line if line.startswith("..") else "::"
    texts = checked(text, source="d.rst")
    assert all(f"{head}\n\n    value_" in text for text in texts if "value_" in text)


def test_two_colons_in_markdown_begin_no_literal_block() -> None:
    text = "\n".join(["See std::", "", *(f"    value_{n} = compute({n})" for n in range(60))])
    assert not any(text.startswith("::") for text in checked(text))


def test_a_small_table_between_long_paragraphs_is_not_cut() -> None:
    prose = " ".join(f"The lamp of lane {n} is red." for n in range(10))
    small = "\n".join([HEAD, *map(ROW.format, range(2))])
    texts = checked(f"{prose}\n\n{small}\n\n{prose}")
    assert any(small in text for text in texts)


def test_a_row_that_is_too_long_is_cut_under_its_heading_and_within_the_limit() -> None:
    texts = checked("\n".join([HEAD, f"| P0 | 1 | {'the lamp is red ' * 60}|", ROW.format(1)]))
    assert all(text.startswith(HEAD) for text in texts)


def test_a_heading_row_longer_than_half_a_chunk_is_not_repeated() -> None:
    wide = " | ".join(f"column {n}" for n in range(60))
    texts = checked("\n".join([wide, " | ".join(["---"] * 60), *(" | ".join(["x"] * 60) for _ in range(5))]))
    assert sum("column 0 " in text for text in texts) == 1


_TABLES = ["| a | b |", "|---|---|", "> |-|-|", "+--+--+", "+==+==+", "| x|", "==  ==", "é | ü", "| " * 90]
_CODE = ["```", "~~~ x", "> ```py", "- ```", "::", ".. code::", "  :a: b", "    deep"]
_LINE = st.sampled_from([*_TABLES, *_CODE, "", " ", "words of a line", "x" * 300])


@settings(deadline=None, max_examples=150)
@given(st.lists(_LINE, min_size=1, max_size=60), st.sampled_from([(4, 5), (20, 25), (60, 75)]), st.booleans())
def test_whatever_the_lines_no_piece_is_over_the_limit_and_what_it_names_is_in_the_text(
    lines: list[str], sizes: tuple[int, int], literal: bool
) -> None:
    text = "\n".join(lines).strip()
    cuts = list(cut_text(text, TOKENIZER, Limits(*sizes), literal_blocks=literal))
    assert all(cut.tokens <= sizes[1] for cut in cuts)
    spans = [(cut.start, cut.end) for cut in cuts]
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    assert all("".join(text[cut.start : cut.end].split()) in "".join(cut.text.split()) for cut in cuts)
    covered = "".join(text[start:end] for start, end in spans)
    kept = {word for word in text.split() if word.isalnum()}
    assert all(word in "".join(covered.split()) for word in kept)


@pytest.mark.parametrize(
    "line", ["| a | b |\n|---|---|", "```", "==  ==", "+--+", "> " * 50, "- ```" + " " * 500, "::"]
)
def test_hostile_lines_take_time_linear_in_the_text(line: str) -> None:
    start = time.process_time()
    find_blocks(f"{line}\n" * 40_000, literal_blocks=True)
    assert time.process_time() - start < 3

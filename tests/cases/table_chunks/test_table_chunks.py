"""Every chunk of a long table names its columns, every chunk of a long block of code is closed and opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.importing import PROFILES, Profile, imported

INPUT = Path(__file__).parent / "wide_table" / "input"
HEAD = "| name | default | unit | meaning |\n|---|---|---|---|\n"


@pytest.mark.parametrize("profile", PROFILES)
def test_every_chunk_of_a_table_repeats_its_heading_row_and_counts_it(profile: Profile) -> None:
    with imported(INPUT, profile=profile) as case:
        rows = [chunk for chunk in case.dg.documents.chunks("t") if "| P0" in chunk.text]
        counter = case.dg.session.adapters.tokenizer
        assert len(rows) > 3
        assert all(HEAD in chunk.text for chunk in rows)
        assert all(chunk.token_count == counter.count(chunk.text) for chunk in rows)
        read = [c for d in case.dg.run("what is the default of P045").context.documents for c in d.chunks]
    assert any("| P045 | 315 | ms |" in chunk.passage and "| name | default |" in chunk.passage for chunk in read)


@pytest.mark.parametrize("profile", PROFILES)
def test_every_chunk_of_a_block_of_code_is_closed_and_opened(profile: Profile) -> None:
    with imported(INPUT, profile=profile) as case:
        code = [chunk.text for chunk in case.dg.documents.chunks("c") if "compute(" in chunk.text]
    assert len(code) > 3
    for text in code:
        fences = [line for line in text.splitlines() if line.startswith("```")]
        assert fences == ["```python", "```"]

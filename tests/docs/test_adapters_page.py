"""The page on adapters: its tables are the code's, and its examples run; `make clients` runs those of each library."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests import ROOT
from tests.integration.clients.adapters.corpus import FIELDS, examples

PAGE = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
ADAPTERS = {path.stem for path in (ROOT / "docgraph" / "adapters").glob("*.py")} - {"__init__", "passages"}


def test_every_adapter_is_listed_with_its_own_name_of_a_limit() -> None:
    rows = re.findall(r"`docgraph\.adapters\.(\w+)` \| `pip install ([\w-]+)` \| `(\w+)`", PAGE)
    assert {name for name, _, _ in rows} == ADAPTERS
    for name, package, limit in rows:
        code = (ROOT / "docgraph" / "adapters" / f"{name}.py").read_text(encoding="utf-8")
        assert f"pip install {package}" in code
        assert f'limit="{limit}"' in code


def test_every_field_of_the_metadata_is_listed() -> None:
    table = PAGE.split("| metadata | meaning |", 1)[1].split("\n\n", 1)[0]
    listed = {name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split(" | ")[0])}
    assert listed == FIELDS | {"source", "standing"}


def test_every_adapter_has_an_example_and_no_example_is_left_out() -> None:
    assert all(examples(name) for name in ADAPTERS)
    assert sum(len(examples(name)) for name in ("", *ADAPTERS)) == PAGE.count("```python")


@pytest.mark.parametrize("code", examples(""))
def test_the_examples_without_another_library_run(code: str) -> None:
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr
    assert "Plan " in finished.stdout

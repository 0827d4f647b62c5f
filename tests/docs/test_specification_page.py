"""The page on the specification names tests that are there, for every sentence."""

from __future__ import annotations

import re

from tests import ROOT

PAGE = (ROOT / "docs" / "specification.md").read_text(encoding="utf-8")
SHORT = {name: f"tests/unit/{name}" for name in ("planning", "execution", "retrieval")}
NAMED = re.findall(r"`([\w/]+\.py)::(test_\w+)`", PAGE)


def test_every_named_test_is_there() -> None:
    assert len(NAMED) > 30
    for path, name in NAMED:
        first = path.split("/", 1)[0]
        file = ROOT / path.replace(first, SHORT.get(first, first), 1)
        assert file.is_file(), path
        assert f"def {name}(" in file.read_text(encoding="utf-8"), f"{path}::{name}"


def test_every_sentence_has_its_test_or_its_import_contract() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| sentence")]
    assert len(rows) > 30
    for row in rows:
        assert "::test_" in row or "in `pyproject.toml`" in row, row

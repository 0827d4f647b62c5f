"""The page on security promises nothing without a test that is there."""

from __future__ import annotations

import re

from tests import ROOT

PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
TABLE = PAGE.split("## What docgraph protects", 1)[1].split("\n## ", 1)[0]
PROMISES = [line for line in TABLE.splitlines() if line.startswith("| ") and not line.startswith("| | promise")]


def test_every_promise_has_its_tests_and_they_are_there() -> None:
    assert len(PROMISES) > 15
    for row in PROMISES:
        named = re.findall(r"`([\w/]+\.py)::(test_\w+)`", row)
        assert named, row
        for path, name in named:
            assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), f"{path}::{name}"

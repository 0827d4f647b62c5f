"""``<a href>`` in Markdown leads to a document as ``[label](target)`` does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.importing import PROFILES, Profile, imported

INPUT = Path(__file__).parent / "readme" / "input"


@pytest.mark.parametrize("profile", PROFILES)
def test_a_link_in_html_is_a_link(profile: Profile) -> None:
    with imported(INPUT, profile=profile) as case:
        assert case.pairs == {("a", "b"), ("a", "c"), ("a", "d")}

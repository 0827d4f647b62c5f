"""The text of a footnote is text, though it is indented as code is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.importing import PROFILES, Profile, imported

TEXT = """# A

A queue.[^1] A crane.[^crane]

[^1]:
    Bounded, see [b](b.md).

    And [c] as well.

        [no link](f.md)

!!! note

    [^crane]: In a note: [d](d.md)

        and [e](e.md).

[c]: c.md
"""


@pytest.mark.parametrize("profile", PROFILES)
def test_links_in_footnotes_are_relationships_and_code_in_them_is_code(tmp_path: Path, profile: Profile) -> None:
    for name in "bcdef":
        (tmp_path / f"{name}.md").write_text(f"# {name.upper()}\n\nWords of {name * 3}.\n", encoding="utf-8")
    (tmp_path / "a.md").write_text(TEXT, encoding="utf-8")
    with imported(tmp_path, profile=profile) as case:
        links = {edge.key for edge in case.dg.relationships.list() if edge.relation_type == "links_to"}
        assert links == {("a", "links_to", name) for name in "bcde"}

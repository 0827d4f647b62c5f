"""A document is called by the level-1 heading that begins it, by its field, or by its file; never by a part of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.importing import PROFILES, Profile, imported

INPUT = Path(__file__).parent / "vault" / "input"


@pytest.mark.parametrize("profile", PROFILES)
def test_a_note_without_a_heading_of_its_own_is_called_by_its_file(profile: Profile) -> None:
    with imported(INPUT, profile=profile) as case:
        assert case.titles == {"Cards view": "Cards view", "Phone": "Phone", "Sync": "Sync"}
        plan = case.dg.plan("what does Sync keep equal")
        assert plan.document_ids[0] == "Sync"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Own\n\n## Part\n", "Own"),
        ("Own\n===\n\nText.\n", "Own"),
        ("[![build](b.svg)](b) ![x](y.png)\n\n# Own\n", "Own"),
        ("<!-- a comment -->\n\n# Own\n", "Own"),
        ('<h1 align="center">Own &amp; more</h1>\n\n## Part\n', "Own & more"),
        ("---\ntitle: Own\n---\n## Part\n", "Own"),
        ("## Part\n\n# Later\n", "page"),
        ("Some prose.\n\n# Later\n", "page"),
        ("```\n# code\n```\n\n## Part\n", "page"),
    ],
)
def test_only_what_begins_a_text_is_its_title(text: str, title: str, tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(text)
    with imported(tmp_path) as case:
        assert case.titles == {"page": title}

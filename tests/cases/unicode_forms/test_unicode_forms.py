"""File systems and keyboards write letters with marks in two forms, and print shops have letters of their own."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from tests.cases.importing import PROFILES, Profile, imported

INPUT = Path(__file__).parent / "decomposed-names" / "input"
NOTE = unicodedata.normalize("NFC", "Café Öl")


@pytest.mark.parametrize("profile", PROFILES)
def test_a_name_is_found_in_either_form(profile: Profile) -> None:
    with imported(INPUT, profile=profile) as case:
        assert case.pairs == {("index", NOTE), ("dep", "r")}


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_aliases_paths_and_questions_in_either_form(form: str, tmp_path: Path) -> None:
    other = "NFD" if form == "NFC" else "NFC"
    (tmp_path / unicodedata.normalize(form, "Señal.md")).write_text(
        unicodedata.normalize(form, "---\naliases: [Ärger]\n---\n# Über uns\n\nText.\n")
    )
    text = unicodedata.normalize(other, "# Start\n\n[[Señal]] [[Ärger]] [x](Señal.md)\n")
    (tmp_path / "a.md").write_text(text)
    with imported(tmp_path) as case:
        note = unicodedata.normalize("NFC", "Señal")
        assert case.pairs == {("a", note)}
        question = unicodedata.normalize(other, "what says the page Über uns")
        assert note in case.dg.plan(question).document_ids


def test_ligatures_and_hidden_hyphens_are_no_other_words(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The e\ufb03cient work\u00ad\ufb02ow of the o\ufb03ce.\n")
    with imported(tmp_path) as case:
        assert [chunk.text for chunk in case.dg.documents.chunks("a")] == ["The efficient workflow of the office."]

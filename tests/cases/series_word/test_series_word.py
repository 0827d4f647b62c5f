"""A number is bound to the word that people say: by the folder, by other texts, by the page that explains it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.importing import PROFILES, Case, Profile, imported

HERE = Path(__file__).parent


def first(case: Case, question: str) -> tuple[str, bool]:
    """(the first document of the plan, whether the question names it)."""
    seed = case.dg.plan(question).seed_documents[0]
    return seed.document_id, bool(seed.named)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("question", ["What does ADR-0007 say?", "ADR 7", "adr-7", "Who wrote adr/0007-yaml.md?"])
def test_a_record_in_the_folder_adr_is_found_by_its_number(profile: Profile, question: str) -> None:
    """A number in a file's name was bound to no word, so neither a question nor a text that names ADR-7 found it."""
    with imported(HERE / "adr_folder" / "input", profile=profile) as case:
        assert first(case, question) == ("adr/0007-yaml", True)
        assert case.edges == {
            ("adr/0006-train", "mentions", "adr/0002-queue"),
            ("adr/0006-train", "mentions", "adr/0003-lamp"),
        }


@pytest.mark.parametrize("profile", PROFILES)
def test_the_word_comes_from_texts_that_name_numbers_of_the_series(profile: Profile) -> None:
    """RFC, HTTP, UTF and *page* stand before numbers too, and are no names of this series."""
    with imported(HERE / "texts" / "input", profile=profile) as case:
        assert first(case, "What is WIDGET 170 about?") == ("text/trace/0170-sampling", True)
        assert first(case, "and widget-0016?") == ("text/0016-tracers", True)
        assert case.edges == {
            ("text/0005-init", "mentions", "text/0016-tracers"),
            ("text/0005-init", "mentions", "text/trace/0170-sampling"),
            ("text/0016-tracers", "mentions", "text/0005-init"),
            ("text/trace/0170-sampling", "mentions", "text/0005-init"),
            ("text/trace/0172-limits", "mentions", "text/trace/0170-sampling"),
            ("text/trace/0172-limits", "mentions", "text/trace/0171-rates"),
        }


@pytest.mark.parametrize("profile", PROFILES)
def test_the_word_comes_from_the_page_that_explains_the_records(profile: Profile) -> None:
    with imported(HERE / "readme" / "input", profile=profile) as case:
        assert first(case, "What does DEC-3 say?") == ("records/0003-lamp", True)
        assert ("records/0002-crane", "mentions", "records/0001-first") in case.edges


@pytest.mark.parametrize("profile", PROFILES)
def test_two_series_of_equal_numbers_have_a_word_each(profile: Profile) -> None:
    with imported(HERE / "two" / "input", profile=profile) as case:
        assert first(case, "What does ADR-2 say?") == ("docs/decisions/0002-queue", True)
        assert first(case, "What does RFC-2 say?") == ("rfcs/0002-sail", True)
        assert case.edges == {
            ("docs/decisions/0001-yard", "mentions", "docs/decisions/0002-queue"),
            ("docs/decisions/0001-yard", "mentions", "rfcs/0003-mast"),
            ("rfcs/0001-ship", "mentions", "rfcs/0002-sail"),
            ("rfcs/0003-mast", "mentions", "docs/decisions/0001-yard"),
        }


def test_the_look_proposes_the_word() -> None:
    """The proposal of a series was ``word = ""``."""
    with imported(HERE / "adr_folder" / "input") as case:
        look = case.dg.documents.look(HERE / "adr_folder" / "input")
    assert [series.word for series in look.profile.numbers] == ["ADR"]

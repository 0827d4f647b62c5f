"""Moments, people and revisions of saved runs, as words."""

from __future__ import annotations

import pytest

from docgraph.views.words.moments import moment, person, revision


@pytest.mark.parametrize(
    ("iso", "said"),
    [
        ("2026-11-22T02:04:05+00:00", "22 Nov 2026, 02:04 UTC"),
        ("2026-03-01T00:30:00+02:00", "28 Feb 2026, 22:30 UTC"),
        ("", "--"),
        ("last week", "last week"),
    ],
)
def test_a_moment_is_said_in_utc_and_an_unknown_one_is_not_made_up(iso: str, said: str) -> None:
    assert moment(iso) == said


def test_a_person_without_a_name_is_somebody() -> None:
    assert (person("  "), person(" Ann ")) == ("somebody", "Ann")


def test_a_revision_is_shortened_and_a_missing_one_is_unknown() -> None:
    assert (revision("81cadb0123"), revision("")) == ("81cadb", "--")

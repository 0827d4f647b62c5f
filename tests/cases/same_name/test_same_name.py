"""Of several documents of a name the nearest is meant; where none is nearer, a finding says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.importing import PROFILES, Profile, imported

INPUT = Path(__file__).parent / "vault" / "input"


@pytest.mark.parametrize("profile", PROFILES)
def test_a_note_means_the_nearest_of_a_name(profile: Profile) -> None:
    with imported(INPUT, profile=profile) as case:
        assert ("Sync/Set up", "Sync/Privacy") in case.pairs
        assert ("Sync/Set up", "Publish/Privacy") not in case.pairs
        assert ("Home", "Sync/Privacy") in case.pairs
        found = [finding for finding in case.dg.check().findings if finding.check_id == "ambiguous_name"]
        assert [set(finding.document_ids) for finding in found] == [{"Home", "Sync/Privacy", "Publish/Privacy"}]


@pytest.mark.parametrize(
    ("places", "link", "meant"),
    [
        (("x", "a/x", "a/b/x"), "x", "a/b/x"),  # the same folder
        (("x", "c/d/x", "a/x"), "x", "a/x"),  # the fewest steps
        (("a/b/c/x", "q/x"), "x", "a/b/c/x"),
        (("q/x", "r/s/x"), "x", "q/x"),
        (("a/x", "q/x"), "q/x", "q/x"),  # a path says which
    ],
)
def test_the_same_folder_then_the_fewest_steps(places: tuple[str, ...], link: str, meant: str, tmp_path: Path) -> None:
    for name, text in [*((place, "Text.") for place in places), ("a/b/note", f"See [[{link}]].")]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{name}.md").write_text(text)
    with imported(tmp_path) as case:
        assert {edge for edge in case.edges if edge[1] == "links_to"} == {("a/b/note", "links_to", meant)}
        assert not case.findings("ambiguous_name")


@pytest.mark.parametrize("profile", PROFILES)
def test_the_other_ways_in_which_notes_are_named(profile: Profile, tmp_path: Path) -> None:
    notes = {
        "a": "[[Label|proj.plan]] [[one]] [[two]] [[space/page]] #[[topic]] ![[shown.png]] %% [[hidden]] %%",
        "proj.plan": "Text.",
        "named": "---\naliases: one, two\n---\nText.",
        "space___page": "Text.",
        "topic": "Text.",
        "hidden": "Text.",
    }
    for name, text in notes.items():
        (tmp_path / f"{name}.md").write_text(text)
    with imported(tmp_path, profile=profile) as case:
        links = {(start, end) for start, kind, end in case.edges if kind == "links_to"}
        assert links == {("a", "proj.plan"), ("a", "named"), ("a", "space___page")}

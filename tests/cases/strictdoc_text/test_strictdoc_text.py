"""A text in a StrictDoc file ends where its mark stands at the margin."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.importing import PROFILES, Profile, imported

FOLDER = Path(__file__).parent / "nested_marks" / "input"


@pytest.mark.parametrize("profile", PROFILES)
def test_a_mark_inside_an_example_does_not_end_the_text(profile: Profile) -> None:
    """StrictDoc's own user guide was refused: "closes a text that is not open"."""
    with imported(FOLDER, profile=profile) as case:
        assert set(case.titles) == {"a", "a/1", "R1"}
        assert case.report.n_rejected == 0
        text = "".join(chunk.text for chunk in case.dg.documents.chunks("a/1"))
        assert "The system shall greet." in text
        assert "and more text." in text
        assert {edge for edge in case.edges if edge[1] == "part_of"} == {
            ("a/1", "part_of", "a"),
            ("R1", "part_of", "a"),
        }


def test_a_mark_at_the_margin_without_a_text_is_still_a_fault(tmp_path: Path) -> None:
    (tmp_path / "bad.sdoc").write_text("[DOCUMENT]\nTITLE: Bad\n\n<<<\n")
    (tmp_path / "good.md").write_text("# Good\n\nWords.\n")
    with imported(tmp_path) as case:
        assert [cause.cause for cause in case.report.causes] == ["line 4 closes a text that is not open"]


@pytest.mark.parametrize("profile", PROFILES)
def test_links_in_texts_lead_to_nodes_sections_and_anchors(tmp_path: Path, profile: Profile) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.sdoc").write_text(
        "[DOCUMENT]\nTITLE: Guide\n\n[[SECTION]]\nUID: SEC-1\nTITLE: Pumps\n\n[TEXT]\nSTATEMENT: >>>\n"
        "See [LINK: R1], [LINK: SEC-2], [LINK: ANC-1] and ``[LINK: X]``; [LINK: GONE].\n\n    [LINK: Y]\n<<<\n\n"
        "[[/SECTION]]\n"
    )
    (folder / "b.sdoc").write_text(
        "[DOCUMENT]\nTITLE: Rules\n\n[[SECTION]]\nUID: SEC-2\nTITLE: Valves\n\n[REQUIREMENT]\nUID: R1\nTITLE: Stop\n"
        "STATEMENT: >>>\n[ANCHOR: ANC-1, Here]\nThe pump stops.\n<<<\n\n[[/SECTION]]\n"
    )
    with imported(folder, profile=profile) as case:
        assert {edge[2] for edge in case.edges if edge[:2] == ("a/1", "links_to")} == {"R1", "b", "GONE"}

"""Structure that a format states is no boilerplate, no hub, needs no sentence, and makes no name ambiguous."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.importing import PROFILES, Profile, imported

FOLDER = Path(__file__).parent / "strictdoc" / "input"


@pytest.mark.parametrize("profile", PROFILES)
def test_requirements_and_their_documents_give_no_finding(profile: Profile) -> None:
    """There were 120, none of them true: 60 of every part, 20 of declared traces, 40 of the documents' own lists."""
    with imported(FOLDER, profile=profile) as case:
        assert len(case.edges) > 80
        assert not case.findings()


@pytest.mark.parametrize("profile", PROFILES)
def test_a_table_of_contents_is_no_hub_and_what_every_page_links_is_still_boilerplate(
    tmp_path: Path, profile: Profile
) -> None:
    pages = [f"page{n:02}" for n in range(45)]
    entries = "".join(f"   {page}\n" for page in pages)
    (tmp_path / "index.rst").write_text(f"Contents\n========\n\n.. toctree::\n\n{entries}")
    (tmp_path / "terms.rst").write_text("Terms of use\n============\n\nRead them.\n")
    for page in pages:
        (tmp_path / f"{page}.rst").write_text(
            f"Sheet {page}\n============\n\nWords on it; see :doc:`the terms <terms>`.\n"
        )
    with imported(tmp_path, profile=profile) as case:
        assert not case.findings("hub")
        assert len(case.findings("boilerplate_target")) == 45
        assert all("links_to" in sentence for _, sentence in case.findings("boilerplate_target"))


def test_two_requirements_of_one_title_that_nothing_relates_are_ambiguous(tmp_path: Path) -> None:
    lines = ["[DOCUMENT]", "TITLE: Ship", ""]
    for uid in ("A1", "A2"):
        lines += ["[REQUIREMENT]", f"UID: {uid}", "TITLE: Pump duty", f"STATEMENT: The {uid} shall work.", ""]
    (tmp_path / "s.sdoc").write_text("\n".join(lines))
    with imported(tmp_path) as case:
        assert len(case.findings("ambiguous_title")) == 1

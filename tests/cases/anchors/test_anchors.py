"""A link to a section keeps it, and one that leads to none is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from docgraph.domain.graph import Relationship
from tests.cases.importing import PROFILES, Case, Profile, imported

HERE = Path(__file__).parent
PAIR = ("a", "links_to", "b")


def relationship(case: Case, key: tuple[str, str, str]) -> Relationship:
    return next(edge for edge in case.dg.relationships.list() if edge.key == key)


def sections(case: Case, source: str, target: str) -> dict[str, str | None]:
    return {each.anchor: each.heading for each in relationship(case, (source, "links_to", target)).sections}


@pytest.mark.parametrize("profile", PROFILES)
def test_all_sections_of_one_pair_are_kept_in_order(profile: Profile) -> None:
    """Anchors were dropped: of 2,967 anchored links in four public repositories none kept its section."""
    with imported(HERE / "sections" / "input", profile=profile) as case:
        assert case.edges == {PAIR}
        kept = [(each.anchor, each.name) for each in relationship(case, PAIR).sections]
    assert kept == [("limits", "Limits"), ("old-heading", ""), ("Limits", "Limits"), ("Nothing", "")]


@pytest.mark.parametrize("profile", PROFILES)
def test_the_two_anchors_that_lead_nowhere_are_found(profile: Profile) -> None:
    with imported(HERE / "sections" / "input", profile=profile) as case:
        found = {sentence for _, sentence in case.findings("broken_anchor")}
    assert found == {
        "A —links_to→ B: it has no section #old-heading",
        "A —links_to→ B: it has no section #Nothing",
    }


@pytest.mark.parametrize("profile", PROFILES)
def test_the_reason_of_a_plan_names_the_section_and_so_does_the_explanation(profile: Profile) -> None:
    with imported(HERE / "sections" / "input", profile=profile) as case:
        request = {"query": "See limits, gone", "max_seeds": 1}
        (target,) = case.dg.plan(request).expanded_documents
        assert target.reasons[0].sections == ("Limits",)
        assert "its section Limits" in case.dg.explain(request, "b").sentence


WHERE = {
    "limits": "Limits",
    "limits-1": "Queue > Limits",
    "limits-2": "Harbour > Limits",
    "faq--help": "FAQ & Help",
    "faq-help": "FAQ & Help",
    "überprüfung": "Überprüfung",
    "проверка": "Проверка",
    "max_seeds": "max_seeds",
    "-launch": "🚀 Launch",
    "own-id": "Named {#own-id}",
    "listed": "Named {#own-id}",
    "tagged": "Tagged",
    "the-label": "Labelled",
    "rules": "",
    "Purpose#Inner part": "Purpose > Inner part",
    "^quote": "Purpose",
    "FAQ & Help": "FAQ & Help",
}


@pytest.mark.parametrize("profile", PROFILES)
def test_every_way_to_name_a_section_leads_to_it(profile: Profile) -> None:
    with imported(HERE / "forms" / "input", profile=profile) as case:
        rules = sections(case, "start", "rules")
        assert (rules.pop("old-name") or "").startswith("Renamed")
        assert rules == WHERE
        assert sections(case, "start", "sub/page") == {"terms": "Terms of use", "note": "Terms of use"}
        assert sections(case, "start", "sub/guide") == {"second-step": "Second"}
        names = {each.anchor: each.name for each in relationship(case, ("start", "links_to", "rules")).sections}
    assert (names["own-id"], names["old-name"]) == ("Named", "Renamed")


@pytest.mark.parametrize("profile", PROFILES)
def test_what_names_no_section_or_cannot_be_known_is_never_broken(profile: Profile) -> None:
    with imported(HERE / "forms" / "input", profile=profile) as case:
        assert not sections(case, "none", "rules")
        found = {sentence for _, sentence in case.findings("broken_anchor")}
    assert not [sentence for sentence in found if "None of these" in sentence or "code" in sentence]


@pytest.mark.parametrize("profile", PROFILES)
def test_broken_anchors_of_every_format_are_found_with_the_close_heading(profile: Profile) -> None:
    with imported(HERE / "forms" / "input", profile=profile) as case:
        found = {sentence.partition(": ")[2] or sentence for _, sentence in case.findings("broken_anchor")}
    assert found == {
        "it has no section #limit; its section Limits is similar",
        "it has no section #no-such-section",
        "it has no section #limits-3; its section Limits is similar",
        "it has no section #^nowhere",
        "it has no section #absent",
        "it has no section #third-step",
        "Start links to its own section #own-parts, and has none; its section Own part is similar",
    }


BUILT = """# Settings

## Options

#### <!-- md:setting config.archive -->

Where old posts go.

<!-- md:option toc.slugify -->

:   How names are made.

### Path <small>Crumbs</small> { id=crumbs }

Where a reader stands.

### Logo

=== ":octicons-image-16: Image"

    A picture.

=== "Icon, *bundled*"

    An icon.

```
<!-- md:setting config.example -->
=== "Shown"
```

<!-- md:option has two words -->
<!-- TODO: later -->
"""


def test_places_that_a_build_makes_of_comments_attributes_and_tabs_are_known(tmp_path: Path) -> None:
    """Forty links to settings of one manual were said to lead nowhere: their headings are comments."""
    good = {
        "config.archive": "Options",
        "+toc.slugify": "Options",
        "crumbs": "Options > Path <small>Crumbs</small> { id=crumbs }",
        "image": "Options > Logo",
        "logo-image": "Options > Logo",
        "logo-icon-bundled": "Options > Logo",
    }
    bad = ("config.example", "shown", "later", "config.gone", "path-image")
    links = ", ".join(f"[x](b.md#{anchor})" for anchor in (*good, *bad))
    (tmp_path / "a.md").write_text(f"# A\nSee {links}.\n")
    (tmp_path / "b.md").write_text(BUILT)
    with imported(tmp_path) as case:
        found = sections(case, "a", "b")
    assert {anchor: found[anchor] for anchor in bad} == dict.fromkeys(bad)
    assert {anchor: found[anchor] for anchor in good} == good


def test_a_target_that_is_imported_alone_moves_no_section_of_its_sources(tmp_path: Path) -> None:
    """A document that is not part of an import is judged by what is stored of it, own ids included."""
    (tmp_path / "a.md").write_text("# A\nSee [one](b.md#one), [two](b.md#two).\n")
    (tmp_path / "b.md").write_text("# B\n\n## First {#one}\nText.\n\n<a id='two'></a>\n## Second\nMore.\n")
    with imported(tmp_path) as case:
        first = sections(case, "a", "b")
        case.dg.ingest(tmp_path / "a.md")
        assert sections(case, "a", "b") == first == {"one": "First {#one}", "two": "Second"}
        assert not case.findings("broken_anchor")


def test_a_heading_that_goes_breaks_the_links_to_it_with_the_next_import(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\nSee [one](b.md#first).\n")
    (tmp_path / "b.md").write_text("# B\n\n## First\nText.\n")
    with imported(tmp_path) as case:
        assert sections(case, "a", "b") == {"first": "First"}
        (tmp_path / "b.md").write_text("# B\n\n## Premier\nText.\n")
        report = case.dg.ingest(tmp_path)
        assert sections(case, "a", "b") == {"first": None}
        assert [sentence for _, sentence in case.findings("broken_anchor")]
    assert report.n_rejected == 0


@pytest.mark.parametrize("profile", PROFILES)
def test_an_icon_of_a_list_of_contributors_sends_nobody_to_a_section(tmp_path: Path, profile: Profile) -> None:
    """The bot that writes such lists links each icon to an anchor that no page has."""
    icon, word = '<a href="#question-ann" title="Answers">\U0001f4ac</a>', '<a href="#gone" title="x">the end</a>'
    (tmp_path / "a.md").write_text(f"# A\n\nThanks, Ann {icon}. See {word}.\n", encoding="utf-8")
    with imported(tmp_path, profile=profile) as case:
        assert [sentence for _, sentence in case.findings("broken_anchor")] == [
            "A links to its own section #gone, and has none"
        ]

"""Texts written for Sphinx: labels are looked up over all files, pages by path, contents by their entries."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.importing import PROFILES, Profile, imported

HERE = Path(__file__).parent


@pytest.mark.parametrize("profile", PROFILES)
def test_a_manual_has_its_contents_pages_and_labels(profile: Profile) -> None:
    """Nothing of Sphinx was read: 0 of 388 pairs of two real manuals."""
    with imported(HERE / "manual" / "input", profile=profile) as case:
        assert case.edges == {
            ("guide", "links_to", "sub/ref"),
            ("index", "contains", "guide"),
            ("index", "contains", "sub/ref"),
            ("index", "contains", "missing"),
            ("sub/ref", "links_to", "guide"),
            ("sub/ref", "links_to", "index"),
            ("sub/ref", "links_to", "no-such-label"),
        }
        assert len(case.findings("missing_endpoint")) == 2


@pytest.mark.parametrize("profile", PROFILES)
def test_labels_terms_sections_globs_and_examples_are_told_apart(profile: Profile) -> None:
    """Roles in code, comments and literals are examples; other projects and code are not of this folder."""
    with imported(HERE / "labels" / "input", profile=profile) as case:
        assert case.edges == {
            ("index", "contains", "parts/a"),
            ("index", "contains", "parts/b"),
            ("index", "contains", "glossary"),
            ("index", "includes", "shared/notice"),
            ("parts/a", "links_to", "parts/b"),
            ("parts/a", "links_to", "glossary"),
            ("parts/a", "links_to", "index"),
            ("parts/b", "links_to", "index"),
            ("parts/b", "links_to", "glossary"),
            ("glossary", "links_to", "parts/b"),
            ("shared/notice", "links_to", "shared/gone"),
        }


@pytest.mark.parametrize("profile", PROFILES)
def test_a_project_begins_at_its_conf_py_and_names_other_projects(profile: Profile) -> None:
    """``/use/start`` means the page below ``conf.py``; a page of Sphinx's manual is none of this folder."""
    with imported(HERE / "project" / "input", profile=profile) as case:
        assert case.edges == {
            ("docs/index", "links_to", "docs/use/start"),
            ("docs/index", "links_to", "stable-abi"),
            ("docs/index", "links_to", "docs/gone"),
            ("docs/use/start", "links_to", "docs/index"),
            ("docs/use/start", "links_to", "docs/configuration"),
            ("docs/configuration", "links_to", "docs/index"),
            ("docs/configuration", "links_to", "README"),
            ("README", "links_to", "docs/index"),
            ("use/start", "links_to", "README"),
        }
        said = {sentence for _, sentence in case.findings("missing_endpoint")}
        assert any("docs/gone" in each for each in said)
        assert not any("stable-abi" in each for each in said), "its build looks it up in python and sphinx"


@pytest.mark.parametrize("profile", PROFILES)
def test_myst_has_the_same_roles_labels_and_contents_in_markdown(profile: Profile) -> None:
    """Roles in code are examples, and ``#guide`` is the heading of the page itself."""
    with imported(HERE / "myst" / "input", profile=profile) as case:
        assert case.edges == {
            ("guide", "links_to", "gone"),
            ("guide", "links_to", "index"),
            ("guide", "links_to", "sub/ref"),
            ("index", "contains", "guide"),
            ("index", "contains", "sub/ref"),
            ("index", "contains", "missing"),
            ("sub/ref", "links_to", "guide"),
        }


def test_a_label_is_known_where_its_document_did_not_change(tmp_path: Path) -> None:
    """Labels of stored documents count too: the second import reads only one of the two files anew."""
    (tmp_path / "a.rst").write_text("A\n=\n\nWords.\n")
    (tmp_path / "b.rst").write_text("Bravo\n=====\n\n.. _here:\n\nSection\n-------\n\nWords.\n")
    with imported(tmp_path) as case:
        (tmp_path / "a.rst").write_text("A\n=\n\nSee :ref:`here`.\n")
        case.dg.ingest(tmp_path / "a.rst")
        assert case.pairs == {("a", "b")}


def test_labels_of_a_part_of_a_project_are_no_finding(tmp_path: Path) -> None:
    """Of two hundred pages without settings and contents every label that stands elsewhere was one."""
    (tmp_path / "a.rst").write_text("Alpha\n=====\n\nSee :ref:`elsewhere` and :doc:`gone`.\n")
    with imported(tmp_path) as case:
        assert case.pairs == {("a", "elsewhere"), ("a", "gone")}
        assert [sentence for _, sentence in case.findings("missing_endpoint")] == [
            "Alpha —links_to→ gone: there is no document gone"
        ]

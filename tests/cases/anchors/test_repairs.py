"""A broken anchor is repaired: proposed where a heading is similar, saved, undone, written into the text."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from docgraph.domain.anchors import Sections
from docgraph.domain.edit import Edit
from docgraph.domain.finding import Finding
from docgraph.errors import ConflictError, UserError
from docgraph.views.relationships.findings.subject import fix_label
from tests.cases.importing import Case, imported

KEY = ("a", "links_to", "b")
TEXT = """# A
See [the limits](b.md#limit), [again](<b.md#limit> "so"), [purpose](b.md#purpose), [elsewhere](c.md#limit) and [ref].
Code: `[x](b.md#limit)`. A [lost one](b.md#nothing-like-it).

[ref]: b.md#limit
"""
MENDED = """# A
See [the limits](b.md#limits), [again](<b.md#limits> "so"), [purpose](b.md#purpose), [elsewhere](c.md#limit) and [ref].
Code: `[x](b.md#limit)`. A [lost one](b.md#nothing-like-it).

[ref]: b.md#limits
"""


def written(folder: Path, text: str = TEXT) -> Path:
    (folder / "a.md").write_text(text, encoding="utf-8")
    (folder / "b.md").write_text("# B\nText.\n\n## Limits\nSo many.\n\n## Purpose\nWhy.\n", encoding="utf-8")
    (folder / "c.md").write_text("# C\nText.\n\n## Limit\nOne.\n", encoding="utf-8")
    return folder


def broken(case: Case) -> dict[str, Finding]:
    found = case.dg.check().findings
    return {each.anchor: each for each in found if each.check_id == "broken_anchor"}


def anchors(case: Case) -> dict[str, str | None]:
    (edge,) = [each for each in case.dg.relationships.list() if each.key == KEY]
    return {each.anchor: each.heading for each in edge.sections}


def applied(folder: Path, diff: str) -> None:
    subprocess.run(["git", "apply", "-"], cwd=folder, input=diff, text=True, check=True)


def test_the_close_heading_is_proposed_saved_undone_and_written_where_the_link_stands(tmp_path: Path) -> None:
    with imported(written(tmp_path)) as case:
        found = broken(case)
        assert set(found) == {"limit", "nothing-like-it"}
        assert not found["nothing-like-it"].fix, "no heading is similar to it"
        (edit,) = found["limit"].fix
        assert (edit.action, edit.anchor, edit.to_anchor, edit.heading) == ("reanchor", "limit", "limits", "Limits")
        (entry,) = case.dg.relationships.edit([edit], by="Ann", reason="the heading was renamed")
        assert anchors(case) == {"limits": "Limits", "purpose": "Purpose", "nothing-like-it": None}
        assert set(broken(case)) == {"nothing-like-it"}
        made = case.dg.relationships.patch(tmp_path)
        assert (made.n_edits, made.n_patched, made.left) == (1, 1, ())
        applied(tmp_path, made.data.decode())
        assert (tmp_path / "a.md").read_text(encoding="utf-8") == MENDED
        case.dg.ingest(tmp_path)
        assert not case.findings("import_conflict")
        assert set(broken(case)) == {"nothing-like-it"}
        assert case.dg.relationships.patch(tmp_path).n_agreed == 1, "the text says it by now"
        case.dg.relationships.undo(entry.entry_id, by="Ann")
        assert "limit" in anchors(case)
        assert case.dg.relationships.patch(tmp_path).n_edits == 0


def test_an_import_of_the_text_as_it_was_leaves_what_was_decided(tmp_path: Path) -> None:
    with imported(written(tmp_path)) as case:
        case.dg.relationships.edit(broken(case)["limit"].fix, by="Ann")
        (tmp_path / "a.md").write_text(f"{TEXT}\nMore.\n", encoding="utf-8")
        case.dg.ingest(tmp_path)
        assert set(broken(case)) == {"nothing-like-it"}


@pytest.mark.parametrize(
    ("link", "heading", "mended"),
    [
        ("[[b#Limit]]", "Limits", "[[b#Limits]]"),
        ("[[b#Limit of it|these]]", "Limits of it", "[[b#Limits of it|these]]"),
        ("[x](b.md#gr%C3%B6%C3%9Fe-der-liste)", "Größe der Listen", "[x](b.md#größe-der-listen)"),
        ("[x](b.md#own-idea)", "Own ideas {#id-7}", "[x](b.md#id-7)"),
        ("[x](./b.md#the-ende)", "The end", "[x](./b.md#the-end)"),
    ],
)
def test_an_anchor_is_written_as_its_link_writes_them(tmp_path: Path, link: str, heading: str, mended: str) -> None:
    (tmp_path / "a.md").write_text(f"# A\nSee {link}.\n", encoding="utf-8")
    (tmp_path / "b.md").write_text(f"# B\nText.\n\n## {heading}\nMore.\n", encoding="utf-8")
    with imported(tmp_path) as case:
        (finding,) = broken(case).values() or [None]
        assert finding is not None
        case.dg.relationships.edit(finding.fix, by="Ann")
        made = case.dg.relationships.patch(tmp_path)
        assert made.n_patched == 1, made.left
        applied(tmp_path, made.data.decode())
        assert mended in (tmp_path / "a.md").read_text(encoding="utf-8")
        case.dg.ingest(tmp_path)
        assert not broken(case)


def test_two_broken_anchors_of_one_relationship_are_settled_by_one_act(tmp_path: Path) -> None:
    text = "# A\nSee [limits](b.md#limit) and [purpose](b.md#purposes).\n"
    with imported(written(tmp_path, text)) as case:
        report = case.dg.check()
        (decision,) = [each for each in report.decisions if each.check_id == "broken_anchor"]
        fix = report.fix_of(decision)
        assert [edit.anchor for edit in fix] == ["limit", "purposes"]
        case.dg.relationships.edit(fix, by="Ann")
        assert not broken(case)
        made = case.dg.relationships.patch(tmp_path)
        assert (made.n_edits, made.n_patched) == (2, 2)


def test_a_relationship_that_went_elsewhere_says_nothing_of_the_section_any_more(tmp_path: Path) -> None:
    with imported(written(tmp_path)) as case:
        case.dg.relationships.edit(broken(case)["limit"].fix, by="Ann")
        case.dg.relationships.edit([Edit(action="remove", key=KEY)], by="Ann")
        assert [each.made for each in case.dg.relationships.patch(tmp_path).left] in ([], [None])
        assert case.dg.relationships.patch(tmp_path).n_edits == 1


def test_an_anchor_that_is_not_there_is_not_written_otherwise(tmp_path: Path) -> None:
    def edit(anchor: str, to_anchor: str) -> Edit:
        return Edit(action="reanchor", key=KEY, anchor=anchor, to_anchor=to_anchor, heading="Limits")

    with imported(written(tmp_path)) as case:
        with pytest.raises(ConflictError, match="does not point to #gone"):
            case.dg.relationships.edit([edit("gone", "limits")], by="Ann")
        with pytest.raises(UserError, match="does not change a —links_to→ b"):
            case.dg.relationships.edit([edit("limit", "limit")], by="Ann")
    with pytest.raises(ValueError, match="reanchor needs"):
        Edit(action="reanchor", key=KEY, anchor="limit")


def test_the_act_on_several_anchors_is_short_enough_for_its_button(tmp_path: Path) -> None:
    with imported(written(tmp_path, "# A\nSee [limits](b.md#limit) and [purpose](b.md#purposes).\n")) as case:
        report = case.dg.check()
        (decision,) = [each for each in report.decisions if each.check_id == "broken_anchor"]
        fix = report.fix_of(decision)
    assert fix_label(fix, str) == "Fix 2 anchors"
    assert fix_label(fix[:1], str) == "Change section to Limits"


def test_a_heading_that_says_something_else_is_not_close() -> None:
    """*Dense* was offered for *sparse*: most letters of the two headings are the same."""
    sections = Sections("Retrievers", ("Dense embedding-based retrievers", "Set up the queue"))
    assert sections.close("sparse-embedding-based-retrievers") is None
    assert sections.close("dense-embeding-based-retriever") == "Dense embedding-based retrievers"
    assert sections.close("setup-the-queue") == "Set up the queue"

"""Differences between imports in words and as a feed: numbers of the value, and hostile titles stay text."""

from __future__ import annotations

import json
from xml.etree import ElementTree

from docgraph.domain.imports.record import ImportDiff, ImportSummary, QuestionChange, Redirected, Withdrawn
from docgraph.domain.saved_run import DocumentEdit, RelationshipEdit
from docgraph.views.report.of_imports import ATOM, as_feed, as_json, diff_sentence, listed, since_sentence
from tests.unit.views.report.test_file import AT, HOSTILE

BEFORE, AFTER = (ImportSummary(import_id=n, at=AT, source=f"docs {HOSTILE}") for n in (1, 2))


def made() -> ImportDiff:
    edges = [("a", "requires", str(n)) for n in range(4)]
    return ImportDiff(
        before=BEFORE,
        after=AFTER,
        documents=(DocumentEdit(document_id="a", title=HOSTILE, change="renamed", title_before="]]>&amp;\x0b"),),
        relationships=tuple(
            RelationshipEdit(key=key, change="removed", from_title=HOSTILE, to_title="<b>") for key in edges
        ),
        withdrawn=tuple(
            Withdrawn(document_id=i, title=HOSTILE, status="withdrawn", n_relationships=n)
            for i, n in (("x", 2), ("y", 1), ("z", 0))
        ),
        questions=(
            QuestionChange(run_id="r", query=HOSTILE, before=("a", "b"), after=("a", "c")),
            QuestionChange(run_id="s", query="?", before=None, after=("a",)),
            QuestionChange(run_id="t", query="?", before=("a", "b"), after=("b", "a")),
        ),
        n_questions=9,
    )


def test_the_sentence_counts_what_the_value_holds() -> None:
    assert diff_sentence(made()) == (
        "1 document renamed, 4 requires gone, 2 targets withdrawn, 1 document withdrawn without relationships to them, "
        "3 saved questions answered differently"
    )
    assert since_sentence(ImportDiff(before=BEFORE, after=AFTER)) == "Since 22 Nov 2026, 08:00 UTC: no differences"
    types = tuple(RelationshipEdit(key=("a", f"t{n}", "b"), change="added") for n in range(5))
    assert diff_sentence(ImportDiff(before=BEFORE, after=AFTER, relationships=types)) == (
        "1 t0 new, 1 t1 new, 1 t2 new, 2 more relationships new"
    )


def test_each_kind_is_listed_and_says_what_a_question_reads_now() -> None:
    found = listed(made())
    assert {title: len(said) for title, said in found.items()} == {
        "Documents renamed": 1,
        "Removed relationships": 4,
        "Withdrawn": 3,
        "Saved questions answered differently": 3,
    }
    assert [each.rsplit(": ", 2)[-1] for each in found["Saved questions answered differently"]][1:] == [
        "it had no plan before",
        "in a different order",
    ]
    assert found["Saved questions answered differently"][0].endswith("removed: b; added: c")


def test_what_points_elsewhere_what_is_related_otherwise_and_what_has_moved_have_words_of_their_own() -> None:
    said = {"from_title": "A", "title_before": "B", "title_after": "C"}
    diff = ImportDiff(
        before=BEFORE,
        after=AFTER,
        redirected=(
            Redirected(before=("a", "requires", "b"), after=("a", "requires", "c"), **said),
            Redirected(before=("a", "see", "c"), after=("a", "refines", "c"), **said),
        ),
        moved=(Withdrawn(document_id="m", title="M", status="moved", n_relationships=1),),
    )
    assert diff_sentence(diff) == (
        "1 relationship to another target, 1 relationship of another type, 1 document moved elsewhere"
    )
    assert listed(diff) == {
        "Changed relationships": ["A —requires→ C, before: B", "A —refines→ C, before: —see→"],
        "Moved elsewhere": ["M: moved, 1 relationship to it"],
    }


def test_json_holds_the_value() -> None:
    text = as_json(made())
    assert ImportDiff.model_validate(json.loads(text)["diff"]) == made()
    assert not {"\x1b", "\u202e"} & set(text)


def test_the_feed_is_atom_whatever_titles_say_and_equal_data_give_equal_bytes() -> None:
    data = as_feed("docs", [AFTER, BEFORE], [made()])
    assert data == as_feed("docs", [AFTER, BEFORE], [made()])
    root = ElementTree.fromstring(data)  # what was just written
    names = [element.tag.removeprefix(f"{{{ATOM}}}") for element in root.iter()]
    assert names == ["feed", "id", "title", "updated", "entry", "id", "title", "updated", "author", "name", "content"]
    entry = root.find(f"{{{ATOM}}}entry")
    assert entry is not None
    content = entry.findtext(f"{{{ATOM}}}content")
    assert content is not None
    assert "<script>alert(1)</script>" in content
    assert not {"\x0b", "\x1b"} & set(content)
    assert all(not element.attrib for element in root.iter())


def test_a_feed_of_nothing_is_a_feed() -> None:
    assert ElementTree.fromstring(as_feed("docs", [], [])).tag == f"{{{ATOM}}}feed"

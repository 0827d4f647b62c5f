"""A bad header line costs that line only; what is repaired or left out is told with file, line and field."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from docgraph.boundary.imports.front_matter import split_front_matter
from docgraph.domain.report import Adjusted, IngestReport, Rejected
from tests.cases.importing import PROFILES, Profile, imported

HERE = Path(__file__).parent


def told(report: IngestReport) -> dict[str, str]:
    """Place → reason of everything that is told of headers."""
    found = {each.place: each.reason for each in report.adjusted}
    return found | {each.source: each.reason for each in report.outcomes if each.outcome == "rejected"}


def header(*lines: str) -> dict[str, Any]:
    """The fields of a header of YAML."""
    return split_front_matter("\n".join(("---", *lines, "---", "text"))).fields


@pytest.mark.parametrize("profile", PROFILES)
def test_the_other_lines_of_a_broken_header_are_read(profile: Profile) -> None:
    """The whole text was refused, or every field was lost, relations too."""
    with imported(HERE / "one-bad-line/input", profile=profile) as case:
        assert case.edges == {("t", "depends_on", "u"), ("tpl", "related_to", "u"), ("at", "related_to", "u")}
        assert case.titles["t"] == "Queue: why bounded"
        assert case.report.n_rejected == 0
        said = told(case.report)
        assert set(said) == {"t.md, header, line 2", "tpl.md, header, line 2", "at.md, header, line 2"}
        assert all("'title' in line 2" in reason for reason in said.values())


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("name", "text", "expected", "told_at"),
    [
        ("list.md", "---\nrelated: [u, v: w: x]\ndepends_on: u\n---\nb", {"depends_on"}, "list.md, header, line 2"),
        ("item.md", "---\nrelated:\n  - u\n  - a: b: c\n---\nb", {"related_to"}, "item.md, header, line 4"),
        ("tab.md", "---\nx:\n\ty: 1\nrelated: u\n---\nb", {"related_to"}, "tab.md, header, line 3"),
        ("quote.md", '---\ntitle: "A" B\nrelated: u\n---\nb', {"related_to"}, "quote.md, header, line 2"),
        ("open.md", '---\ntitle: "A\nrelated: u\n---\nb', {"related_to"}, "open.md, header, line 2"),
        ("star.md", "---\ntitle: *A*\nrelated: u\n---\nb", {"related_to"}, "star.md, header, line 2"),
        ("tag.md", "---\ntitle: !A b\nrelated: u\n---\nb", {"related_to"}, "tag.md, header, line 2"),
        ("pct.md", "---\ntitle: 90%\nowner: %x\nrelated: u\n---\nb", {"related_to"}, "pct.md, header, line 3"),
        ("none.md", "---\nrelated: u\njust words\ntitle: A\n---\nb", {"related_to"}, "none.md, header, line 3"),
        ("liquid.md", "---\nx: {% if a %}\nrelated: u\n---\nb", {"related_to"}, "liquid.md, header, line 2"),
        ("crlf.md", "---\r\ntitle: A: B\r\nrelated: u\r\n---\r\nb", {"related_to"}, "crlf.md, header, line 2"),
        ("toml.md", '+++\ntitle = A: B\nrelated = "u"\n+++\nb', {"related_to"}, "toml.md, header, line 2"),
        ("twice.md", "---\nrelated: v\nrelated: u\n---\nb", {"related_to"}, "twice.md, header, line 3"),
        ("both.md", "---\nrelated: u\ntitle: A\ntitle: B: C\n---\nb", {"related_to"}, "both.md, header, line 4"),
        ("pep.rst", "PEP: 1\nTitle: A\nno field\nRequires: u\nStatus: x\n\nb", set(), "pep.rst, header, line 3"),
        ("info.rst", "Info\n====\n\n:Author: x\nno field\n:Status: y\n\nb", set(), "info.rst, header, line 5"),
    ],
)
def test_one_bad_line_costs_that_line(
    profile: Profile, tmp_path: Path, name: str, text: str, expected: set[str], told_at: str
) -> None:
    (tmp_path / "u.md").write_text("# U\nb", newline="")
    (tmp_path / name).write_text(text, newline="")
    with imported(tmp_path, profile=profile) as case:
        types = {kind for source, kind, target in case.edges if target == "u" and source != "u"}
        assert expected <= types
        assert told_at in told(case.report)
        assert case.report.n_stored == 2


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("\n---\ntitle: A\nrelated: u\n---\nb", 2, "has to begin in the first line"),
        ("\n \n\n---\ntitle: A\n---\nb", 4, "has to begin in the first line"),
        ("<!-- (c) -->\n\n---\ntitle: A\n---\nb", 3, "has to begin in the first line"),
        ("\n+++\ntitle = 'A'\n+++\nb", 2, "has to begin in the first line"),
        ("---\ntitle: A\nrelated: u\n\n# B\n", 1, "never closed"),
        ("+++\ntitle = 'A'\n\n# B\n", 1, "never closed"),
        ("---\ntitle: A\ntitle: B\n---\nb", 3, "'title' stands twice, in line 2 and line 3"),
        ("---\na:\n  x: 1\n  x: 2\n---\nb", 4, "'x' stands twice"),
    ],
)
def test_a_header_that_is_none_and_a_key_that_stands_twice_are_told(
    profile: Profile, tmp_path: Path, text: str, line: int, words: str
) -> None:
    (tmp_path / "a.md").write_text(text)
    with imported(tmp_path, profile=profile) as case:
        assert words in told(case.report)[f"a.md, header, line {line}"]
        assert case.report.n_stored == 1


@pytest.mark.parametrize(
    "text",
    [
        "---\nJust words between rules.\n---\nx",
        "---\n\n# A title\n\nNote: this.\n",
        "\n# A\n\n---\n\nb\n\n---\n",
        "---\n",
        "Note: a text: that begins so\nand goes on\n\nb",
        "---\nWords [that are: no YAML.\n---\nx",
        "---\ntitle: A\n---\nb",
    ],
)
def test_what_is_no_header_or_a_good_one_tells_nothing(text: str) -> None:
    assert split_front_matter(text).told == ()


def test_values_are_read_as_they_stand() -> None:
    found = header(
        "title: [WIP] Queue: why",
        "a: 'it's'",
        "b: one: two # a comment",
        "c: [x, 'y', \"z\"]: d",
        "d: [x, 'y', @z]",
        "list:",
        "  - fine",
        "  - a: b: c",
        "block: |",
        "  kept: as: it is",
        "empty:",
        "n: 3",
    )
    assert found == {
        "title": "[WIP] Queue: why",
        "a": "it's",
        "b": "one: two",
        "c": "[x, 'y', \"z\"]: d",
        "d": ["x", "y", "@z"],
        "list": ["fine", "a: b: c"],
        "block": "kept: as: it is",
        "empty": None,
        "n": 3,
    }


def test_what_is_nested_under_a_bad_line_is_told_line_by_line() -> None:
    found = split_front_matter("---\na: x: y\n  z: 1\nb: 2\n---\nt")
    assert found.fields == {"a": "x: y", "b": 2}
    assert [(type(each), each.place) for each in found.told] == [
        (Adjusted, "header, line 2"),
        (Rejected, "header, line 3"),
    ]


def test_a_line_behind_one_that_is_left_out_has_its_own_number() -> None:
    found = split_front_matter("---\na: x: y\nno field\n  z: 1\nb: 2\n---\nt")
    assert [each.place for each in found.told if isinstance(each, Rejected)] == ["header, line 3", "header, line 4"]


@pytest.mark.parametrize(
    "block",
    [
        "a: b: c\n" * 8_000,
        "x: y: z\n" + "- [\n" * 15_000,
        "x: y: z\n" + " " * 60_000,
        "x: y: z\n" + "a" * 60_000,
        "x: y: z\n" + "k: " + "[" * 60_000,
        "x: y: z\n" + ("k" * 70 + "\n") * 900,
        "x: y: z # " + "# " * 30_000,
        "\n".join(f"k{n}: *a{n}: [" for n in range(4_000)),
        "\n".join(f"k{n}: {{{{a}}}}" for n in range(4_000)),
        "k: x: y\n" + "\n".join(f"{' ' * (n % 50)}- &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 2_000)),
    ],
)
def test_the_work_on_a_hostile_header_is_bounded(block: str) -> None:
    for fence in ("---", "+++"):
        began = time.monotonic()
        found = split_front_matter(f"{fence}\n{block}\n{fence}\ntext")
        assert time.monotonic() - began < 20
        assert found.body.endswith("text")
        assert len(found.told) <= 101


def test_a_bad_header_of_a_document_costs_no_pruning_of_others(tmp_path: Path) -> None:
    """A rejected part of one text made the import incomplete, and then nothing that is gone is removed."""
    (tmp_path / "a.md").write_text("---\nx: 1\nno field\n---\n# A\nb")
    (tmp_path / "gone.md").write_text("# G\nb")
    with imported(tmp_path) as case:
        (tmp_path / "gone.md").unlink()
        assert case.dg.ingest(tmp_path, prune=True).pruned == ("gone",)

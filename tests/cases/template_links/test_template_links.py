"""Links of Hugo, Jekyll, DocFX, mdBook and Antora; those that nobody can follow are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.importing import PROFILES, Profile, imported

INPUT = Path(__file__).parent / "hugo-jekyll" / "input"


def written(folder: Path, pages: dict[str, str]) -> Path:
    for name, text in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize("profile", PROFILES)
def test_links_of_hugo_and_jekyll_lead_to_their_pages(profile: Profile) -> None:
    with imported(INPUT, profile=profile) as case:
        pages = {f"content/{name}" for name in "bcdef"} | {"_posts/2024-01-01-g"}
        assert case.pairs == {("content/a", page) for page in pages}


@pytest.mark.parametrize("profile", PROFILES)
def test_other_forms_of_the_same_tools(profile: Profile, tmp_path: Path) -> None:
    text = """# Start
[b]({{% relref "/blog/b.md#part" %}}) <a href="{{< ref "c" >}}">c</a> and [d][d], [e](/blog/e/).

[d]: {{< ref path="d" lang="en" >}}
"""
    pages = {f"content/en/blog/{name}.md": f"# Page {name * 3}\n" for name in "bcd"}
    written(tmp_path, {**pages, "content/en/blog/e/index.md": "# Page eee\n", "content/en/blog/a.md": text})
    with imported(tmp_path, profile=profile) as case:
        there = {f"content/en/blog/{name}" for name in ("b", "c", "d", "e/index")}
        assert case.pairs == {("content/en/blog/a", page) for page in there}


@pytest.mark.parametrize("profile", PROFILES)
def test_links_of_docfx_and_mdbook(profile: Profile, tmp_path: Path) -> None:
    text = "# Start\n[b](xref:the.uid) [c](~/sub/c.md)\n\n{{#include d.md:2:4}}\n"
    other = {"b.md": "---\nuid: the.uid\n---\n# Page bbb\n", "sub/c.md": "# Page ccc\n", "d.md": "# Page ddd\n"}
    with imported(written(tmp_path, {"a.md": text, **other}), profile=profile) as case:
        assert case.pairs == {("a", "b"), ("a", "sub/c"), ("a", "d")}


@pytest.mark.parametrize("profile", PROFILES)
def test_a_template_that_nobody_can_follow_is_counted_and_told(profile: Profile, tmp_path: Path) -> None:
    text = "# A\n[x]({{ page.somewhere }}) [y]({% link nowhere.md %}), {{ page.title }}, `{{< ref x >}}`, [[{{day}}]]\n"
    with imported(written(tmp_path, {"a.md": text, "b.md": "# B\n"}), profile=profile) as case:
        assert not case.pairs
        assert case.report.reading is not None
        assert case.report.reading.links == {"unresolved template": 3}
        assert "a.md: {{ page.somewhere }}" in case.report.reading.missing


def test_a_file_that_mdbook_takes_in_is_no_section(tmp_path: Path) -> None:
    files = {"a.md": "# A\n\n{{#include b.md}}\n", "b.md": "# B\n\nText.\n"}
    with imported(written(tmp_path, files)) as case:
        assert case.pairs == {("a", "b")}
        assert case.findings("broken_anchor") == set()
        assert [edge.relationship_metadata.get("sections") for edge in case.dg.relationships.list()] == [None]


def test_data_in_double_brackets_and_labels_of_web_links_are_no_notes(tmp_path: Path) -> None:
    text = '# A\n\nOf [["cpu", "ns"], ["wall", "s"]] and [["a","b"]], see [[1]](https://x.example/a) and [[b]].\n'
    with imported(written(tmp_path, {"a.md": text, "b.md": "# B\n\nText.\n"})) as case:
        assert case.pairs == {("a", "b")}

"""Pages of MDX are read; what makes components of them is no text, and their links are links."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.importing import PROFILES, Profile, imported

INPUT = Path(__file__).parent / "docusaurus" / "input"


@pytest.mark.parametrize("profile", PROFILES)
def test_a_site_of_docusaurus(profile: Profile) -> None:
    with imported(INPUT, profile=profile) as case:
        assert case.pairs == {("intro", "second"), ("second", "intro"), ("third", "second")}
        assert case.titles == {"intro": "Intro", "second": "Second", "third": "Third"}
        assert case.report.n_rejected == 0
        assert "Docusaurus: 2 .mdx pages, 2 links" in [each.sentence for each in case.report.dialects]
        text = "\n".join(chunk.text for chunk in case.dg.documents.chunks("intro"))
        assert "import" not in text
        assert "export" not in text
        assert "Tabs" not in text
        assert "First read" in text


@pytest.mark.parametrize("profile", PROFILES)
def test_numbers_before_names_components_and_the_top_of_the_site(profile: Profile, tmp_path: Path) -> None:
    pages = {
        "01-guides/02-start.mdx": "# Start\n\n<Card href={'/guides/next'}>\n  [deep](@site/03-deep.mdx)\n</Card>\n",
        "01-guides/next.mdx": '# Next one\n\n<Link\n  to="/guides/start">back</Link>\n\n{/* [no](../03-deep.mdx) */}\n',
        "03-deep.mdx": "# Deep\n\n```js\nimport x from 'y'\n<Tabs/>\n```\n\n`<Link to='/guides/start'>`\n",
    }
    for name, text in pages.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    start, after, deep = "01-guides/02-start", "01-guides/next", "03-deep"
    with imported(tmp_path, profile=profile) as case:
        assert case.pairs == {(start, after), (start, deep), (after, start)}
        code = "\n".join(chunk.text for chunk in case.dg.documents.chunks(deep))
        assert "import x from 'y'\n<Tabs/>" in code  # an example of it is text


@pytest.mark.parametrize("suffix", ["qmd", "Rmd", "mdc", "markdn", "mkdn", "mdwn", "MDX"])
def test_other_endings_of_markdown_are_read(suffix: str, tmp_path: Path) -> None:
    (tmp_path / f"a.{suffix}").write_text("# A\n\nSee [b](b.md).\n")
    (tmp_path / "b.md").write_text(f"# B\n\nSee [a](a.{suffix}).\n")
    with imported(tmp_path) as case:
        assert case.pairs == {("a", "b"), ("b", "a")}


def test_a_rule_of_an_editor_names_files_in_its_own_way(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/a.mdc").write_text("---\ndescription: names\n---\nKeep to [the guide](mdc:docs/guide.md).\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/guide.md").write_text("# Guide\n\nNot [this](mdc:rules/a.mdc).\n")
    with imported(tmp_path) as case:
        assert case.pairs == {("rules/a", "docs/guide")}

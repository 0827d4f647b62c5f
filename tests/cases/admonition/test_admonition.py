"""Indented lines under ``!!!``, ``???``, ``===`` and ``:::`` are text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.importing import PROFILES, Profile, imported

INPUT = Path(__file__).parent / "mkdocs" / "input"
NESTED = """# A

1.  Step

    ???+ warning "Outer"

        !!! tip
            Read [b](b.md).

        === "Tab"

            ```md
            [no link](f.md)
            ```

            Then [c](c.md).

                [no link](f.md)

::: package.module
    See [d](d.md).

    [no link](f.md)

```md
!!! note

    [no link](f.md)
```

--8<-- "e.md"
"""


@pytest.mark.parametrize("profile", PROFILES)
def test_what_stands_under_a_marker_is_text_and_code_stays_code(profile: Profile) -> None:
    with imported(INPUT, profile=profile) as case:
        assert case.pairs == {("a", "b"), ("a", "c"), ("a", "d"), ("a", "e")}
        assert [each.sentence for each in case.report.dialects] == ["MkDocs: 1 page, 4 links"]


@pytest.mark.parametrize("profile", PROFILES)
def test_markers_in_lists_and_in_each_other_and_snippets(profile: Profile, tmp_path: Path) -> None:
    for name in "bcdef":
        (tmp_path / f"{name}.md").write_text(f"# Page {name * 3}\n")
    (tmp_path / "a.md").write_text(NESTED.replace("    [no link](f.md)\n\n```md\n!!!", "\n```md\n!!!"))
    with imported(tmp_path, profile=profile) as case:
        assert case.pairs == {("a", "b"), ("a", "c"), ("a", "d"), ("a", "e")}

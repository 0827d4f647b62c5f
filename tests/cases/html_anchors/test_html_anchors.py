"""``<a href>`` in Markdown leads to a document as ``[label](target)`` does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.importing import PROFILES, Profile, imported

INPUT = Path(__file__).parent / "readme" / "input"
FORMS = """# A
<A
  class="x"
  HREF = 'b.md'>b</A> and <a href=c.md>c</a>, <a title="href=f.md" href="d&#46;md#part">d</a>.

<table><tr><td><a href="sub/e.md"
>e</a></td></tr></table>

<!-- <a href="f.md">gone</a> --> `<a href="f.md">code</a>` <img src="f.md"> <a name="f.md">here</a>

```html
<a href="f.md">code</a>
```
"""


@pytest.mark.parametrize("profile", PROFILES)
def test_a_link_in_html_is_a_link(profile: Profile) -> None:
    with imported(INPUT, profile=profile) as case:
        assert case.pairs == {("a", "b"), ("a", "c"), ("a", "d")}


@pytest.mark.parametrize("profile", PROFILES)
def test_a_tag_is_read_however_it_is_written_and_no_example_of_one(profile: Profile, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("b", "c", "d", "sub/e", "f"):
        (tmp_path / f"{name}.md").write_text(f"# Page {name[-1].upper() * 3}\n")
    (tmp_path / "a.md").write_text(FORMS)
    with imported(tmp_path, profile=profile) as case:
        assert case.pairs == {("a", "b"), ("a", "c"), ("a", "d"), ("a", "sub/e")}

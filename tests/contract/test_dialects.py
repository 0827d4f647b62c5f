"""What every dialect in the folder keeps, whatever tool it speaks of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph import plugins
from docgraph.ports import Dialect

NAMES = plugins.available("dialects")
TEXTS = st.lists(
    st.sampled_from(
        [
            "# A",
            "!!! note",
            "    [b](b.md)",
            "```",
            "<Tabs>",
            "import x",
            "%%",
            "{{<",
            "ref",
            ">}}",
            "{% link a.md %}",
            "",
        ]
    )
    | st.text(max_size=20)
).map("\n".join)


def _built(name: str) -> Dialect:
    built: Dialect = plugins.build("dialects", name)
    return built


@pytest.mark.parametrize("name", NAMES)
def test_a_dialect_says_what_it_is_called_and_which_files_are_its_pages(name: str) -> None:
    dialect = _built(name)
    assert dialect.name == name
    assert dialect.title
    assert dialect.suffixes
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in dialect.suffixes)


@pytest.mark.parametrize("name", NAMES)
@given(text=TEXTS)
def test_no_text_breaks_a_dialect_and_its_lines_stay_where_they_are(name: str, text: str) -> None:
    dialect = _built(name)
    for source in ("docs/page.md", "page.mdx", "a/page.rst"):
        dialect.marks(text, source)
        assert len(dialect.readable(text, source)) == len(text)
        assert dialect.unfolded(text, source).count("\n") == text.count("\n")
        assert dialect.target(text, source) is None or isinstance(dialect.target(text, source), str)


@pytest.mark.parametrize("name", NAMES)
def test_plain_markdown_is_no_dialect(name: str) -> None:
    assert not _built(name).marks("# Title\n\nSee [b](b.md) and [c](../c.md#part).\n", "docs/page.md")

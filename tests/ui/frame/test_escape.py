"""Document text in labels and in HTML shows literally."""

from __future__ import annotations

import html as stdlib_html
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from docgraph.ui.frame import escape

HOSTILE = (
    "![x](https://evil.example/p.png)",
    "[click](javascript:alert(1))",
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    ":material/warning: :red[red] :smile:",
    "$\\href{https://evil.example}{x}$",
    "https://evil.example www.evil.example me@evil.example",
    "`code` **bold** _it_ ~~gone~~ | a | b |",
    "1. list",
    "# heading",
    "\x1b[31m\u202etxt.exe",
    '"><svg onload=alert(1)>',
)


def _seen(text: str) -> str:
    """What a reader sees of ``text`` rendered as markdown, without the joiner."""
    rendered = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text)
    assert re.fullmatch(r"(<p>[^<]*</p>\n)?", rendered), f"markup came through: {rendered!r}"
    return stdlib_html.unescape(re.sub(r"</?p>", "", rendered)).replace(escape.JOINER, "").strip()


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_in_a_label_shows_literally(text: str) -> None:
    assert _seen(escape.label(text)) == " ".join(escape.plain(text).split())


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_in_a_label_shows_literally(text: str) -> None:
    seen = _seen(escape.label(text))
    assert seen.replace("\ufffd", "") == " ".join(escape.plain(text).replace(escape.JOINER, "").split()).replace(
        "\ufffd", ""
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_is_left_that_is_replaced_after_parsing(text: str) -> None:
    """Streamlit replaces addresses, icons, emoji and arrows in finished text, where a backslash no longer helps."""
    seen = stdlib_html.unescape(MarkdownIt("commonmark").render(escape.label(text)))
    assert not re.search(r"https?://|www\.\w|\w@\w|:\w+[:/\[]|->|<-|--", seen)


@pytest.mark.parametrize("text", HOSTILE)
def test_html_is_inert_as_content_and_as_attribute(text: str) -> None:
    assert not set(escape.html(text)) & set("<>\"'")


def test_a_limit_counts_characters_as_the_reader_sees_them() -> None:
    assert escape.label("a" * 50, limit=10) == "a" * 9 + "…"


def test_marks_that_turn_the_reading_direction_are_taken_out() -> None:
    assert escape.plain("safe\u202eexe.txt\u2066\x00") == "safeexe.txt"

"""Markdown and Mermaid of a report: whatever a document says is shown letter by letter, and never comes alive."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from docgraph.domain.comparison import Comparison
from docgraph.views.report.as_markdown import MAX_NODES, flowchart, inert, label
from docgraph.views.report.file import report
from docgraph.views.words.texts import line
from tests.unit.views.report.test_file import AT, comparison, hostile

__all__ = ["comparison", "hostile"]
PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
TEXTS = st.text(st.sampled_from("ab1 <>[]()!*_`|\\#@&~$:/.-+=\"'{}%;\n\t\u202e\x1b\u2028é"), max_size=40)
NODE = re.compile(r'  (?:q\(\[|\w+\[)"[^"\[\]`<>|{}]*(?:<br/>[^"\[\]`<>|{}]*)?"\]\)?(?::::\w+)?')
EDGE = re.compile(r'  \w+ (?:-->|-\.->)(?:\|"[^"\[\]`<>|{}]*"\|)? \w+')


def _leaves(tokens: list[Token]) -> list[Token]:
    return [leaf for token in tokens for leaf in (token, *_leaves(token.children or []))]


def test_nothing_a_document_says_becomes_a_link_an_image_html_or_a_cell(hostile: Comparison) -> None:
    text = report(hostile, "markdown", made_at=AT).decode()
    kinds = [token.type for token in _leaves(PARSER.parse(text))]
    assert not {"link_open", "image", "html_inline", "html_block", "em_open", "s_open"} & set(kinds)
    assert kinds.count("fence") == 1
    for row in text.split("\n"):
        if row.startswith("| "):
            cells = len(re.findall(r"(?<!\\)\|", row))
            assert cells in (4, 5, 6, 8)
    assert not re.search(r"@\w|(?<!\w)#\d|https?:/|www\.\w", text.split("```")[0] + text.split("```")[2])


@given(TEXTS)
@settings(max_examples=150, deadline=None)
def test_a_text_is_shown_letter_by_letter(text: str) -> None:
    tokens = PARSER.parse(f"| a | b |\n| --- | --- |\n| x | {inert(text)} |\n")
    cells = [token.children or [] for token in tokens if token.type == "inline"]
    assert len(cells) == 4
    assert {leaf.type for leaf in cells[-1]} <= {"text", "text_special"}
    assert "".join(leaf.content for leaf in cells[-1]).replace("\u2060", "") == line(text)


@given(TEXTS)
@settings(max_examples=150, deadline=None)
def test_a_label_of_the_chart_holds_nothing_that_the_chart_could_read(text: str) -> None:
    made = label(text)
    assert made
    assert not set(made) & set("\"'[]`<>|{}%@$&*~\\\n")
    assert re.sub(r"#\d+;", "", made).count("#") == 0
    assert not {"--", ":", "#36;#36;"} & {made[i : i + n] for n in (1, 2, 8) for i in range(len(made))}
    assert not re.match(r"\d+\.|[-*+] ", made)


def test_the_chart_has_a_node_a_document_and_an_edge_a_relationship(
    comparison: Comparison, hostile: Comparison
) -> None:
    for one in (comparison, hostile):
        head, *rows = flowchart(one).rstrip("\n").split("\n")
        assert head == "flowchart LR"
        nodes = [row for row in rows if NODE.fullmatch(row)]
        edges = [row for row in rows if EDGE.fullmatch(row)]
        classes = [row for row in rows if row.startswith("  classDef ")]
        assert len(nodes) == 1 + len(one.documents)
        assert len(nodes) + len(edges) + len(classes) == len(rows)
    chart = flowchart(comparison)
    assert '"Title e<br/>#43; added"]:::added' in chart
    assert 'd1 -->|"explains"| d3' in chart
    assert "q -.-> d4" in chart  # a seed of A that left


def test_a_chart_that_is_too_large_says_how_much_is_missing(comparison: Comparison) -> None:
    one = comparison.documents[0]
    many = tuple(one.model_copy(update={"document_id": f"x{i}"}) for i in range(MAX_NODES + 5))
    chart = flowchart(comparison.model_copy(update={"documents": many}))
    assert '"5 more documents"' in chart
    assert chart.count(":::kept") == MAX_NODES + 1


@pytest.mark.parametrize("text", ["https://evil.example", "@everyone", "#12", "gh-12", ":smile:", "www.evil.example"])
def test_what_a_host_links_in_finished_text_is_broken_by_a_joiner(text: str) -> None:
    assert "\u2060" in inert(text)

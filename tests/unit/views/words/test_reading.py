"""Document text for reading: marks are gone, words, code and everything hostile stay, letter by letter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.domain.edge_evidence import Passage, Quote
from docgraph.views.relationships.findings.words import CLOSE, OPEN, excerpt
from docgraph.views.words.highlight import segments, terms
from docgraph.views.words.reading import MAX_LENGTH, readable, readable_line


@pytest.mark.parametrize(
    ("marked", "said"),
    [
        ("the **life** of *a hold* and `hold_id`", "the life of a hold and hold_id"),
        ("see [the queue](../queue.md 'there') and <https://a.example>", "see the queue and https://a.example"),
        ("![a lane](lane.png)", "a lane"),
        ("## Decision\n\nWe wait.", "Decision\n\nWe wait."),
        ("- one\n- two\n  1. three\n\nafter", "• one\n• two\n  1. three\n\nafter"),
        ("> quoted\n> on", "quoted\non"),
        ("| a | b |\n|---|---|\n| 1 | **2** |", "a | b\n1 | 2"),
        ("```py\nx = '**a**'\n```", "x = '**a**'"),
        ("2 * 3 * 4, snake_case_name, *args", "2 * 3 * 4, snake_case_name, *args"),
        ("fish &amp; chips\\*", "fish & chips*"),
        (
            "see [[Queue]], [[Notes/Queue|the queue]], [[Queue#Limits]] and `[[code]]`",
            "see Queue, the queue, Queue › Limits and [[code]]",
        ),
        ("> [!warning] Mind\n> the gap", "Warning: Mind\nthe gap"),
        (":::note[Queue]\nSee [it](a.mdx).\n:::\n\nAfter", "Note: Queue\nSee it.\n\nAfter"),
        (":::{tip}\nSee [[Queue]].\n:::", "Tip: \nSee Queue."),
        ("[a]: https://only.example", "[a]: https://only.example"),
    ],
)
def test_marks_of_markdown_are_gone_and_words_and_code_stay(marked: str, said: str) -> None:
    assert readable(marked) == said


def test_marks_of_restructuredtext_are_gone_by_the_ending_of_the_file() -> None:
    text = "See :pep:`8`, :class:`Foo`, ``a*b`` and `the list <https://a.example>`_::\n\n    verb *x*\n\n* item **b**"
    said = "See PEP 8, Foo, a*b and the list:\n\n    verb *x*\n\n* item b"
    assert readable(text, source="peps/pep-0008.rst") == said
    assert readable("a *b*", source="notes.txt") == "a *b*", "a text file has no marks"


def test_a_reference_of_sphinx_is_its_words_in_a_quotation_too() -> None:
    """It was drawn with role and target, "you can :ref:delete the branch <deleting_branches>::"."""
    quote = "* You can :ref:`delete the branch <deleting_branches>`, see :doc:`the guide </guide>` and :pep:`8`::"
    said = "• You can delete the branch, see the guide and PEP 8:"
    assert readable_line(quote) == said
    assert readable_line(quote, source="a.rst") == said.replace("•", "*")
    assert readable_line("see {ref}`the *queue* <queue>`, {doc}`/guide`", source="a.md") == "see the *queue*, /guide"
    assert readable_line("The `fuzzer <https://a.example>`__ of `us <b>`_") == "The fuzzer of us"
    assert readable_line("write `` :ref:`x <y>` `` or {x} `y <z>`") == "write :ref:`x <y>` or {x} y <z>"


def test_directives_do_nothing_and_stand_as_they_are() -> None:
    text = ".. include:: /etc/passwd\n\n.. raw:: html\n\n   <b>x</b>"
    assert readable(text, source="a.rst") == text


@pytest.mark.parametrize(
    "hostile",
    ["<script>alert(1)</script>", '"><img src=https://evil.example/i onerror=alert(1)>', "[x](javascript:alert(1))"],
)
def test_what_is_hostile_stays_text_letter_by_letter(hostile: str) -> None:
    assert readable(hostile) == hostile


@given(st.text(max_size=300), st.sampled_from(["", "a.rst", "a.txt"]))
def test_any_text_can_be_read_and_none_vanishes(text: str, source: str) -> None:
    said = readable(text, source=source)
    assert bool(said.strip()) == bool(text.strip())
    assert "\n" not in readable_line(text, source=source)


def test_a_text_that_is_too_long_to_parse_stands_as_it_is() -> None:
    text = "*a* " * MAX_LENGTH
    assert readable(text) == text


def test_words_of_the_question_are_found_inside_marks() -> None:
    found = segments(readable("the **queue** of *bookings*"), terms("booking queues"))
    assert [piece for piece, wanted in found if wanted] == ["queue", "bookings"]


def test_naming_sentences_are_marked_in_the_text_without_marks() -> None:
    text = "First *one*.\n\n- The life is decided in *Design: Hold*, **together**. More [of it](a.md)."
    start = text.index("- The life")
    passage = Passage(
        document_id="a", title="A", text=text, names=(Quote(start=start, end=text.index(" More")),), n_naming=1
    )
    shown = excerpt(passage)
    assert [[(s.text, s.names) for s in each] for each in shown.paragraphs] == [
        [("First one.", False)],
        [("• ", False), ("The life is decided in Design: Hold, together.", True), (" More of it.", False)],
    ]


def test_a_text_that_holds_our_own_marks_of_a_sentence_marks_nothing() -> None:
    shown = excerpt(Passage(document_id="a", title="A", text=f"a {OPEN}b{CLOSE} c"))
    assert [[(s.text, s.names) for s in each] for each in shown.paragraphs] == [[("a |b| c", False)]]

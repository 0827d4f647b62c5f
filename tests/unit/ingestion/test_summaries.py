"""The extractive summary: central sentences, no boilerplate, bounded work."""

from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph import plugins
from docgraph.domain.graph import Section
from docgraph.testing.builders import HashingEmbedder
from tests.builders import document

EXTRACTIVE = plugins.build("summarizers", "extractive")
EMBED = HashingEmbedder(dimension=64)


def summary(text: str) -> str:
    return str(EXTRACTIVE.summarize(document("d", text), EMBED.embed))


def test_code_tables_lists_and_headings_never_become_a_summary() -> None:
    text = (
        "# A heading that is long enough to be a sentence\n\n```\ncode code code code code code code code.\n```\n\n"
        "| a table row | that is long enough | to count as one |\n\n- a list item that is long enough to count.\n\n"
        "The retry queue holds messages that could not be delivered to the gateway.\n\n"
        "    indented code that is long enough to count as text.\n"
    )
    assert summary(text) == "The retry queue holds messages that could not be delivered to the gateway."


def test_it_takes_one_or_two_central_sentences_in_the_order_of_the_text() -> None:
    about = "The retry queue keeps messages for the gateway until the gateway answers."
    more = "Messages in the retry queue are sent to the gateway again after a pause."
    text = f"{about} Lunch is served at noon in the old building downstairs today. {more}"
    assert summary(text) == f"{about} {more}"


def test_links_keep_their_words_and_lose_their_targets() -> None:
    assert "http" not in summary("The [retry queue](http://example.org/x) holds messages that were not delivered.")


def test_a_document_without_sentences_is_summarised_by_its_first_words() -> None:
    assert summary("short") == "short"
    assert EXTRACTIVE.summarize(document("d", " ", title="Only a title"), EMBED.embed) == "Only a title"


def test_sections_are_read_from_the_beginning() -> None:
    sections = (Section(text="The first section says what this document is about, clearly."),) * 3
    found = EXTRACTIVE.summarize(document("d", sections=sections), EMBED.embed)
    assert found == "The first section says what this document is about, clearly."


@settings(max_examples=60, deadline=None)
@given(st.text(min_size=1, max_size=800))
def test_a_summary_is_short_repeatable_and_never_empty_for_a_text(text: str) -> None:
    found = summary(text)
    assert len(found) <= 300
    assert found == summary(text)
    assert found or not text.split()


def test_the_work_is_bounded_whatever_the_text() -> None:
    started = time.process_time()
    for hostile in ("[" * 500_000, "`:a:" * 200_000, "A b c d e f. " * 100_000, "# " * 200_000, "![x](" * 100_000):
        before = EMBED.n_texts
        summary(hostile)
        assert EMBED.n_texts - before <= 40
    assert time.process_time() - started < 10

"""One source of terms: the page and the tooltips say the same sentences."""

from __future__ import annotations

import pytest

from docgraph.views.words.glossary import TERMS, as_page, definition
from tests import ROOT


def test_the_page_is_what_the_terms_write() -> None:
    """``python -m docgraph.views.words.glossary > docs/glossary.md``."""
    assert (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8") == as_page()


def test_each_term_is_one_short_sentence() -> None:
    for term, sentence in TERMS.items():
        assert term == term.lower(), term
        assert sentence[0].isupper(), term
        assert sentence.index(".") == len(sentence) - 1, term
        assert len(sentence.split()) <= 30, term
        assert not set("|*`\n") & set(sentence), term


def test_an_unknown_term_is_an_error() -> None:
    assert definition("related document").startswith("A document")
    with pytest.raises(KeyError):
        definition("no such term")

"""The field for a question, in whatever form it stands: one key in the session and in the address."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.request import MAX_QUERY_LENGTH
from docgraph.views.words.address import QUERY


def question_field() -> None:
    """Draw it."""
    st.text_input(
        "Question",
        key=QUERY,
        bind="query-params",
        max_chars=MAX_QUERY_LENGTH,
        label_visibility="collapsed",
        placeholder="Ask a question, for example: why was the old queue replaced?",
        autocomplete="off",
    )

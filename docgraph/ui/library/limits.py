"""Limits: every limit of a request with its bounds, the promises that never change, and the settings in force."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st
from pydantic import SecretStr

from docgraph.domain.request import RetrievalRequest
from docgraph.domain.workspace import Workspace
from docgraph.settings import PREFIX, Settings
from docgraph.ui.frame import layout, resources

PROMISES = (
    ("One hop", "A related document is one relationship away from a match, never two."),
    ("Outgoing only", "Relationships are followed from the match to its target."),
    ("Similarity alone scores", "A relationship never changes the score of a passage."),
    ("Nothing left out silently", "The plan lists what was left out, with its limit."),
    (
        "No relationships, no difference",
        "If no relationship adds a document, the result is the same as without them.",
    ),
)


def limits(workspace: Workspace) -> None:
    """The three tables."""
    del workspace
    layout.section("Guarantees", "checked for every question")
    st.html(
        '<dl class="dg-facts dg-promises">'
        + "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in PROMISES)
        + "</dl>"
    )
    layout.section("Limits of a request", "set in Plan, stored in the plan")
    st.dataframe(
        request_table(), hide_index=True, row_height=34, height="content", alt="Limits of a request", placeholder="--"
    )
    layout.section("Current settings", f"environment variables that start with {PREFIX}")
    settings = settings_table(resources.settings())
    st.dataframe(settings, hide_index=True, row_height=34, height="content", alt="Current settings", placeholder="--")


def request_table() -> pd.DataFrame:
    """Columns Field, Default, Least, Most, Choices: one row a field of a retrieval request."""
    schema: dict[str, Any] = RetrievalRequest.model_json_schema()
    rows = []
    for name, field in schema["properties"].items():
        kinds = [field, *field.get("anyOf", ())]
        default = field.get("default")
        rows.append(
            {
                "Field": name,
                "Default": "--" if default is None else str(default),
                "Minimum": _first(kinds, "minimum", "minItems"),
                "Maximum": _first(kinds, "maximum", "maxItems", "maxLength"),
                "Choices": ", ".join(str(v) for kind in kinds for v in kind.get("enum", ())),
            }
        )
    return pd.DataFrame(rows)


def _first(kinds: list[dict[str, Any]], *names: str) -> str:
    return next((f"{kind[name]:,}" for kind in kinds for name in names if name in kind), "")


def settings_table(settings: Settings) -> pd.DataFrame:
    """Columns Variable, Value, Meaning; secrets and server addresses are not repeated."""
    rows = []
    for name, field in Settings.model_fields.items():
        value = getattr(settings, name)
        hidden = isinstance(value, SecretStr) or (name.endswith("_url") and value is not None)
        shown = "set (not shown)" if hidden else "--" if value is None else str(value)
        rows.append({"Variable": PREFIX + name.upper(), "Value": shown, "Meaning": field.description or ""})
    return pd.DataFrame(rows)

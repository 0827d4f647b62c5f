"""Whether the database answers and fits, how vectors are searched, and the limits and settings of this installation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pandas as pd
import streamlit as st
from pydantic import SecretStr

from docgraph.domain.request import RetrievalRequest
from docgraph.domain.workspace import Workspace
from docgraph.settings import PREFIX, Settings
from docgraph.ui.frame import layout, resources
from docgraph.ui.library.changes import changes
from docgraph.ui.library.embedding import embedding
from docgraph.ui.library.workspaces import workspaces
from docgraph.views.words.searching import SEARCHES, codes_words, search_advice

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
    layout.facts(PROMISES, more="dg-promises")
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


FOLDS: tuple[tuple[str, tuple[str, ...], Callable[[Workspace], None]], ...] = (
    ("What imports changed", ("changes",), changes),
    ("Workspaces and backup: create, switch, back up, delete", ("workspaces", "backup"), workspaces),
    ("Limits of this installation", ("limits",), limits),
)


def health(workspace: Workspace, *, opened: str = "") -> None:
    """Whether it can be asked; what is done with it now and then (``opened`` = which of it); facts, and all as JSON."""
    _standing(workspace)
    _upkeep(workspace, opened=opened)
    report = resources.docgraph(workspace.name).health()
    with st.container(border=True):
        _search(workspace, dict(report.get("database", {})))
    if workspace.revision:
        with st.container(border=True, key="dg-embedding"):
            embedding(workspace)
    database, embedder = st.columns(2, gap="medium")
    with database, st.container(border=True):
        _facts("Database", {k: v for k, v in report.get("database", {}).items() if k != "codes_in_memory"})
    with embedder, st.container(border=True):
        _facts("Embedder", dict(report.get("embedder", {})))
    with st.expander("Everything as JSON"):
        st.json(report)


def _standing(workspace: Workspace) -> None:
    usable = workspace.embedder == resources.docgraph(workspace.name).embedder
    if usable:
        layout.same(
            "The database answers, and the embedder matches",
            f"{workspace.name} is ready for questions{'' if resources.only_reads() else ' and imports'}.",
        )
    else:
        layout.card(
            "error",
            f"{workspace.name} uses another embedder",
            f"It contains vectors of {workspace.embedder.embedder_id}. Configure that one, embed again below, "
            "or choose another workspace.",
            sign="finding",
        )


def _upkeep(workspace: Workspace, *, opened: str) -> None:
    """Three folds; the one that the address names is open. What is folded is not read."""
    for title, tabs, draw in FOLDS:
        is_named = opened in tabs
        fold = st.expander(
            title, expanded=is_named, key=f"docgraph.library.fold.{tabs[0]}.{is_named}", on_change="rerun"
        )
        if fold.open:
            with fold:
                draw(workspace)


def _search(workspace: Workspace, database: Mapping[str, Any]) -> None:
    """How rankings find similar chunks, why, and what would change it."""
    choice, n_chunks = workspace.search_choice, workspace.n_chunks
    cost = "not measured"
    if choice.exact_ms is not None and choice.n_chunks:
        cost = f"{choice.exact_ms:,.0f} ms with {choice.n_chunks:,} passages (now {n_chunks:,})"
    facts = {
        "ranking": SEARCHES[workspace.vector_search],
        "chosen": "set by hand" if choice.by == "user" else "automatic: exact until a measurement suggests otherwise",
        "exact search takes": cost,
        "what would change it": search_advice(workspace),
    }
    if "codes_in_memory" in database:
        facts["codes"] = codes_words(database["codes_in_memory"], workspace)
    _facts("Vector search", facts)


def _facts(title: str, values: Mapping[str, Any]) -> None:
    layout.section(title)
    layout.facts(flat(values))


def flat(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """(name, value) pairs with words for yes, no and nothing, and readable byte counts; nested names are joined."""
    for key, value in values.items():
        name = f"{before}{key}".replace("_", " ")
        if isinstance(value, Mapping):
            yield from flat(value, f"{name} ")
        else:
            yield name, _shown(key, value)


def _shown(key: str, value: Any) -> str:
    if value is None or value == "":
        return "--"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and "bytes" in key:
        return f"{value / 1e9:,.1f} GB"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) >= 10_000 else str(value)
    if isinstance(value, list | tuple):
        return ", ".join(str(part) for part in value) or "--"
    return str(value)

"""What the documents of a workspace can be filtered by: fields of their metadata with values and counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import streamlit as st

from docgraph.domain.where import Condition
from docgraph.domain.workspace import Workspace
from docgraph.ports import FieldValue
from docgraph.ui.frame import escape, resources

MAX_FIELDS, MAX_VALUES, SHOWN_VALUES = 40, 20, 4
_OWN = ("doc_type", "ingestion_id")


@dataclass(frozen=True)
class FilterChoice:
    """The conditions that are offered, as they are written, and the fields with their values for a person to read."""

    options: tuple[str, ...]
    about: str


def filter_choice(workspace: Workspace) -> FilterChoice:
    """Of fields whose values come again, those that most documents have first; read once for each state."""
    return _filter_choice(workspace.name, workspace.state, workspace.n_documents)


@st.cache_resource(max_entries=32, ttl="1h", show_spinner=False)
def _filter_choice(name: str, state: str, n_documents: int) -> FilterChoice:
    del state  # part of the key only
    found = resources.docgraph(name).documents.fields(limit=MAX_VALUES)
    fields = [list(group) for _, group in groupby(found, key=lambda each: each.field)]
    fields = sorted(filter(_is_shared, fields), key=_order)[:MAX_FIELDS]
    options = [
        Condition(field=each.field, operator="=", values=(each.value,)).text
        for field in fields
        for each in field
        if each.value
    ]
    return FilterChoice(tuple(options), "".join(_row(field, n_documents) for field in fields))


def _is_shared(field: Sequence[FieldValue]) -> bool:
    """Whether values of the field come again, so that choosing one is worth while."""
    first = field[0]
    return first.n_values < first.n_having or first.n_values == 1


def _order(field: Sequence[FieldValue]) -> tuple[bool, int, int, str]:
    first = field[0]
    return (first.field in _OWN, -first.n_having, first.n_values, first.field)


def _row(field: Sequence[FieldValue], n_documents: int) -> str:
    first = field[0]
    values = [f"{escape.html(each.value)} <em>{each.n_documents:,}</em>" for each in field if each.value]
    more = first.n_values - min(len(values), SHOWN_VALUES)
    said = ", ".join(values[:SHOWN_VALUES]) + (f", {more:,} more" if more else "")
    having = "" if first.n_having == n_documents else f" <small>in {first.n_having:,} of {n_documents:,}</small>"
    return f"<li><b>{escape.html(first.field)}</b>{having}<span>{said}</span></li>"

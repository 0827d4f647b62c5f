"""What the address says of a plan beside its inputs: with or without relationships, and the parts of a draft."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import streamlit as st
from pydantic import TypeAdapter, ValidationError

from docgraph.domain.graph import Identifier, RelationType
from docgraph.domain.overrides import MAX_OVERRIDES, NONE, EdgeKey, Overrides, edge_text, parse_edge
from docgraph.domain.workspace import Workspace
from docgraph.errors import RequestError
from docgraph.ui.frame import escape, resources
from docgraph.ui.frame.chosen import put
from docgraph.views.words.address import ADD_SEED, DROP_SEED, NO_EDGE, NO_TYPE, STAGE

Way = Literal["Without", "With", "Change"]
WAYS: tuple[Way, ...] = ("Without", "With", "Change")
WAY = "docgraph.plan.way"
VIEW, CHANGE = "display", "Change"
"""The word of an address for what is drawn of a plan, and its value for the change."""

WITHOUT = "MS3"
"""What an address calls a plan without relationships."""


def way() -> Way:
    """How the plan is looked at."""
    if not with_relationships():
        return "Without"
    return "Change" if st.query_params.get(VIEW) == CHANGE else "With"


def with_relationships() -> bool:
    """Whether the plan that the address asks for may use relationships."""
    return st.query_params.get(STAGE) != WITHOUT


def use_relationships(wanted: bool) -> None:
    """Say in the address whether the plan may use relationships; a plan without them shows no change."""
    put(STAGE, "" if wanted else WITHOUT)
    if not wanted:
        put(VIEW, "")


def switch() -> None:
    """Look at the plan as the switch says (in a callback)."""
    chosen = st.session_state.get(WAY)
    use_relationships(chosen != "Without")
    put(VIEW, CHANGE if chosen == "Change" else "")
    st.rerun()


_ID: TypeAdapter[str] = TypeAdapter(Identifier)
_TYPE: TypeAdapter[str] = TypeAdapter(RelationType)


def read_overrides(workspace: Workspace) -> tuple[Overrides, tuple[str, ...]]:
    """The what-ifs of the address, and a sentence for everything in it that was ignored."""
    address = st.query_params
    notes: list[str] = []
    edges = _edges(address.get_all(NO_EDGE), notes)
    added = _documents(address.get_all(ADD_SEED), workspace, notes, name=ADD_SEED)
    dropped = _documents(address.get_all(DROP_SEED), workspace, notes, name=DROP_SEED)
    for both in sorted(set(added) & set(dropped)):
        notes.append(f"{DROP_SEED} “{escape.shorten(both, 60)}”: the same document is added as a match")
    read = Overrides(
        without_types=tuple(_types(address.get_all(NO_TYPE), notes)),
        without_edges=tuple(edges),
        added_seed_ids=tuple(added),
        dropped_seed_ids=tuple(i for i in dropped if i not in added),
    )
    return read, tuple(notes)


def write_overrides(overrides: Overrides) -> None:
    """Put the what-ifs into the address."""
    lists = {
        NO_EDGE: [edge_text(edge) for edge in overrides.without_edges],
        ADD_SEED: list(overrides.added_seed_ids),
        DROP_SEED: list(overrides.dropped_seed_ids),
        NO_TYPE: list(overrides.without_types),
    }
    for name, values in lists.items():
        if values and st.query_params.get_all(name) != values:
            st.query_params[name] = values
        elif not values and name in st.query_params:
            del st.query_params[name]


def forget_overrides() -> None:
    """Another question: the what-ifs belonged to the plan of the old one."""
    write_overrides(NONE)


def _edges(texts: Iterable[str], notes: list[str]) -> list[EdgeKey]:
    found = []
    for text in _at_most(texts, notes, name=NO_EDGE):
        try:
            found.append(parse_edge(text))
        except RequestError as error:
            notes.append(f"{NO_EDGE} “{escape.shorten(text, 60)}”: {error.hint}")
    return found


def _types(texts: Iterable[str], notes: list[str]) -> list[str]:
    found = []
    for text in _at_most(texts, notes, name=NO_TYPE):
        try:
            found.append(_TYPE.validate_python(text))
        except ValidationError:
            notes.append(f"{NO_TYPE} “{escape.shorten(text, 60)}”: no relationship type has this name")
    return found


def _documents(texts: Iterable[str], workspace: Workspace, notes: list[str], *, name: str) -> list[str]:
    wanted = []
    for text in _at_most(texts, notes, name=name):
        try:
            wanted.append(_ID.validate_python(text))
        except ValidationError:
            notes.append(f"{name} “{escape.shorten(text, 60)}”: no document can have this id")
    stored = resources.docgraph(workspace.name).documents.by_id(wanted) if wanted else {}
    for document_id in wanted:
        if document_id not in stored:
            notes.append(f"{name} “{escape.shorten(document_id, 60)}”: no document has this id")
    return [document_id for document_id in dict.fromkeys(wanted) if document_id in stored]


def _at_most(texts: Iterable[str], notes: list[str], *, name: str) -> list[str]:
    given = list(dict.fromkeys(texts))
    if len(given) > MAX_OVERRIDES:
        notes.append(f"{name}: {MAX_OVERRIDES} of {len(given):,} are read")
    return given[:MAX_OVERRIDES]

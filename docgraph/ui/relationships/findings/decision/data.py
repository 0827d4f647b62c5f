"""What the judging pane reads, once for each revision of the data: documents, evidence, what an edit would meet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from docgraph.domain.edge_evidence import EdgeEvidence
from docgraph.domain.edit import Action, Edit
from docgraph.domain.frozen import fingerprint
from docgraph.domain.graph import Relationship, StoredDocument
from docgraph.domain.history import edge_state
from docgraph.domain.overrides import EdgeKey
from docgraph.errors import DocgraphError
from docgraph.ui.frame import resources
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.data import version
from docgraph.views.relationships.findings.triage import common_reasons

LOOKED_AT = 500
"""Entries of the history whose reasons are counted."""
MAX_STARTS = 8
"""Above this many starts it is quicker to look into all relationships, which are read once a revision."""


def documents(workspace: str, ids: Iterable[str], *, revision: str) -> dict[str, StoredDocument]:
    """document_id → document; ids that are not stored are absent."""
    return _documents(workspace, revision, tuple(sorted(set(ids))))


@st.cache_resource(max_entries=256, ttl="1h", show_spinner=False)
def _documents(workspace: str, revision: str, ids: tuple[str, ...]) -> dict[str, StoredDocument]:
    del revision  # part of the key only
    return resources.docgraph(workspace).documents.by_id(ids)


@st.cache_resource(max_entries=256, ttl="1h", show_spinner=False)
def evidence(workspace: str, a: str, b: str, *, revision: str) -> EdgeEvidence:
    """Both documents side by side. Raises StoreError."""
    del revision  # part of the key only
    return resources.docgraph(workspace).relationships.evidence(a, b)


def stored(workspace: str, keys: Iterable[EdgeKey], *, revision: str) -> dict[EdgeKey, Relationship]:
    """Those of these relationships that are stored, by key."""
    wanted = set(keys)
    starts = sorted({key[0] for key in wanted})
    if len(starts) > MAX_STARTS:
        return {edge.key: edge for edge in state.relationships(workspace) if edge.key in wanted}
    return {
        edge.key: edge for each in starts for edge in around(workspace, each, revision=revision) if edge.key in wanted
    }


@st.cache_resource(max_entries=256, ttl="1h", show_spinner=False)
def around(workspace: str, document_id: str, *, revision: str) -> tuple[Relationship, ...]:
    """Every relationship at a document, by key."""
    del revision  # part of the key only
    found = resources.docgraph(workspace).relationships.list(document_id=document_id)
    return tuple(sorted(found, key=lambda edge: edge.key))


@st.cache_resource(max_entries=64, ttl="1h", show_spinner=False)
def type_counts(workspace: str, *, revision: str) -> dict[str, int]:
    """relation_type → how many."""
    del revision  # part of the key only
    return resources.docgraph(workspace).relationships.types()


def states(workspace: str, edits: Iterable[Edit], *, revision: str) -> dict[EdgeKey, str]:
    """The state of every relationship that the edits find or make, as it is now: what a save expects."""
    keys = {key for edit in edits for key in (edit.key, edit.result) if key is not None}
    there = stored(workspace, keys, revision=revision)
    return {key: edge_state(there.get(key)) for key in sorted(keys)}


def refusal(workspace: str, edits: Sequence[Edit], *, revision: str) -> str:
    """Why these edits cannot be done, as saving them would say it; empty when they can."""
    name = fingerprint([edit.model_dump(mode="json") for edit in edits])
    return _refusal(workspace, revision, name, tuple(edits))


@st.cache_resource(max_entries=512, ttl="1h", show_spinner=False)
def _refusal(workspace: str, revision: str, name: str, _edits: tuple[Edit, ...]) -> str:
    del revision, name  # part of the key only
    try:
        resources.docgraph(workspace).relationships.edit(_edits, by="preview", dry_run=True, new_types=True)
    except DocgraphError as problem:
        return problem.message
    return ""


def reasons(workspace: str, act: str, actions: Sequence[Action]) -> tuple[str, ...]:
    """The reasons that people gave most often for this act here, else those that are written for it."""
    return _reasons(workspace, version(workspace), act, tuple(sorted(actions)))


@st.cache_resource(max_entries=64, ttl="1h", show_spinner=False)
def _reasons(workspace: str, version: str, act: str, actions: tuple[Action, ...]) -> tuple[str, ...]:
    del version  # part of the key only
    docgraph = resources.docgraph(workspace)
    dismissals = [each for each in docgraph.rules.dismissals() if each.kind == "finding"] if act == "ignore" else []
    entries = docgraph.relationships.history(limit=LOOKED_AT) if act != "ignore" else ()
    return common_reasons(act, actions, entries, dismissals)

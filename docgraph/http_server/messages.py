"""What requests and responses hold beside the models of the Python API: two things in one body, and pages of lists."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from docgraph.domain.baselines import MS3
from docgraph.domain.edit import Edit
from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import Identifier, Relationship, RelationType, StoredChunk, StoredDocument
from docgraph.domain.history import HistoryEntry
from docgraph.domain.person import MAX_BY, MAX_REASON
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.workspace import Workspace

MAX_EDITS = 100
MAX_OFFSET = 1_000_000


class ExplainRequest(Frozen):
    """A request, and the document to explain."""

    request: RetrievalRequest
    document_id: Identifier


class CompareRequest(Frozen):
    """A new request or a saved run, and the baseline: `ms3`, `plain`, `literal`, `today`, or the id of a saved run."""

    request: RetrievalRequest | None = None
    run_id: str | None = Field(default=None, min_length=4, max_length=64)
    baseline: str = Field(default=MS3, min_length=2, max_length=64)

    @model_validator(mode="after")
    def _asks_one_thing(self) -> CompareRequest:
        if (self.request is None) == (self.run_id is None):
            raise ValueError("give either request or run_id")
        return self


class Preview(Frozen):
    """Edits whose effect is measured; nothing is written."""

    edits: tuple[Edit, ...] = Field(min_length=1, max_length=MAX_EDITS)


class Change(Preview):
    """Edits to apply in order, all or none, under the name of the person who decided them."""

    by: str = Field(min_length=1, max_length=MAX_BY, description="The editor, as the history names them.")
    reason: str = Field(default="", max_length=MAX_REASON, description="Why, as the history says it.")
    new_types: bool = Field(default=False, description="Allow a relationship type that is not used yet.")
    dry_run: bool = Field(default=False, description="Check everything, write nothing.")


class Page(Frozen):
    """Which part of a list is wanted."""

    offset: int = Field(default=0, ge=0, le=MAX_OFFSET)
    limit: int = Field(default=100, ge=1, le=500)


class DocumentsQuery(Page):
    """Filters of the list of documents."""

    doc_type: str | None = Field(default=None, max_length=200)
    text: str | None = Field(default=None, max_length=500, description="Part of a title or an id.")


class RelationshipsQuery(Page):
    """Filters of the list of relationships."""

    document_id: Identifier | None = Field(default=None, description="At either end.")
    relation_type: RelationType | None = None
    dangling: Literal["true", "false"] | None = Field(default=None, description="Whether the target is missing.")


class Health(Frozen):
    """The server runs."""

    status: Literal["ok"] = "ok"


class Workspaces(Frozen):
    """The workspaces that this server answers for, by name."""

    workspaces: tuple[Workspace, ...]


class DocumentList(Frozen):
    """A page of documents, by id; ``more`` = there are further ones behind it."""

    documents: tuple[StoredDocument, ...]
    offset: int
    more: bool


class DocumentText(Frozen):
    """A document, and a page of its chunks in text order."""

    document: StoredDocument
    chunks: tuple[StoredChunk, ...]
    offset: int
    more: bool


class RelationshipList(Frozen):
    """A page of relationships, by key; ``more`` = there are further ones behind it."""

    relationships: tuple[Relationship, ...]
    offset: int
    more: bool


class Changed(Frozen):
    """The entries of the history, one an edit; `entry_id` 0 = a dry run."""

    entries: tuple[HistoryEntry, ...]

"""Workspaces as rows, and the row that is held while something beside the documents is changed."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from docgraph.domain.revision import content_text, places_text, revision_text
from docgraph.domain.type_roles import TypeDecision
from docgraph.domain.workspace import NOBODY, EmbedderInfo, SearchChoice, Workspace
from docgraph.errors import NotFoundError
from docgraph.plugins.stores._rows.embedding import changed_embedder
from docgraph.plugins.stores.postgres.statements import family

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docgraph.domain.workspace import VectorSearch
    from docgraph.plugins.stores.postgres.connections.naming import Connection

SQL = family("workspaces")
VERSION_TABLE = "schema_version"
"""In every schema: the migration that it is at."""


def workspace_of(row: tuple[Any, ...]) -> Workspace:
    """The workspace in a row of ``docgraph.workspaces``."""
    name, title, embedder, model, dimension, revision, off, decisions, n_documents, n_relationships, n_chunks, *rest = (
        row
    )
    search, *sums, made_with = rest
    state, (relationships, vectors) = int(revision), map(int, sums)
    return Workspace.trusted(
        {
            "name": name,
            "title": title,
            "embedder": EmbedderInfo.trusted({"name": embedder, "model": model, "dimension": dimension}),
            "revision": revision_text(state),
            "places": places_text(state),
            "content_revision": content_text(state, relationships=relationships, vectors=vectors),
            "off_relation_types": tuple(off),
            "type_decisions": decisions_of(decisions),
            "n_documents": n_documents,
            "n_relationships": n_relationships,
            "n_chunks": n_chunks,
            **search_of(search),
            "made_with": made_with,
        }
    )


@lru_cache(maxsize=1_000)
def search_of(text: str) -> dict[str, Any]:
    """The fields of a workspace in what its row says of its search: a mode, and behind it who chose it and why.

    A mode alone is of the time when nothing but people chose; ``exact`` alone, of workspaces for which nobody did.
    """
    mode, _, choice = text.partition(" ")
    by = SearchChoice(by="auto" if mode == "exact" else "user")
    return {"vector_search": mode, "search_choice": SearchChoice.model_validate_json(choice) if choice else by}


@lru_cache(maxsize=1_000)
def decisions_of(text: str) -> tuple[TypeDecision, ...]:
    """The decisions about relation types in what a workspace's row says of them."""
    return tuple(TypeDecision.model_validate(each) for each in json.loads(text)) if text else ()


def decisions_text(decisions: Sequence[TypeDecision]) -> str:
    """What the row of a workspace says of decisions about relation types; nothing where there are none."""
    said = [each.model_dump(mode="json", exclude_defaults=True) for each in decisions]
    return json.dumps(said, separators=(",", ":")) if said else ""


def search_text(mode: VectorSearch, choice: SearchChoice) -> str:
    """What the row of a workspace says of its search."""
    nobody = mode == "exact" and choice == NOBODY
    return mode if nobody else f"{mode} {choice.model_dump_json(exclude_defaults=True)}"


def hold(connection: Connection, name: str, *, alone: bool = False) -> None:
    """Keep the workspace's row until the transaction ends: others that hold it wait. Raises NotFoundError.

    ``alone`` = those wait too that only move its revision.
    """
    statement = SQL["hold_alone" if alone else "hold"]
    if connection.execute(statement.encode(), {"name": name}).fetchone() is None:
        raise dropped(name)


def check_embedder(connection: Connection, name: str, embedder: EmbedderInfo | None) -> None:
    """Raises EmbedderChangedError where the workspace holds vectors of another one now; None asks for nothing."""
    row = None if embedder is None else connection.execute(SQL["embedder"].encode(), {"name": name}).fetchone()
    if embedder is not None and row is not None:
        now = EmbedderInfo(name=row[0], model=row[1], dimension=row[2])
        if now != embedder:
            raise changed_embedder(name, now, embedder)


def dropped(name: str) -> NotFoundError:
    """What to raise when the workspace that is worked in is not there any more."""
    return NotFoundError(f"there is no workspace {name!r} any more", hint="it was dropped meanwhile")

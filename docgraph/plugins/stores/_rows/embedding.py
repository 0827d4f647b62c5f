"""What every store does with vectors of another embedder before it keeps them, and what it refuses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from docgraph.errors import ConflictError, EmbedderChangedError

if TYPE_CHECKING:
    from docgraph.domain.embedding import EmbeddingState, NewVectors
    from docgraph.domain.workspace import EmbedderInfo


def changed_embedder(workspace: str, now: EmbedderInfo, then: EmbedderInfo) -> EmbedderChangedError:
    """What to raise when somebody works with vectors of an embedder that the workspace had."""
    return EmbedderChangedError(
        f"workspace {workspace!r} holds vectors of {now.embedder_id} now: it was embedded anew meanwhile, and "
        f"{then.embedder_id} is not its embedder any more",
        hint="do it again: what was written until then is kept",
    )


def check_begin(workspace: str, there: EmbeddingState | None, embedder: EmbedderInfo) -> None:
    """Raises ConflictError where another embedder's vectors are unfinished."""
    if there is not None and not there.finished and there.embedder != embedder:
        raise ConflictError(
            f"workspace {workspace!r} is being embedded anew with {there.embedder.embedder_id}: {there.n_done:,} of "
            f"{there.n_total:,} texts are done",
            hint=f"finish that first, or throw it away: docgraph workspaces embed {workspace} --abandon",
        )


def check_abandon(workspace: str, there: EmbeddingState) -> None:
    """Raises ConflictError after the switch: the old vectors are gone."""
    if there.switched:
        raise ConflictError(
            f"workspace {workspace!r} is asked by the vectors of {there.embedder.embedder_id} already",
            hint=f"finish what is left: docgraph workspaces embed {workspace}",
        )


def at_work(workspace: str, by: str) -> ConflictError:
    """What to raise when somebody else is embedding the workspace."""
    return ConflictError(
        f"workspace {workspace!r} is being embedded anew by {by or 'somebody else'}",
        hint=f"wait for it, or stop it there; docgraph workspaces embed {workspace} --status says how far it is",
    )


def none_begun(workspace: str) -> ConflictError:
    """What to raise where vectors come that nobody waits for."""
    return ConflictError(
        f"nobody is embedding workspace {workspace!r} anew: it was given up meanwhile",
        hint=f"begin again: docgraph workspaces embed {workspace}",
    )


def accepted_vectors(batch: Sequence[NewVectors], embedder: EmbedderInfo) -> tuple[NewVectors, ...]:
    """The vectors as 32-bit numbers. Raises EmbeddingMismatchError for another width, and what is not finite."""
    return tuple(_accepted(each, embedder) for each in batch)


def _accepted(each: NewVectors, embedder: EmbedderInfo) -> NewVectors:
    import numpy as np

    from docgraph.plugins.stores._rows.writing import check_vector

    def checked(what: str, vector: Any) -> Any:
        check_vector(what, each.document_id, vector, embedder)
        return np.asarray(vector, dtype=np.float32)

    return replace(
        each,
        chunks={index: checked("chunk vector", vector) for index, vector in each.chunks.items()},
        vector=None if each.vector is None else checked("vector", each.vector),
        title_vector=None if each.title_vector is None else checked("title vector", each.title_vector),
    )

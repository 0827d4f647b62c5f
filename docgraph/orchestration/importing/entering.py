"""Imports: the stage of ingestion, equipped for one workspace."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from docgraph.domain.workspace import checked_workspace_name
from docgraph.errors import ConflictError, NotFoundError
from docgraph.ingestion.cutting.chunking import ChunkingOptions
from docgraph.ingestion.pending import EmptyWorkspace, PendingWorkspace
from docgraph.ingestion.pipeline import Ingestion
from docgraph.orchestration.session import Session
from docgraph.ports import Store


def ingestion(session: Session, *, dry_run: bool) -> Ingestion:
    """The stage over the session's workspace; one that is not there is made by the first write (by a dry run never)."""
    a = session.adapters
    try:
        session.catch_up()
        store = session.store()
    except NotFoundError:
        store = _to_come(session, dry_run=dry_run)
    return Ingestion(
        store=store,
        embedder=session.embedding,
        tokenizer=a.tokenizer,
        summarizer=a.summarizer,
        loaders=a.loaders,
        extractors=a.extractors,
        dialects=a.dialects,
        workspace=session.workspace,
        chunking=ChunkingOptions.around(a.chunk_tokens),
        now=a.now,
    )


def _to_come(session: Session, *, dry_run: bool) -> Store:
    name, embedder = checked_workspace_name(session.workspace), session.adapters.embedder.info
    if dry_run:
        return cast(Store, EmptyWorkspace(name, embedder))
    if not session.may("create_workspace"):
        return session.create()  # refused now, and not after everything was read

    def make() -> tuple[Store, Callable[[], None]]:
        try:
            return session.create(), session.take_back
        except ConflictError:  # somebody else made it meanwhile: what is in it is theirs
            return session.store(), lambda: None

    return cast(Store, PendingWorkspace(name, embedder, make))

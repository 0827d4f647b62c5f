"""Imports: the stage of ingestion, equipped for one workspace."""

from __future__ import annotations

from typing import cast

from docgraph.errors import NotFoundError
from docgraph.ingestion.chunking import ChunkingOptions
from docgraph.ingestion.nothing import EmptyWorkspace
from docgraph.ingestion.pipeline import Ingestion
from docgraph.orchestration.session import Session
from docgraph.ports import Store


def ingestion(session: Session, *, dry_run: bool) -> Ingestion:
    """The stage over the session's workspace, which is made when it is not there; a dry run makes none."""
    a = session.adapters
    try:
        store = session.store(create=not dry_run)
    except NotFoundError:
        store = cast(Store, EmptyWorkspace(session.workspace, session.embedder))
    return Ingestion(
        store=store,
        embedder=a.embedder,
        tokenizer=a.tokenizer,
        summarizer=a.summarizer,
        loaders=a.loaders,
        extractors=a.extractors,
        workspace=session.workspace,
        chunking=ChunkingOptions.around(a.chunk_tokens),
        now=a.now,
    )

"""Imports: the stage of ingestion, equipped for one workspace."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from docgraph.boundary.imports.profile_toml import read_profile
from docgraph.boundary.limits import MAX_RULES_BYTES
from docgraph.boundary.records import as_record
from docgraph.domain.imports.profile import ImportProfile
from docgraph.domain.workspace import checked_workspace_name
from docgraph.errors import ConflictError, NotFoundError, UserError
from docgraph.ingestion.chunking import ChunkingOptions
from docgraph.ingestion.nothing import EmptyWorkspace, WorkspaceToCome
from docgraph.ingestion.pipeline import Ingestion
from docgraph.orchestration.session import Session
from docgraph.ports import Store

AUTO: TypeAlias = Literal["auto"]


def ingestion(session: Session, *, dry_run: bool) -> Ingestion:
    """The stage over the session's workspace; one that is not there is made by the first write (by a dry run never)."""
    a = session.adapters
    try:
        store = session.store()
    except NotFoundError:
        store = _to_come(session, dry_run=dry_run)
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


def profile_of(given: ImportProfile | Mapping[str, Any] | str | PathLike[str] | None) -> ImportProfile | AUTO | None:
    """What was given as a profile: one, its fields, ``auto``, or a file of one. Raises UserError for what is none."""
    if given is None or isinstance(given, ImportProfile):
        return given
    if given == "auto":
        return "auto"
    if not isinstance(given, str | PathLike):
        return as_record(given, ImportProfile)
    name = os.fspath(given)[:200]
    try:
        with Path(given).open("rb") as file:
            data = file.read(MAX_RULES_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"the profile {name!r} cannot be read: {reason}", hint='name a TOML file, or "auto"') from None
    return read_profile(data, name=name)


def _to_come(session: Session, *, dry_run: bool) -> Store:
    name, embedder = checked_workspace_name(session.workspace), session.embedder
    if dry_run:
        return cast(Store, EmptyWorkspace(name, embedder))
    if not session.may("create_workspace"):
        return session.create()  # refused now, and not after everything was read

    def make() -> tuple[Store, Callable[[], None]]:
        try:
            return session.create(), session.take_back
        except ConflictError:  # somebody else made it meanwhile: what is in it is theirs
            return session.store(), lambda: None

    return cast(Store, WorkspaceToCome(name, embedder, make))

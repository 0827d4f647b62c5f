"""What stores of saved runs share: what may stand for an id, what is kept of a run, and who approves it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from docgraph.boundary.text import one_line
from docgraph.domain.saved_run import RunSummary, content_hash
from docgraph.errors import ConflictError, NotFoundError, UserError
from docgraph.plugins.stores._rows.writing import cleaned

if TYPE_CHECKING:
    from docgraph.domain.saved_run import CorpusState, ReviewEntry, SavedRun


def checked_prefix(run_id: str) -> str:
    """``run_id`` in lower case. Raises UserError when it cannot be one, nor the beginning of one."""
    prefix = run_id.strip().lower()
    if not re.fullmatch(r"[0-9a-f]{4,64}", prefix):
        raise UserError(
            f"{run_id[:64]!r} is not the id of a run", hint="an id has 12 characters 0–9 and a–f; 4 of them are enough"
        )
    return prefix


def the_one(run_id: str, found: Sequence[str]) -> str:
    """The id that is meant by ``run_id``, of all ids that begin with it (sorted): a whole id means itself.

    Raises NotFoundError when there is none and UserError when there are several.
    """
    if not found:
        raise unknown_run(run_id)
    if len(found) > 1 and found[0] != run_id.strip().lower():
        some = ", ".join(found[:3])
        raise UserError(f"{run_id!r} is the beginning of {len(found)} saved runs: {some}", hint="give more of it")
    return found[0]


def unknown_run(run_id: str) -> NotFoundError:
    """What to raise when no saved run is meant by ``run_id``."""
    return NotFoundError(f"there is no saved run {run_id[:64]!r}", hint="list them: docgraph runs list")


def ready(saved: SavedRun) -> SavedRun:
    """The run as it can be kept: what is said about it without NUL. Raises UserError when it is not what its id says.

    A wrong hash would make a run that looks tampered with as soon as it is read again.
    """
    whole = content_hash(saved.run)
    if saved.content_hash != whole or not whole.startswith(saved.run_id):
        raise UserError(
            f"the saved run {saved.run_id} does not carry the hash of its content, which is {whole}",
            hint="save it with Docgraph.save_run, which names it",
        )
    said_of_it = {field: getattr(saved, field) for field in ("name", "note", "saved_at", "saved_by")}
    return saved.model_copy(update=clean_fields(said_of_it))


def named(saved: SavedRun) -> SavedRun:
    """The run with a name: the beginning of its question when nobody gave it one."""
    return saved if saved.name else saved.model_copy(update={"name": name_of("", saved.run.request.query)})


def name_of(name: str, query: str) -> str:
    """What a run is called: its name, or the beginning of its question."""
    return name or one_line(query, 80)


def clean_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields that are given (not None), texts as a database can hold them."""
    return {name: cleaned(value) for name, value in fields.items() if value is not None}


def with_what_is_new(old: SavedRun, new: SavedRun) -> SavedRun:
    """The kept run after the same content was saved again: the new name, note, pin and baselines when given.

    Raises ConflictError when another run has the same short id.
    """
    if old.content_hash != new.content_hash:
        raise ConflictError(
            f"another saved run has the id {old.run_id}: its content hash is {old.content_hash}",
            hint="save it under a longer id",
        )
    return old.model_copy(
        update={
            "name": new.name or old.name,
            "note": new.note or old.note,
            "pinned": new.pinned or old.pinned,
            "baselines": old.baselines | new.baselines,
            "content_revision": new.content_revision or old.content_revision,
        }
    )


def merged(old: CorpusState | None, new: CorpusState) -> CorpusState:
    """What is known of one revision: a complete state says everything, incomplete ones say more together."""
    if old is None or (new.complete and not old.complete):
        return new
    if old.complete:
        return old
    edges = tuple(sorted({*old.relationships, *new.relationships}))
    return old.model_copy(update={"documents": old.documents | new.documents, "relationships": edges})


def said(name: str, note: str, query: str, run_id: str) -> str:
    """Everything that a search looks through, whatever its case; the fields lie apart."""
    return "\x1f".join(cleaned(part).casefold() for part in (name, note, query, run_id))


def approver(reviews: Iterable[ReviewEntry]) -> str:
    """Who approved last, unless it was withdrawn since; an approval without a name is by "somebody"."""
    by = ""
    for entry in reviews:
        if entry.kind == "approved":
            by = entry.by or "somebody"
        elif entry.kind == "withdrawn":
            by = ""
    return by


def summary_of(saved: SavedRun, *, approved_by: str = "", deleted_at: str = "") -> RunSummary:
    """A saved run as it stands in a list."""
    run = saved.run
    return RunSummary(
        run_id=saved.run_id,
        workspace=saved.workspace,
        name=saved.name,
        note=saved.note,
        query=run.request.query,
        saved_at=saved.saved_at,
        saved_by=saved.saved_by,
        pinned=saved.pinned,
        content_hash=saved.content_hash,
        plan_id=run.plan.plan_id,
        corpus_revision=saved.corpus_revision,
        content_revision=saved.content_revision,
        embedder_id=run.plan.embedder_id,
        n_seeds=len(run.plan.seed_documents),
        n_expanded=len(run.plan.expanded_documents),
        n_chunks=run.context.n_chunks,
        n_tokens=run.assembled.total_tokens,
        approved_by=approved_by,
        deleted_at=deleted_at,
    )

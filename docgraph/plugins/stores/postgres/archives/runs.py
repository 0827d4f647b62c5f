"""Saved runs in PostgreSQL: the text of a run is kept as it was written and checked by its hash when it is read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from docgraph.domain.frozen import fingerprint
from docgraph.domain.run import Run
from docgraph.domain.saved_run import CorpusState, ReviewEntry, RunSummary, SavedRun, content_hash
from docgraph.errors import StoreError
from docgraph.plugins.stores._rows.runs import (
    checked_prefix,
    clean_fields,
    merged,
    name_of,
    named,
    ready,
    said,
    summary_of,
    the_one,
    unknown_run,
    with_what_is_new,
)
from docgraph.plugins.stores.postgres.connections.failures import refusing_foreign_rows
from docgraph.plugins.stores.postgres.statements import family

if TYPE_CHECKING:
    from docgraph.plugins.stores.postgres.connections import Connector
    from docgraph.plugins.stores.postgres.connections.naming import Connection

Row = tuple[Any, ...]
SQL = family("runs")
SUMMARY = (
    "run_id",
    "workspace",
    "name",
    "note",
    "query",
    "saved_at",
    "saved_by",
    "pinned",
    "content_hash",
    "plan_id",
    "corpus_revision",
    "embedder_id",
    "n_seeds",
    "n_expanded",
    "n_chunks",
    "n_tokens",
    "deleted_at",
    "content_revision",
    "approved_by",
)
"""The fields of a run in a list, in the order in which they are read."""
_BESIDE = ("run_id", "name", "note", "saved_at", "saved_by", "pinned", "content_revision", "content_hash")
_READ, _CHANGE = "read saved runs", "change a saved run"


@refusing_foreign_rows
class PostgresRuns:
    """Saved runs of a database (``ports.RunArchive``); safe to use from several threads."""

    def __init__(self, writer: Connector, reader: Connector) -> None:
        self._writer, self._reader = writer, reader

    def save(self, saved: SavedRun, state: CorpusState | None = None) -> SavedRun:
        """Keep a run; the same content again takes the new name, note, pin and baselines. Raises StoreError."""
        given = ready(saved)
        new = named(given)
        row = summary_of(new).model_dump(exclude={"approved_by"}) | clean_fields({"query": new.run.request.query})
        words = said(new.name, new.note, new.run.request.query, new.run_id)
        with self._writer.transaction("save a run") as connection:
            text = new.run.model_dump_json()
            is_new = connection.execute(_text("insert"), row | {"said": words, "run": text}).rowcount == 1
            if not is_new:
                connection.execute(_text("lock"), {"run_id": new.run_id})
                kept = with_what_is_new(_load(connection, new.run_id), given)
                self._say(connection, kept, deleted_at="")
            for name, run in sorted(new.baselines.items()):
                values = {"run_id": new.run_id, "baseline": name, "content_hash": content_hash(run)}
                connection.execute(_text("put_baseline"), values | {"run": run.model_dump_json()})
            if state is not None:
                _put_state(connection, state)
        return new if is_new else kept

    def load(self, run_id: str, *, baselines: bool = True) -> SavedRun:
        """The run as it was saved. Raises NotFoundError, and StoreError when it is not what was saved."""
        with self._reader.connection(_READ) as connection:
            return _load(connection, _one(connection, run_id), with_baselines=baselines)

    def find(
        self, *, workspace: str | None = None, text: str = "", deleted: bool = False, limit: int = 200
    ) -> tuple[RunSummary, ...]:
        """Pinned ones first, then the newest."""
        values = clean_fields({"workspace": workspace, "text": text.casefold()}) | {"deleted": deleted, "limit": limit}
        with self._reader.connection(_READ) as connection:
            rows = connection.execute(_text("find"), {"workspace": None} | values).fetchall()
        return tuple(map(_summary, rows))

    def describe(
        self, run_id: str, *, name: str | None = None, note: str | None = None, pinned: bool | None = None
    ) -> RunSummary:
        """Change what is said about a run. Raises NotFoundError."""
        with self._writer.transaction(_CHANGE) as connection:
            there = _locked(connection, run_id)
            update = clean_fields({"name": name_of(name, there.query) if name is not None else None})
            now = there.model_copy(update=update | clean_fields({"note": note, "pinned": pinned}))
            self._say(connection, now, deleted_at="")
        return now

    def delete(self, run_id: str, *, at: str, forever: bool = False) -> RunSummary:
        """Put a run away, or remove it with its review and, after the last run of it, the corpus state."""
        with self._writer.transaction(_CHANGE) as connection:
            now = _locked(connection, run_id, deleted=forever).model_copy(update=clean_fields({"deleted_at": at}))
            if forever:
                connection.execute(_text("delete"), {"run_id": now.run_id})
                connection.execute(_text("delete_state"), now.model_dump())
            else:
                self._say(connection, now, deleted_at=now.deleted_at)
        return now

    def restore(self, run_id: str) -> RunSummary:
        """Restore a deleted run. Raises NotFoundError."""
        with self._writer.transaction(_CHANGE) as connection:
            now = _locked(connection, run_id, deleted=True).model_copy(update={"deleted_at": ""})
            self._say(connection, now, deleted_at="")
        return now

    def add_review(self, run_id: str, entry: ReviewEntry) -> None:
        """Add a line to the review of a run. Raises NotFoundError."""
        with self._writer.transaction("add to the review of a run") as connection:
            there = _locked(connection, run_id)
            values = entry.model_dump()
            connection.execute(_text("add_review"), values | clean_fields(values) | {"run_id": there.run_id})

    def reviews(self, run_id: str) -> tuple[ReviewEntry, ...]:
        """The review of a run, oldest line first. Raises NotFoundError."""
        with self._reader.connection(_READ) as connection:
            rows = connection.execute(_text("reviews"), {"run_id": _one(connection, run_id)}).fetchall()
        fields = ("kind", "at", "by", "item", "checked", "text")
        return tuple(ReviewEntry(**dict(zip(fields, row, strict=True))) for row in rows)

    def state(self, workspace: str, revision: str) -> CorpusState | None:
        """What the workspace held at a revision."""
        with self._reader.connection(_READ) as connection:
            return _state(connection, "state", workspace=workspace, revision=revision)

    def _say(self, connection: Connection, about: SavedRun | RunSummary, *, deleted_at: str) -> None:
        query = about.run.request.query if isinstance(about, SavedRun) else about.query
        values = {
            "run_id": about.run_id,
            "name": about.name,
            "note": about.note,
            "pinned": about.pinned,
            "said": said(about.name, about.note, query, about.run_id),
            "deleted_at": deleted_at,
            "content_revision": about.content_revision,
        }
        connection.execute(_text("say"), values)


def _load(connection: Connection, run_id: str, *, with_baselines: bool = True) -> SavedRun:
    row = connection.execute(_text("run"), {"run_id": run_id}).fetchone()
    if row is None:
        raise unknown_run(run_id)
    baselines = connection.execute(_text("baselines"), {"run_id": run_id}).fetchall() if with_baselines else ()
    fields = dict(zip(_BESIDE, row, strict=False))
    return SavedRun(
        **fields,
        run=_run(row[-1], row[-2], what=f"the saved run {run_id}"),
        baselines={n: _run(t, h, what=f"the baseline {n!r} of the saved run {run_id}") for n, h, t in baselines},
    )


def _run(text: str, expected: str, *, what: str) -> Run:
    """The run in a text whose hash must be ``expected``; it is taken of the text, so that new fields change nothing."""
    content = json.loads(text)
    content.pop("trace", None)
    found = fingerprint(content)
    if found != expected:
        raise StoreError(
            f"{what} was changed after it was saved: its content hash is {found[:12]}…, not {expected[:12]}…",
            hint="restore the database from a backup, or delete the run",
        )
    try:
        return Run.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise StoreError(
            f"{what} cannot be read by this docgraph: {where}: {first['msg']}",
            hint="read it with the one that saved it",
        ) from None


def _put_state(connection: Connection, state: CorpusState) -> None:
    key = {"workspace": state.workspace, "revision": state.revision}
    if connection.execute(_text("new_state"), key | {"state": state.model_dump_json()}).rowcount == 1:
        return
    there = _state(connection, "lock_state", **key)
    together = merged(there, state)
    if together != there:
        connection.execute(_text("set_state"), key | {"state": together.model_dump_json()})


def _state(connection: Connection, name: str, **key: str) -> CorpusState | None:
    row = connection.execute(_text(name), clean_fields(key)).fetchone()
    return None if row is None else CorpusState.model_validate_json(row[0])


def _one(connection: Connection, run_id: str, *, deleted: bool = False) -> str:
    """The id that ``run_id`` means; ``deleted`` = those that were put away as well."""
    values = {"prefix": checked_prefix(run_id), "deleted": deleted}
    return the_one(run_id, [row[0] for row in connection.execute(_text("matching"), values).fetchall()])


def _locked(connection: Connection, run_id: str, *, deleted: bool = False) -> RunSummary:
    """What stands about a run in the list, held until the transaction ends. Raises NotFoundError."""
    whole = {"run_id": _one(connection, run_id, deleted=deleted)}
    connection.execute(_text("lock"), whole)
    row = connection.execute(_text("summary_of"), whole).fetchone()
    if row is None:
        raise unknown_run(run_id)
    return _summary(row)


def _summary(row: Row) -> RunSummary:
    return RunSummary(**dict(zip(SUMMARY, row, strict=True)))


def _text(name: str) -> bytes:
    return SQL[name].encode()

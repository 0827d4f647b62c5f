"""Decisions about relation types as they are written: the workspace's row, its revision and the history, together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docgraph.domain.revision import decided_fingerprints
from docgraph.domain.type_roles import Decided, Origin
from docgraph.plugins.stores._rows.ready import type_changes, with_defaults
from docgraph.plugins.stores.postgres.queries import SQL as READING
from docgraph.plugins.stores.postgres.workspaces import decisions_of, decisions_text, dropped
from docgraph.plugins.stores.postgres.writing import SQL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from docgraph.domain.type_roles import TypeChange, TypeDecision
    from docgraph.plugins.stores.postgres.writing import Writing


def decide(
    writing: Writing, workspace: str, made: Callable[[Decided], Sequence[TypeDecision]]
) -> tuple[TypeChange, ...]:
    """Make the decisions that ``made`` gives for those there are, and the defaults that follow, with the row held.

    Raises NotFoundError.
    """
    origins = [Origin(*row) for row in writing.rows(READING["type_origins"], {})]
    rows = writing.rows(SQL["decided_types"], {"name": workspace})
    if not rows:
        raise dropped(workspace)
    before = Decided(tuple(rows[0][0]), decisions_of(rows[0][1]))
    decisions = with_defaults(before, made(before), origins)
    if not before.changes(decisions):
        return ()
    after = before.after(decisions)
    writing.change.linked += decided_fingerprints(after)
    writing.change.unlinked += decided_fingerprints(before)
    texts = {"types": list(after.off), "decisions": decisions_text(after.decisions), "name": workspace}
    writing.execute(SQL["decide_types"], texts)
    ((last,),) = writing.rows(SQL["last_type_change"], {"workspace": workspace})
    entries = type_changes(before, decisions, after=last)
    values = {"ids": [e.entry_id for e in entries], "entries": [e.model_dump_json() for e in entries]}
    writing.execute(SQL["add_type_changes"], {"workspace": workspace, **values})
    return entries

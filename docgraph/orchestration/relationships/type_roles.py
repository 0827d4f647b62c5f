"""What relation types may do in plans: shown with who decided it, decided anew, and taken back."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from docgraph.boundary.signatures import checked_reason
from docgraph.domain.type_roles import (
    ONLY_MENTIONED,
    ROLE_WORDS,
    TypeChange,
    TypeDecision,
    TypeRole,
    only_mentioned,
    switching_off,
)
from docgraph.errors import NotFoundError, UserError
from docgraph.orchestration.session import HasSession, Session

MAX_WHO = 200


def set_off_types(self: HasSession, types: Sequence[str]) -> None:
    """Switch off exactly these types: plans omit them unless a request names them. Other roles stay."""
    with self.session.reading() as snapshot:
        made = switching_off(snapshot.workspace.decided, types)
    who, now = self.session.named("", MAX_WHO), self.session.now()
    self.session.store().decide_types([each.model_copy(update={"who": who, "at": now}) for each in made])


def type_roles(self: HasSession) -> tuple[TypeDecision, ...]:
    """The role of every relation type in plans and who set it, by type: those in use, switched off, or set."""
    with self.session.reading() as snapshot:
        decided = snapshot.workspace.decided
        names = {*snapshot.relation_types(), *decided.off, *(each.relation_type for each in decided.decisions)}
    return tuple(decided.of(name) for name in sorted(names))


def set_type_role(
    self: HasSession, types: str | Sequence[str], role: TypeRole | None, *, by: str = "", reason: str = ""
) -> tuple[TypeChange, ...]:
    """Set the role of relation types in plans; returns the changes, dependent defaults included.

    ``adds_documents``, ``reasons_only`` (relationships are reasons, and add no document) or ``off``; ``None`` = the
    default, computed again. Raises UserError for an unknown role or type, changing nothing.
    """
    if role is not None and role not in ROLE_WORDS:
        raise UserError(f"there is no role {str(role)[:60]!r}", hint=f"one of: {', '.join(ROLE_WORDS)}")
    names = (types,) if isinstance(types, str) else tuple(types)
    known = {each.relation_type for each in type_roles(self)}
    if unknown := [name for name in names if name not in known]:
        raise UserError(
            f"the workspace has no relation type {unknown[0][:60]!r}",
            hint=f"its types are: {', '.join(sorted(known)) or 'none'}",
        )
    who, why, now = self.session.named(by, MAX_WHO), checked_reason(reason), self.session.now()
    if role is None:
        with self.session.reading() as snapshot:
            mentioned = only_mentioned(snapshot.type_origins(), default_on(self.session))
        return self.session.store().decide_types([_default_of(name, mentioned) for name in names])
    decided = [TypeDecision(relation_type=name, role=role, by="person", who=who, at=now, reason=why) for name in names]
    return self.session.store().decide_types(decided)


def default_on(session: Session) -> dict[str, bool]:
    """Name of each extractor → whether what it finds is a relationship that an author set, no mere mention."""
    return {extractor.name: extractor.default_on for extractor in session.adapters.extractors}


def type_history(self: HasSession, *, limit: int = 200) -> tuple[TypeChange, ...]:
    """Changes of roles of relation types, newest first."""
    return self.session.store().type_history(limit=max(0, limit))


def undo_type(self: HasSession, entry_id: int) -> tuple[TypeChange, ...]:
    """Undo an entry of ``type_history``; returns the new entries.

    Raises NotFoundError for an unknown entry, and UserError when the type was changed since: undo that entry first.
    """
    history = self.session.store().type_history(limit=1_000_000)
    entry = next((each for each in history if each.entry_id == entry_id), None)
    if entry is None:
        raise NotFoundError(
            f"no decision about relation types has the number {entry_id}",
            hint="list them: docgraph workspaces types history",
        )
    name = entry.after.relation_type
    newest = next(each for each in history if each.after.relation_type == name)
    if newest.entry_id != entry_id:
        raise UserError(
            f"{name} was decided about again since: entry {newest.entry_id}", hint=f"undo {newest.entry_id} first"
        )
    back = entry.before
    if entry.after.by == "default":  # else it would be decided so again at once
        who, now = self.session.named("", MAX_WHO), self.session.now()
        back = TypeDecision(relation_type=name, role=back.role, by="person", who=who, at=now, reason="default undone")
    return self.session.store().decide_types([back])


def _default_of(relation_type: str, mentioned: Collection[str]) -> TypeDecision:
    if relation_type in mentioned:
        return TypeDecision(relation_type=relation_type, role="off", reason=ONLY_MENTIONED)
    return TypeDecision(relation_type=relation_type)

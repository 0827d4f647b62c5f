"""Decisions about relation types as they are kept: cleaned, each with the number of its entry in the history."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docgraph.domain.own_questions import Trial
from docgraph.domain.type_roles import MANUAL, Decided, Origin, TypeChange, TypeDecision, default_decisions
from docgraph.plugins.stores._rows.writing import cleaned
from docgraph.ports import EdgeChange


def ready_decisions(decisions: Sequence[TypeDecision]) -> tuple[TypeDecision, ...]:
    """The last decision about each type, by type, with texts that every store can keep."""
    found = {}
    for each in decisions:
        texts = {name: cleaned(getattr(each, name)) for name in ("relation_type", "who", "at", "reason")}
        found[texts["relation_type"]] = each.model_copy(update=texts)
    return tuple(found[name] for name in sorted(found))


def ready_trial(trial: Trial, *, after: int) -> Trial:
    """The trial with the number that follows ``after``."""
    return trial.model_copy(update={"trial_id": after + 1})


def with_defaults(
    decided: Decided, decisions: Sequence[TypeDecision], origins: Iterable[Origin]
) -> tuple[TypeDecision, ...]:
    """The decisions, and those that follow from them and from where relationships come from."""
    return (*decisions, *default_decisions(origins, decided.after(decisions)))


def moves_origins(changes: Iterable[EdgeChange]) -> bool:
    """Whether changes say anew where relationships come from: what people state or look at says nothing of that."""
    ends = ((each.before, each.after) for each in changes)
    moved = [edge for old, new in ends if (old and old.key) != (new and new.key) for edge in (old, new) if edge]
    return any(edge.relationship_metadata.get("extractor") != MANUAL for edge in moved)


def entries_of(decided: Decided, decisions: Sequence[TypeDecision], *, after: int) -> tuple[TypeChange, ...]:
    """What the decisions change, as entries that follow the last one, ``after``."""
    pairs = enumerate(decided.changes(decisions), start=after + 1)
    return tuple(TypeChange(entry_id=i, before=old, after=new) for i, (old, new) in pairs)

"""What relation types may do in plans, in the words that every screen uses."""

from __future__ import annotations

from collections.abc import Iterable

from docgraph.domain.type_roles import ROLE_WORDS, TypeChange, TypeDecision
from docgraph.domain.workspace import Workspace


def role_sentence(decision: TypeDecision) -> str:
    """``links_to gives reasons only (default: links, beside declared relationships)``."""
    verbs = {"adds_documents": "adds documents", "reasons_only": "gives reasons only", "off": "is off"}
    return f"{decision.relation_type} {verbs[decision.role]} ({decision.words})"


def change_sentences(changes: Iterable[TypeChange]) -> tuple[str, ...]:
    """One sentence for each type whose role changed, as it is after all of them."""
    last = {change.after.relation_type: change.after for change in changes}
    return tuple(f"In plans, {role_sentence(last[name])}" for name in sorted(last))


def silent_words(workspace: Workspace) -> str:
    """Which types add no document by default: ``Reasons only: links_to. Off: mentions.``; empty where all do."""
    quiet = [each.relation_type for each in workspace.decided.reasons_only]
    parts = (("Reasons only in plans", quiet), ("Off in plans unless asked for", workspace.off_relation_types))
    return " ".join(f"{said}: {', '.join(names)}." for said, names in parts if names)


def role_rows(decisions: Iterable[TypeDecision], counts: dict[str, int]) -> list[dict[str, object]]:
    """A row for each type: name, relationships, role in plans, who decided it, when and why."""
    return [
        {
            "Type": each.relation_type,
            "Relationships": counts.get(each.relation_type, 0),
            "In plans": ROLE_WORDS[each.role],
            "Decided by": each.words,
            "When": each.at,
            "Why": each.reason,
        }
        for each in decisions
    ]

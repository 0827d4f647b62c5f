"""What relation types may do in plans, in the words that every screen uses."""

from __future__ import annotations

from collections.abc import Iterable

from docgraph.domain.own_questions import TypeResult
from docgraph.domain.type_roles import ROLE_WORDS, TypeChange, TypeDecision
from docgraph.domain.workspace import Workspace


def role_sentence(decision: TypeDecision) -> str:
    """``links_to only gives reasons (default: links, beside declared relationships)``."""
    verbs = {"adds_documents": "adds documents", "reasons_only": "only gives reasons", "off": "is off"}
    return f"{decision.relation_type} {verbs[decision.role]} ({decision.words})"


def change_sentences(changes: Iterable[TypeChange]) -> tuple[str, ...]:
    """One sentence for each type whose role changed, as it is after all of them."""
    last = {change.after.relation_type: change.after for change in changes}
    return tuple(f"In plans, {role_sentence(last[name])}" for name in sorted(last))


def silent_words(workspace: Workspace) -> str:
    """Which types add no document by default: ``Only give reasons in plans: links_to.``; empty where all do."""
    quiet = [each.relation_type for each in workspace.decided.reasons_only]
    parts = (("Only give reasons in plans", quiet), ("Not used in plans by default", workspace.off_relation_types))
    return " ".join(f"{said}: {', '.join(names)}." for said, names in parts if names)


def result_words(result: TypeResult) -> str:
    """What a trial says of a type: ``propose: reasons only``, ``confirmed: …``, ``no clear difference``."""
    if result.changes and result.proposal is not None:
        return f"propose: {ROLE_WORDS[result.proposal]}"
    return f"confirmed: {result.why}" if result.proposal is not None else result.why


def proposal_sentence(result: TypeResult) -> str:
    """``links_to: reasons only; of 240 generated questions 7 better, 12 worse …, −2.1 [−3.4, −0.8] points``."""
    figures, wanted = result.figures, result.proposal
    if figures is None or wanted is None:
        return f"{result.relation_type}: {result.why}"
    asked = (
        f"of {figures.n:,} generated questions {figures.better:,} better, {figures.worse:,} worse with its documents"
    )
    return f"{result.relation_type}: {ROLE_WORDS[wanted]}; {asked}, {figures.words} points of recall"

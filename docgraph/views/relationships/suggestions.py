"""Suggested relationships in words: what speaks for one, how loudly, and what was looked at."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.domain.suggestion import Suggestion, SuggestionKind, Suggestions
from docgraph.views.words.counts import UNKNOWN, plural, score
from docgraph.views.words.texts import line

KINDS: dict[SuggestionKind, str] = {"mention": "Named in the text", "together": "Read together"}
"""Kind → what a list calls it."""


def title(suggestion: Suggestion, *, start: bool) -> str:
    """What a person knows one end by: its title, else its id; on one line."""
    name, document_id = (
        (suggestion.from_title, suggestion.from_document_id)
        if start
        else (suggestion.to_title, suggestion.to_document_id)
    )
    return line(name) or document_id


def why(suggestion: Suggestion, n_questions: int) -> str:
    """One sentence on what speaks for it; the core's own sentence where it has one."""
    if said := line(suggestion.sentence):
        return said
    a, b = title(suggestion, start=True), title(suggestion, start=False)
    if suggestion.kind == "mention":
        return f"{a} mentions {b}, with no other relationship between them"
    near = (
        "" if suggestion.similarity is None else f", and they are similar in meaning ({score(suggestion.similarity)})"
    )
    return f"{together(suggestion, n_questions)} read both {a} and {b}{near}"


def together(suggestion: Suggestion, n_questions: int) -> str:
    """``5 of 12 saved questions``; ``--`` when no question is saved."""
    if not n_questions:
        return UNKNOWN
    return f"{suggestion.n_together:,} of {plural(n_questions, 'saved question')}"


def strength(suggestion: Suggestion) -> str:
    """How loudly it speaks, in two words for a list: ``read 5×``, ``alike 0.81``, ``named``."""
    if suggestion.kind == "mention":
        return f"named, read {suggestion.n_together:,}×" if suggestion.n_together else "named"
    read = f"read {suggestion.n_together:,}×"
    return read if suggestion.similarity is None else f"{read}, {score(suggestion.similarity)}"


def looked_at(found: Suggestions) -> str:
    """``Looked at 212 pairs; 4 are open, 1 was rejected``: the denominators."""
    pairs = plural(found.n_pairs, "pair")
    rejected = len(found.rejected)
    behind = f", {rejected:,} {'was' if rejected == 1 else 'were'} rejected" if rejected else ""
    n = max(found.n_found, len(found.suggestions))
    listed = f", {len(found.suggestions):,} of them listed" if len(found.suggestions) < n else ""
    return f"Compared {pairs} of documents; {n:,} {'is' if n == 1 else 'are'} open{listed}{behind}"


def nothing(found: Suggestions) -> str:
    """Why there is nothing to judge, with what was looked at."""
    pairs = plural(found.n_pairs, "pair")
    asked = (
        f"{plural(found.n_questions, 'saved question')} read no similar, unrelated documents together"
        if found.n_questions
        else "no questions are saved yet"
    )
    return f"Compared {pairs} of documents. Every mention already has a relationship, and {asked}."


def choices(suggestion: Suggestion, vocabulary: Sequence[str]) -> tuple[str, ...]:
    """Types to choose from: those proposed first, then all others of the workspace by name."""
    proposed = suggestion.relation_types
    return (*proposed, *sorted(set(vocabulary) - set(proposed)))


def provenance(suggestion: Suggestion, by: str) -> str:
    """What will stand on the relationship when it is accepted."""
    how = "named in the text" if suggestion.kind == "mention" else "read together"
    return f"suggested ({how}) → accepted by {by.strip() or '--'}"

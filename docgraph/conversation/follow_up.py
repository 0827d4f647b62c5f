"""Decides how a text hangs together with the turns before it, and rewrites it where it cannot stand by itself."""

from __future__ import annotations

from dataclasses import dataclass

from docgraph.conversation.ellipsis import complete_bare, complete_clause, complete_open, complete_short, differs
from docgraph.conversation.meaning import Embed, similarities
from docgraph.conversation.references import Resolved, resolve
from docgraph.domain.content_words import content_words, stem
from docgraph.domain.conversation import ConversationState, Link

NEAR = 0.35
"""Similarity to the earlier question from which two questions without a common word are on one topic.

With the default embedder 95 % of the pairs of unrelated questions of the sample corpus are below 0.28.
"""
MIN_OWN = 3
"""Content words that a text which points back needs to be taken for a new topic all the same."""


@dataclass(frozen=True)
class Reading:
    """A text as it has to be read after the turns before it; ``why`` is empty when nothing was changed.

    ``question`` = what short follow-ups go back to after it.
    """

    query: str
    link: Link
    question: str
    why: tuple[str, ...] = ()
    carried: tuple[str, ...] = ()


def read(text: str, state: ConversationState, embed: Embed) -> Reading:
    """``text`` as a question that stands by itself, and how it follows from the turns before.

    First what has no content of its own, then what points back, then what is cut short; a text that does none of these
    stays as it was typed, on the same topic or on a new one. One that says by its form that only one thing differs
    (“and the notifier?”, “only on Fridays”) is never a new topic: the earlier question stays.
    """
    if not state.question:
        return Reading(text, "opening", text)
    follows = differs(text)
    bare = complete_bare(text, state) or (None if follows else complete_open(text, state))
    if bare is not None:
        return Reading(bare.text, "ellipsis", state.question, (bare.why,), bare.carried)
    if clause := complete_clause(text, state):
        return Reading(clause.text, "ellipsis", clause.text, (clause.why,), clause.carried)
    own = content_words(text)
    departs = _departs(text, state, embed)
    if follows or not (departs and len(own) >= MIN_OWN):
        if resolved := resolve(text, state):
            if resolved.is_bare:
                return _asked_of(resolved, state)
            return Reading(resolved.text, "reference", resolved.text, (resolved.why,), resolved.carried)
        completed = complete_short(text, state)
        if completed is not None and completed.text != text:  # the same phrase again is the same question again
            return Reading(completed.text, "ellipsis", completed.text, (completed.why,), completed.carried)
    return Reading(text, "new_topic" if departs else "same_topic", text)


def _asked_of(resolved: Resolved, state: ConversationState) -> Reading:
    """The earlier question, put to the documents that a text names and says nothing else about."""
    titles = " and ".join(resolved.carried)
    named = next((d.title for d in state.documents if d.title and d.title in state.question), None)
    if named is not None:
        why = (resolved.why, f"nothing else is said of it, so it takes the place of “{named}” in the earlier question")
        query = state.question.replace(named, titles)
        return Reading(query, "reference", query, why, (*resolved.carried, state.question))
    why = (resolved.why, "nothing else is said of it, so the earlier question is put to it")
    return Reading(f"{titles}: {state.question}", "reference", state.question, why, (*resolved.carried, state.question))


def _departs(text: str, state: ConversationState, embed: Embed) -> bool:
    """Whether a text shares no content word with the topic and is not near to its question either."""
    own = {stem(word) for word in content_words(text)}
    if not own or own & {stem(word) for word in state.topic}:
        return False
    near = similarities(text, [state.question], embed)
    return near is None or near[0] < NEAR

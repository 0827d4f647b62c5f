"""When a rewriter may be asked beside the rules, what it is told, and what of its answer can be used."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from docgraph.domain.content_words import clipped, content_words, on_one_line, stems
from docgraph.domain.conversation import MAX_KEPT, ConversationState, Understanding

MAX_QUERY = 500
MIN_TYPED = 0.5
"""Part of an answer's content words that the person has to have typed; a model adds forms and a word or two."""
_LINKS = frozenset(("ellipsis", "reference"))
"""Follow-ups whose words are incomplete. A choice, a rejection and a repetition say exactly what is meant."""
_MARKUP = re.compile(r"<[/!?a-z]", re.IGNORECASE)


@dataclass(frozen=True)
class Rewritable:
    """A follow-up that a rewriter may see: ``text`` and the ``turns`` before it as typed, oldest first."""

    text: str
    turns: tuple[str, ...]
    rules_query: str


def rewritable(understood: Understanding, state: ConversationState) -> Rewritable | None:
    """What a rewriter is told of a follow-up; None when it is not asked.

    It is not asked for a text that stands by itself, or may, for one that is longer than an answer may be, and where
    the rules' question holds a content word that nobody typed: that comes from a title or a heading, and nothing that
    was retrieved is given away. The rules know which document is meant there; a model could only guess.
    """
    if not understood.is_follow_up or understood.link not in _LINKS or len(understood.text) > MAX_QUERY:
        return None
    if understood.by_itself is not None:
        return None
    turns = tuple(turn.text for turn in state.turns)
    typed = {word for text in (*turns, understood.text) for word in content_words(text)}
    if not typed.issuperset(content_words(understood.query)):
        return None
    return Rewritable(understood.text, turns, understood.query)


def rewritten(understood: Understanding, asked: Rewritable, *, answer: Any, name: str) -> Understanding:
    """The understanding with the rewriter's question; with the rules' and a notice when the answer is unusable.

    Intent, channel and link stay the rules': they are read from the typed words alone.
    """
    reason = _unusable(answer, asked)
    if reason:
        return _kept(understood, f"what the language model ({_shown(name)}) wrote is not used: {reason}")
    query = answer.strip()
    if query == understood.query:
        return understood
    why = (
        f"a language model ({_shown(name)}) rewrote the question",
        f"the rules alone would ask “{clipped(understood.query, MAX_QUERY)}”",
    )
    bare = not content_words(understood.text)  # “why?” leaves the question that short follow-ups go back to
    question = understood.question if bare else clipped(query, MAX_KEPT)
    return understood.model_copy(update={"query": query, "why": why, "question": question})


def not_rewritten(understood: Understanding, *, error_type: str, name: str) -> Understanding:
    """The rules' understanding, with a notice that the rewriter failed; of the failure only its type is told."""
    return _kept(understood, f"the language model ({_shown(name)}) gave no question ({_shown(error_type)})")


def _kept(understood: Understanding, what: str) -> Understanding:
    notice = f"{what}; the question is as the rules read it"
    return understood.model_copy(update={"notices": (*understood.notices, notice)})


def _unusable(answer: Any, asked: Rewritable) -> str:
    """Why an answer is no question for a search; empty when it is one."""
    if not isinstance(answer, str):
        return "it is no text"
    query = answer.strip()
    if len(query) > MAX_QUERY:
        return f"it has more than {MAX_QUERY} characters"
    if not query.isprintable():
        return "it has several lines" if len(query.splitlines()) > 1 else "it has control characters in it"
    if _MARKUP.search(query):
        return "it is markup"
    own = stems(query)
    if not own:
        return "there is no word in it that says what about"
    typed = stems("\n".join((*asked.turns, asked.text)))
    return "" if len(own & typed) >= MIN_TYPED * len(own) else "most of its words were never typed"


def _shown(name: str) -> str:
    return on_one_line(name.lstrip("_"), 60) or "unnamed"

"""Classifies a question's intent by phrases and words, by similarity to prototypes in a tie; recognises smalltalk."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from docgraph.domain.content_words import words
from docgraph.domain.conversation import Intent
from docgraph.domain.graph import Vectors

PHRASE, WORD = 2, 1
"""Points of a phrase that says what the question is for, and of a word that only hints at it."""

DEFAULT: Intent = "lookup"

RULES: dict[Intent, tuple[tuple[int, str], ...]] = {
    "compare": (
        (PHRASE, r"differences?|differs?|compared?|comparison|versus|vs\.?|as opposed to|similarit(?:y|ies)"),
        (PHRASE, r"pros and cons|advantages?|better than|worse than|in contrast to"),
        (WORD, r"rather than|instead of|both|between"),
    ),
    "decide": (
        (PHRASE, r"should (?:i|we|one|they)|shall (?:i|we)|may (?:i|we)|are we allowed|am i allowed"),
        (PHRASE, r"recommend\w*|advise|worth|which is better|do (?:i|we) (?:have|need) to|better to|is it ok(?:ay)?"),
        (WORD, r"can (?:i|we)|choose|pick|prefer|option|allowed"),
    ),
    "troubleshoot": (
        (PHRASE, r"(?:what|how) (?:should|do|can|must) (?:i|we) (?:do )?(?:when|if|about|fix|repair|solve)"),
        (PHRASE, r"(?:does|do|did|is|are) ?n[o']t (?:work|start|respond|answer|arrive)\w*|how (?:to|do i|do we) fix"),
        (PHRASE, r"is broken|went wrong|goes wrong|keeps? failing|troubleshoot\w*|debug\w*"),
        (WORD, r"fail\w*|errors?|crash\w*|stuck|offline|alarm|timed? ?outs?|refus\w+|reject\w+|missing|leak\w*|down"),
    ),
    "explain": (
        (PHRASE, r"why|how come|explain\w*|what happens|what happened|reason for|describe|tell me (?:more )?about"),
        (PHRASE, r"how (?:do|does|did|is|are|was|were|can|could)"),
        (WORD, r"how|background|works?|meaning|because"),
    ),
    "lookup": (
        (PHRASE, r"who|whom|whose|where|when (?:is|was|were|are|does|did|do|will)"),
        (PHRASE, r"how (?:many|much|long|often|old|far)"),
        (WORD, r"what|which|list|show|find|name|is|are|does"),
    ),
}
"""Intent → (points, words): each line counts once. The words stand in the documentation as well."""

PROTOTYPES: dict[Intent, tuple[str, ...]] = {
    "compare": ("What is the difference between these two?", "Which one is better, and in what?"),
    "decide": ("What should we do, and is it worth it?", "Are we allowed to do this?"),
    "troubleshoot": ("It fails with an error: how do we fix it?", "The alarm rings and nothing works."),
    "explain": ("Why is it like this?", "How does it work, and what is the reason?"),
    "lookup": ("Who is responsible for it?", "What is the value, the name or the date?"),
}

MEANS: dict[Intent, str] = {
    "compare": "to compare",
    "decide": "for help with a decision",
    "troubleshoot": "how to solve a problem",
    "explain": "for an explanation",
    "lookup": "to look something up",
}
_COMPILED = {
    intent: tuple(
        (points, re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.IGNORECASE)) for points, pattern in rules
    )
    for intent, rules in RULES.items()
}


@dataclass(frozen=True)
class Classified:
    """An intent and, in a sentence, the words it follows from; ``points`` of the rules (0: none fits)."""

    intent: Intent
    why: str
    points: int = 0


def classify(text: str, embed: Embed) -> Classified:
    """The intent with most points; of equal ones the nearest prototype's, else the first in the table."""
    scores: dict[Intent, int] = {}
    said: dict[Intent, list[str]] = {}
    for intent, rules in _COMPILED.items():
        for points, pattern in rules:
            if found := pattern.search(text):
                scores[intent] = scores.get(intent, 0) + points
                said.setdefault(intent, []).append(found.group().strip().casefold())
    if not scores:
        return Classified(DEFAULT, "no word tells what it is for, so something is looked up")
    top = max(scores.values())
    best = [intent for intent in _COMPILED if scores.get(intent) == top]
    heard = {intent: " and ".join(f"“{word}”" for word in said[intent]) for intent in best}
    if len(best) == 1:
        return Classified(best[0], f"{heard[best[0]]} asks {MEANS[best[0]]}", top)
    return _nearest(text, best, heard=heard, points=top, embed=embed)


def _nearest(text: str, best: list[Intent], *, heard: dict[Intent, str], points: int, embed: Embed) -> Classified:
    prototypes = [(intent, sentence) for intent in best for sentence in PROTOTYPES[intent]]
    near = similarities(text, [sentence for _, sentence in prototypes], embed)
    tie = " or ".join(f"{intent} ({heard[intent]})" for intent in best)
    if near is None:
        return Classified(best[0], f"the words fit {tie}; the first of them counts", points)
    closest = max(range(len(prototypes)), key=lambda i: (near[i], -i))
    intent, sentence = prototypes[closest]
    return Classified(intent, f"the words fit {tie}; it is nearest to “{sentence}”", points)


Kind = Literal["greeting", "thanks", "farewell", "about", "acknowledgement", "wordless"]

PATTERNS: dict[Kind, str] = {
    "greeting": r"(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|greetings)"
    r"(?: (?:there|all|everyone|you|team))?(?: how are you(?: (?:doing|today))?)?"
    r"|how are you(?: (?:doing|today))?|nice to meet you",
    "thanks": r"(?:ok |okay |great |perfect )?(?:many |kind )?(?:thanks|thank you|thx|cheers)"
    r"(?: (?:a lot|so much|very much|again|for (?:that|this|your help|the help)|you))?"
    r"(?: (?:that|this) (?:helps|helped|is great|was helpful|is helpful))?|that (?:helps|helped|is helpful)",
    "farewell": r"(?:good ?)?bye(?: bye)?|see you(?: (?:later|soon|tomorrow))?|good night|that is all|that's all|quit",
    "about": r"help(?: me)?|who are you|what are you|what can you do|what can i ask(?: you)?|how do you work",
    "acknowledgement": r"ok|okay|yes|yeah|yep|no|nope|sure|fine|great|perfect|good|nice|cool|i see|got it|"
    r"understood|alright|(?:neither|none)(?: of (?:these|those|them))?",
}
_SMALLTALK = {kind: re.compile(pattern) for kind, pattern in PATTERNS.items()}
MAX_WORDS = 10


def smalltalk(text: str) -> Kind | None:
    """Which kind of smalltalk the whole text is; None for everything that may be a question."""
    heard = words(text)
    if not heard:
        return "wordless"
    if len(heard) > MAX_WORDS:
        return None
    line = " ".join(heard)
    return next((kind for kind, pattern in _SMALLTALK.items() if pattern.fullmatch(line)), None)


Embed = Callable[[Sequence[str]], Vectors | None]
"""Texts → unit vectors, one row each; None when they are not to be had."""


def similarities(text: str, others: Sequence[str], embed: Embed) -> tuple[float, ...] | None:
    """Cosine of ``text`` to each of the others, -1 to 1, rounded to 6 digits; None when it is not known."""
    vectors = embed([text, *others])
    if vectors is None or len(vectors) != len(others) + 1:
        return None
    cosines = np.asarray(vectors[1:], dtype=np.float64) @ np.asarray(vectors[0], dtype=np.float64)
    if not np.isfinite(cosines).all():
        return None
    return tuple(round(float(cosine), 6) for cosine in cosines)

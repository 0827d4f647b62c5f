"""Recognises what is no question to the documents: greetings, thanks, farewells, and texts without a word."""

from __future__ import annotations

import re
from typing import Literal

from docgraph.domain.content_words import words

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
_COMPILED = {kind: re.compile(pattern) for kind, pattern in PATTERNS.items()}
MAX_WORDS = 10


def smalltalk(text: str) -> Kind | None:
    """Which kind of smalltalk the whole text is; None for everything that may be a question."""
    heard = words(text)
    if not heard:
        return "wordless"
    if len(heard) > MAX_WORDS:
        return None
    line = " ".join(heard)
    return next((kind for kind, pattern in _COMPILED.items() if pattern.fullmatch(line)), None)

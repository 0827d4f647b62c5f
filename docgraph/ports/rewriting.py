"""What a conversation may ask for beside its rules: a rewriter of follow-ups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable


@runtime_checkable
class Rewriter(Protocol):
    """Makes of a follow-up a question that stands by itself. Plug-in folder: ``plugins/rewriters/``.

    It is asked in addition to the rules, never in their place, and only for a follow-up. Safe to use from several
    threads.
    """

    name: str

    def rewrite(self, text: str, turns: Sequence[str], *, rules_query: str) -> str:
        """``text`` as one question on one line, at most 500 characters; any other answer is not used.

        ``turns`` = what the person typed before, oldest first; ``rules_query`` = what the rules make of ``text``. None
        of them holds a word that only retrieval brought. May raise: then the question stays as the rules read it.
        """
        ...

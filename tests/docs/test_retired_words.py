"""Retired words appear on no screen, in no help, on no page and in no public docstring.

``retired_words.toml`` lists them with what to say instead, why, and where they are still right.
``python -m tests.docs.test_retired_words`` prints what is left in the rooms that are pending.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import pytest

from tests.docs.prose import SCREENS, Text, docstrings, helps, pages, strings

Kind = Literal["docs", "screens", "help", "docstrings"]
KINDS: tuple[Kind, ...] = ("docs", "screens", "help", "docstrings")


class Word(NamedTuple):
    """A retired word: its pattern, what to say instead and why, and where it may or does still appear."""

    pattern: str
    say: str
    why: str
    where: tuple[Kind, ...] = KINDS
    allowed: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()


WORDS = [
    Word(**{name: tuple(value) if isinstance(value, list) else value for name, value in word.items()})
    for word in tomllib.loads(Path(__file__).with_name("retired_words.toml").read_text(encoding="utf-8"))["word"]
]


@cache
def _texts(kind: Kind) -> list[Text]:
    match kind:
        case "docs":
            return list(pages())
        case "screens":
            return list(strings(*SCREENS))
        case "help":
            return list(helps())
        case "docstrings":
            return list(docstrings("docgraph"))


def _found(word: Word, texts: list[Text], passed_over: tuple[str, ...]) -> Iterator[str]:
    pattern = re.compile(word.pattern)
    for text in texts:
        if (found := pattern.search(text.text)) and not text.where.startswith(passed_over):
            yield f"{text.where}:{text.line}: {found[0]!r}; say: {word.say} ({word.why})"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.pattern)
def test_a_retired_word_does_not_appear(word: Word, kind: Kind) -> None:
    if kind in word.where:
        assert list(_found(word, _texts(kind), (*word.allowed, *word.pending))) == []


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.pattern)
def test_a_word_may_stay_only_where_it_is(word: Word) -> None:
    """A path under ``allowed`` at which the word is no longer found goes from the list."""
    for path in word.allowed:
        there = [text for kind in word.where for text in _texts(kind) if text.where.startswith(path)]
        assert list(_found(word, there, ())), path


def test_a_retired_word_is_found_with_its_place() -> None:
    word = Word(r"\bcut by\b", "left out", "a limit excludes")
    texts = [Text("docs/a.md", 3, "Two are cut by a limit."), Text("docs/b.md", 1, "cut by"), Text("c.md", 1, "cutby")]
    assert list(_found(word, texts, ("docs/b.md",))) == ["docs/a.md:3: 'cut by'; say: left out (a limit excludes)"]


if __name__ == "__main__":
    left = [each for word in WORDS for kind in word.where for each in _found(word, _texts(kind), word.allowed)]
    sys.stdout.write("\n".join([*left, f"{len(left)} left", ""]))

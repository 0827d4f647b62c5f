"""Finds titles of other documents in running text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from weakref import WeakKeyDictionary

import ahocorasick

from docgraph.domain.graph import Document, Relationship
from docgraph.domain.spelling import without_brackets
from docgraph.plugins.extractors._edges import Edges, quote_around, tidy
from docgraph.ports import Titles

MIN_TITLE = 3
MIN_WORD = 4
MAX_TITLE = 300
MAX_NAMESAKES = 3
MAX_MENTIONS = 100_000
_WORD = re.compile(r"\w+")
_AUTOMATA: WeakKeyDictionary[Titles, dict[tuple[bool, int], TitleAutomaton]] = WeakKeyDictionary()


class TitleAutomaton:
    """Titles (and titles without the brackets at their end) → the ids of the documents called so."""

    def __init__(self, titles: Titles, ignore_case: bool, rare: int) -> None:
        self._ignore_case = ignore_case
        names = _names(titles, ignore_case)
        counts = Counter(word for ref in titles.documents for word in set(_WORD.findall(ref.title.casefold())))
        self._automaton = ahocorasick.Automaton()
        self._one_word: set[str] = set()
        for name, document_ids in names.items():
            words = _WORD.findall(name)
            if len(words) == 1:
                if len(words[0]) < MIN_WORD or counts[words[0].casefold()] > rare:
                    continue
                self._one_word.add(name)
            self._automaton.add_word(name, (name, tuple(sorted(document_ids))))
        self._automaton.make_automaton()

    def mentions(self, text: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """(start, end, document_ids) in text order, without overlaps: at each place the longest title wins."""
        if not len(self._automaton):
            return
        searched = _lowered(text) if self._ignore_case else text
        position = 0
        for start, end, name, document_ids in sorted(self._candidates(searched), key=lambda c: (c[0], -c[1])):
            if start >= position and not (name in self._one_word and _is_common(name, text)):
                position = end
                yield start, end, document_ids

    def _candidates(self, text: str) -> list[tuple[int, int, str, tuple[str, ...]]]:
        found = []
        for last, (name, document_ids) in self._automaton.iter(text):
            start, end = last + 1 - len(name), last + 1
            if _bounded(text, start, end):
                found.append((start, end, name, document_ids))
                if len(found) >= MAX_MENTIONS:
                    break
        return found


def automaton_of(titles: Titles, ignore_case: bool, rare: int) -> TitleAutomaton:
    """The automaton over ``titles``, made once per object and options."""
    automata = _AUTOMATA.setdefault(titles, {})
    if (ignore_case, rare) not in automata:
        automata[ignore_case, rare] = TitleAutomaton(titles, ignore_case, rare)
    return automata[ignore_case, rare]


def _names(titles: Titles, ignore_case: bool) -> dict[str, set[str]]:
    """Name → ids; a shortened name that more than 3 documents share means none of them."""
    whole: dict[str, set[str]] = {}
    short: dict[str, set[str]] = {}
    for ref in titles.documents:
        title = tidy(ref.title)
        title = _lowered(title) if ignore_case else title
        if MIN_TITLE <= len(title) <= MAX_TITLE and _WORD.search(title):
            whole.setdefault(title, set()).add(ref.document_id)
            shorter = without_brackets(title)
            if shorter != title and len(shorter) >= MIN_TITLE and _WORD.search(shorter):
                short.setdefault(shorter, set()).add(ref.document_id)
    for name, document_ids in short.items():
        whole.setdefault(name, set()).update(document_ids)
    return {name: ids for name, ids in whole.items() if len(ids) <= MAX_NAMESAKES}


def _lowered(text: str) -> str:
    """Lower case of the same length, so that places stay the same."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _bounded(text: str, start: int, end: int) -> bool:
    """Whether no word goes on across either end."""
    opens = start == 0 or not (_is_word(text[start - 1]) and _is_word(text[start]))
    return opens and (end == len(text) or not (_is_word(text[end]) and _is_word(text[end - 1])))


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _is_common(name: str, text: str) -> bool:
    """Whether the text also writes the word in lower case: then it is a word of the language, not a name."""
    lower = name.lower()
    return lower != name and re.search(rf"\b{re.escape(lower)}\b", text) is not None


MAX_BRACKETED = 500


class TitleMentions:
    """A's text names B's title → ``mentions``: whole words, as written, the longest title first found.

    What a title adds in brackets at its end need not be named. A title of one word counts only when it is rare: few
    titles have the word, and the text does not write it in lower case too. A document does not mention itself, and
    its own heading none that has its title; a wiki link mentions none of several documents of one name.
    """

    name = "title_mentions"
    default_on = False

    def __init__(self, relation_type: str, ignore_case: bool, rare: int) -> None:
        self._type = relation_type
        self._ignore_case = ignore_case
        self._rare = rare

    def extract(self, document: Document, titles: Titles) -> Iterable[Relationship]:
        """Edges in the order of first mention."""
        edges = Edges(document, self.name)
        automaton = automaton_of(titles, self._ignore_case, self._rare)
        for start, end, document_ids in automaton.mentions(document.text):
            if len(document_ids) > 1 and _says_which(document, document_ids, start):
                continue
            quote = quote_around(document.text, start, end)
            for document_id in document_ids:
                if document_id != document.document_id:
                    edges.add(self._type, document_id, place="body", text=quote)
        return edges.found()


def _says_which(document: Document, document_ids: Sequence[str], place: int) -> bool:
    """Whether one of several documents of a name is meant: by a wiki link, or the document itself by its heading."""
    before = document.text[max(0, place - MAX_BRACKETED) : place].rpartition("\n")[2]
    bracket = before.rpartition("[[")
    is_heading = document.document_id in document_ids and before.startswith("#")
    return is_heading or (bool(bracket[1]) and "]]" not in bracket[2])


def build(*, relation_type: str = "mentions", ignore_case: bool = False, rare: int = 3) -> TitleMentions:
    """An extractor; a one-word title is ``rare`` when at most so many titles have the word."""
    return TitleMentions(relation_type, ignore_case, rare)

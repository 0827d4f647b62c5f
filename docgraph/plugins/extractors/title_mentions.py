"""Finds titles of other documents in running text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docgraph.domain.graph import Document, Relationship
from docgraph.plugins.extractors._edges import Edges, quote_around
from docgraph.plugins.extractors._title_automaton import automaton_of
from docgraph.ports import Titles

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

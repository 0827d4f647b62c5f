"""Finds documents that name another in their text where only this mention connects the two."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from docgraph.domain.anchors import PATH
from docgraph.domain.finding import Finding
from docgraph.domain.graph import StoredDocument
from docgraph.domain.overrides import EdgeKey
from docgraph.plugins.checks._check import BaseCheck
from docgraph.plugins.checks._document_format import is_trace
from docgraph.plugins.checks._wording import counted, plain
from docgraph.plugins.checks.texts._quoting import links_in
from docgraph.plugins.checks.texts.named_by_number import is_by_number
from docgraph.ports import MENTIONS, Outcome, RelationshipGraph

MAX_NAMESAKES = 50
"""Documents of one title that are looked at."""
_PLAIN = re.compile(r"[^\W\d_]+")
_GOES_ON = re.compile(r" \[?[A-Z]\w")
"""A capital after a title, in the same sentence and not in a heading: the title is the beginning of another name."""
_BEGAN = re.compile(r"[\w,;)] [A-Z][\w-]+ $")
"""A capital before a title, inside the sentence: it is the end of another name (*Button* in "a Spin Button")."""
_CAPITAL = re.compile(r"[A-Z][\w-]+ $")
_QUOTED = re.compile(r"\"([^\"]{1,300})\"|“([^”]{1,300})”")
_INSIDE = re.compile(r"[\w,;)\]] [(\"'“‘]{0,2}$")
"""What stands before a word inside a sentence: there a capital is that of a name."""
_REFERENCE = re.compile(r"\[[^\[\]]{1,500}\]\[[^\[\]]{0,200}\]")
"""A link whose address is written elsewhere in its text."""
_ADDRESS = re.compile(r"\w{2,9}://[^\s<>\"]{1,1000}")
_CODE = re.compile(r"(`{1,2})([^`]{1,500})\1")
_MENU = re.compile(r"(?:→|(?<=[\s*])>)[\s*`]{0,4}$")
_MENU_ON = re.compile(r"[\s*`]{0,4}(?:→|>(?=\s))")
MAX_TEXT = 4_000
"""Characters of one sentence that are looked at."""
NEAR = 100
"""Characters before a title that say whether it stands inside a sentence, behind a name or in a menu."""
MANY = 10
"""A text that names so many others, and is related to few of them, is a list of names (a changelog, a report)."""


class MentionWithoutEdge(BaseCheck):
    """The text of A names B, and nobody stated a relationship between A and B in either direction.

    Where fewer than ``min_related`` of the mentions go with a relationship, naming alone calls for none: then the check
    is silent. So it is about one title of which that holds, judged by the *other* texts that name it (one that is an
    everyday word is named by many that mean the word), and about one text that names ``MANY`` others, as a changelog
    does. A title of one plain word (*Settings*) counts only where another text that names it has a relationship with
    it, and one of ordinary words (*Settings*, *Drag and drop*) where its capital stands inside a sentence.

    In the sentence that is kept, a title is no mention of its document where it is only the beginning or the end of
    another name (*Publish to GitHub* in "Publish to GitHub Pages"), stands in a link, an address, a quotation or the
    middle of code, is a heading by itself, the name of the document that names it, or a label of a screen
    (``**Settings**``, ``File → Settings``). Requirements name each other by their ids: a title in the text of one means
    no other.
    """

    check_id = "mention_without_edge"
    title = "Mention without a relationship"
    severity = "info"
    why = "Plans do not follow mentions. If the two belong together, add a relationship."
    unit = "mentions"
    causes = ("target",)
    parameters: Mapping[str, Any] = {"min_related": 0.5}

    def find(self, graph: RelationshipGraph, parameters: Mapping[str, Any]) -> Outcome:
        """Looks at every mention between two stored documents, but for those by number (``named_by_number``)."""
        documents = graph.documents
        numbers = {(e.from_document_id, e.to_document_id) for e in graph.each(graph.relationships) if is_by_number(e)}
        named_at_all = graph.mentions - numbers
        stored = sorted((a, b) for a, b in named_at_all if a != b and a in documents and b in documents)
        if not stored:
            return Outcome(0, skipped="no text names another document")
        related = {(edge.from_document_id, edge.to_document_id) for edge in graph.each(graph.typed)}
        namesakes, by_id = Namesakes(graph), {end for e in graph.typed if is_trace(e) for end in e.key[::2]}
        unrelated = [
            (a, b)
            for a, b in stored
            if (a, b) not in related and (b, a) not in related and not namesakes.meant(a, b, related)
            if not {a, b} <= by_id
        ]
        n_related = len(stored) - len(unrelated)
        if n_related < parameters["min_related"] * len(stored):
            said = f"only {n_related:,} of {counted(len(stored), 'mention')} go with a relationship"
            return Outcome(0, skipped=f"{said}, so a mention alone needs none")
        quotes = {e.key: e.relationship_metadata.get("text") for e in graph.relationships if e.key[1] == MENTIONS}
        named, alone = Counter(b for _, b in stored), Counter(b for _, b in unrelated)
        naming, aloud = Counter(a for a, _ in stored), Counter(a for a, _ in unrelated)
        findings = [
            self._finding((a, MENTIONS, b), graph, quotes)
            for a, b in graph.each(unrelated)
            if _is_usual(graph.title(b), named[b], named[b] - alone[b], parameters["min_related"])
            and (naming[a] < MANY or naming[a] - aloud[a] >= parameters["min_related"] * naming[a])
            and not _is_own_name(quotes.get((a, MENTIONS, b)), graph.documents[a], graph.title(b))
            and _names(quotes.get((a, MENTIONS, b)), graph.title(b))
        ]
        return Outcome(len(stored), findings)

    def _finding(self, key: EdgeKey, graph: RelationshipGraph, quotes: Mapping[EdgeKey, Any]) -> Finding:
        start, end = key[0], key[2]
        quote = quotes.get(key)
        subject = {"relationships": (key,)} if key in quotes else {"document_ids": (start, end)}
        return self.finding(
            f"{graph.title(start)} mentions {graph.title(end)}, with no other relationship between them",
            evidence=quote if isinstance(quote, str) else "",
            **subject,
        )


class Namesakes:
    """Documents by title: of several with one title a text means the one that it has a relationship with."""

    def __init__(self, graph: RelationshipGraph) -> None:
        self._titles = {each: graph.title(each) for each in graph.documents}
        self._called: dict[str, list[str]] = {}
        for document_id, title in graph.each(self._titles.items()):
            self._called.setdefault(title, []).append(document_id)

    def meant(self, a: str, b: str, related: Collection[tuple[str, str]]) -> bool:
        """Whether the text of ``a`` means another document that is called like ``b``."""
        others = self._called[self._titles[b]][:MAX_NAMESAKES]
        return any(each != b and ((a, each) in related or (each, a) in related) for each in others)


def _is_usual(title: str, n_named: int, n_related: int, least: float) -> bool:
    """Whether enough of the other texts that name a title have a relationship with its document."""
    is_borne_out = n_related > 0 or least == 0 or _PLAIN.fullmatch(title) is None
    return is_borne_out and n_related >= least * (n_named - 1)


def _is_own_name(quote: object, document: StoredDocument, title: str) -> bool:
    """Whether a document names itself: its title is the same, or the sentence is the heading that it begins with."""
    first = document.headings[0].partition(PATH)[0] if document.headings else ""
    said = plain(quote) if isinstance(quote, str) and quote.startswith("#") else ""
    return plain(document.title) == plain(title) or (bool(said) and said == plain(first))


def _names(quote: object, title: str) -> bool:
    """Whether a sentence names the title for itself somewhere; True where it does not hold it as it is written."""
    if not isinstance(quote, str) or title not in quote:
        return True
    quote = quote[:MAX_TEXT]
    is_heading = quote.startswith("#")
    if is_heading and plain(quote) == plain(title):
        return False
    links = [(link.start, link.end) for link in links_in(quote)]
    links += [found.span() for found in _REFERENCE.finditer(quote)]
    links += [found.span() for found in _ADDRESS.finditer(quote)]
    links += [found.span() for found in _QUOTED.finditer(quote) if (found[1] or found[2]) != title]
    codes = [found.span(2) for found in _CODE.finditer(quote)]
    return any(
        not any(start <= found.start() and found.end() <= end for start, end in links)
        and not any(_is_piece(quote, *found.span(), of=code) for code in codes)
        and (_is_name(title) or _is_capital_inside(quote, found.start()))
        and not _is_label(quote, *found.span())
        and (is_heading or not _is_part(quote, *found.span()))
        for found in re.finditer(re.escape(title), quote)
    )


def _is_part(sentence: str, start: int, end: int) -> bool:
    """Whether a name goes on before or after this place."""
    return _GOES_ON.match(sentence, end) is not None or _BEGAN.search(_before(sentence, start)) is not None


def _is_piece(sentence: str, start: int, end: int, *, of: tuple[int, int]) -> bool:
    """Whether a name is only a piece of a word of the code that it stands in: ``path:"Daily notes/2026"``."""
    if not (of[0] <= start and end <= of[1]):
        return False
    return not (start in (of[0], end) or sentence[start - 1] == " ") or (end < of[1] and sentence[end] not in " .")


def _is_name(title: str) -> bool:
    """Whether a title is told from ordinary words wherever it stands: by a number, a mark, or capitals within."""
    first, *rest = title.split()
    return not all(each.isalpha() for each in (first, *rest)) or (
        bool(rest) and (title[:1].islower() or any(each != each.lower() for each in rest))
    )


def _is_capital_inside(sentence: str, start: int) -> bool:
    """Whether a capital stands here inside a sentence, and not behind another that it goes on."""
    before = _before(sentence, start)
    is_inside = sentence[start : start + 1].isupper() and _INSIDE.search(before) is not None
    return is_inside and _CAPITAL.search(before) is None


def _is_label(sentence: str, start: int, end: int) -> bool:
    """Whether a name is printed as a label of a screen: in bold by itself, or as an entry in the path of a menu."""
    before, after = _before(sentence, start), sentence[end : end + NEAR]
    is_bold = before.endswith(("**", "__")) and after.lstrip(":.").startswith(("**", "__"))
    return is_bold or _MENU.search(before) is not None or _MENU_ON.match(after) is not None


def _before(sentence: str, start: int) -> str:
    return sentence[max(0, start - NEAR) : start]


build = MentionWithoutEdge

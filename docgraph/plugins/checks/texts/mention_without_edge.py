"""Finds documents that name another in their text and have no relationship with it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from docgraph.domain.finding import Cause, Finding, Severity
from docgraph.domain.overrides import EdgeKey
from docgraph.plugins.checks._given import is_trace
from docgraph.plugins.checks._wording import counted
from docgraph.plugins.checks.texts._quoting import links_in
from docgraph.plugins.checks.texts.named_by_number import is_by_number
from docgraph.ports import MENTIONS, Outcome, RelationshipGraph

MAX_NAMESAKES = 50
"""Documents of one title that are looked at."""
_PLAIN = re.compile(r"[^\W\d_]+")
_GOES_ON = re.compile(r" [A-Z]\w")
"""A capital after a title, in the same sentence and not in a heading: the title is the beginning of another name."""


@dataclass(frozen=True)
class MentionWithoutEdge:
    """The text of A names B, and nobody stated a relationship between A and B in either direction.

    Where fewer than ``min_related`` of the mentions go with a relationship, naming alone calls for none: then the check
    is silent. So it is about one title of which that holds, judged by the *other* texts that name it: one that is an
    everyday word is named by many that mean the word. A title of one plain word (*Settings*) counts only where another
    text that names it has a relationship with it. In the sentence that is kept, a title that goes on with another
    name (*Publish to GitHub* in "Publish to GitHub Pages") or stands in a link is no mention of its document.
    Requirements name each other by their ids: a title in the text of one means no other.
    """

    check_id: str = "mention_without_edge"
    title: str = "Mention without a relationship"
    severity: Severity = "info"
    why: str = "Plans do not follow mere mentions: if the two belong together, nothing brings one in with the other."
    unit: str = "mentions"
    causes: tuple[Cause, ...] = ("target",)
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"min_related": 0.5})

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
            return Outcome(0, skipped=f"{said}, so naming alone calls for none")
        quotes = {e.key: e.relationship_metadata.get("text") for e in graph.relationships if e.key[1] == MENTIONS}
        named, alone = Counter(b for _, b in stored), Counter(b for _, b in unrelated)
        findings = [
            self._finding((a, MENTIONS, b), graph, quotes)
            for a, b in graph.each(unrelated)
            if _is_usual(graph.title(b), named[b], named[b] - alone[b], parameters["min_related"])
            and _names(quotes.get((a, MENTIONS, b)), graph.title(b))
        ]
        return Outcome(len(stored), findings)

    def _finding(self, key: EdgeKey, graph: RelationshipGraph, quotes: Mapping[EdgeKey, Any]) -> Finding:
        start, end = key[0], key[2]
        quote = quotes.get(key)
        subject = {"relationships": (key,)} if key in quotes else {"document_ids": (start, end)}
        return Finding.about(
            self.check_id,
            self.severity,
            f"{graph.title(start)} names {graph.title(end)} in its text and has no relationship with it",
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


def _names(quote: object, title: str) -> bool:
    """Whether a sentence names the title for itself somewhere; True where it does not hold it as it is written."""
    if not isinstance(quote, str) or title not in quote:
        return True
    links = list(links_in(quote))
    return any(
        not any(link.start <= found.start() and found.end() <= link.end for link in links)
        and (quote.startswith("#") or _GOES_ON.match(quote, found.end()) is None)
        for found in re.finditer(re.escape(title), quote)
    )


def build() -> MentionWithoutEdge:
    """The check with its defaults."""
    return MentionWithoutEdge()

"""Builds one question with two to five choices out of what was found but is not sure enough."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from docgraph.conversation.findings import documents, passages
from docgraph.domain.content_words import clipped, content_words
from docgraph.domain.conversation import MAX_CHOICES, MAX_KEPT, MAX_TITLE, Choice, FocusDocument
from docgraph.domain.packet import RetrievalResponse

MAX_SHOWN = 70
"""Characters of a label as it stands in the question."""


@dataclass(frozen=True)
class Asked:
    """A question and the ways to answer it; none where nothing was found to choose from."""

    question: str
    choices: tuple[Choice, ...] = ()


def clarify(
    query: str, response: RetrievalResponse, *, without: Collection[str] = (), offered: Iterable[str] = ()
) -> Asked:
    """The question that tells the candidates apart.

    By document where there are several, by heading within one document, and for a single passage between that document
    and the words of the question alone. ``without`` = ids of documents that were turned down before, ``offered`` =
    titles of those that an earlier choice may have put before the question. Every choice's query names what it adds.
    """
    found = [p for p in passages(response) if p.document is not None and p.document.document_id not in without]
    named = documents(found)
    bare = clipped(bare_query(query, [*offered, *(document.title for document in named)]), MAX_KEPT)
    if len(named) > 1:
        return _by_document(bare, named)
    if not named:
        return Asked(f"Which document, name or date is it about? Nothing certain was found for “{clipped(bare, 120)}”.")
    headings = tuple(dict.fromkeys(p.heading for p in found if p.heading and p.heading != named[0].title))
    if len(headings) > 1:
        return _by_heading(bare, named[0], headings[:MAX_CHOICES])
    return _one_document(bare, named[0])


def _by_document(query: str, named: Sequence[FocusDocument]) -> Asked:
    offered = named[:MAX_CHOICES]
    choices = tuple(
        Choice(
            label=label,
            doc_type=document.doc_type,
            document_id=document.document_id,
            query=_narrowed(query, document, named) if label == document.title else f"{label}: {query}",
        )
        for label, document in zip(_labels(offered), offered, strict=True)
    )
    shown = [_with_type(choice) for choice in choices]
    return Asked(f"Which document is it about: {_listed(shown)}?", choices)


def _narrowed(query: str, document: FocusDocument, named: Sequence[FocusDocument]) -> str:
    """The question put to one document: its title before it, or in the place of another one that it names."""
    titles = [d.title for d in named if d.title in query]
    if len(titles) != 1:
        return f"{document.title}: {query}"
    there = titles[0]
    if there != document.title:
        return query.replace(there, document.title, 1)[: 2 * MAX_KEPT]
    rest = " ".join(content_words(query.replace(there, " ")))
    return f"{there}: {rest}" if rest else there


def _by_heading(query: str, document: FocusDocument, headings: Sequence[str]) -> Asked:
    choices = tuple(
        Choice(label=heading, query=f"{document.title}, {heading}: {query}", document_id=document.document_id)
        for heading in headings
    )
    shown = [f"“{clipped(heading, MAX_SHOWN)}”" for heading in headings]
    return Asked(f"Which part of “{clipped(document.title, MAX_SHOWN)}” is it about: {_listed(shown)}?", choices)


def _one_document(query: str, document: FocusDocument) -> Asked:
    """That document, or the bare words of the question: a search without the sentence around them."""
    title = clipped(document.title, MAX_SHOWN)
    yes = Choice(
        label=document.title,
        query=f"{document.title}: {query}",
        doc_type=document.doc_type,
        document_id=document.document_id,
    )
    said = clipped(" ".join(content_words(query)), MAX_KEPT)
    if not said or said == query:
        return Asked(f"Is it about “{title}”? If not, name what it is about.", ())
    other = Choice(label=clipped(f"Anything else on {said}", MAX_TITLE), query=said)
    return Asked(f"Is it about “{title}”, or about anything else on “{clipped(said, MAX_SHOWN)}”?", (yes, other))


def _labels(named: Sequence[FocusDocument]) -> list[str]:
    """Titles; equal ones are told apart by their type, and by their id where that is equal too."""
    labels = [document.title for document in named]
    for more in ([document.doc_type for document in named], [document.document_id for document in named]):
        twice = {label for label in labels if labels.count(label) > 1}
        labels = [_told(label, aside) if label in twice else label for label, aside in zip(labels, more, strict=True)]
    return [label if labels.count(label) == 1 else _told(label, str(n)) for n, label in enumerate(labels, start=1)]


def _told(label: str, aside: str) -> str:
    aside = clipped(" ".join(aside.split()), MAX_TITLE // 2)
    return f"{clipped(label, MAX_TITLE - len(aside) - 3)} ({aside})" if aside else label


def _with_type(choice: Choice) -> str:
    shown = f"“{clipped(choice.label, MAX_SHOWN)}”"
    return (
        f"{shown} ({choice.doc_type})" if choice.doc_type and choice.doc_type not in choice.label.casefold() else shown
    )


def bare_query(query: str, titles: Iterable[str]) -> str:
    """The question without the title, or the title and heading, that an earlier choice has put before it."""
    for title in sorted(set(titles), key=lambda title: (-len(title), title)):
        if query.startswith(f"{title}: "):
            rest = query[len(title) + 2 :]
        elif query.startswith(f"{title}, "):
            rest = query[len(title) + 2 :].partition(": ")[2]
        else:
            continue
        return rest.strip() or query
    return query


def _listed(items: Sequence[str]) -> str:
    return f"{', '.join(items[:-1])} or {items[-1]}"

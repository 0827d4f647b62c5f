"""What a conversation says of a packet: the reply, a clarifying question with choices, a hand-over."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from docgraph.conversation.intents import Kind, smalltalk
from docgraph.domain.content_words import clipped, content_words, on_one_line, words
from docgraph.domain.conversation import (
    MAX_CHOICES,
    MAX_FOCUS,
    MAX_KEPT,
    MAX_TITLE,
    Choice,
    ConversationState,
    FocusDocument,
    HandOver,
    Intent,
    Understanding,
)
from docgraph.domain.graph import MAX_ID_LENGTH
from docgraph.domain.packet import ContextCandidate, RetrievalResponse


@dataclass(frozen=True)
class Passage:
    """A candidate as it is told to a person; ``heading`` is the innermost one, empty where there is none."""

    document: FocusDocument | None
    source: str
    heading: str
    relevance: float

    @property
    def name(self) -> str:
        """``Design: Hold life cycle › Expiry``."""
        title = self.source if self.document is None else self.document.title
        return f"{title} › {self.heading}" if self.heading and self.heading != title else title


def passages(response: RetrievalResponse) -> tuple[Passage, ...]:
    """The candidates in order."""
    return tuple(_passage(candidate) for candidate in response.context_packet.candidates)


def documents(found: Iterable[Passage], *, without: Iterable[str] = ()) -> tuple[FocusDocument, ...]:
    """The documents of passages, each once, in order, ``MAX_FOCUS`` at most; ``without`` = ids that do not count."""
    gone, kept = set(without), dict[str, FocusDocument]()
    for passage in found:
        if passage.document is not None and passage.document.document_id not in gone:
            kept.setdefault(passage.document.document_id, passage.document)
    return tuple(kept.values())[:MAX_FOCUS]


def asked_providers(responses: Iterable[RetrievalResponse]) -> tuple[str, ...]:
    """Names of the providers that were asked, each once, in order."""
    names = [name for response in responses for name in _names(response.routing_metadata.get("selected_providers"))]
    return tuple(dict.fromkeys(names))


def failures(responses: Iterable[RetrievalResponse]) -> dict[str, str]:
    """Provider → type of the error that kept it from answering."""
    found: dict[str, str] = {}
    for response in responses:
        told = response.routing_metadata.get("failures")
        for name, failure in told.items() if isinstance(told, dict) else ():
            kind = failure.get("error_type") if isinstance(failure, dict) else ""
            found.setdefault(str(name), on_one_line(str(kind or "failed"), 60))
    return found


def ready_providers(response: RetrievalResponse) -> tuple[str, ...]:
    """Names of the providers that are enabled and available, in the order in which routing knows them."""
    flags, statuses = (response.routing_metadata.get(key) for key in ("flags", "statuses"))
    if not isinstance(flags, dict) or not isinstance(statuses, dict):
        return ()
    return tuple(
        name
        for name, on in flags.items()
        if on is True and statuses.get(name, "available") == "available" and 0 < len(name) <= 100
    )


def _passage(candidate: ContextCandidate) -> Passage:
    said = candidate.metadata
    path = said.get("heading_path")
    heading = path[-1] if isinstance(path, list | tuple) and path and isinstance(path[-1], str) else ""
    return Passage(
        document=_document(candidate),
        source=on_one_line(candidate.source or candidate.id, MAX_TITLE),
        heading=on_one_line(heading, MAX_TITLE),
        relevance=candidate.confidence,
    )


def _document(candidate: ContextCandidate) -> FocusDocument | None:
    """None for what is no document (a memory), and for an id that no document can have."""
    said = candidate.metadata
    document_id = said.get("document_id")
    if not isinstance(document_id, str) or not 0 < len(document_id) <= MAX_ID_LENGTH:
        return None
    if any(character < " " or character == "\x7f" for character in document_id):
        return None
    title = on_one_line(_text(said.get("title")), MAX_TITLE) or on_one_line(document_id, MAX_TITLE)
    doc_type = on_one_line(_text(said.get("doc_type")), MAX_TITLE)
    return FocusDocument(document_id=document_id, title=title, doc_type=doc_type)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _names(value: Any) -> list[str]:
    return [name for name in value if isinstance(name, str)] if isinstance(value, list | tuple) else []


MAX_LABEL = 70
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
    shown = [f"“{clipped(heading, MAX_LABEL)}”" for heading in headings]
    return Asked(f"Which part of “{clipped(document.title, MAX_LABEL)}” is it about: {_listed(shown)}?", choices)


def _one_document(query: str, document: FocusDocument) -> Asked:
    """That document, or the bare words of the question: a search without the sentence around them."""
    title = clipped(document.title, MAX_LABEL)
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
    return Asked(f"Is it about “{title}”, or about anything else on “{clipped(said, MAX_LABEL)}”?", (yes, other))


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
    shown = f"“{clipped(choice.label, MAX_LABEL)}”"
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


MAX_LINES = 5
MAX_SHOWN = 120
MAX_MISSING = 8

LEADS: dict[Intent, str] = {
    "lookup": "An answer would draw on",
    "explain": "An explanation would draw on",
    "compare": "A comparison would draw on",
    "decide": "A decision would draw on",
    "troubleshoot": "A solution would draw on",
    "smalltalk": "See",
}
SMALLTALK: dict[Kind, str] = {
    "greeting": "Hello. Ask a question about the documents.",
    "thanks": "You are welcome.",
    "farewell": "Goodbye.",
    "about": "Ask about the documents: look something up, have it explained, compare, decide, or solve a problem. "
    "“Why?”, “and for …?”, “the second one” and “this decision” go back to what was said before.",
    "acknowledgement": "All right.",
    "wordless": "That contains no words. Ask a question about the documents.",
}


def answer_reply(understanding: Understanding, response: RetrievalResponse) -> str:
    """The documents and passages that an answer would draw on: those of a chosen document, then best first."""
    chosen = understanding.chosen
    found = sorted(passages(response), key=lambda p: bool(chosen) and _id(p) != chosen)
    named = documents(found)
    lead = LEADS[understanding.intent]
    lines = [f"{lead} {_count(len(named) or len(found), 'document' if named else 'passage')}:"]
    lines += [f"{n}. {_shown(passage)}" for n, passage in enumerate(found[:MAX_LINES], start=1)]
    if len(found) > MAX_LINES:
        lines.append(f"and {_count(len(found) - MAX_LINES, 'more passage')}.")
    if response.next_action.action == "clarify":
        lines.append("The confidence is low; the document is the one that you chose.")
    if understanding.intent == "compare" and len(named) == 1:
        lines.append("Only one document was found: the other side of the comparison is missing.")
    return "\n".join(lines)


def missing_reply(understanding: Understanding, responses: Sequence[RetrievalResponse]) -> str:
    """What was looked for, where, what failed, and what would help."""
    about = content_words(understanding.query, limit=MAX_MISSING) or tuple(words(understanding.query)[:MAX_MISSING])
    lines = [f"Nothing was found for “{clipped(understanding.query, MAX_SHOWN)}”."]
    asked, failed = asked_providers(responses), failures(responses)
    if failed:
        lines.append(f"Failed: {', '.join(f'{name} ({kind})' for name, kind in failed.items())}.")
    if empty := [name for name in asked if name not in failed]:
        lines.append(f"Asked without success: {', '.join(empty)}.")
    if not asked:
        lines.append("No provider could be asked.")
    subject = f" about {', '.join(about)}" if about else ""
    lines.append(f"Missing is a document{subject}; other words, a name or a date may find one.")
    return "\n".join(lines)


def turned_down_reply(understanding: Understanding, n_documents: int) -> str:
    """That everything found had been offered before."""
    return (
        f"Nothing else was found for “{clipped(understanding.query, MAX_SHOWN)}” than the "
        f"{_count(n_documents, 'document')} that you turned down.\nSay it in other words, or name a document or a date."
    )


def hand_over(
    understanding: Understanding, response: RetrievalResponse, state: ConversationState, *, n_failures: int = 0
) -> HandOver:
    """Whom to hand over to, why, and what to give along; ``n_failures`` = turns without an answer, with this one."""
    channel = understanding.channel
    asked = response.context_packet.summary.branch == "CHANNEL_MISMATCH"
    to = f"somebody who knows the {channel} documents" if channel else "somebody who knows these documents"
    why = f"{n_failures} turns in a row brought no answer" if n_failures else response.next_action.reason
    what = [f"the question: {clipped(understanding.query, MAX_SHOWN)}"]
    unanswered = (
        [turn for turn in state.turns if turn.intent != "smalltalk"][-(n_failures - 1) :] if n_failures > 1 else []
    )
    what += [f"asked before without an answer: {clipped(turn.query, MAX_SHOWN)}" for turn in unanswered]
    what += [
        f"found, but {'elsewhere' if asked else 'not sure enough'}: {p.name}" for p in passages(response)[:MAX_LINES]
    ]
    if trace := response.routing_metadata.get("trace_id"):
        what.append(f"the packet: trace {clipped(str(trace), 64)}")
    return HandOver(to=to, why=why, what=tuple(what))


def hand_over_reply(given: HandOver) -> str:
    """The hand-over in words."""
    return "\n".join((f"This goes to {given.to}: {given.why}.", "Give along:", *(f"- {each}" for each in given.what)))


def small_reply(text: str, state: ConversationState) -> str:
    """What is said to smalltalk; a question that waits is asked again."""
    said = SMALLTALK[smalltalk(text) or "wordless"]
    waiting = state.waiting
    return f"{said}\n{waiting.question}" if waiting is not None else said


def _id(passage: Passage) -> str:
    return "" if passage.document is None else passage.document.document_id


def _shown(passage: Passage) -> str:
    aside = f"{passage.document.doc_type}, " if passage.document is not None and passage.document.doc_type else ""
    return f"{clipped(passage.name, MAX_SHOWN)} ({aside}relevance {passage.relevance:.2f})"


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"

"""Says in plain text what a turn came to: what an answer is made from, what is missing, who takes over."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.conversation.findings import Passage, asked_providers, documents, failures, passages
from docgraph.conversation.smalltalk import Kind, smalltalk
from docgraph.domain.content_words import clipped, content_words, words
from docgraph.domain.conversation import ConversationState, HandOver, Intent, Understanding
from docgraph.domain.packet import RetrievalResponse

MAX_LINES = 5
MAX_SHOWN = 120
MAX_MISSING = 8

LEADS: dict[Intent, str] = {
    "lookup": "The answer is to be taken from",
    "explain": "The explanation is to be made from",
    "compare": "The comparison is to be made from",
    "decide": "The decision is to rest on",
    "troubleshoot": "The steps are to be taken from",
    "smalltalk": "See",
}
SMALLTALK: dict[Kind, str] = {
    "greeting": "Hello. Ask a question about the documents.",
    "thanks": "You are welcome.",
    "farewell": "Goodbye.",
    "about": "Ask about the documents: look something up, have it explained, compare, decide, or solve a problem. "
    "“Why?”, “and for …?”, “the second one” and “this decision” go back to what was said before.",
    "acknowledgement": "All right.",
    "wordless": "There is no word in that. Ask a question about the documents.",
}


def answer_reply(understanding: Understanding, response: RetrievalResponse) -> str:
    """Which documents and passages the answer is to be made from: those of a chosen document, then best first."""
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

"""Makes of a person's words a question that stands by itself, with an intent; every change says why."""

from __future__ import annotations

from collections.abc import Sequence

from docgraph.conversation.follow_up import Reading, read
from docgraph.conversation.intents import Classified, Embed, classify, smalltalk
from docgraph.conversation.references import answered, named_channel, resolve, wants_everywhere, why_answered
from docgraph.conversation.replies import bare_query
from docgraph.domain.content_words import clipped
from docgraph.domain.conversation import MAX_KEPT, MAX_TEXT, ConversationState, Intent, PastTurn, Understanding
from docgraph.errors import RequestError

_FOLLOWING = frozenset(("ellipsis", "reference", "repeat", "choice", "rejection"))


def checked_text(text: str) -> str:
    """``text`` without NUL and the space around it. Raises RequestError for an empty, a long or an invalid one."""
    if len(text) > MAX_TEXT:
        raise RequestError(
            f"the text has {len(text):,} characters; at most {MAX_TEXT:,} are read", hint="ask in fewer words"
        )
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise RequestError("the text is not valid: it has half of a surrogate pair in it", hint="type it again")
    clean = text.replace("\x00", "").strip()
    if not clean:
        raise RequestError("the text is empty", hint="type a question")
    return clean


def understand(
    text: str, state: ConversationState, embed: Embed, *, spoken_channel: str | None = None
) -> Understanding:
    """What a text means after the turns before it; ``text`` as ``checked_text`` gives it.

    ``spoken_channel`` = the channel that the text's own words name and the data have (see ``channels.named_channel``).
    Nothing that retrieval found for this text is looked at.
    """
    return (
        _answer(text, state)
        or _smalltalk(text, state)
        or _repeat(text, state, spoken_channel)
        or _question(text, state, embed, spoken_channel=spoken_channel)
    )


def _answer(text: str, state: ConversationState) -> Understanding | None:
    waiting = state.waiting
    if waiting is None:
        return None
    answer = answered(text, waiting.choices)
    if answer is None:
        return None
    intent, intent_why = waiting.intent, f"the intent of turn {waiting.number}, which is answered"
    if answer == "neither":
        bare = bare_query(waiting.query, [document.title for document in waiting.documents])
        why = f"none of the choices of turn {waiting.number} fits, so its question is asked without what they offered"
        return Understanding(
            text=text,
            query=bare,
            intent=intent,
            intent_why=intent_why,
            link="rejection",
            why=(why,),
            is_follow_up=True,
            carried=(bare,),
            channel=state.channel,
            answers_turn=waiting.number,
            question=bare,
        )
    return Understanding(
        text=text,
        query=answer.query,
        intent=intent,
        intent_why=intent_why,
        link="choice",
        why=(why_answered(answer, waiting.number),),
        is_follow_up=True,
        carried=(answer.query,),
        channel=answer.channel or state.channel,
        question=clipped(_without_follow_up(answer.query, waiting, state), MAX_KEPT),
        answers_turn=waiting.number,
        chosen=answer.document_id,
    )


def _without_follow_up(query: str, waiting: PastTurn, state: ConversationState) -> str:
    """A chosen question as later follow-ups go back to it: without the one that it was offered for."""
    titles = [document.title for document in waiting.documents]
    asked, before = bare_query(waiting.query, titles), bare_query(state.question, titles)
    return query.replace(asked, before) if before and asked.startswith(f"{before} ") else query


def _smalltalk(text: str, state: ConversationState) -> Understanding | None:
    kind = smalltalk(text)
    if kind is None:
        return None
    said = "there is no word in it" if kind == "wordless" else f"the whole text is of the kind {kind}"
    return Understanding(
        text=text,
        query=text,
        intent="smalltalk",
        intent_why=said,
        link="smalltalk",
        question=state.question,
        channel=state.channel,
    )


def _repeat(text: str, state: ConversationState, spoken_channel: str | None) -> Understanding | None:
    """The earlier question again: everywhere, or in one channel alone."""
    if not state.question:
        return None
    named = named_channel(text)
    whole = named is not None and not named.rest
    where = state.channel
    if wants_everywhere(text):
        why, where = f"“{text}” asks the earlier question again, of documents of every type", None
    elif named is not None and whole and spoken_channel is not None:
        why, where = f"“{named.words}” asks the earlier question again, of {spoken_channel} documents", spoken_channel
    elif (
        named is not None
        and whole
        and named.surely
        and resolve(f"the {named.spellings[0]} document", state.documents) is None
    ):
        why = f"“{named.words}” names no type of document that is known here: the earlier question is asked as before"
    else:
        return None
    return Understanding(
        text=text,
        query=state.question,
        intent=_last_intent(state),
        intent_why="the intent of the earlier question",
        link="repeat",
        why=(why,),
        is_follow_up=True,
        carried=(state.question,),
        channel=where,
        question=state.question,
        notices=_notices(state.question),
    )


def _question(text: str, state: ConversationState, embed: Embed, *, spoken_channel: str | None) -> Understanding:
    asked, why = text, []
    named = named_channel(text) if spoken_channel is not None else None
    if named is not None and named.rest:
        asked = named.rest
        why.append(f"“{named.words}” says where to look ({spoken_channel} documents), not what for")
    reading = read(asked, state, embed)
    whole = _as_read(reading, text, asked, state, embed, spoken_channel=spoken_channel, why=why)
    if reading.alone is None:
        return whole
    by_itself = _as_read(reading.alone, text, asked, state, embed, spoken_channel=spoken_channel, why=why)
    return whole.model_copy(update={"by_itself": by_itself})


def _as_read(
    reading: Reading,
    text: str,
    asked: str,
    state: ConversationState,
    embed: Embed,
    *,
    spoken_channel: str | None,
    why: Sequence[str],
) -> Understanding:
    classified = _intent(asked, reading, state, embed)
    departs = reading.link in ("opening", "new_topic")
    return Understanding(
        text=text,
        query=reading.query,
        intent=classified.intent,
        intent_why=classified.why,
        link=reading.link,
        why=(*why, *reading.why),
        is_follow_up=reading.link in _FOLLOWING,
        carried=reading.carried,
        new_topic=departs,
        channel=spoken_channel or (None if departs else state.channel),
        question=clipped(reading.question, MAX_KEPT),
        notices=_notices(*reading.carried),
    )


def _intent(asked: str, reading: Reading, state: ConversationState, embed: Embed) -> Classified:
    """Of the typed words; a follow-up that is cut short has the intent of the question that it goes back to."""
    classified = classify(asked, embed)
    if reading.link not in ("ellipsis", "reference") or classified.points > 1:
        return classified
    last = _last_intent(state)
    return Classified(last, f"a follow-up that asks for nothing else keeps the intent of the one before: {last}")


def _last_intent(state: ConversationState) -> Intent:
    return next((turn.intent for turn in reversed(state.turns) if turn.intent != "smalltalk"), "lookup")


def _notices(*carried: str) -> tuple[str, ...]:
    cut = [each for each in carried if len(each) == MAX_KEPT and each.endswith("…")]
    return tuple(f"“{clipped(each, 60)}” is remembered by its first {MAX_KEPT} characters" for each in cut)

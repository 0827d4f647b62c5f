"""Turns, actions and candidates as HTML; every word of a person or a document is escaped here."""

from __future__ import annotations

import re
from collections.abc import Iterable

from docgraph.domain.conversation import PastTurn, Turn
from docgraph.ui.conversation.state import Entry
from docgraph.ui.frame import escape
from docgraph.views.conversation.cards import Card
from docgraph.views.conversation.words import PACKET_MEANS, PASSAGE_MEANS, action_words
from docgraph.views.words.counts import plural
from docgraph.views.words.highlight import Segment

MAX_TITLES = 4
"""Documents that a folded list names."""
_NUMBERED = re.compile(r"\d+\. |and \d[\d,]* more passages?\.")


def action_kind(entry: Entry) -> str:
    """The action's class name; smalltalk is a reply."""
    intent = entry.understanding.intent if isinstance(entry, Turn) else entry.intent
    return "reply" if intent == "smalltalk" else entry.action


def badge(entry: Entry) -> str:
    """Symbol, word and meaning of the action: ``✓ Proceed  answer from these passages``."""
    word, meaning = action_words(entry)
    kind = action_kind(entry)
    return (
        f'<span class="cv-badge cv-is-{kind}"><i class="cv-sign" aria-hidden="true"></i><b>{word}</b>'
        f"<em>{meaning}</em></span>"
    )


def said_html(entry: Entry) -> str:
    """What the person said."""
    text = entry.understanding.text if isinstance(entry, Turn) else entry.text
    return f'<div class="cv-said"><span class="cv-number">{entry.number}</span><p>{escape.html(text)}</p></div>'


def reply_html(turn: Turn, *, with_cards: bool) -> str:
    """Action and reply; passages that follow as cards are not listed twice."""
    lines = turn.reply.splitlines()
    if with_cards and turn.action == "proceed":
        lines = [line for line in lines if not _NUMBERED.match(line)]
    if turn.hand_over is not None:
        lines = lines[:1]
    body = "".join(f"<p>{escape.html(line)}</p>" for line in lines)
    given = _given(turn) if turn.hand_over is not None else ""
    return f'<div class="cv-reply cv-is-{action_kind(turn)}">{badge(turn)}{body}{given}</div>'


def past_html(turn: PastTurn) -> str:
    """A turn of which only the state's memory is left."""
    titles = ", ".join(document.title for document in turn.documents[:5])
    found = f"<p>{escape.html(titles)}</p>" if titles else ""
    query = f'<p class="cv-muted">searched as: {escape.html(turn.query)}</p>' if turn.query != turn.text else ""
    question = f"<p>{escape.html(turn.question)}</p>" if turn.question else ""
    return (
        f'{said_html(turn)}<div class="cv-reply cv-past cv-is-{action_kind(turn)}">{badge(turn)}'
        f"{query}{question}{found}"
        '<p class="cv-muted">Imported: an export has no passages.</p></div>'
    )


def cards_html(cards: Iterable[Card], *, total: int, top: float, open_: bool) -> str:
    """All candidates folded into one line, or open: each card is a line that unfolds to its text."""
    drawn = tuple(cards)
    if not drawn:
        return ""
    more = f" <em>{len(drawn)} of {total} shown, all under Passages</em>" if total > len(drawn) else ""
    body = "".join(_card(card) for card in drawn)
    titles = ", ".join(dict.fromkeys(escape.shorten(card.source.split(" › ")[0], 60) for card in drawn[:MAX_TITLES]))
    means = f"<b>Confidence</b> {top:.2f}: {PACKET_MEANS}. <b>Relevance</b>, beside each: {PASSAGE_MEANS}."
    return (
        f'<details class="cv-cards"{" open" if open_ else ""}><summary><b>{plural(total, "passage")}</b> '
        f'<span title="{PACKET_MEANS}">confidence {top:.2f}</span> '
        f'<span class="cv-titles">{escape.html(titles)}</span>{more}</summary>'
        f'<p class="cv-muted">{means}</p>{body}</details>'
    )


def _card(card: Card) -> str:
    about = " · ".join(escape.html(part) for part in (card.doc_type, card.role) if part)
    facts = [f"{escape.html(card.raw_kind)} {escape.html(card.raw)}, by {escape.html(card.found_by)}"]
    if card.reason:
        facts.append(f"why: {escape.html(card.reason)}")
    if card.calibration:
        facts.append(f"calibration {escape.html(card.calibration)}")
    lines = "".join(f"<li>{fact}</li>" for fact in facts)
    cut = f'<p class="cv-muted">{escape.html(card.cut)}</p>' if card.cut else ""
    width = f"{100 * min(max(card.relevance, 0.0), 1.0):.1f}"
    return (
        f'<details class="cv-card"><summary><span class="cv-place">{card.place}</span>'
        f'<span class="cv-bar" aria-hidden="true"><i style="width:{width}%"></i></span>'
        f'<b title="Relevance: {PASSAGE_MEANS}">{card.relevance:.2f}</b>'
        f'<small title="{escape.html(card.raw_kind)}: the score of the source">'
        f"{escape.html(card.raw_kind[:11])} {escape.html(card.raw)}</small>"
        f'<span class="cv-source">{escape.html(card.source)}</span><span class="cv-about">{about}</span></summary>'
        f'<div class="cv-text">{_text(card.text)}</div>{cut}<ul>{lines}</ul></details>'
    )


def _given(turn: Turn) -> str:
    assert turn.hand_over is not None
    lines = "".join(f"<li>{escape.html(each)}</li>" for each in turn.hand_over.what)
    n = plural(len(turn.hand_over.what), "item")
    return f'<details class="cv-given"><summary>Handed over: {n}</summary><ul>{lines}</ul></details>'


def _text(text: tuple[Segment, ...]) -> str:
    return "".join(f"<mark>{escape.html(part)}</mark>" if found else escape.html(part) for part, found in text)

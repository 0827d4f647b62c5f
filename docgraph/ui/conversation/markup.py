"""Turns, passages and how an answer was found, as HTML; every word of a person or a document is escaped here."""

from __future__ import annotations

import re
from collections.abc import Iterable

from docgraph.domain.conversation import PastTurn, Turn
from docgraph.ui.conversation.state import Entry
from docgraph.ui.frame import escape
from docgraph.views.conversation.cards import Card
from docgraph.views.conversation.origin import Origin, ProviderLine, Scale, StepLine
from docgraph.views.conversation.words import INTENTS, LINKS, PACKET_MEANS, PASSAGE_MEANS, action_words
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
    more = f" <em>{len(drawn)} of {total} shown, all under JSON</em>" if total > len(drawn) else ""
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


_NOT_ASKED = '<p class="cv-muted">Not a question about the documents, so nothing was searched.</p>'
_NOBODY = '<p class="cv-muted">no source was searched</p>'
_NO_PACKET = '<p class="cv-muted">no result</p>'


def origin_html(turn: Turn, made: Origin) -> str:
    """Intent, query, providers, packet, action, steps."""
    asked = turn.response is not None
    parts = (
        ("Intent", _intent(turn)),
        ("Rewritten question" if made.rewritten else "Question", _query(turn, made)),
        ("Sources searched", _providers(made) if asked else _NOBODY),
        ("Confidence", _packet(made) if asked else _NO_PACKET),
        ("Next action", _action(turn, made)),
        ("Steps", _steps(made)),
    )
    items = "".join(f'<li tabindex="0"><h3 class="cv-h3">{title}</h3><div>{body}</div></li>' for title, body in parts)
    return f'<ol class="cv-making cv-of-{turn.number}">{items}</ol>'


def no_origin_html() -> str:
    """What the six steps will say, while there is no turn to say it of."""
    parts = (
        ("Intent", "what is asked for, and how it relates to earlier messages"),
        ("Rewritten question", "what was changed so that the question is complete, and why"),
        ("Sources searched", "which sources were searched, which were not, and why"),
        ("Confidence", "how likely the passages answer the question, against the threshold"),
        ("Next action", "proceed, clarify, fallback or escalate, and why"),
        ("Steps", "each attempt in order, and its result"),
    )
    items = "".join(f'<li><h3 class="cv-h3">{title}</h3><p class="cv-why">{said}</p></li>' for title, said in parts)
    return f'<ol class="cv-making">{items}</ol>'


def _intent(turn: Turn) -> str:
    heard = turn.understanding
    why = f'<p class="cv-why">{escape.html(heard.intent_why)}</p>' if heard.intent_why else ""
    return f"<p><b>{heard.intent}</b> {INTENTS[heard.intent]}; {LINKS[heard.link]}</p>{why}"


def _query(turn: Turn, made: Origin) -> str:
    heard = turn.understanding
    if turn.response is None:
        return _NOT_ASKED
    if not made.rewritten:
        said = f"<p>{escape.html(heard.query)}</p>"
        why = "" if heard.why else '<p class="cv-why">asked as typed</p>'
    else:
        tags = {"same": "span", "removed": "del", "added": "ins"}
        words = "".join(f"<{tags[p.kind]}>{escape.html(p.text)}</{tags[p.kind]}>" for p in made.pieces)
        said, why = f'<p class="cv-diff">{words}</p>', ""
    told = "".join(f'<p class="cv-why">{escape.html(each)}</p>' for each in (*heard.why, *heard.notices))
    where = f'<p class="cv-why">in <b>{escape.html(heard.channel)}</b> documents</p>' if heard.channel else ""
    return f"{said}{why}{told}{where}"


def _providers(made: Origin) -> str:
    lines = "".join(_provider(line) for line in made.providers)
    notes = "".join(f'<p class="cv-why">{escape.html(note)}</p>' for note in made.notes)
    attempts = f", one of {plural(made.n_attempts, 'attempt')}" if made.n_attempts > 1 else ""
    return (
        f'<p class="cv-providers">{lines or "no source"}</p>{notes}'
        f'<p class="cv-why">mode {escape.html(made.mode)}: {escape.html(made.providers_why)}{attempts}</p>'
    )


def _provider(line: ProviderLine) -> str:
    words = {"found": "results found", "empty": "no results", "failed": "failed", "left out": "", "off": ""}
    said = ", ".join(part for part in (words.get(line.state, line.state), line.why) if part)
    return (
        f'<span class="cv-provider cv-p-{line.state.replace(" ", "-")}"><i aria-hidden="true"></i>'
        f"<b>{escape.html(line.name)}</b> {escape.html(said)}</span>"
    )


def _packet(made: Origin) -> str:
    scale = _scale(made.scale) if made.scale is not None else ""
    found = f"{plural(made.n_candidates, 'candidate')}{f' by {made.found_by}' if made.found_by else ''}"
    return (
        f"{scale}<p><code>{made.branch}</code> {escape.html(made.branch_words)}; {escape.html(found)}</p>"
        f'<p class="cv-why">{escape.html(made.rerank)}: {escape.html(made.rerank_why)}</p>'
    )


def _scale(scale: Scale) -> str:
    """A line from 0 to 1, filled to the confidence, with the threshold as a mark across it."""
    top = 100 * (scale.top or 0.0)
    met = "met" if scale.met else "missed"
    passage = "" if scale.passage is None else f"; that this passage is read: {scale.passage:.2f}"
    return (
        f'<p class="cv-scale cv-{met}"><span aria-hidden="true"><i style="width:{top:.1f}%"></i>'
        f'<u style="left:{100 * scale.threshold:.1f}%"></u></span><b>{scale.words}</b>'
        f'<em>threshold {met}</em></p><p class="cv-why">{PACKET_MEANS}{passage}</p>'
    )


def _action(turn: Turn, made: Origin) -> str:
    parts = [badge(turn)]
    if made.reason:
        parts.append(f'<p class="cv-why">{escape.html(made.reason)}</p>')
    if made.decided:
        parts.append(f'<p class="cv-why">{escape.html(made.decided)}</p>')
    if made.suggestion:
        parts.append(f'<p class="cv-why">suggestion: {escape.html(made.suggestion)}</p>')
    return "".join(parts)


def _steps(made: Origin) -> str:
    return f'<ul class="cv-steps">{"".join(_step(step) for step in made.steps)}</ul>'


def _step(step: StepLine) -> str:
    branch = f" <code>{step.branch}</code>" if step.branch else ""
    state = "" if step.state == "done" else f" <em>{step.state}</em>"
    outcome = f'<span class="cv-why">{escape.html(step.outcome)}</span>' if step.outcome else ""
    return (
        f'<li class="cv-s-{step.state.replace(" ", "-")}"><i aria-hidden="true"></i><div>'
        f"<b>{escape.html(step.what)}</b>{state}{branch}{outcome}</div></li>"
    )

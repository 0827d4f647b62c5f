"""The cards of the Passages tab as HTML, whole or in halves; every word of a document is escaped here."""

from __future__ import annotations

from collections.abc import Iterable

from docgraph.ui.frame import escape, layout, navigation
from docgraph.ui.parts import copy_link
from docgraph.ui.parts.judgments.marks import mark
from docgraph.views.plan.evidence import BestPassage, ChunkLine, EvidenceCard
from docgraph.views.words.highlight import Segment
from docgraph.views.words.judgments import Judged

_HEAD = "<tr><th>Rank</th><th>Score</th><th>Position</th><th>Passage</th><th>Tokens</th></tr>"
_ANSWER = f'<span class="pl-answer">{layout.glyph("check")}answers</span>'
MAX_HEADINGS, MAX_FOUND = 8, 8
ABOUT_RERANKED = "The score of the reranker for this passage, 0 to 1"
ABOUT_WORDS = "The share of the question's words in this passage; rare words count more"


def evidence_cards_html(cards: Iterable[EvidenceCard], judged: Judged, answers: frozenset[str] = frozenset()) -> str:
    """One card a document: what it is on the left, its chunks on the right; ``judged`` = what is judged of them,
    ``answers`` = the chunks that people marked.
    """
    return f'<div class="pl-evidence">{"".join(_card(card, judged, answers) for card in cards)}</div>'


def _card(card: EvidenceCard, judged: Judged, answers: frozenset[str]) -> str:
    said = mark(judged.get(card.document_id))
    return (
        f'<article class="pl-card {state_of(card)}"><div class="pl-about">{about_html(card, said)}</div>'
        f'<div class="pl-chunks">{chunks_html(card, answers)}</div></article>'
    )


def state_of(card: EvidenceCard) -> str:
    """The classes that say how a document is in, and what a draft does to it."""
    role = "seed" if card.role == "seed" else "expanded"
    return f"pl-{role}{f' pl-{card.change}-card' if card.change else ''}"


def about_html(card: EvidenceCard, mark_html: str = "") -> str:
    """The left half of a card; ``mark_html`` stands behind the title."""
    role = "match" if card.role == "seed" else "related"
    sign = layout.glyph(card.change or ("seed" if role == "match" else "added"), card.change or role)
    note = f'<p class="pl-change pl-is-{card.change or "kept"}">{escape.html(card.note)}</p>' if card.note else ""
    where = "Base: " if card.change == "left" else ""
    return (
        f"<h3>{sign}<span>{escape.html(card.title)}</span>{mark_html}</h3>{_standing(card)}{note}"
        f'<p class="pl-facts"><code class="pl-id">{escape.html(card.document_id)}</code> '
        f"{where}{role.capitalize()}, {card.place}. {card.shown} shown, {card.tokens:,} tokens</p>"
        f"{_summary(card)}{_headings(card.headings)}{_meter(card)}{_source(card)}"
    )


def _standing(card: EvidenceCard) -> str:
    """What no longer holds, as a quiet chip under the title."""
    return f'<p class="pl-standing"><span>{escape.html(card.standing)}</span></p>' if card.standing else ""


def _summary(card: EvidenceCard) -> str:
    text = escape.html(card.summary) if card.summary else '<i class="pl-muted">no summary</i>'
    return f'<p class="pl-summary">{text}</p>'


def _headings(headings: tuple[str, ...]) -> str:
    if not headings:
        return ""
    shown = " · ".join(escape.html(heading) for heading in headings[:MAX_HEADINGS])
    more = f" · {len(headings) - MAX_HEADINGS} of {len(headings)} more" if len(headings) > MAX_HEADINGS else ""
    return f'<p class="pl-headings">{shown}{more}</p>'


def _meter(card: EvidenceCard) -> str:
    """Two bars: tokens of the summary line, tokens of the chunks."""
    total = max(card.conceptual_tokens + card.evidence_tokens, 1)
    share = round(100 * card.conceptual_tokens / total, 1)
    return (
        f'<div class="pl-meter" aria-hidden="true"><i style="width:{share}%"></i><b></b></div>'
        f'<p class="pl-split"><span>summary {card.conceptual_tokens:,} tok</span>'
        f"<span>passages {card.evidence_tokens:,} tok</span></p>"
    )


def _source(card: EvidenceCard) -> str:
    about = " · ".join(escape.html(part) for part in (card.doc_type, card.source) if part)
    return f'<p class="pl-source">{about}</p>' if about else ""


def chunks_html(card: EvidenceCard, answers: frozenset[str] = frozenset()) -> str:
    """The right half of a card: its chunks, those of ``answers`` marked, or why there are none."""
    if card.empty and not card.lines:
        return f'<p class="pl-empty">{layout.glyph("info")}{escape.html(card.empty)}</p>'
    hidden = f'<p class="pl-hidden">{escape.html(card.hidden)}. All shows them.</p>' if card.hidden else ""
    lines = "".join(_line(card, line, answers=line.chunk_id in answers) for line in card.lines)
    return f"<table><thead>{_HEAD}</thead><tbody>{lines}</tbody></table>{hidden}" if lines else hidden


def best_html(document_id: str, best: BestPassage) -> str:
    """The best passage of the selected document: where it stands, what it says, and why it was chosen."""
    line = best.line
    state = _ANSWER if best.answers else f"<small>{best.said}</small>"
    return (
        f'<section class="pl-best{" pl-best-answers" * best.answers}">'
        f'<p class="pl-best-head"><b>{escape.html(line.heading or "Best passage")}</b>{state}</p>'
        f'<p class="pl-best-text">{_text(best.excerpt)}</p><p class="pl-best-why"><span>Similar '
        f'<span class="pl-bar"><i style="width:{line.bar * 100:.1f}%"></i></span><b>{line.score}</b></span>'
        f"{_found(line)}{_opening(document_id, line, 'open at ')}</p></section>"
    )


def _opening(document_id: str, line: ChunkLine, verb: str = "") -> str:
    """``line 41`` (after ``verb``) as a link that opens the document here in the Library; empty without a place."""
    if not line.place:
        return ""
    query = navigation.in_workspace({"document": document_id, "chunk": line.chunk_id})
    to = escape.html(copy_link.address("/library", {name: [str(value)] for name, value in query.items()}))
    return f'<a href="{to}" target="_self" title="Open the document here">{verb}{line.place}</a>'


def _line(card: EvidenceCard, line: ChunkLine, *, answers: bool) -> str:
    left_out = "" if line.in_context else '<small class="pl-left">left out of the context: token budget</small>'
    where = " · ".join(part for part in (_opening(card.document_id, line), escape.html(line.heading)) if part)
    section = f'<small class="pl-section">{escape.html(line.section)}</small>' if line.section else ""
    heading = (f"<small>{where}</small>" if where else "") + section
    classes = " ".join(name for name in (f"pl-is-{line.change}" * bool(line.change), "pl-answers" * answers) if name)
    state = f' class="{classes}"' if classes else ""
    answer = _ANSWER if answers else ""
    says = {"added": "enters", "left": "leaves", "": ""}[line.change]
    sign = layout.glyph(line.change, says) if line.change else ""
    note = f'<small class="pl-left">{escape.html(line.note)}</small>' if line.note else ""
    return (
        f'<tr{state}><td>{sign}{line.rank}</td><td><span class="pl-bar"><i style="width:{line.bar * 100:.1f}%"></i>'
        f"</span><b>{line.score}</b>{_words(line)}</td><td>{line.position}{heading}</td>"
        f'<td>{answer}<details class="pl-text"><summary><div>{_text(line.text)}</div></summary></details>'
        f"{_found(line)}{left_out}{note}</td><td>{line.tokens:,}</td></tr>"
    )


def _words(line: ChunkLine) -> str:
    figures = (("words", line.words, ABOUT_WORDS), ("reranked", line.reranked, ABOUT_RERANKED))
    return "".join(
        f'<small class="pl-words" title="{about}">{name} {value}</small>' for name, value, about in figures if value
    )


def _found(line: ChunkLine) -> str:
    """The question's words that stand in the passage: why it was chosen, beside its similarity."""
    if not line.words or not line.found:
        return ""
    more = f" and {len(line.found) - MAX_FOUND} more" if len(line.found) > MAX_FOUND else ""
    return f'<small class="pl-found">Words found: {escape.html(", ".join(line.found[:MAX_FOUND]))}{more}</small>'


def _text(text: tuple[Segment, ...]) -> str:
    return "".join(f"<mark>{escape.html(part)}</mark>" if found else escape.html(part) for part, found in text)

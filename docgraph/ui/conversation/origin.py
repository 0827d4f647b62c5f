"""How a turn was made, as six numbered steps in HTML; what is small print folds where the window is low."""

from __future__ import annotations

from docgraph.domain.conversation import Turn
from docgraph.ui.conversation.markup import badge
from docgraph.ui.frame import escape
from docgraph.views.conversation.origin import Origin, ProviderLine, Scale, StepLine
from docgraph.views.conversation.words import INTENTS, LINKS, PACKET_MEANS
from docgraph.views.words.counts import plural

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

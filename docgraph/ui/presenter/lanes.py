"""Steps 1 and 2 of the presenter as HTML: found documents, their passages on a score axis, what relationships add."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from docgraph.domain.anchors import section_words
from docgraph.ui.frame import escape
from docgraph.ui.frame import layout as frame
from docgraph.ui.presenter.story import Story
from docgraph.views.lanes.layout import Dash, node_id
from docgraph.views.plan.reasons import ReasonLine, selected_document
from docgraph.views.presenter.picture import (
    BOTTOM,
    LABEL_X,
    LEFT,
    LEFT_WIDTH,
    RIGHT,
    RIGHT_WIDTH,
    TOP,
    Arrow,
    Kind,
    StageBox,
    dot_x,
    score_range,
)
from docgraph.views.presenter.quotes import sentence_read
from docgraph.views.presenter.story import Line, facts, found, passages, related, superseded_words
from docgraph.views.words.counts import score
from docgraph.views.words.judgments import TAG_WORDS, JudgedTag
from docgraph.views.words.reading import readable

WIDTH, HEIGHT = 1280, 720
HEADS = TOP - 32
LINE, QUOTE_LETTERS, SECTION_LETTERS = 26, 46, 32
"""Height of a line in the panel, and how many letters surely fit into one."""

MAX_LOOKED_AT = 4
_GLYPHS: dict[Kind, frame.Glyph] = {
    "kept": "seed",
    "left": "left",
    "new": "seed",
    "moved": "seed",
    "related": "added",
}


def u(n: float) -> str:
    """``n`` pixels of the stage of 1280 × 720 as CSS: the stage grows with the window."""
    return f"calc({n:g} * var(--u))"


def at(x: float, y: float, width: float | None = None, height: float | None = None) -> str:
    """A place on the stage as CSS."""
    size = "" if width is None else f"width:{u(width)};"
    return f"left:{u(x)};top:{u(y)};{size}" + ("" if height is None else f"height:{u(height)};")


def sentence(line: Line) -> str:
    """A generated sentence with its counted words in colour."""
    return "".join(
        f'<span class="dgp-{part.tone}">{escape.html(part.text)}</span>' if part.tone else escape.html(part.text)
        for part in line
    )


def line_style(dash: Dash, *, width: int = 32, arrow: bool = False) -> str:
    """HTML of a stretch of line in a type's style; with an arrow head at its end."""
    head = f"<path d='M{width} 6l-9 -5v10z'/>" if arrow else ""
    end = width - 8 if arrow else width
    path = f"<path d='M1 6H{end}' fill='none' stroke='#000' stroke-width='2'{_dashes(dash)}/>"
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} 12'>{path}{head}</svg>"
    return f'<i class="dgp-line" style="width:{u(width)};{_mask(svg)}" aria-hidden="true"></i>'


def tag(judged: JudgedTag, *, short: bool = False) -> str:
    """A judgment beside a document: green or red, drawn and said; nothing where nobody judged it relevant."""
    if not judged:
        return ""
    sign: frame.Glyph = "check" if judged == "relevant" else "up" if judged == "gained" else "down"
    tone = "yes" if judged in ("relevant", "gained") else "no"
    said = "relevant" if short else TAG_WORDS[judged]
    return f'<small class="dgp-tag dgp-{tone}">{frame.glyph(sign)}{said}</small>'


def footer(story: Story, *, contract: bool) -> str:
    """Documents in, out and kept; in the last step with the contract."""
    shown = "".join(
        f'<span class="{"" if fact.kept else "broken"}">{frame.glyph(fact.sign if fact.kept else "cross")}'
        f"{escape.html(fact.text)}</span>"
        for fact in facts(story.comparison, contract=contract)
    )
    return f'<div class="dgp-facts">{shown}</div>'


def step_one(story: Story) -> str:
    """Without relationships: the documents that similarity finds, and every passage by its score."""
    picture = story.picture
    boxes = tuple(box for box in picture.found if box.kind != "new")
    ends = score_range(boxes)
    rows = "".join(_box(box, "kept") + _dots(box, ends) for box in boxes)
    axis = (
        f'<div class="dgp-axis" style="{at(dot_x(ends[0], ends), HEADS, dot_x(ends[1], ends) - dot_x(ends[0], ends))}">'
        f"<span>{ends[0]:.1f}</span><b>similarity of their passages</b><span>{ends[1]:.1f}</span></div>"
        if boxes
        else ""
    )
    more = _more_found(len(story.comparison.a.run.plan.document_ids) - len(boxes), boxes)
    return f"{_headline(found(story.comparison), '')}{_lane_head(LEFT, 'Found by similarity')}{axis}{rows}{more}"


def step_two(story: Story, chosen: int, *, arriving: bool) -> str:
    """With relationships: the same picture, what they lead to, and why one of those documents is in."""
    picture = story.picture
    line, under = related(story.comparison)
    target = picture.related[chosen] if picture.related else None
    boxes = "".join(_box(box, box.kind) for box in picture.found)
    new = "".join(_box(box, "related", on=box is target) for box in picture.related)
    more = (
        f'<p class="dgp-more" style="{at(RIGHT, picture.related_end - 28, RIGHT_WIDTH)}">and '
        f"{picture.n_more_related:,} more</p>"
        if picture.n_more_related
        else ""
    )
    lines = _arrows(picture.arrows, target.document_id if target else "")
    a, b = story.comparison.a.run.plan, story.comparison.b.run.plan
    counts = [
        f"{len(x):,} before, {len(y):,} now"
        for x, y in ((a.seed_documents, b.seed_documents), (a.expanded_documents, b.expanded_documents))
    ]
    head = _lane_head(RIGHT, "One relationship away", counts[1], RIGHT_WIDTH) if picture.related else ""
    why = _why(story, target) if target else _nothing_related(story)
    seeds = _more_found(picture.n_more_found, picture.found)
    fade = " dgp-arriving" if arriving else ""
    return (
        f"{_headline(line, under)}{_lane_head(LEFT, 'Found by similarity', counts[0], LEFT_WIDTH)}{head}{boxes}{seeds}"
        f'<div class="dgp-fade{fade}">{lines}{new}{more}{why}</div>{footer(story, contract=False)}'
    )


# ---------------------------------------------------------------- pieces


def _headline(line: Line, under: str) -> str:
    below = f'<p class="dgp-under">{escape.html(under)}</p>' if under else ""
    return f'<h1 class="dgp-h1">{sentence(line)}</h1>{below}'


def _lane_head(x: int, text: str, count: str = "", width: int = LEFT_WIDTH) -> str:
    return f'<h2 class="dgp-lane" style="{at(x, HEADS, width)}">{escape.html(text)}<em>{count}</em></h2>'


def _box(box: StageBox, kind: Kind, *, on: bool = False) -> str:
    x, width = (RIGHT, RIGHT_WIDTH) if kind == "related" else (LEFT, LEFT_WIDTH)
    spoken = {"left": "removed", "related": "added", "new": "new match", "moved": "now related"}
    title = escape.html(box.title)
    note = {"moved": "now related", "new": "new", "left": "removed"}.get(kind, "")
    tail = f"<small>{note}</small>" if note else ""
    if box.tag and kind != "moved" and not (box.tag == "gained" and kind != "related"):
        tail = tag("relevant" if box.tag == "lost" and kind == "kept" else box.tag, short=kind == "related")
    return (
        f'<div class="dgp-box dgp-is-{kind}{" on" if on else ""}" data-document="{escape.html(box.document_id)}" '
        f'style="{at(x, box.y, width, box.h)}" title="{title}">'
        f"{frame.glyph(_GLYPHS[kind], spoken.get(kind, 'found'))}<span>{title}</span>{tail}</div>"
    )


def _dots(box: StageBox, ends: tuple[float, float]) -> str:
    dots = "".join(
        f'<i class="dgp-dot" style="left:{u(dot_x(value, ends) - 8)};top:{u(box.middle - 8)}"></i>'
        for value in box.scores
    )
    y, x, width = box.middle, dot_x(ends[0], ends), dot_x(ends[1], ends) - dot_x(ends[0], ends)
    best = f", best {score(max(box.scores))}" if box.scores else ""
    count = f'<p class="dgp-count" style="{at(1026, y - 14, 190)}">{passages(len(box.scores))}{best}</p>'
    return f'<div class="dgp-track" style="{at(x, y, width)}"></div>{dots}{count}'


def _more_found(n: int, boxes: Sequence[StageBox]) -> str:
    """How many documents have no box, under the last box."""
    y = max((box.y + box.h for box in boxes), default=TOP) + 6
    return f'<p class="dgp-more" style="{at(LEFT + 16, y, LEFT_WIDTH)}">and {n:,} more</p>' if n else ""


def _nothing_related(story: Story) -> str:
    """In place of related documents: whose relationships were followed in vain."""
    names = [ref.title or ref.document_id for ref in story.run.plan.consulted]
    if not names:
        return ""
    rows = "".join(f"<li>{escape.html(name)}</li>" for name in names[:MAX_LOOKED_AT])
    more = f"<li>and {len(names) - MAX_LOOKED_AT:,} more</li>" if len(names) > MAX_LOOKED_AT else ""
    return (
        f'<div class="dgp-none" style="{at(RIGHT, TOP, RIGHT_WIDTH)}"><p>No relationship leads from these '
        f"to another document:</p><ul>{rows}{more}</ul></div>"
    )


def _arrows(arrows: Sequence[Arrow], chosen: str) -> str:
    quiet = _layer([a for a in arrows if a.target != chosen], "")
    loud = _layer([a for a in arrows if a.target == chosen], " on")
    labels = "".join(
        f'<span class="dgp-via{" on" if a.target == chosen else ""}" style="left:{u(LABEL_X)};top:{u(a.to_y)}">'
        f"<span>{escape.html(escape.shorten(a.label, 16))}</span></span>"
        for a in arrows
    )
    return quiet + loud + labels


def _layer(arrows: Sequence[Arrow], tone: str) -> str:
    if not arrows:
        return ""
    paths = "".join(
        f"<path d='{a.path}' fill='none' stroke='#000' stroke-width='2'{_dashes(a.dash)}/>"
        f"<path d='M{RIGHT - 2} {a.to_y:g}l-11 -5.5v11z'/>"
        for a in arrows
    )
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}'>{paths}</svg>"
    return f'<i class="dgp-arrows{tone}" style="{_mask(svg)}" aria-hidden="true"></i>'


def _dashes(dash: Dash) -> str:
    return f" stroke-dasharray='{' '.join(f'{part:g}' for part in dash)}'" if dash else ""


def _mask(svg: str) -> str:
    return f"--m:url(&quot;data:image/svg+xml,{quote(svg)}&quot;)"


# ---------------------------------------------------------------- why one document is in


def _why(story: Story, box: StageBox) -> str:
    """The panel under the related documents: every reason with its sentence, then the best passage."""
    chosen = selected_document(story.run, node_id(box.document_id), story.provenance)
    if chosen is None:
        return ""
    top = story.picture.related_end + 8
    room = (BOTTOM - top - 16) // LINE
    said = [(reason, sentence_read(story.run, reason, box.title)) for reason in chosen.reasons]
    line, text = next((pair for pair in said if pair[1]), said[0])
    hidden = len(chosen.reasons) - 1
    more = f" (+{hidden:,} more)" if hidden else ""
    old = story.superseded.get(box.document_id)
    warned = (
        "" if old is None else f'<p class="dgp-old">{frame.glyph("finding")}{escape.html(superseded_words(old))}</p>'
    )
    used = 2 + _quote_lines(text) + (old is not None)
    passage = _passage(story, box.document_id, lines=room - used)
    return (
        f'<div class="dgp-why" style="{at(RIGHT, top, RIGHT_WIDTH, BOTTOM - top)}" role="status">'
        f"{_reason(line, more, text=text, title=box.title)}{warned}{passage}</div>"
    )


def _quote_lines(text: str) -> int:
    """Lines that a quoted sentence takes: at most 4."""
    return min(-(-len(text) // QUOTE_LETTERS), 4)


def _reason(line: ReasonLine, more: str, *, text: str, title: str) -> str:
    """Who says it, and the sentence that names the target; without one, the relationship and where it stands."""
    named = section_words(line.sections)
    section = f", to {escape.shorten(named, SECTION_LETTERS)}" if named else ""
    if not text:
        where = line.found or "stated in the header"
        return (
            f'<p class="dgp-reason"><span class="dgp-from">{escape.html(line.from_title)}</span>{line_style(line.dash)}'
            f"<b>{escape.html(escape.shorten(line.via, 24))}</b>{line_style(line.dash, arrow=True)}</p>"
            f'<p class="dgp-small">{escape.html(escape.shorten(where, 40) + section + more)}</p>'
        )
    before, name, after = text.partition(title)
    quoted = f"{escape.html(before)}<b>{escape.html(name)}</b>{escape.html(after)}"
    return (
        f'<p class="dgp-small">{escape.html(f"{line.from_title} says{section}{more}")}</p>'
        f'<q style="-webkit-line-clamp:4">{quoted}</q>'
    )


def _passage(story: Story, document_id: str, *, lines: int) -> str:
    evidence = next((d for d in story.run.context.documents if d.document.document_id == document_id), None)
    if evidence is None or not evidence.chunks:
        return '<p class="dgp-small">No passage of it is read.</p>'
    best = evidence.chunks[0]
    said = readable(best.text, source=evidence.document.source)
    text = f'<p class="dgp-text" style="-webkit-line-clamp:{lines}">{escape.html(said)}</p>' if lines > 0 else ""
    return f'<p class="dgp-small dgp-nowread">and this passage is now read, {score(best.score)}</p>{text}'

"""Steps 1 and 2 of the presenter as HTML: found documents, their passages on a score axis, what relationships add."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

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
from docgraph.views.presenter.story import Line, found, passages, related
from docgraph.views.words.counts import plural, score
from docgraph.views.words.reading import readable

WIDTH, HEIGHT = 1280, 720
HEADS = TOP - 32
LINE, QUOTE_LETTERS = 26, 46
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
    head = _lane_head(RIGHT, "One relationship away") if picture.related else ""
    why = _why(story, target) if target else _nothing_related(story)
    seeds = _more_found(picture.n_more_found, picture.found) or _legend(story)
    fade = " dgp-arriving" if arriving else ""
    return (
        f"{_headline(line, under)}{_lane_head(LEFT, 'Found by similarity')}{head}{boxes}{seeds}"
        f'<div class="dgp-fade{fade}">{lines}{new}{more}{why}</div>'
    )


# ---------------------------------------------------------------- pieces


def _headline(line: Line, under: str) -> str:
    below = f'<p class="dgp-under">{escape.html(under)}</p>' if under else ""
    return f'<h1 class="dgp-h1">{sentence(line)}</h1>{below}'


def _lane_head(x: int, text: str) -> str:
    return f'<h2 class="dgp-lane" style="{at(x, HEADS)}">{escape.html(text)}</h2>'


def _box(box: StageBox, kind: Kind, *, on: bool = False) -> str:
    x, width = (RIGHT, RIGHT_WIDTH) if kind == "related" else (LEFT, LEFT_WIDTH)
    spoken = {"left": "left", "related": "came in", "new": "new among the found", "moved": "reached differently"}
    title = escape.html(box.title)
    note = {"moved": "now over a relationship", "new": "new"}.get(kind, "")
    tail = f"<small>{note}</small>" if note else ""
    if kind == "related":
        tail = f"<small>{escape.html(passages(box.n_passages))}</small>"
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


def _legend(story: Story) -> str:
    """One line under the left lane: what an orange box means."""
    boxes = story.picture.found
    n = sum(box.kind == "left" for box in boxes)
    y = max((box.y + box.h for box in boxes), default=TOP) + 6
    if not n or y > BOTTOM - 24:
        return ""
    text = f"{plural(n, 'document')} left: the last step says why"
    return f'<p class="dgp-legend" style="{at(LEFT, y, LEFT_WIDTH)}">{frame.glyph("left")}{text}</p>'


def _nothing_related(story: Story) -> str:
    """In place of related documents: whose relationships were followed in vain."""
    names = [ref.title or ref.document_id for ref in story.run.plan.consulted]
    if not names:
        return ""
    rows = "".join(f"<li>{escape.html(name)}</li>" for name in names[:MAX_LOOKED_AT])
    more = f"<li>and {len(names) - MAX_LOOKED_AT:,} more</li>" if len(names) > MAX_LOOKED_AT else ""
    return (
        f'<div class="dgp-none" style="{at(RIGHT, TOP, RIGHT_WIDTH)}"><p>No outgoing relationship leads from these '
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
    shown = chosen.reasons[: 2 if room > 6 else 1]
    reasons = "".join(map(_reason, shown))
    used = sum(1 + _quote_lines(line.text) for line in shown) + (len(chosen.reasons) > len(shown))
    hidden = len(chosen.reasons) - len(shown)
    more = f'<p class="dgp-small">and {plural(hidden, "more reason")}</p>' if hidden else ""
    passage = _passage(story, box.document_id, lines=room - used - 1)
    return (
        f'<div class="dgp-why" style="{at(RIGHT, top, RIGHT_WIDTH, BOTTOM - top)}" role="status">'
        f"{reasons}{more}{passage}</div>"
    )


def _quote_lines(text: str) -> int:
    """Lines that a quoted sentence takes: at most 2."""
    return min(-(-len(text) // QUOTE_LETTERS), 2)


def _reason(line: ReasonLine) -> str:
    quoted = f'<q style="-webkit-line-clamp:2">{escape.html(line.text)}</q>' if line.text else ""
    where = f"<small>{escape.html(escape.shorten(line.found, 24))}</small>" if line.found else ""
    return (
        f'<p class="dgp-reason"><span class="dgp-from">{escape.html(line.from_title)}</span>{line_style(line.dash)}'
        f"<b>{escape.html(escape.shorten(line.via, 24))}</b>{line_style(line.dash, arrow=True)}{where}</p>{quoted}"
    )


def _passage(story: Story, document_id: str, *, lines: int) -> str:
    evidence = next((d for d in story.run.context.documents if d.document.document_id == document_id), None)
    if evidence is None or not evidence.chunks:
        return '<p class="dgp-small">No passage of it passed the limits.</p>'
    best = evidence.chunks[0]
    heading = best.heading_path[-1] if best.heading_path else f"passage {best.chunk_index + 1}"
    said = readable(best.text, source=evidence.document.source)
    text = f'<p class="dgp-text" style="-webkit-line-clamp:{lines}">{escape.html(said)}</p>' if lines > 0 else ""
    return f'<p class="dgp-small">Its best passage, {score(best.score)}: <b>{escape.html(heading)}</b></p>{text}'

"""A picture of a plan as one static SVG: no script, no font, no image from anywhere, readable by itself."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from docgraph.domain.comparison import Comparison
from docgraph.domain.run import Run
from docgraph.views.lanes.drawing import run_lanes, twin_lanes
from docgraph.views.lanes.lines import TwinLine
from docgraph.views.lanes.notes import LINE as NOTE_LINE
from docgraph.views.lanes.notes import NOTE_X, Note
from docgraph.views.lanes.palette import DARK, LIGHT, PRINT, THEME, Palette
from docgraph.views.lanes.picture import LINE, STOPS, TITLE_X, WIDTH, Picture, TwinBox, Which, lanes_at
from docgraph.views.lanes.rows import MAX_ROWS
from docgraph.views.lanes.text import plain, shortened, text_width

FONT = "'Source Sans 3','Source Sans Pro','Source Sans',system-ui,sans-serif"
MARGIN = 2
"""Free room around the picture, so that no stroke is cut off."""

ARROW, TIP = 7, 3
"""Length of an arrow's head, and its distance to the box it points at."""

LABEL_PAD = 4
_SIGNS = {
    "seed": '<circle cx="{x}" cy="{y}" r="4.5" fill="{c.seed}"/>',
    "added": '<path d="M{l} {y}h10M{x} {t}v10" stroke="{c.added}" stroke-width="2.2" stroke-linecap="round"/>',
    "left": '<path d="M{l} {y}h10" stroke="{c.cut}" stroke-width="2.6" stroke-linecap="round"/>',
    "kept": '<path d="M{l} {u}h10M{l} {d}h10" stroke="{c.kept}" stroke-width="1.6" stroke-linecap="round"/>',
}
_SCISSORS = (
    '<g transform="translate({x} {y})" stroke="{c}" stroke-width="1.3" stroke-linecap="round" fill="none">'
    '<circle cx="2.6" cy="3" r="1.7"/><circle cx="2.6" cy="9" r="1.7"/><path d="M4.1 4 11 9.2M4.1 8 11 2.8"/></g>'
)


def lanes_svg(
    comparison: Comparison,
    side: Which,
    *,
    palette: Palette = LIGHT,
    width: int = WIDTH,
    scale: float = 1.0,
    only_changes: bool = False,
    max_rows: int = MAX_ROWS,
) -> str:
    """One side of a comparison; what both sides have stands at the same pixel in both.

    ``width`` is that of the whole picture in CSS pixels. ``scale`` makes everything larger: the smallest text has
    12 pixels × ``scale``. A lane of more than ``max_rows`` documents is folded. Equal input gives equal text.
    """
    inner = _inner(width, scale)
    picture = twin_lanes(comparison, width=inner, only_changes=only_changes, max_rows=max_rows).side(side)
    return svg(picture, palette, name=f"{side.upper()} {picture.label}", scale=scale)


def run_svg(
    run: Run,
    *,
    palette: Palette = LIGHT,
    width: int = WIDTH,
    scale: float = 1.0,
    label: str = "",
    max_rows: int = MAX_ROWS,
) -> str:
    """The plan of one run; what is expanded carries a plus. ``width`` and ``scale`` as in ``lanes_svg``."""
    picture = run_lanes(run, width=_inner(width, scale), label=label, max_rows=max_rows)
    return svg(picture, palette, name=picture.label or plain(run.plan.query), scale=scale)


def svg(picture: Picture, palette: Palette, *, name: str, scale: float = 1.0) -> str:
    """A laid-out picture as SVG; ``name`` is its title for those who hear it."""
    width, height = picture.width + 2 * MARGIN, picture.height + 2 * MARGIN
    said = f"{name}: {picture.figures}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width * scale)}" height="{_n(height * scale)}" '
        f'viewBox="{-MARGIN} {-MARGIN} {_n(width)} {_n(height)}" role="img" '
        f"aria-label={_attribute(f'{said}. {picture.spoken}')} "
        f'font-family="{FONT}" font-size="12" fill="none">',
        f"<title>{_text(said)}</title>",
        *_query(picture, palette),
        *(_line(line, picture, palette) for line in picture.lines),
        *(_box(box, palette) for box in picture.boxes),
        *_empty(picture, palette),
        *(_note(note, palette) for note in picture.notes),
        "</svg>",
    ]
    return "".join(parts)


def _query(picture: Picture, c: Palette) -> Iterable[str]:
    y = picture.query_y
    for box in picture.boxes:
        if box.lane == "seed" and box.here:
            end = box.middle
            yield (
                f'<path d="M12 {_n(y)}C20 {_n(y)} 18 {_n(end)} {_n(box.x)} {_n(end)}" stroke="{c.line2}" '
                f'stroke-width="1.2"/>'
            )
    yield f'<path d="M7 {_n(y - 7)}l7 7-7 7-7-7z" fill="{c.query}"><title>the question</title></path>'


LABEL_SHARE = (0.2, 22.0)
"""Of the gap between the lanes: the share in which lines bend, and the least of it in pixels."""


def label_column(width: float) -> tuple[float, float]:
    """Left and right edge of the column in which the names of relation types stand."""
    (seeds, w), (expanded, _) = lanes_at(width)
    gap = expanded - seeds - w
    return seeds + w + max(gap * LABEL_SHARE[0], LABEL_SHARE[1]), expanded - ARROW - TIP - 4


def _line(line: TwinLine, picture: Picture, c: Palette) -> str:
    (seeds, w), (expanded, _) = lanes_at(picture.width)
    left, right = label_column(picture.width)
    colour, y, start = (c.cut if line.look == "left" else c.edge), line.to_y, seeds + w
    room = right - left - 2 * LABEL_PAD
    label = line.label if text_width(line.label) <= room else shortened(line.short, room)
    wide = text_width(label) + 2 * LABEL_PAD
    middle = (left + right) / 2
    curves = "".join(
        f"M{_n(start)} {_n(y0)}C{_n((start + left) / 2)} {_n(y0)} {_n((start + left) / 2)} {_n(y)} {_n(left)} {_n(y)}"
        for y0 in line.from_ys
    )
    tip = expanded - TIP
    path = f"{curves}H{_n(middle - wide / 2)}M{_n(middle + wide / 2)} {_n(y)}H{_n(tip - ARROW)}"
    dashes = f' stroke-dasharray="{" ".join(map(_n, line.dash))}"' if line.dash else ""
    return (
        f"<g><title>{_text(line.spoken)}</title>"
        f'<path d="{path}" stroke="{colour}" stroke-width="1.4"{dashes}/>'
        f'<path d="M{_n(tip)} {_n(y)}l{-ARROW} -3.6v7.2z" fill="{colour}"/>'
        f'<text x="{_n(middle)}" y="{_n(y + 4)}" text-anchor="middle" '
        f'fill="{c.cut_text if line.look == "left" else c.muted}">{_text(label)}</text></g>'
    )


_FRAMES = {
    "kept": ("node", "line2", ""),
    "moved": ("node", "line2", ""),
    "added": ("node", "added", ""),
    "left": ("", "cut", "5 4"),
    "future": ("", "line2", "2 4"),
    "ghost": ("", "line2", "2 4"),
}
"""Look → (fill, stroke, dashes)."""


def _box(box: TwinBox, c: Palette) -> str:
    fill, stroke, dashes = _FRAMES[box.look]
    parts = [
        f"<g><title>{_text(box.tip)}</title>"
        f'<rect x="{_n(box.x + 0.5)}" y="{_n(box.y + 0.5)}" width="{_n(box.w - 1)}" height="{_n(box.h - 1)}" rx="6" '
        f'fill="{c.of(fill) if fill else "none"}" stroke="{c.of(stroke)}"'
        + (f' stroke-dasharray="{dashes}"' if dashes else "")
        + (' stroke-width="1.4"/>' if stroke == "added" else "/>"),
        _sign(box, c),
    ]
    rows = [*box.lines, *([box.note] if box.note else [])]
    y = box.middle - (len(rows) - 1) * LINE / 2 + 4
    for i, row in enumerate(rows):
        note = i >= len(box.lines)
        parts.append(_row(row, box, c, y=y + i * LINE, note=note))
    return "".join([*parts, "</g>"])


def _row(row: str, box: TwinBox, c: Palette, *, y: float, note: bool) -> str:
    if box.look in ("future", "ghost"):
        at = f'x="{_n(box.x + box.w / 2)}" text-anchor="middle"'
        return f'<text {at} y="{_n(y)}" fill="{c.muted}">{_text(row)}</text>'
    ink = c.text if not note and box.look != "left" else c.cut_text if note and box.look == "left" else c.muted
    return f'<text x="{_n(box.x + TITLE_X)}" y="{_n(y)}" fill="{ink}">{_text(row)}</text>'


def _sign(box: TwinBox, c: Palette) -> str:
    if box.look in ("future", "ghost"):
        return ""
    name = box.look if box.look in ("added", "left") else "seed" if box.lane == "seed" else "kept"
    x, y = box.x + 13, box.middle
    return _SIGNS[name].format(x=_n(x), y=_n(y), l=_n(x - 5), t=_n(y - 5), u=_n(y - 2.2), d=_n(y + 2.2), c=c)


def _empty(picture: Picture, c: Palette) -> Iterable[str]:
    if picture.empty:
        (seeds, w), _ = lanes_at(picture.width)
        yield f'<text x="{_n(seeds + w + 24)}" y="18" fill="{c.muted}">{_text(picture.empty)}</text>'


def _note(note: Note, c: Palette) -> str:
    sign = _SCISSORS.format(x=NOTE_X, y=_n(note.y + 1.5), c=c.cut) if note.cut else ""
    rows = "".join(
        f'<text x="{_n(note.x)}" y="{_n(note.y + 12 + i * NOTE_LINE)}" fill="{c.muted}">{_text(row)}</text>'
        for i, row in enumerate(note.lines)
    )
    return f"<g><title>{_text(note.tip)}</title>{sign}{rows}</g>"


def _inner(width: int, scale: float) -> int:
    return max(round(width / scale) - 2 * MARGIN, STOPS[0][0])


def _n(value: float) -> str:
    """A number without needless digits: the same on every machine."""
    return f"{round(value, 1):g}"


def _text(text: str) -> str:
    return escape("\n".join(plain(line) for line in text.split("\n")))


def _attribute(text: str) -> str:
    return quoteattr(plain(text))


__all__ = ["DARK", "LIGHT", "PRINT", "THEME", "Palette", "lanes_svg", "run_svg"]

"""The pictures of a comparison and of a plan as static SVG: no script, font or image from anywhere."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from docgraph.domain.comparison import Comparison
from docgraph.domain.plan import RetrievalPlan
from docgraph.views.lanes.layout import Span
from docgraph.views.lanes.lines import LABEL_PAD, LABEL_SHARE, TwinLine
from docgraph.views.lanes.palette import DARK, LIGHT, PRINT, THEME, Palette
from docgraph.views.lanes.single import single
from docgraph.views.lanes.text import plain, shortened, text_width
from docgraph.views.lanes.union import HEAD, STOPS, Union, UnionBox, lanes_at, union
from docgraph.views.words.judgments import TAG_WORDS
from docgraph.views.words.sides import side_name

FONT = "'Source Sans 3','Source Sans Pro','Source Sans',system-ui,sans-serif"
WIDTH = 760
MARGIN = 2
"""Free room around the picture, so that no stroke is cut off."""

ARROW, TIP = 7, 3
"""Length of an arrow's head, and its distance to the box it points at."""

LEGEND = 28
TITLE_X, END = 33, 9
"""Where the texts of a box begin, and what stays free behind them."""

BAR = 36
_SIGNS = {
    "seed": '<circle cx="{x}" cy="{y}" r="4.5" fill="{c.seed}"/>',
    "related": '<path d="M{l} {y}h10M{x} {t}v10" stroke="{c.added}" stroke-width="2" stroke-linecap="round"/>',
    "added": '<path d="M{l} {y}h10M{x} {t}v10" stroke="{c.added}" stroke-width="2.2" stroke-linecap="round"/>',
    "left": '<path d="M{l} {y}h10" stroke="{c.cut}" stroke-width="2.6" stroke-linecap="round"/>',
    "kept": '<path d="M{l} {u}h10M{l} {d}h10" stroke="{c.kept}" stroke-width="1.6" stroke-linecap="round"/>',
    "ghost": '<circle cx="{x}" cy="{y}" r="4.5" fill="{c.kept}"/>',
}
_FRAMES = {"added": ("node", "added", ""), "left": ("", "cut", "4 3"), "ghost": ("", "line2", "4 3")}
"""Look → (fill, stroke, dashes); every other one is a plain box."""

_MARKS = {"relevant": "✓", "gained": "▲", "lost": "▼", "missing": "▽"}


def union_svg(comparison: Comparison, *, palette: Palette = LIGHT, width: int = WIDTH) -> str:
    """Both plans of a comparison in one picture of ``width`` CSS pixels; equal input gives equal text.

    What both plans have stands once, what came in is framed, what left stays in its place, dashed.
    """
    said = f"{side_name(comparison.a)} → {side_name(comparison.b)}: documents in the plan"
    return _picture(union(comparison), said, palette, width)


def plan_svg(plan: RetrievalPlan, *, palette: Palette = LIGHT, width: int = WIDTH) -> str:
    """One plan in the same picture: its matches, its related documents and the relationships between them."""
    return _picture(single(plan), "Documents in the plan", palette, width)


def _picture(drawn: Union, said: str, palette: Palette, width: int) -> str:
    inner = max(width - 2 * MARGIN, STOPS[0][0])
    total = drawn.height + LEGEND + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(inner + 2 * MARGIN)}" height="{_n(total)}" '
        f'viewBox="{-MARGIN} {-MARGIN} {_n(inner + 2 * MARGIN)} {_n(total)}" role="img" '
        f'aria-label={_attribute(f"{said}. {drawn.spoken}")} font-family="{FONT}" font-size="12" fill="none">',
        f"<title>{_text(said)}</title>",
        *_heads(drawn, inner, palette),
        *_query(drawn, inner, palette),
        *(_line(line, inner, palette) for line in drawn.lines),
        *(_box(box, _span(box.lane, inner), palette) for box in drawn.boxes),
        *_folds(drawn, inner, palette),
        *_under(drawn, inner, palette),
        *_legend(drawn, palette),
        "</svg>",
    ]
    return "".join(parts)


def _span(lane: str, width: float) -> Span:
    """Left edge and width of a lane, on whole pixels."""
    x, w = lanes_at(width)[0 if lane == "seed" else 1]
    return round(x), round(x + w) - round(x)


def _heads(drawn: Union, width: float, c: Palette) -> Iterable[str]:
    for lane, name, ink, head in (("seed", "Matches", c.seed, drawn.heads[0]), ("expanded", "Related", c.added, "")):
        x, w = _span(lane, width)
        yield _sign("seed" if lane == "seed" else "related", x + 6, 14, c)
        yield f'<text x="{_n(x + 18)}" y="18" fill="{ink}" font-weight="600">{name}</text>'
        about, end = (head, drawn.scored) if head else ("one relationship away", drawn.heads[1])
        room = w - 26 - text_width(name, strong=True) - text_width(end)
        if text_width(about) <= room:
            yield _words(about, x + 26 + text_width(name, strong=True), 18, c.muted)
        yield _words(end, x + w, 18, c.muted, anchor="end")
    if not any(box.lane == "expanded" for box in drawn.boxes):
        yield _words(drawn.nothing, _span("expanded", width)[0], HEAD + 22, c.muted)


def _query(drawn: Union, width: float, c: Palette) -> Iterable[str]:
    """One bracket from the question over what B reads by similarity, dashed over what it does not read any more."""
    x, _ = _span("seed", width)
    seeds = [(box.y + box.h / 2, box.in_b) for box in drawn.boxes if box.lane == "seed" and box.look != "ghost"]
    ys, gone = [y for y, read in seeds if read], [y for y, read in seeds if not read]
    middle = (min(ys or gone) + max(ys or gone)) / 2 if seeds else HEAD + 10.0
    for ends, ink, dashes in ((ys, c.query, ""), (gone, c.cut, ' stroke-dasharray="4 3"')):
        for y in ends:
            yield f'<path d="M7 {_n(middle)}V{_n(y)}H{_n(x - 2)}" stroke="{ink}" stroke-width="1.2"{dashes}/>'
    yield f'<path d="M7 {_n(middle - 7)}l7 7-7 7-7-7z" fill="{c.query}"><title>the question</title></path>'


def _line(line: TwinLine, width: float, c: Palette) -> str:
    (seeds, w), (expanded, _) = _span("seed", width), _span("expanded", width)
    start, tip, y = seeds + w, expanded - TIP, line.to_y
    left = start + max((expanded - start) * LABEL_SHARE[0], LABEL_SHARE[1])
    right = tip - ARROW - 4
    room = right - left - 2 * LABEL_PAD
    label = line.label if text_width(line.label) <= room else shortened(line.short, room)
    wide, middle, bend = text_width(label) + 2 * LABEL_PAD, (left + right) / 2, (start + left) / 2
    curves = "".join(
        f"M{_n(start)} {_n(y0)}C{_n(bend)} {_n(y0)} {_n(bend)} {_n(y)} {_n(left)} {_n(y)}" for y0 in line.from_ys
    )
    path = f"{curves}H{_n(middle - wide / 2)}M{_n(middle + wide / 2)} {_n(y)}H{_n(tip - ARROW)}"
    dashes = f' stroke-dasharray="{" ".join(map(_n, line.dash))}"' if line.dash else ""
    stroke, ink = (c.cut, c.cut_text) if line.look == "left" else (c.added, c.added)
    return (
        f"<g><title>{_text(line.spoken)}</title>"
        f'<path d="{path}" stroke="{stroke}" stroke-width="1.6"{dashes}/>'
        f'<path d="M{_n(tip)} {_n(y)}l{-ARROW} -3.6v7.2z" fill="{stroke}"/>'
        f"{_words(label, middle, y + 4, ink, anchor='middle')}</g>"
    )


def _box(box: UnionBox, span: Span, c: Palette) -> str:
    (x, w), faint = span, box.look in ("left", "ghost")
    fill, stroke, dashes = _FRAMES.get(box.look, ("node", "line2", ""))
    sign = box.look if box.look in ("added", "left", "ghost") else "seed" if box.lane == "seed" else "related"
    upper, lower = box.y + box.h / 2 - 5, box.y + box.h / 2 + 12
    ink = c.muted if faint and box.tag != "lost" else c.text
    at = x + TITLE_X
    share = BAR * box.bar
    bar = c.cut if box.look == "left" else c.seed if box.lane == "seed" else c.added
    score_end = at + BAR + 6 + text_width(box.score, strong=True)
    end = x + w - END
    tag = f"{_MARKS[box.tag]} {'relevant' if box.tag == 'gained' else TAG_WORDS[box.tag]}" if box.tag else ""
    note = shortened(box.note, end - score_end - 6 - (text_width(tag) + 6 if tag else 0))
    parts = [
        f"<g><title>{_text(box.tip)}</title>",
        f'<rect x="{_n(x + 0.5)}" y="{_n(box.y + 0.5)}" width="{_n(w - 1)}" height="{_n(box.h - 1)}" rx="7" '
        f'fill="{c.of(fill) if fill else "none"}" stroke="{c.of(stroke)}"'
        + (f' stroke-dasharray="{dashes}"' if dashes else "")
        + (' stroke-width="1.4"/>' if stroke == "added" else "/>"),
        _sign(sign, x + 14, box.y + box.h / 2, c),
        _words(shortened(box.title, end - at), at, upper, ink),
        f'<path d="M{_n(at)} {_n(lower - 4)}h{BAR}" stroke="{c.line2}" stroke-width="4" stroke-opacity=".5"/>',
        f'<path d="M{_n(at)} {_n(lower - 4)}h{_n(share)}" stroke="{bar}" stroke-width="4"/>' if share else "",
        _words(box.score, at + BAR + 6, lower, c.text),
        _words(note, score_end + 6, lower, c.cut_text if box.look == "left" else c.muted),
        _words(tag, end, lower, c.lost if box.tag in ("lost", "missing") else c.relevant, anchor="end") if tag else "",
    ]
    return "".join([*parts, "</g>"])


def _folds(drawn: Union, width: float, c: Palette) -> Iterable[str]:
    for fold in drawn.folds:
        x, _ = _span(fold.lane, width)
        yield _sign("kept", x + 14, fold.y + 9, c) + _words(fold.text, x + TITLE_X, fold.y + 13, c.muted)


def _under(drawn: Union, width: float, c: Palette) -> Iterable[str]:
    """Whom the limit on related documents kept out, then what is not drawn, counted."""
    x, w = _span("expanded", width)
    rows = [box.y + box.h for box in drawn.boxes if box.lane == "expanded"]
    y = max([float(HEAD), *rows, *(fold.y + 20 for fold in drawn.folds if fold.lane == "expanded")]) + 25
    if drawn.cut_head:
        yield _words(drawn.cut_head, x, y, c.cut_text)
        for row in drawn.cut:
            y += 20
            ink = c.lost if row.lost else c.text
            yield _words(shortened(plain(row.title), w - text_width(row.would_be) - 24), x + 12, y, ink)
            yield _words(row.would_be, x + w, y, c.muted, anchor="end")
    for i, note in enumerate(drawn.notes):
        yield _words(shortened(note, w), x, drawn.height - 6 - 18 * (len(drawn.notes) - 1 - i), c.muted)


def _legend(drawn: Union, c: Palette) -> Iterable[str]:
    """What the signs mean: those that are drawn, from left to right."""
    looks = {box.look for box in drawn.boxes}
    said = [("seed", "found by similarity"), ("related", "reached through a relationship")]
    said += [("added", "added")] if "added" in looks else []
    said += [("left", "removed")] if "left" in looks else []
    said += [("ghost", "now in the other column")] if "ghost" in looks else []
    x, y = 8.0, drawn.height + LEGEND - 8
    for name, words in said:
        if name in _FRAMES:
            _, stroke, dashes = _FRAMES[name]
            dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
            yield f'<path d="M{_n(x)} {_n(y - 9)}h16v10h-16z" stroke="{c.of(stroke)}" stroke-width="1.4"{dashed}/>'
        else:
            yield _sign(name, x + 8, y - 4, c)
        yield _words(words, x + 22, y, c.muted)
        x += 42 + text_width(words)


def _sign(name: str, x: float, y: float, c: Palette) -> str:
    return _SIGNS[name].format(x=_n(x), y=_n(y), l=_n(x - 5), t=_n(y - 5), u=_n(y - 2.2), d=_n(y + 2.2), c=c)


def _words(text: str, x: float, y: float, ink: str, *, anchor: str = "") -> str:
    at = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text x="{_n(x)}" y="{_n(y)}"{at} fill="{ink}">{_text(text)}</text>'


def _n(value: float) -> str:
    """A number without needless digits: the same on every machine."""
    return f"{round(value, 1):g}"


def _text(text: str) -> str:
    return escape("\n".join(plain(line) for line in text.split("\n")))


def _attribute(text: str) -> str:
    return quoteattr(plain(text))


__all__ = ["DARK", "LIGHT", "PRINT", "THEME", "Palette", "plan_svg", "union_svg"]

"""Draws the rows of a slope chart with Vega-Lite: positions in pixels of the width there is, colours of the page."""

from __future__ import annotations

from typing import Any, TypeAlias

from docgraph.views.compare.slope import Slope, SlopeRow
from docgraph.views.lanes.text import text_width

FONT = "Source Sans"
ROW, HEAD, GAP = 26, 30, 24
"""Heights in pixels: a row, the head above the rows, the limit line."""

Json: TypeAlias = dict[str, Any]

_SIZE = 12.5
"""Type is 13 px, measured a little smaller: ``text_width`` adds 4 %, which would stand as a gap between two texts."""

PICK = "chunk"
"""Name of the selection; what is selected comes back as ``[{"key": …}]``."""

_ADDED, _LEFT, _LEFT_TEXT = "var(--dg-added)", "var(--dg-cut)", "var(--dg-cut-text)"
_KEPT, _INK, _MUTED, _PICKED = "var(--dg-kept)", "var(--dg-text)", "var(--dg-muted)", "var(--dg-primary)"
_STROKE = {"added": _ADDED, "left": _LEFT, "up": _KEPT, "down": _KEPT, "same": _KEPT}
_SHAPE = {
    "added": "M-1,0L1,0M0,-1L0,1",
    "left": "M-1,0L1,0",
    "same": "M-.9,-.36L.9,-.36M-.9,.36L.9,.36",
    "up": "M0,-.9L1,.8L-1,.8Z",
    "down": "M0,.9L1,-.8L-1,-.8Z",
}
_PARTS = (
    ("mid", "clamp(width * 0.17, 92, 190)"),
    ("side", "(width - mid - 166) / 2"),
    ("xa", "side + 34"),
    ("xb", "xa + mid"),
    ("names", "xb + 80"),
    ("room", "side + 8"),
)
"""Where the columns stand: names of A, place, dot, lines, dot, place, movement, names of B, score."""


def slope_chart(slope: Slope, selected: str | None) -> Json:
    """The chart of ``slope`` as a Vega-Lite specification, the row of ``selected`` marked; a click selects a chunk.

    It is drawn as SVG, so that colours follow the page's theme without being sent again.
    """
    rows = max(slope.n_a, slope.n_b + slope.n_left)
    pick = {
        "name": PICK,
        "select": {"type": "point", "fields": ["key"], "on": "click", "toggle": False, "clear": False},
    }
    bands = [{**_band("0", "xa + 9", "ya"), "params": [pick]}, _band("xb - 9", "width", "yb")]
    return {
        "data": {"values": [_datum(row, slope, selected) for row in slope.rows]},
        "params": [{"name": name, "expr": expression} for name, expression in _PARTS],
        "height": HEAD + ROW * rows + (GAP if slope.line else 0),
        "layer": [*bands, *_limit(slope), *_lines(), *_dots(), *_left_side(), *_right_side(), *_heads(slope)],
        "background": "transparent",
        "padding": {"left": 0, "right": 0, "top": 0, "bottom": 2},
        "usermeta": {"embedOptions": {"renderer": "svg"}},
        "config": {"font": FONT, "view": {"stroke": None, "fill": None}},
    }


def _datum(row: SlopeRow, slope: Slope, selected: str | None) -> dict[str, Any]:
    added = row.kind == "added"
    return {
        "key": row.key,
        "kind": row.kind,
        "chunk": row.chunk,
        "why": row.why,
        "pa": row.place_a,
        "pb": row.place_b,
        "delta": row.delta,
        "score": row.score,
        "ya": None if row.y_a is None else HEAD + ROW * (row.y_a - 0.5),
        "yb": HEAD + ROW * (row.y_b - 0.5) + (GAP if row.below else 0),
        "da": row.head_a,
        "db": row.head_b,
        "dwa": text_width(row.head_a, _SIZE),
        "dwb": text_width(row.head_b, _SIZE),
        "cw": text_width(row.chunk, _SIZE, strong=added),
        "opacity": 0.25 if row.dimmed else 1,
        "stroke": _STROKE[row.kind],
        "shape": _SHAPE[row.kind],
        "fill": _STROKE[row.kind] if row.kind in ("up", "down") else "transparent",
        "below": row.below,
        "dot": "var(--dg-bg)" if row.below else _STROKE[row.kind],
        "ink": _LEFT_TEXT if row.below else _ADDED if added else _INK,
        "band": _PICKED if row.key == selected else "transparent",
        "says": f"{row.document} {row.chunk}",
        "how": _how(row, slope),
        "spoken": f"{row.document} {row.chunk}: {_how(row, slope)}",
    }


def _how(row: SlopeRow, slope: Slope) -> str:
    """What the tooltip says about a row."""
    if row.kind == "left":
        return f"removed: {row.why}"
    if row.kind == "added":
        return f"added at position {row.place_b} of {slope.label_b}"
    if row.kind == "same":
        return f"position {row.place_a} in both"
    return f"position {row.place_a} → {row.place_b}"


def _layer(mark: str, where: Json, *, only: str = "", look: Json | None = None, own: Json | None = None) -> Json:
    """One layer: ``where`` in pixels by expression, ``look`` the same for all rows, ``own`` as each row says it."""
    encoding: Json = {channel: {"value": {"expr": expression}} for channel, expression in where.items()}
    for channel, field in (own or {}).items():
        encoding[channel] = {"field": field, "type": "quantitative" if channel == "opacity" else "nominal"}
        encoding[channel] |= {} if channel == "text" else {"scale": None}
    filters = {"transform": [{"filter": only}]} if only else {}
    return {"mark": {"type": mark, "cursor": "pointer", "aria": False, **(look or {})}, "encoding": encoding, **filters}


def _band(left: str, right: str, y: str) -> Json:
    """Half a row: what is clicked, tinted when it is selected."""
    where = {"x": left, "x2": right, "y": f"datum.{y} - {ROW / 2 - 1}", "y2": f"datum.{y} + {ROW / 2 - 1}"}
    look = {"cornerRadius": 4, "fillOpacity": 0.13, "aria": True}
    layer = _layer("rect", where, only=f"datum.{y} != null", look=look, own={"fill": "band"})
    layer["encoding"]["description"] = {"field": "spoken", "type": "nominal"}
    layer["encoding"]["tooltip"] = [
        {"field": "says", "title": "Passage"},
        {"field": "how", "title": "Change"},
        {"field": "score", "title": "Score"},
    ]
    return layer


def _limit(slope: Slope) -> list[Json]:
    if not slope.line:
        return []
    y = HEAD + ROW * slope.n_b + GAP / 2
    whole = slope.n_a <= slope.n_b
    data = {"data": {"values": [{"line": slope.line}]}}
    where = {"x": "0" if whole else "xb - 20", "x2": "width", "y": str(y), "y2": str(y)}
    rule = _layer("rule", where, look={"strokeDash": [2, 3], "stroke": _KEPT, "cursor": "default"})
    place = {"x": "0", "y": str(y + 14)} if whole else {"x": "names", "y": str(y - 8)}
    return [{**rule, **data}, {**_text("line", "left", "side + 20", place, color=_MUTED), **data}]


def _lines() -> list[Json]:
    look = {"strokeWidth": 1.8, "strokeCap": "round"}
    own = {"stroke": "stroke", "opacity": "opacity"}
    both = {"x": "xa", "x2": "xb", "y": "datum.ya", "y2": "datum.yb"}
    stub = {"x": "xb - 40", "x2": "xb", "y": "datum.yb", "y2": "datum.yb"}
    return [
        _layer("rule", both, only="datum.ya != null && !datum.below", look=look, own=own),
        _layer("rule", both, only="datum.below", look={**look, "strokeDash": [5, 4], "strokeCap": "butt"}, own=own),
        _layer("rule", stub, only="datum.kind == 'added'", look=look, own=own),
    ]


def _dots() -> list[Json]:
    look = {"size": 44, "strokeWidth": 1.8, "filled": False}
    own = {"stroke": "stroke", "opacity": "opacity"}
    sign = {"size": 46, "strokeWidth": 1.8, "filled": False, "strokeCap": "round"}
    return [
        _layer(
            "point", {"x": "xa", "y": "datum.ya"}, only="datum.ya != null", look=look, own={**own, "fill": "stroke"}
        ),
        _layer("point", {"x": "xb", "y": "datum.yb"}, look=look, own={**own, "fill": "dot"}),
        _layer("point", {"x": "xb + 50", "y": "datum.yb"}, look=sign, own={**own, "fill": "fill", "shape": "shape"}),
    ]


_DOCUMENT = "min(datum.{dw}, max({room} * 0.42, {room} - datum.cw - 5))"
"""Room for a document's title: what the name of the chunk leaves, at least two fifths."""


def _left_side() -> list[Json]:
    there, y = "datum.ya != null", "datum.ya"
    document = _DOCUMENT.format(room="side", dw="dwa")
    chunk = f"min(datum.cw, side - {document} - 5)"
    return [
        _text("chunk", "right", f"side - {document} - 4", {"x": "side", "y": y}, color=_INK, only=there),
        _text("da", "right", document, {"x": f"side - {chunk} - 5", "y": y}, color=_MUTED, only=there),
        _text("pa", "center", "40", {"x": "side + 16", "y": y}, color=_MUTED, only=there),
    ]


def _right_side() -> list[Json]:
    there, left, y = "!datum.below", "datum.below", "datum.yb"
    document = _DOCUMENT.format(room="room", dw="dwb")
    chunk = {"x": f"names + {document} + (datum.dwb ? 5 : 12)", "y": y}
    return [
        _text("pb", "center", "40", {"x": "xb + 24", "y": y}, color=_INK),
        _text("delta", "left", "30", {"x": "xb + 60", "y": y}, color=_MUTED),
        _text("db", "left", document, {"x": "names", "y": y}, color=_MUTED, only=there),
        _text(
            "chunk",
            "left",
            f"room - {document} - 4",
            chunk,
            own={"color": "ink"},
            only=there,
            bold="datum.kind == 'added'",
        ),
        _text("why", "left", "room", {"x": "names", "y": y}, color=_LEFT_TEXT, only=left),
        _text("score", "right", "40", {"x": "width", "y": y}, color=_MUTED),
    ]


def _text(
    field: str,
    align: str,
    limit: str,
    where: Json,
    *,
    color: str = "",
    only: str = "",
    own: Json | None = None,
    bold: str = "false",
    size: int = 13,
) -> Json:
    look = {
        "align": align,
        "baseline": "middle",
        "fontSize": size,
        "font": FONT,
        "limit": {"expr": limit},
        "fontWeight": {"expr": f"{bold} ? 600 : 400"},
    } | ({"color": color} if color else {})
    rows = {} if "datum" not in where["y"] else {"opacity": "opacity"}
    return _layer("text", where, only=only, look=look, own={"text": field, **(own or {}), **rows})


def _heads(slope: Slope) -> list[Json]:
    by = "by score" if slope.order == "score" else "by document"
    data = {
        "data": {"values": [{"a": f"A\u2002{slope.label_a}", "b": f"B\u2002{slope.label_b}", "by": by, "s": "score"}]}
    }
    heads = (
        ("a", "right", "side + 34", "xa + 4", _INK, 13),
        ("b", "left", "room", "xb - 4", _INK, 13),
        ("s", "right", "60", "width", _MUTED, 12),
    )
    return [
        {
            **_text(field, align, limit, {"x": x, "y": "10"}, color=color, size=size, bold=str(size == 13).lower()),
            **data,
        }
        for field, align, limit, x, color, size in heads
    ]

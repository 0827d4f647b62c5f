"""Step 3 of the presenter as HTML: what came in, what it cost, tokens before and after, and what did not change."""

from __future__ import annotations

from docgraph.ui.frame import escape, layout
from docgraph.ui.presenter.lanes import at, line_style, sentence, u
from docgraph.ui.presenter.story import Story
from docgraph.views.presenter.story import (
    Arrival,
    Cost,
    ReasonMark,
    arrivals,
    changed,
    costs,
    facts,
    passages,
    same_facts,
    tokens,
    why_same,
)
from docgraph.views.words.counts import plural, score

TOP, HEIGHT = 244, 378
MAX_ARRIVALS = 3
LINE_LETTERS, ARROW, AND_MORE = 68, 12, 18
"""Room for reasons in one line, in letters: the line, an arrow with its gaps, "and 2 more reasons"."""

BAR = 232
"""Longest token bar."""


def step_three(story: Story, opened: int | None, *, n_rows: int) -> str:
    """What changed and what it cost; ``opened`` = the passage whose text lies over "What came in"."""
    comparison = story.comparison
    title = "<br>".join(sentence(line) for line in changed(comparison))
    if comparison.identical:
        return f'<h1 class="dgp-h1 dgp-two">{title}</h1>{_same(story)}{_footer(story)}'
    gone = costs(comparison)
    left = _open(gone[opened]) if opened is not None and opened < len(gone) else _came_in(story)
    return (
        f'<h1 class="dgp-h1 dgp-two">{title}</h1><div class="dgp-col" style="{at(64, TOP, 632, HEIGHT)}">{left}</div>'
        f'<div class="dgp-col" style="{at(760, TOP, 456, HEIGHT)}">{_cost(story, gone, n_rows, opened)}</div>'
        f"{_footer(story)}"
    )


def _same(story: Story) -> str:
    """Nothing changed: why, and everything that stayed."""
    rows = "".join(
        f"<p>{layout.glyph('check')}<span>{escape.html(fact)}</span></p>" for fact in same_facts(story.comparison)
    )
    return (
        f'<p class="dgp-same">{escape.html(why_same(story.comparison))}</p>'
        f'<div class="dgp-col dgp-stays" style="{at(64, TOP + 34, 560, 200)}">{rows}</div>'
        f'<div class="dgp-col" style="{at(760, TOP + 34, 456, 120)}">{_tokens(story)}</div>'
    )


def _head(glyph: layout.Glyph, title: str, count: str) -> str:
    return (
        f'<h2 class="dgp-hd">{layout.glyph(glyph)}<span>{escape.html(title)}</span><em>{escape.html(count)}</em></h2>'
    )


def _came_in(story: Story) -> str:
    rows = arrivals(story.comparison)
    shown = "".join(_arrival(row, superseded=row.document_id in story.superseded) for row in rows[:MAX_ARRIVALS])
    more = f'<p class="dgp-rest">and {plural(len(rows) - MAX_ARRIVALS, "more document")}</p>'
    count = passages(len(story.comparison.chunks_with("added")))
    return _head("added", "What came in", count) + shown + (more if len(rows) > MAX_ARRIVALS else "")


def _arrival(row: Arrival, *, superseded: bool) -> str:
    shown = _fitting(row.reasons)
    marks = "".join(
        f'<span class="dgp-mark"><span class="dgp-from">{escape.html(mark.from_title)}</span>{line_style(mark.dash)}'
        f"<b>{escape.html(escape.shorten(mark.via, 24))}</b>{line_style(mark.dash, arrow=True)}</span>"
        for mark in row.reasons[:shown]
    )
    if len(row.reasons) > shown:
        marks += f'<span class="dgp-and">and {plural(len(row.reasons) - shown, "more reason")}</span>'
    note = f'<span class="dgp-and">{escape.html(row.note)}</span>' if row.note and not row.reasons else ""
    old = f'<span class="dgp-old">{layout.glyph("finding")}superseded</span>' if superseded else ""
    return (
        f'<div class="dgp-it"><b class="dgp-t">{escape.html(row.title)}</b><span class="dgp-n">'
        f'{escape.html(row.passages)}</span><div class="dgp-w">{marks}{note}{old}</div></div>'
    )


def _fitting(reasons: tuple[ReasonMark, ...]) -> int:
    """How many reasons fit into one line; the first one always does (its title is shortened by the browser)."""
    room = LINE_LETTERS
    for n, mark in enumerate(reasons):
        rest = 0 if n == len(reasons) - 1 else AND_MORE
        room -= len(mark.from_title) + len(mark.via) + ARROW
        if room < rest:
            return max(n, 1)
    return len(reasons)


def _cost(story: Story, gone: tuple[Cost, ...], n_rows: int, opened: int | None) -> str:
    rows = "".join(
        f'<div class="dgp-cost{" on" if i == opened else ""}"><p><span>{escape.html(cost.title)}</span>'
        f"<b>{escape.html(cost.heading)}</b></p><small>{escape.html(cost.why)}</small></div>"
        for i, cost in enumerate(gone[:n_rows])
    )
    more = f'<p class="dgp-rest">and {plural(len(gone) - n_rows, "more passage")}</p>' if len(gone) > n_rows else ""
    nothing = '<p class="dgp-rest">Nothing left: every passage is still there.</p>' if not gone else ""
    return _head("left", "What it cost", passages(len(gone))) + rows + more + nothing + _tokens(story)


def _tokens(story: Story) -> str:
    """Tokens before and after as two bars; what is new stands out, what fell away is outlined."""
    a, b = tokens(story.comparison)
    unit = BAR / max(a, b, 1)
    kept, new, less = min(a, b) * unit, max(b - a, 0) * unit, max(a - b, 0) * unit
    after = f'<i style="width:{u(kept)}"></i>' + (f'<i class="new" style="width:{u(max(new, 2))}"></i>' if new else "")
    after += f'<i class="less" style="width:{u(max(less, 2))}"></i>' if less else ""
    return (
        f'<div class="dgp-tokens"><span>Before</span><div><i style="width:{u(a * unit)}"></i></div>'
        f"<b>{a:,} tokens</b><span>After</span><div>{after}</div><b>{b:,} tokens</b></div>"
    )


def _open(cost: Cost) -> str:
    """The text of a passage that left: the price, read aloud."""
    return (
        f'{_head("left", "The price: this passage left", score(cost.score))}<div class="dgp-paper">'
        f"<p><span>{escape.html(cost.title)}</span> {escape.html(cost.heading)}</p>"
        f"<small>{escape.html(cost.why)}</small><blockquote>{escape.html(cost.text)}</blockquote></div>"
    )


def _footer(story: Story) -> str:
    shown = "".join(
        f'<span class="{"" if fact.kept else "broken"}">{layout.glyph("check" if fact.kept else "cross")}'
        f"{escape.html(fact.text)}</span>"
        for fact in facts(story.comparison)
    )
    return f'<div class="dgp-facts">{shown}</div>'

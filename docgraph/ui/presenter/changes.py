"""Step 3 of the presenter as HTML: what came in, what it cost, and what is read of the documents judged relevant."""

from __future__ import annotations

from docgraph.ui.frame import escape, layout
from docgraph.ui.presenter.lanes import at, footer, line_style, sentence, tag, u
from docgraph.ui.presenter.story import Story
from docgraph.views.presenter.story import (
    Arrival,
    Cost,
    ReasonMark,
    arrivals,
    changed,
    costs,
    counted,
    passages,
    read_rows,
    same_facts,
    superseded_words,
    why_same,
)
from docgraph.views.words.counts import plural, score
from docgraph.views.words.glossary import definition
from docgraph.views.words.judgments import JudgedTag

TOP, ROWS, PITCH = 232, 272, 70
"""Where both columns begin, their first row, and the height of a row."""

BOTTOM = 646
TABLE_HEAD, TABLE_ROW, TABLE_PAD, MAX_READ = 34, 27, 8, 5
LINE_LETTERS, ARROW, AND_MORE, SECTION_LETTERS = 60, 12, 8, 28
"""Room for reasons in one line, in letters: the line, an arrow with its gaps, "+2 more"."""


def room(story: Story) -> int:
    """How many rows a column has: two above a table of what is read, else five."""
    return 2 if story.comparison.relevant else 5


def step_three(story: Story, opened: int | None, *, n_rows: int) -> str:
    """What changed and what it cost; ``opened`` = the row of *Trade-off* whose text covers *What was added*."""
    comparison = story.comparison
    title = "<br>".join(sentence(line) for line in changed(comparison))
    if comparison.identical:
        return f'<h1 class="dgp-h1 dgp-two">{title}</h1>{_same(story)}{footer(story, contract=True)}'
    gone = costs(comparison)
    left = _open(gone[opened]) if opened is not None and opened < len(gone) else _came_in(story)
    height = (BOTTOM - TOP) if not comparison.relevant else ROWS - TOP + 2 * PITCH + 32
    return (
        f'<h1 class="dgp-h1 dgp-two">{title}</h1><div class="dgp-col" style="{at(64, TOP, 640, height)}">{left}</div>'
        f'<div class="dgp-col" style="{at(768, TOP, 448, height)}">{_cost(story, gone, n_rows, opened)}</div>'
        f"{_read(story)}{footer(story, contract=True)}"
    )


def _same(story: Story) -> str:
    """Nothing changed: why, and everything that stayed."""
    rows = "".join(
        f"<p>{layout.glyph('check')}<span>{escape.html(fact)}</span></p>" for fact in same_facts(story.comparison)
    )
    return (
        f'<p class="dgp-same">{escape.html(why_same(story.comparison))}</p>'
        f'<div class="dgp-col dgp-stays" style="{at(64, 278, 560, 200)}">{rows}</div>'
    )


def _head(glyph: layout.Glyph, title: str, count: str, about: str = "") -> str:
    sign = layout.glyph(glyph)
    return (
        f'<h2 class="dgp-hd" title="{about}">{sign}<span>{escape.html(title)}</span><em>{escape.html(count)}</em></h2>'
    )


def _came_in(story: Story) -> str:
    rows, most = arrivals(story.comparison), room(story)
    shown = "".join(_arrival(row, story) for row in rows[:most])
    more = f'<p class="dgp-rest">and {len(rows) - most:,} more</p>' if len(rows) > most else ""
    return _head("added", "What was added", counted(story.comparison, "added")) + shown + more


def _arrival(row: Arrival, story: Story) -> str:
    shown = _fitting(row.reasons)
    marks = "".join(
        f'<span class="dgp-mark"><span class="dgp-from">{escape.html(mark.from_title)}</span>{line_style(mark.dash)}'
        f"<b>{escape.html(escape.shorten(mark.via, 24))}</b>{line_style(mark.dash, arrow=True)}"
        f"{_section(mark)}</span>"
        for mark in row.reasons[:shown]
    )
    if len(row.reasons) > shown:
        marks += f'<span class="dgp-and">+{len(row.reasons) - shown:,} more</span>'
    said = [row.note] if row.note and not row.reasons else []
    note = f'<span class="dgp-and">{escape.html(f"{said[0]}, {row.passages}")}</span>' if said else ""
    return _row(row.title, row.tag, marks + note + _old(row.document_id, story), strong=True)


def _section(mark: ReasonMark) -> str:
    if not mark.section:
        return ""
    return f'<span class="dgp-and">{escape.html(escape.shorten(mark.section, SECTION_LETTERS))}</span>'


def _row(title: str, judged: JudgedTag, under: str, *, strong: bool, on: bool = False) -> str:
    name = "b" if strong else "span"
    return (
        f'<div class="dgp-it{" on" if on else ""}" style="height:{u(PITCH)}"><p>'
        f'<{name} class="dgp-t">{escape.html(title)}</{name}>{tag(judged)}</p>'
        f'<div class="dgp-w">{under}</div></div>'
    )


def _old(document_id: str, story: Story) -> str:
    """A superseded document on stage says so, and by what."""
    if document_id not in story.superseded:
        return ""
    said = superseded_words(story.superseded[document_id])
    return f'<span class="dgp-old">{layout.glyph("finding")}<span>{escape.html(said)}</span></span>'


def _fitting(reasons: tuple[ReasonMark, ...]) -> int:
    """How many reasons fit into one line; the first one always does (its title is shortened by the browser)."""
    free = LINE_LETTERS
    for n, mark in enumerate(reasons):
        rest = 0 if n == len(reasons) - 1 else AND_MORE
        free -= len(mark.from_title) + len(mark.via) + ARROW + min(len(mark.section), SECTION_LETTERS)
        if free < rest:
            return max(n, 1)
    return len(reasons)


def _cost(story: Story, gone: tuple[Cost, ...], n_rows: int, opened: int | None) -> str:
    whole = {d.document_id for d in story.comparison.documents_with("left")}
    rows = "".join(
        _row(
            cost.title,
            cost.tag,
            f'<span class="dgp-from">{escape.html(_why(cost, story, whole=cost.document_id in whole))}</span>'
            + _old(cost.document_id, story),
            strong=cost.tag == "lost",
            on=i == opened,
        )
        for i, cost in enumerate(gone[:n_rows])
    )
    more = f'<p class="dgp-rest">and {len(gone) - n_rows:,} more</p>' if len(gone) > n_rows else ""
    nothing = '<p class="dgp-rest">Nothing was removed.</p>' if not gone else ""
    head = _head("left", "Trade-off", counted(story.comparison, "left"), definition("trade-off"))
    back = ""
    if story.way_back is not None:
        back = f'<p class="dgp-back"><kbd>W</kbd>{escape.html(story.way_back.then)}</p>'
    return head + rows + (back or more) + nothing


def _why(cost: Cost, story: Story, *, whole: bool) -> str:
    if not whole:
        return f"{cost.heading}: {cost.why}"
    return cost.why.partition(", ")[0] if cost.document_id in story.superseded else cost.why


def _read(story: Story) -> str:
    """The documents judged relevant: read without, read with. Those that changed are always among the rows shown."""
    rows = read_rows(story.comparison)
    if not rows:
        return ""
    changes = [row for row in rows if row.before != row.after]
    shown = [*[row for row in rows if row.before == row.after][: max(MAX_READ - len(changes), 0)], *changes][:MAX_READ]
    more = f" · {len(rows) - len(shown):,} more not shown" if len(rows) > len(shown) else ""
    height = TABLE_HEAD + TABLE_ROW * len(shown) + 2 * TABLE_PAD
    lines = "".join(
        f'<div class="dgp-read{" on" if row in changes else ""}"><span>{escape.html(row.title)}</span>'
        f"{_was(row.before)}{_is(row.tag, read=row.after)}</div>"
        for row in shown
    )
    return (
        f'<div class="dgp-table" style="{at(64, BOTTOM - height, 1152, height)}"><div class="dgp-read dgp-readhead">'
        f"<b>The {plural(len(rows), 'relevant document')}<small>{more}</small></b><i>without</i><i>with</i></div>"
        f"{lines}</div>"
    )


def _was(read: bool) -> str:
    return f'<i class="dgp-yes">{layout.glyph("check", "read")}</i>' if read else "<i>not read</i>"


def _is(judged: JudgedTag, *, read: bool) -> str:
    if judged == "gained":
        return f'<i class="dgp-yes">{layout.glyph("up")}gained</i>'
    if judged == "lost":
        return f'<i class="dgp-no">{layout.glyph("down")}lost</i>'
    return _was(read)


def _open(cost: Cost) -> str:
    """The text of what left: the price, read aloud."""
    return (
        f"{_head('left', 'Not read any more', score(cost.score) if cost.text else passages(0))}"
        f'<div class="dgp-paper"><p><span>{escape.html(cost.title)}</span> {escape.html(cost.heading)}</p>'
        f"<blockquote>{escape.html(cost.text)}</blockquote></div>"
    )

"""What stands below a picture of a plan: whom a limit cut, who is folded away, which edges are not drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.run import Run
from docgraph.views.lanes.rows import Member
from docgraph.views.lanes.text import plain, text_width, wrapped
from docgraph.views.words.counts import LIMIT_NAMES, plural

NOTE_X = 28
SIGN = 18
"""Where notes begin, and the room of their sign."""

LINE = 16
TOP, FOOT = 14, 4
MAX_NAMES = 20
"""A note names at most this many documents and counts the rest; so does its tip."""

_CUTS = ("max_expanded", "max_fan_out")


@dataclass(frozen=True)
class Text:
    """A note before it is placed: a head, the documents it names, and whether it speaks of a cut."""

    head: str
    names: tuple[str, ...] = ()
    cut: bool = False


@dataclass(frozen=True)
class Note:
    """A note in pixels: its lines stand ``LINE`` apart, ``y`` is the upper edge of the first."""

    x: float
    y: float
    lines: tuple[str, ...]
    cut: bool
    tip: str


def texts(run: Run, hidden: Sequence[Member], *, side: Literal["a", "b"], unseen: int, alone: bool) -> tuple[Text, ...]:
    """The notes of one side; ``unseen`` = edges that start at a seed which is not drawn."""
    found = list(_cuts(run))
    gone = [m for m in hidden if m.on(side)]
    n = len(run.plan.document_ids)
    if gone:
        found.append(Text(f"Showing {n - len(gone):,} of {n:,} documents; not shown", tuple(m.title for m in gone)))
    elif hidden and not alone:
        found.append(Text(f"Showing all {n:,} documents"))
    between = sum(len(d.reasons) for d in run.plan.seed_documents)
    parts = [plural(between, "edge") + " between seeds"] if between else []
    parts += [plural(unseen, "edge") + " from seeds that are not shown"] if unseen else []
    if parts:
        found.append(Text(f"Not drawn: {', '.join(parts)}"))
    return tuple(found)


def placed(notes: Iterable[Text], *, top: float, width: float) -> tuple[tuple[Note, ...], float]:
    """Notes below ``top``, wrapped to the picture's width, and where the picture ends."""
    found, y = [], top + TOP
    for text in notes:
        x = NOTE_X + (SIGN if text.cut else 0)
        whole = _sentence(text, len(text.names))
        lines = _fitted(text, width - x)
        found.append(Note(x, y, lines, text.cut, whole))
        y += LINE * len(lines) + 4
    return tuple(found), (y + FOOT if found else top + FOOT)


def _cuts(run: Run) -> Iterable[Text]:
    """Whom the limits on related documents kept out: ``4 of 6 cut: max docs 6`` and their names."""
    limits = run.plan.constraints
    for total in run.plan.cut_totals:
        n = total.total - total.kept
        if total.limit not in _CUTS or not n:
            continue
        limit = f"{LIMIT_NAMES[total.limit]} {total.value:,}"
        if total.limit == "max_expanded":
            limit = f"max docs {limits.max_documents:,}"
        cut = (c for c in run.plan.cut if c.limit == total.limit)
        names = tuple(plain(c.title) or plain(c.document_id) for c in cut)
        yield Text(f"{n:,} of {total.total:,} cut: {limit}", names, cut=True)


def _sentence(text: Text, n_names: int) -> str:
    """The head and the first names; those that are left are counted."""
    if not text.names:
        return text.head
    if n_names == 0:
        return text.head
    shown = text.names[: min(n_names, MAX_NAMES)]
    more = len(text.names) - len(shown)
    return f"{text.head}: {'; '.join(shown)}" + (f"; and {more:,} more" if more else "")


def _fitted(text: Text, room: float, max_lines: int = 2) -> tuple[str, ...]:
    """As many names as two lines hold; nobody's name is cut in the middle unless it is the only one."""
    for n in range(min(len(text.names), MAX_NAMES), 0, -1):
        sentence = _sentence(text, n)
        lines = wrapped(sentence, room, max_lines=max_lines)
        if " ".join(lines) == sentence:
            return lines
    first = _sentence(text, 1 if text.names else 0)
    return wrapped(first if text_width(first) else text.head, room, max_lines=max_lines)

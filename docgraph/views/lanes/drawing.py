"""Two plans as two pictures with one layout: a document that is in the same lane of both stands at the same pixel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.comparison import Comparison
from docgraph.domain.run import Run
from docgraph.views.lanes import notes as twin_notes
from docgraph.views.lanes.layout import MAX_LINES, Edge
from docgraph.views.lanes.lines import LABEL_STEP, TwinLine, into, routed
from docgraph.views.lanes.picture import (
    GAP,
    LINE,
    ONE_LINE,
    STOPS,
    TITLE_END,
    TITLE_LINES,
    TITLE_X,
    WIDTH,
    Look,
    Picture,
    TwinBox,
    TwinLanes,
    Which,
    lanes_at,
)
from docgraph.views.lanes.rows import MAX_ROWS, Lane, Member, Rows, union_rows
from docgraph.views.lanes.text import plain, shortened, text_width, wrapped
from docgraph.views.words.changes import departure_text
from docgraph.views.words.counts import plural


def twin_lanes(
    comparison: Comparison, *, width: int = WIDTH, only_changes: bool = False, max_rows: int = MAX_ROWS
) -> TwinLanes:
    """Both plans of a comparison, drawn for pictures of ``width`` pixels; equal comparisons give equal data.

    ``only_changes`` keeps the documents that are not in the same lane of both plans, and the ends of their edges.
    """
    a, b = comparison.a, comparison.b
    rows = union_rows(a.run, b.run, comparison.documents, only_changes=only_changes, max_rows=max_rows)
    placing = _placing(rows, (a.run, b.run), width=width)
    labels = (plain(a.label) or "A", plain(b.label) or "B")
    pictures = [
        _Drawing(side, (a.run, b.run), labels, rows=rows, placing=placing, width=width).picture() for side in ("a", "b")
    ]
    changed = any(member.changed for member in (*rows.seeds, *rows.expanded, *rows.hidden))
    note = "kept documents stay in place" if changed else "the same documents on both sides"
    return TwinLanes(pictures[0], pictures[1], note)


def run_lanes(run: Run, *, width: int = WIDTH, label: str = "", max_rows: int = MAX_ROWS) -> Picture:
    """One plan by itself, in the same lanes; what is expanded carries the plus of the Plan page."""
    rows = union_rows(run, run, max_rows=max_rows)
    placing = _placing(rows, (run, run), width=width)
    labels = (plain(label), plain(label))
    return _Drawing("b", (run, run), labels, rows=rows, placing=placing, width=width, alone=True).picture()


def _placing(rows: Rows, runs: tuple[Run, Run], *, width: int) -> dict[tuple[Lane, str], tuple[float, float]]:
    """(lane, document_id) → upper edge and height, the same for both sides."""
    arriving: dict[str, int] = {}
    for run in runs:
        for document in run.plan.expanded_documents:
            n = len({r.from_document_id for r in document.reasons})
            arriving[document.document_id] = max(arriving.get(document.document_id, 0), 1 if n > MAX_LINES else n)
    placed: dict[tuple[Lane, str], tuple[float, float]] = {}
    for lane, (_, w) in zip((rows.seeds, rows.expanded), lanes_at(width), strict=True):
        y = 0.0
        for member in lane:
            n = arriving.get(member.document_id, 0) if member.lane == "expanded" else 0
            height = max(_text_height(member, w - TITLE_X - TITLE_END), n * LABEL_STEP - 4)
            placed[member.lane, member.document_id] = (y, height)
            y += height + GAP
    return placed


def _text_height(member: Member, room: float) -> float:
    n_lines = len(wrapped(member.title, room, max_lines=TITLE_LINES))
    if member.elsewhere:
        n_lines += 1
    elif member.place_b is None:
        n_lines = max(n_lines, 2)
    return ONE_LINE + (n_lines - 1) * LINE


def _fitting(pattern: str, label: str, letter: str, room: float) -> str:
    """A sentence with a side's name, or with its letter when the name is too long for it."""
    text = pattern.replace("{}", label)
    return text if text_width(text) <= room else shortened(pattern.replace("{}", letter), room)


@dataclass(frozen=True)
class _Drawing:
    """One side of a layout while its boxes, lines and notes are made."""

    side: Which
    runs: tuple[Run, Run]
    labels: tuple[str, str]
    rows: Rows
    placing: Mapping[tuple[Lane, str], tuple[float, float]]
    width: int
    alone: bool = False

    @property
    def run(self) -> Run:
        return self.runs[0] if self.side == "a" else self.runs[1]

    @property
    def label(self) -> str:
        return self.labels[0] if self.side == "a" else self.labels[1]

    def picture(self) -> Picture:
        boxes = tuple(self._box(m) for m in (*self.rows.seeds, *self.rows.expanded))
        lines, unseen = self._lines()
        bottom = max((b.y + b.h for b in boxes), default=0.0)
        texts = twin_notes.texts(self.run, self.rows.hidden, side=self.side, unseen=unseen, alone=self.alone)
        notes, height = twin_notes.placed(texts, top=bottom, width=max(self.width, STOPS[0][0]))
        n = len(self.run.plan.document_ids)
        return Picture(
            side=self.side,
            label=self.label,
            width=max(self.width, STOPS[0][0]),
            height=max(height, ONE_LINE),
            figures=f"{plural(n, 'document')}, {self.run.assembled.total_tokens:,} tokens",
            query_y=self._query_y(),
            boxes=boxes,
            lines=lines,
            notes=notes,
            spoken=self._spoken(boxes),
            empty="" if self.rows.expanded else f"no related document{'' if self.alone else ' on either side'}",
        )

    def _box(self, member: Member) -> TwinBox:
        x, w = lanes_at(self.width)[0 if member.lane == "seed" else 1]
        y, h = self.placing[member.lane, member.document_id]
        look = self._look(member)
        room = w - TITLE_X - TITLE_END
        n_lines = max(round((h - ONE_LINE) / LINE), 1) if look == "left" else TITLE_LINES
        lines = () if look in ("future", "ghost") else wrapped(member.title, room, max_lines=n_lines)
        return TwinBox(
            document_id=member.document_id,
            title=member.title,
            lane=member.lane,
            look=look,
            x=x,
            y=y,
            w=w,
            h=h,
            lines=lines,
            note=self._note(member, look, room),
            tip=self._tip(member, look),
        )

    def _look(self, member: Member) -> Look:
        if member.elsewhere:
            return "moved" if member.on(self.side) else "ghost"
        if self.alone:
            return "kept" if member.lane == "seed" else "added"
        if not member.on(self.side):
            return "future" if self.side == "a" else "left"
        return "added" if member.place_a is None else "kept"

    def _note(self, member: Member, look: Look, room: float) -> str:
        here, there = self.labels if self.side == "a" else self.labels[::-1]
        letters = ("A", "B") if self.side == "a" else ("B", "A")
        if look == "moved":
            other = "expanded" if member.lane == "seed" else "a seed"
            return _fitting(f"{other} in {{}}", there, letters[1], room)
        if look == "ghost":
            own = "expanded" if member.lane == "seed" else "a seed"
            return _fitting(f"{own} in {{}}", here, letters[0], room)
        if look == "future":
            return _fitting("not planned in {}", here, letters[0], room)
        if look == "left" and member.departure is not None:
            whole = departure_text(member.departure)
            return whole if text_width(whole) <= room else shortened(member.departure.short, room)
        return ""

    def _tip(self, member: Member, look: Look) -> str:
        places = [
            f"place {p} in {label}" for p, label in zip((member.place_a, member.place_b), self.labels, strict=True) if p
        ]
        if self.alone:
            return f"{member.title}\nplace {member.place_b}, {member.tokens[1]:,} tokens"
        parts = [member.title, ", ".join(places), "{:,} → {:,} tokens".format(*member.tokens)]
        if member.departure is not None:
            parts.append(f"left: {departure_text(member.departure)}")
        elif note := self._note(member, look, 10_000):
            parts.append(note)
        return "\n".join(parts)

    def _lines(self) -> tuple[tuple[TwinLine, ...], int]:
        """The lines into expanded documents, and how many edges of this side start at a seed that is not drawn."""
        seeds = {m.document_id: row for row, m in enumerate(self.rows.seeds) if m.on(self.side)}
        reasons = {d.document_id: d.reasons for d in self.run.plan.expanded_documents}
        before = {d.document_id: d.reasons for d in self.runs[0].plan.expanded_documents}
        groups: list[tuple[tuple[Edge, ...], Literal["kept", "left"]]] = []
        unseen = 0
        for member in self.rows.expanded:
            look = self._look(member)
            if look in ("future", "ghost"):
                continue
            known = before if look == "left" else reasons
            found, lost = into(member.document_id, known.get(member.document_id, ()), seeds)
            groups += [(group, "left" if look == "left" else "kept") for group in found]
            unseen += 0 if look == "left" else lost
        spans = {
            lane: {i: span for (kind, i), span in self.placing.items() if kind == lane} for lane in ("seed", "expanded")
        }
        titles = {m.document_id: m.title for m in (*self.rows.seeds, *self.rows.expanded)}
        return routed(groups, spans["seed"], spans["expanded"], titles), unseen

    def _query_y(self) -> float:
        """The middle of the seeds that both sides have (of all, when there are none): the same pixel on both sides."""
        both = [m for m in self.rows.seeds if not m.changed] or self.rows.seeds
        spans = [self.placing["seed", m.document_id] for m in both]
        return (spans[0][0] + spans[-1][0] + spans[-1][1]) / 2 if spans else ONE_LINE / 2

    def _spoken(self, boxes: Sequence[TwinBox]) -> str:
        """The picture in words, for those who do not see it."""
        named = {
            "Seeds": [b.title for b in boxes if b.lane == "seed" and b.here],
            "Expanded": [b.title for b in boxes if b.lane == "expanded" and b.here],
            "Added": [b.title for b in boxes if b.look == "added" and not self.alone],
            "Left": [b.title for b in boxes if b.look == "left"],
        }
        parts = [f"{name}: {'; '.join(titles)}." for name, titles in named.items() if titles]
        return " ".join(parts) or "No document."


__all__ = ["WIDTH", "Picture", "TwinBox", "TwinLanes", "run_lanes", "twin_lanes"]

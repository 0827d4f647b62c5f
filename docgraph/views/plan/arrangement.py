"""Where each document of a plan stands: cards for small plans; rows, and groups of expanded ones, for large ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from docgraph.domain.plan import ExpandedDocument, RetrievalPlan, SeedDocument
from docgraph.views.plan import lanes
from docgraph.views.plan.lanes import CARDS, ROWS, Density

LANE_CAP = 20
"""Seeds of a large plan that are always drawn; of those after them only the ones that an edge starts at."""

MANY_DOCUMENTS = 60
GROUP_CAP = 6
"""From so many documents on a group shows its first ones and counts the rest."""

TWO_COLUMNS = 16
"""From so many expanded documents on they stand in two columns."""


@dataclass(frozen=True)
class Group:
    """Expanded documents that one relation type brings in from one seed: one frame, one label, one arrow.

    Of ``document_ids`` the first ``n_shown`` are drawn. A document's type is the rarest of its reasons' types in the
    plan, its seed the first in plan order that gives it.
    """

    relation_type: str
    source: str
    document_ids: tuple[str, ...]
    n_shown: int
    top: int = 0
    height: int = 0

    @property
    def members(self) -> tuple[str, ...]:
        """Those that are drawn."""
        return self.document_ids[: self.n_shown]

    @property
    def middle(self) -> float:
        """Height at which its arrow arrives."""
        return self.top + self.height / 2


@dataclass(frozen=True)
class Arrangement:
    """The middle of each document that is drawn, by id; ``columns`` names those that stand in the second column.

    ``seed_rows`` and ``expanded_rows`` are rows of cards (expanded documents in groups have none); ``hidden`` are the
    seeds that are counted instead of drawn.
    """

    density: Density
    seed_rows: Mapping[str, int]
    expanded_rows: Mapping[str, int] = field(default_factory=dict)
    groups: tuple[Group, ...] = ()
    hidden: tuple[str, ...] = ()
    two_columns: bool = False

    @property
    def in_rows(self) -> bool:
        """Whether each document takes one line."""
        return self.density is ROWS

    @property
    def expanded_ids(self) -> frozenset[str]:
        """The expanded documents that are drawn."""
        return frozenset(self.expanded_rows) | {i for group in self.groups for i in group.members}

    def seed_y(self, document_id: str) -> int:
        """The middle of a seed."""
        return lanes.row_centre(self.seed_rows[document_id], self.density)

    def expanded_spot(self, document_id: str) -> tuple[int, int]:
        """The middle of an expanded document, and its column."""
        for group in self.groups:
            if document_id in group.members:
                row, column = divmod(group.members.index(document_id), 2 if self.two_columns else 1)
                return group.top + lanes.GROUP_PAD + row * lanes.GROUP_PITCH + self.density.node // 2, column
        return lanes.row_centre(self.expanded_rows[document_id], self.density), 0

    @property
    def seeds_end(self) -> int:
        """Where the seeds' lane is free below them."""
        return lanes.rows_end(_extent(self.seed_rows), self.density)

    @property
    def expanded_end(self) -> int:
        """Where the expanded documents' lane is free below them; the words of an empty lane take room as well."""
        if self.groups:
            return max(group.top + group.height for group in self.groups) + lanes.CUT_GAP
        return lanes.rows_end(_extent(self.expanded_rows) or 2)


def arrange(
    plan: RetrievalPlan,
    *,
    show_all: bool = False,
    like: Arrangement | None = None,
    base: Arrangement | None = None,
    leaving: tuple[Sequence[str], Sequence[str]] = ((), ()),
) -> Arrangement:
    """Everything in its place, in plan order; a seed that ``like`` (another plan of the question) has stays there.

    With ``base`` (a draft's) whatever stands there stays, also the ``leaving`` seeds and expanded documents; what the
    draft adds takes what is free.
    """
    before = base or like
    in_rows = before.in_rows if before else len(plan.document_ids) >= lanes.MANY
    density = ROWS if in_rows else CARDS
    kept = before.seed_rows if before else {}
    seeds, hidden = _shown_seeds(plan, kept, show_all=show_all) if in_rows else (plan.seed_documents, ())
    seed_rows = lanes.assign_rows([*(s.document_id for s in seeds), *leaving[0]], kept)
    expanded = [e.document_id for e in plan.expanded_documents]
    if not in_rows:
        rows = lanes.assign_rows([*expanded, *leaving[1]], base.expanded_rows if base else {})
        return Arrangement(density, seed_rows, rows, (), hidden)
    two = before.two_columns if before else len(expanded) >= TWO_COLUMNS
    room = 0 if base else _extent(seed_rows) * density.pitch
    groups = _with_base(plan, base.groups) if base else _groups(plan.expanded_documents, plan)
    folded = not show_all and len(plan.document_ids) >= MANY_DOCUMENTS
    placed = _placed([_folded(g) if folded and not base else g for g in groups], columns=1 + two, room=room)
    return Arrangement(density, seed_rows, {}, placed, hidden, two)


def _extent(rows: Mapping[str, int]) -> int:
    return max(rows.values(), default=-1) + 1


def _shown_seeds(
    plan: RetrievalPlan, kept: Mapping[str, int], *, show_all: bool
) -> tuple[tuple[SeedDocument, ...], tuple[str, ...]]:
    """The seeds to draw, and the ids of those to count: after the first ones, with no edge and no place to keep."""
    sources = set(kept) | {
        reason.from_document_id for document in plan.expanded_documents for reason in document.reasons
    }
    hidden = [s.document_id for s in plan.seed_documents if s.place > LANE_CAP and s.document_id not in sources]
    if show_all or len(hidden) < 2:
        return plan.seed_documents, ()
    return tuple(s for s in plan.seed_documents if s.document_id not in hidden), tuple(hidden)


def _groups(documents: Sequence[ExpandedDocument], plan: RetrievalPlan) -> list[Group]:
    """Groups in the order of their seeds, then of their types; their documents in plan order."""
    frequent = Counter(r.via for d in plan.expanded_documents for r in d.reasons)
    order = {s.document_id: s.place for s in plan.seed_documents}
    found: dict[tuple[int, str, str], list[str]] = {}
    for document in documents:
        via = min({r.via for r in document.reasons}, key=lambda name: (frequent[name], name))
        sources = {r.from_document_id for r in document.reasons if r.via == via}
        place, source = min((order.get(i, len(order) + 1), i) for i in sources)
        found.setdefault((place, via, source), []).append(document.document_id)
    return [Group(via, source, tuple(ids), len(ids)) for (_, via, source), ids in sorted(found.items())]


def _with_base(plan: RetrievalPlan, groups: Sequence[Group]) -> list[Group]:
    """The base's groups as they are, then those of what the draft adds."""
    known = {i for group in groups for i in group.document_ids}
    return [*groups, *_groups([d for d in plan.expanded_documents if d.document_id not in known], plan)]


def _folded(group: Group) -> Group:
    return group if len(group.document_ids) <= GROUP_CAP + 1 else replace(group, n_shown=GROUP_CAP)


def _placed(groups: Sequence[Group], *, columns: int, room: int) -> tuple[Group, ...]:
    """Groups one below the other; what the seeds' lane leaves over is shared out between them."""
    heights = [
        -(-len(g.members) // columns) * lanes.GROUP_PITCH
        - (lanes.GROUP_PITCH - ROWS.node)
        + 2 * lanes.GROUP_PAD
        + (lanes.GROUP_MORE if g.n_shown < len(g.document_ids) else 0)
        for g in groups
    ]
    least, most = lanes.GROUP_GAPS
    over = (room - sum(heights)) // max(len(groups) - 1, 1)
    gap, top, placed = min(max(over, least), most), lanes.HEAD - lanes.GROUP_PAD, []
    for group, height in zip(groups, heights, strict=True):
        if group.height:  # from the base: it stays where it is
            placed.append(group)
            top = max(top, group.top + group.height + least)
            continue
        placed.append(replace(group, top=top, height=height))
        top += height + gap
    return tuple(placed)

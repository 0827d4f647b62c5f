"""A run as a graph in three fixed lanes: pyvis builds the model, every position is computed here, nothing is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pyvis.network import Network

from docgraph.domain.frozen import fingerprint
from docgraph.domain.run import Run
from docgraph.views.lanes.layout import Dash, Edge, dash, dashes, edge_id, node_id
from docgraph.views.plan import lanes
from docgraph.views.plan.arrangement import MANY_DOCUMENTS, Arrangement, arrange
from docgraph.views.plan.documents import Planned
from docgraph.views.plan.draft.marks import DraftMarks, Ghost
from docgraph.views.plan.nodes import (
    REST_HEIGHT,
    add_document,
    add_ghost,
    blocks,
    lane_heads,
    query_notes,
    shown_sentence,
)
from docgraph.views.plan.routes import Route, Strand, asides, frames, routes, strands
from docgraph.views.plan.summary import looked_at, same_as_ms3

QUERY_ID = "query"


@dataclass(frozen=True)
class GraphOptions:
    """What the reader switched: every document of a large plan, cut lists unfolded, edges between seeds.

    ``like`` says where another plan of the same question has its seeds. ``draft`` marks what the run, a draft, changes
    in its base; where that has everything goes before ``like``. ``styles`` = lines of relation types (missing:
    by how often the plan has them).
    """

    show_all: bool = False
    unfolded: frozenset[str] = frozenset()
    like: Arrangement | None = None
    draft: DraftMarks | None = None
    between: bool = False
    styles: Mapping[str, Dash] = field(default_factory=dict)


@dataclass(frozen=True)
class PlanGraph:
    """The drawing's data: ``data`` goes to the component as it is; ids of what can be selected; what is not shown.

    ``n_between`` = edges between seeds, which are drawn for the selected seed, or all on request; of them
    ``n_drawable`` have both ends in the picture.
    """

    data: dict[str, Any]
    document_ids: tuple[str, ...]
    n_edges: int
    shown: str
    folded: bool = False
    n_between: int = 0
    n_drawable: int = 0


def arrangement_of(run: Run, options: GraphOptions = GraphOptions()) -> Arrangement:
    """Where everything stands that is drawn, with those that leave in a draft."""
    draft = options.draft
    ghosts = _ghosts(draft)
    return arrange(
        run.plan,
        show_all=options.show_all,
        like=options.like,
        base=draft.base if draft else None,
        leaving=(
            [g.document.document_id for g in ghosts if g.seed],
            [g.document.document_id for g in ghosts if not g.seed],
        ),
    )


def _ghosts(draft: DraftMarks | None) -> tuple[Ghost, ...]:
    """Those that leave, where the base showed them."""
    if draft is None:
        return ()
    shown = (draft.base.expanded_ids, frozenset(draft.base.seed_rows))
    return tuple(g for g in draft.ghosts if g.document.document_id in shown[g.seed])


def plan_graph(run: Run, options: GraphOptions = GraphOptions()) -> PlanGraph:
    """The graph of a run: query → seeds → expanded, rows in plan order; equal input gives equal data."""
    plan, draft = run.plan, options.draft
    where, ghosts = arrangement_of(run, options), _ghosts(draft)
    network = Network(directed=True)
    top = lanes.row_centre(0, where.density)
    network.add_node(QUERY_ID, label=plan.query or QUERY_ID, shape="custom", x=0, y=top)
    seeds = [s for s in plan.seed_documents if s.document_id in where.seed_rows]
    drawn: list[Planned] = [*seeds, *(e for e in plan.expanded_documents if e.document_id in where.expanded_ids)]
    for document in drawn:
        add_document(network, document, run, arrangement=where, draft=draft)
    for ghost in ghosts:
        add_ghost(network, ghost, arrangement=where)
    for seed in () if where.in_rows else seeds:
        network.add_edge(QUERY_ID, node_id(seed.document_id), id=f"query:{seed.document_id}", kind="query")
    followed = _add_lines(network, run, where, options)
    placed, height = blocks(run, where, options.unfolded)
    data = {
        "nodes": [{k: v for k, v in node.items() if v is not None and k != "font"} for node in network.nodes],
        "edges": [{k: v for k, v in edge.items() if v is not None} for edge in network.edges],
        "groups": followed.groups,
        "leads": _leads(run, options),
        **_words(run, where),
        "blocks": placed,
        "height": height,
        "stops": _stops(where),
        "node_height": where.density.node,
        "rows": where.in_rows,
        "two": where.two_columns,
        "bracket": _bracket(where, [s.document_id for s in seeds]) if where.in_rows else None,
        "between": options.between,
    }
    return PlanGraph(
        data=data | {"rev": fingerprint(data)[:16]},
        document_ids=tuple(d.document_id for d in drawn),
        n_edges=followed.n_edges,
        shown=shown_sentence(plan, len(drawn), followed.n_edges, n_leaving=len(ghosts)),
        folded=len(drawn) < len(plan.document_ids),
        n_between=sum(len(d.reasons) for d in plan.seed_documents),
        n_drawable=followed.n_between,
    )


def _words(run: Run, where: Arrangement) -> dict[str, Any]:
    """What stands around the documents: heads of the lanes, the question, why the last lane is empty; and whose picture
    it is, and whether it is seen as a whole first.
    """
    return {
        "plan": run.plan.plan_id,
        "overview": len(run.plan.document_ids) >= MANY_DOCUMENTS,
        "lanes": lane_heads(run),
        "query": {"text": run.plan.query, "notes": [] if where.in_rows else query_notes(run)},
        "empty": "" if where.expanded_ids else " ".join(filter(None, (same_as_ms3(run), looked_at(run)))),
    }


def _stops(where: Arrangement) -> lanes.Stops:
    return (lanes.WIDE_STOPS if where.two_columns else lanes.ROW_STOPS) if where.in_rows else lanes.STOPS


def _bracket(where: Arrangement, seeds: Sequence[str]) -> dict[str, float]:
    """From the first seed to the last, with the question in its middle."""
    ys = [where.seed_y(i) for i in seeds] or [0]
    bottom = where.seeds_end + REST_HEIGHT // 2 if where.hidden else max(ys)
    return {"top": min(ys), "bottom": bottom, "y": (min(ys) + bottom) / 2}


def _leads(run: Run, options: GraphOptions) -> list[dict[str, Any]]:
    """Every edge into an expanded document, by itself: what a list says below each seed, in plan order."""
    plan, draft = run.plan, options.draft
    order = {document_id: at for at, document_id in enumerate(plan.document_ids)}
    edges = {(r.from_document_id, r.via, d.document_id): None for d in plan.expanded_documents for r in d.reasons}
    edges |= dict.fromkeys(draft.gone if draft else ())
    styles = _styles(run, options)
    found = sorted(edges, key=lambda e: (order.get(e[0], len(order)), order.get(e[2], len(order)), e))
    leads = [
        {
            "id": edge_id(edge),
            "type": edge[1],
            "from": node_id(edge[0]),
            "to": node_id(edge[2]),
            "dash": styles.get(edge[1], dash(edge[1])),
            "change": _line_change((edge,), draft),
        }
        for edge in found
    ]
    return [{k: v for k, v in lead.items() if v is not None} for lead in leads]


def _styles(run: Run, options: GraphOptions) -> Mapping[str, Dash]:
    edges = run.plan.edges
    return options.styles or dashes({via: sum(e[1] == via for e in edges) for _, via, _ in edges})


@dataclass(frozen=True)
class _Followed:
    groups: list[dict[str, Any]]
    n_edges: int
    n_between: int


def _add_lines(network: Network, run: Run, where: Arrangement, options: GraphOptions) -> _Followed:
    """Lines into expanded documents and between seeds, and the groups at which they end."""
    plan, draft = run.plan, options.draft
    gone = draft.gone if draft else ()
    styles = _styles(run, options)
    if not where.in_rows:
        lines: Sequence[Route | Strand] = routes(plan, where, gone=gone, styles=styles)
        groups: list[dict[str, Any]] = []
    else:
        into = strands((*plan.edges, *gone), where, styles, gone=gone)
        groups = frames(where, into, styles, here=plan.expanded_document_ids, gone=gone)
        lines = [*into, *asides((*plan.edges, *gone), where, styles)]
    followed = between = 0
    for line in lines:
        n = sum(edge not in gone for edge in line.edges)
        aside = isinstance(line, Route) and line.aside
        followed, between = (followed, between + n) if aside else (followed + n, between)
        if isinstance(line, Strand):
            _add_strand(network, line, draft=draft)
        else:
            _add_line(network, line, draft=draft)
    return _Followed(groups, followed, between)


def _add_line(network: Network, line: Route, *, draft: DraftMarks | None) -> None:
    gone = [e for e in line.edges if draft and e in draft.gone]
    network.add_edge(
        node_id(line.sources[0]),
        node_id(line.target),
        id=line.id,
        kind="edge",
        label=line.label + (f", {len(gone)} off" if gone and len(line.edges) > 1 else ""),
        dash=line.dash,
        ids=[edge_id(e) for e in line.edges],
        sources=sorted(map(node_id, line.sources)),
        targets=[node_id(line.target)],
        route={"from_y": line.from_y, "to_y": line.to_y, "bend": line.bend, "aside": line.aside},
        change=_line_change(line.edges, draft),
    )


def _add_strand(network: Network, line: Strand, *, draft: DraftMarks | None) -> None:
    types = list(dict.fromkeys(via for _, via, _ in line.edges))
    network.add_edge(
        node_id(line.source),
        node_id(line.targets[0]),
        id=line.id,
        kind="edge",
        label=types[0] if len(types) == 1 else ", ".join(types),
        dash=line.dash,
        ids=[edge_id(e) for e in line.edges],
        sources=[node_id(line.source)],
        targets=[node_id(i) for i in line.targets],
        main=line.main,
        group=line.group,
        route={"from_y": line.from_y, "to_y": line.to_y, "bend": line.group, "aside": False},
        change=_line_change(line.edges, draft),
    )


def _line_change(edges: tuple[Edge, ...], draft: DraftMarks | None) -> str | None:
    """``off`` = switched off by the draft, ``left`` = gone for another reason, ``added`` = new in it."""
    if draft is None:
        return None
    if all(edge in draft.gone for edge in edges):
        return "off" if all(edge in draft.off for edge in edges) else "left"
    return "added" if all(edge in draft.new for edge in edges) else None

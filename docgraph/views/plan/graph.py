"""A run as a graph in three fixed lanes: pyvis builds the model, every position is computed here, nothing is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from pyvis.network import Network

from docgraph.domain.frozen import fingerprint
from docgraph.domain.plan import ExpandedDocument, RetrievalPlan, SeedDocument
from docgraph.domain.run import Run
from docgraph.views.lanes.layout import Edge, edge_id, node_id
from docgraph.views.plan import lanes
from docgraph.views.plan.cuts import CutBlock, expanded_blocks, seed_block
from docgraph.views.plan.documents import Planned, planned
from docgraph.views.plan.draft.marks import DraftMarks, Ghost
from docgraph.views.plan.graph_words import lane_heads, query_notes, shown_sentence
from docgraph.views.plan.routes import Route, routes
from docgraph.views.plan.summary import looked_at, same_as_ms3
from docgraph.views.words import counts as wording

MANY_NODES = 60
"""From this many documents on a lane shows its first ``LANE_CAP`` and counts the rest."""

LANE_CAP = 20
QUERY_ID = "query"


@dataclass(frozen=True)
class GraphOptions:
    """What the reader switched: every document of a large plan, cut lists unfolded, rows kept from another plan.

    ``draft`` marks what the run, a draft, changes in its base; its rows go before ``kept_rows``.
    """

    show_all: bool = False
    unfolded: frozenset[str] = frozenset()
    kept_rows: Mapping[str, int] = field(default_factory=dict)
    draft: DraftMarks | None = None


@dataclass(frozen=True)
class PlanGraph:
    """The drawing's data: ``data`` goes to the component as it is; ids of what can be selected; what is not shown."""

    data: dict[str, Any]
    document_ids: tuple[str, ...]
    n_edges: int
    shown: str
    folded: bool = False


def lane_rows(run: Run, options: GraphOptions = GraphOptions()) -> tuple[dict[str, int], dict[str, int]]:
    """The rows of the seeds and of the expanded documents that are drawn, with those that leave in a draft."""
    seeds, expanded = _shown(run.plan, show_all=options.show_all)
    draft = options.draft
    before = (draft.seed_rows, draft.expanded_rows) if draft else (options.kept_rows, {})
    ghosts = {seed: [g.document.document_id for g in _ghosts(options) if g.seed == seed] for seed in (True, False)}
    return (
        lanes.assign_rows([*(s.document_id for s in seeds), *ghosts[True]], before[0]),
        lanes.assign_rows([*(e.document_id for e in expanded), *ghosts[False]], before[1]),
    )


def _ghosts(options: GraphOptions) -> tuple[Ghost, ...]:
    """Those that leave, where the base showed them."""
    draft = options.draft
    if draft is None:
        return ()
    return tuple(
        g for g in draft.ghosts if g.document.document_id in (draft.seed_rows if g.seed else draft.expanded_rows)
    )


def plan_graph(run: Run, options: GraphOptions = GraphOptions()) -> PlanGraph:
    """The graph of a run: query → seeds → expanded, rows in plan order; equal input gives equal data."""
    plan, draft = run.plan, options.draft
    seeds, expanded = _shown(plan, show_all=options.show_all)
    seed_rows, expanded_rows = lane_rows(run, options)
    ghosts = _ghosts(options)
    network = Network(directed=True)
    network.add_node(QUERY_ID, label=plan.query or QUERY_ID, shape="custom", x=0, y=lanes.row_centre(0))
    shown: list[Planned] = [*seeds, *expanded]
    for document in shown:
        rows = expanded_rows if document in expanded else seed_rows
        _add_document(network, document, run, row=rows[document.document_id], draft=draft)
    for ghost in ghosts:
        _add_ghost(network, ghost, row=(seed_rows if ghost.seed else expanded_rows)[ghost.document.document_id])
    for seed in seeds:
        network.add_edge(QUERY_ID, node_id(seed.document_id), id=f"query:{seed.document_id}", kind="query")
    lines = routes(plan, seed_rows, expanded_rows, gone=draft.gone if draft else ())
    for line in lines:
        _add_line(network, line, draft=draft)
    n_expanded = _extent(expanded_rows) or _EMPTY_ROWS
    blocks, height = _blocks(plan, options, n_rows=(_extent(seed_rows), n_expanded))
    shown_edges = sum(not (draft and edge in draft.gone) for line in lines for edge in line.edges)
    data = {
        "nodes": [{k: v for k, v in node.items() if v is not None and k != "font"} for node in network.nodes],
        "edges": [{k: v for k, v in edge.items() if v is not None} for edge in network.edges],
        "lanes": lane_heads(run),
        "blocks": blocks,
        "height": height,
        "stops": lanes.STOPS,
        "node_height": lanes.NODE,
        "query": {"text": plan.query, "notes": query_notes(run)},
        "empty": "" if expanded_rows else " ".join(filter(None, (same_as_ms3(run), looked_at(run)))),
    }
    return PlanGraph(
        data=data | {"rev": fingerprint(data)[:16]},
        document_ids=tuple(d.document_id for d in shown),
        n_edges=shown_edges,
        shown=shown_sentence(plan, len(seeds) + len(expanded), shown_edges, n_leaving=len(ghosts)),
        folded=len(seeds) + len(expanded) < len(plan.document_ids),
    )


def _shown(plan: RetrievalPlan, *, show_all: bool) -> tuple[tuple[SeedDocument, ...], tuple[ExpandedDocument, ...]]:
    """What is drawn: of a large plan the first of each lane, and every seed that an edge shown starts at."""
    if show_all or len(plan.document_ids) <= MANY_NODES:
        return plan.seed_documents, plan.expanded_documents
    expanded = plan.expanded_documents[:LANE_CAP]
    sources = {reason.from_document_id for document in expanded for reason in document.reasons}
    seeds = [s for s in plan.seed_documents if s.place <= LANE_CAP or s.document_id in sources]
    return tuple(seeds), expanded


_EMPTY_ROWS = 2
"""Rows that the text of an empty lane takes, so that a cut list never covers it."""


def _extent(rows: Mapping[str, int]) -> int:
    return max(rows.values(), default=-1) + 1


def _add_document(network: Network, document: Planned, run: Run, *, row: int, draft: DraftMarks | None) -> None:
    found = {d.document.document_id: d for d in run.context.documents}.get(document.document_id)
    share = {d.document_id: d for d in run.assembled.documents}.get(document.document_id)
    n_chunks = len(found.chunks) if found else 0
    tokens = share.conceptual_tokens + share.evidence_tokens if share else 0
    seed = isinstance(document, SeedDocument)
    n_reasons = len(document.reasons)
    crossed = draft.crossed.get(document.document_id, "") if draft else ""
    enters = "enters" if draft and document.document_id in draft.added else ""
    scores = [d.score for d in planned(run.plan) if d.score is not None]
    _add_card(
        network,
        document,
        seed=seed,
        row=row,
        score=wording.score(document.score),
        bar=wording.bar(document.score, _scale(scores)),
        meta=(wording.plural(n_chunks, "chunk") if n_chunks else "no chunk", f"{tokens:,} tok"),
        badge=crossed or enters or (wording.plural(n_reasons, "reason") if not seed and n_reasons > 1 else ""),
        change="added" if crossed or enters else None,
    )


def _add_ghost(network: Network, ghost: Ghost, *, row: int) -> None:
    meta = (ghost.text, ghost.tokens)
    _add_card(network, ghost.document, seed=ghost.seed, row=row, score="", bar=0, meta=meta, badge="", change="left")


def _add_card(network: Network, document: Planned, *, seed: bool, row: int, **shown: Any) -> None:
    network.add_node(
        node_id(document.document_id),
        label=document.title or document.document_id,
        shape="custom",
        x=1 if seed else 2,
        y=lanes.row_centre(row),
        kind="seed" if seed else "expanded",
        place=document.place,
        **shown,
    )


def _scale(scores: list[float]) -> float:
    """Similarities are drawn against 1, fusion scores (all small) against the largest."""
    top = max(scores, default=1.0)
    return 1.0 if top > 0.1 else top


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
        route={"from_y": line.from_y, "to_y": line.to_y, "bend": line.bend, "aside": line.aside},
        change=_line_change(line.edges, draft),
    )


def _line_change(edges: tuple[Edge, ...], draft: DraftMarks | None) -> str | None:
    """``off`` = switched off by the draft, ``left`` = gone for another reason, ``added`` = new in it."""
    if draft is None:
        return None
    if all(edge in draft.gone for edge in edges):
        return "off" if all(edge in draft.off for edge in edges) else "left"
    return "added" if all(edge in draft.new for edge in edges) else None


def _blocks(plan: RetrievalPlan, options: GraphOptions, *, n_rows: tuple[int, int]) -> tuple[list[dict[str, Any]], int]:
    """The blocks under the cards (rest of a large plan, cut lists) with their heights, and the height of the lanes."""
    height = max(lanes.MIN_HEIGHT, *(lanes.rows_end(n) for n in n_rows))
    placed: list[dict[str, Any]] = []
    bottom = 0
    for lane, n in ((1, n_rows[0]), (2, n_rows[1])):
        top = lanes.rows_end(n)
        rest = _rest(plan, lane, show_all=options.show_all)
        if rest:
            placed.append({"lane": lane, "top": top, "kind": "rest", "key": "rest", "head": rest})
            top += lanes.CUT_HEAD + lanes.CUT_ROW
        for block in _cut_blocks(plan, lane, top=top, height=height, unfolded=options.unfolded):
            placed.append({"lane": lane, "top": top, "kind": "cut", **_as_json(block, block.key in options.unfolded)})
            n_lines = len(block.rows) + bool(block.more or block.foot or block.key in options.unfolded)
            bottom = max(bottom, top + lanes.CUT_HEAD + lanes.CUT_ROW * n_lines)
            top += lanes.CUT_HEAD + lanes.CUT_ROW * n_lines + lanes.CUT_GAP
        bottom = max(bottom, lanes.rows_end(n) - lanes.CUT_GAP)
    return placed, max(height, bottom + lanes.LANE_FOOT)


def _cut_blocks(
    plan: RetrievalPlan, lane: int, *, top: int, height: int, unfolded: frozenset[str]
) -> tuple[CutBlock, ...]:
    fitting = lanes.fitting_rows(top, height) - 1
    if lane == 1:
        block = seed_block(plan, max_rows=None if "max_seeds" in unfolded else fitting)
        return (block,) if block else ()
    blocks = expanded_blocks(plan, max_rows=max(fitting, 2))
    full = {b.key: b for b in expanded_blocks(plan, max_rows=None)} if unfolded else {}
    return tuple(full[b.key] if b.key in unfolded else b for b in blocks)


def _as_json(block: CutBlock, unfolded: bool) -> dict[str, Any]:
    return {**asdict(block), "fix": dict(block.fix) if block.fix else None, "unfolded": unfolded}


def _rest(plan: RetrievalPlan, lane: int, *, show_all: bool) -> str:
    seeds, expanded = _shown(plan, show_all=show_all)
    hidden = len(plan.seed_documents) - len(seeds) if lane == 1 else len(plan.expanded_documents) - len(expanded)
    return f"{wording.plural(hidden, 'more document')} in the plan" if hidden else ""

"""The documents of a plan as nodes of its graph, the lists of what was left out, and the words around them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pyvis.network import Network

from docgraph.domain.plan import DominantScope, RetrievalPlan, SeedDocument
from docgraph.domain.run import Run
from docgraph.views.lanes.layout import node_id
from docgraph.views.plan import lanes
from docgraph.views.plan.arrangement import Arrangement
from docgraph.views.plan.cuts import CutBlock, expanded_blocks, filter_block, seed_block
from docgraph.views.plan.documents import Planned, best_chunk, id_and_title
from docgraph.views.plan.draft.marks import DraftMarks, Ghost
from docgraph.views.words import counts
from docgraph.views.words import counts as wording

_SIGNALS = {
    "hybrid": "vectors and words",
    "mean": "best passage and summary",
    "chunk": "best passage",
    "summary": "summary",
}
SCALE = "best passage"
"""What the bars show: the similarity of a document's best chunk to the question."""


def lane_heads(run: Run) -> list[dict[str, str]]:
    """Title and count of each lane, from left to right."""
    plan = run.plan
    seeds, expanded = len(plan.seed_documents), len(plan.expanded_documents)
    over = next((t.total for t in plan.cut_totals if t.limit == "max_expanded"), expanded)
    note = "by vectors and words" if plan.constraints.seed_signal == "hybrid" else "by similarity"
    block = seed_block(plan, max_rows=None)
    ranked = f"{seeds} of {block.n_all}" if block else str(seeds)
    out = f"{expanded} of {over}, 1 hop, outgoing" if expanded or over else "1 hop, outgoing"
    return [
        {"role": "query", "title": "Question", "note": "", "scale": ""},
        {"role": "seed", "title": "Matches", "note": f"{ranked}, {note}", "scale": SCALE},
        {
            "role": "expanded",
            "title": "Related",
            "note": out if plan.constraints.use_relationships else "switched off",
            "scale": SCALE,
        },
    ]


def query_notes(run: Run) -> list[str]:
    """What stands under the question: how documents were ranked, chunks read, what the first of them have in common."""
    limits, context = run.plan.constraints, run.context
    scope = run.plan.scope
    notes = [
        f"ranked by {_SIGNALS.get(limits.seed_signal, limits.seed_signal)}",
        f"{context.n_chunks} of {context.n_eligible_chunks:,} passages used",
    ]
    if scope.value:
        notes.append(scope_words(scope))
    return notes


def scope_words(scope: DominantScope) -> str:
    """What the best documents share: ``5 of the top 6 are of type design``, or a clear lead of the first ones."""
    n, total = scope.n_inside, scope.n_candidates
    if scope.field == "cluster":
        return f"clear lead: the top {n} of {total} score{'s' if n == 1 else ''} well above the rest"
    shared = "of type" if scope.field == "doc_type" else "from import"
    return f"{n} of the top {total} {'is' if n == 1 else 'are'} {shared} {scope.value}"


def shown_sentence(plan: RetrievalPlan, n_documents: int, n_edges: int, *, n_leaving: int = 0) -> str:
    """How much of the plan is drawn: ``5 documents, 4 relationships, 1 removed, all shown``."""
    documents, edges = len(plan.document_ids), sum(len(d.reasons) for d in plan.expanded_documents)
    leaving = f", {n_leaving} removed" if n_leaving else ""
    if n_documents == documents and n_edges == edges:
        return f"{wording.plural(documents, 'document')}, {wording.plural(edges, 'relationship')}{leaving}, all shown"
    of_edges = f" and {n_edges} of {edges} relationships" if n_edges != edges else ""
    return f"showing {n_documents} of {documents} documents{of_edges}{leaving}"


def add_document(
    network: Network, document: Planned, run: Run, *, arrangement: Arrangement, draft: DraftMarks | None
) -> None:
    """A document of the plan, where the arrangement has it; its bar is the similarity of its best chunk.

    What keeps it from holding is what is most remarkable about it, but for what a draft does to it.
    """
    found = {d.document.document_id: d for d in run.context.documents}.get(document.document_id)
    share = {d.document_id: d for d in run.assembled.documents}.get(document.document_id)
    n_chunks = len(found.chunks) if found else 0
    tokens = share.conceptual_tokens + share.evidence_tokens if share else 0
    crossed = draft.crossed.get(document.document_id, "") if draft else ""
    enters = "added" if draft and document.document_id in draft.added else ""
    best = best_chunk(run, document.document_id)
    badge, short = _badge(document)
    standing = found.document.standing if found else None
    word = standing.word if standing else ""
    _add(
        network,
        document,
        seed=isinstance(document, SeedDocument),
        arrangement=arrangement,
        score=counts.score(best),
        bar=counts.bar(best),
        meta=(counts.plural(n_chunks, "passage") if n_chunks else "no passage", f"{tokens:,} tok"),
        badge=crossed or enters or word or badge,
        badge_short=crossed or enters or word or short,
        ended="" if standing is None or crossed or enters else standing.words,
        change="added" if crossed or enters else None,
    )


def add_ghost(network: Network, ghost: Ghost, *, arrangement: Arrangement) -> None:
    """A document that leaves with a draft: its place, and why."""
    meta = (ghost.text, ghost.tokens)
    _add(
        network,
        ghost.document,
        seed=ghost.seed,
        arrangement=arrangement,
        score="",
        bar=0,
        meta=meta,
        badge="",
        badge_short="",
        ended="",
        change="left",
    )


def _badge(document: Planned) -> tuple[str, str]:
    """What is remarkable about a document, and the same in a few pixels."""
    if isinstance(document, SeedDocument):
        return ("named", "named") if document.named else ("", "")
    n = len(document.reasons)
    return (counts.plural(n, "reason"), str(n)) if n > 1 else ("", "")


def _add(network: Network, document: Planned, *, seed: bool, arrangement: Arrangement, **shown: Any) -> None:
    i = document.document_id
    y, column = (arrangement.seed_y(i), 0) if seed else arrangement.expanded_spot(i)
    own, short = id_and_title(i, document.title)
    network.add_node(
        node_id(i),
        label=document.title or i,
        own_id=own,
        short=short,
        shape="custom",
        x=1 if seed else 2,
        y=y,
        column=column,
        kind="seed" if seed else "expanded",
        place=document.place,
        **shown,
    )


REST_HEIGHT = 32


def blocks(run: Run, arrangement: Arrangement, unfolded: frozenset[str]) -> tuple[list[dict[str, Any]], int]:
    """The blocks with their places, and the height that the lanes have with them."""
    ends = (arrangement.seeds_end, arrangement.expanded_end)
    height = max(lanes.MIN_HEIGHT, *ends)
    placed: list[dict[str, Any]] = []
    bottom = 0
    for lane, top in zip((1, 2), ends, strict=True):
        if lane == 1 and arrangement.hidden:
            top -= lanes.CUT_GAP - 5
            placed.append({"lane": lane, "top": top, "kind": "rest", "key": "rest", **_rest(run, arrangement)})
            top += REST_HEIGHT + lanes.CUT_GAP
        for block in _cut_blocks(run, lane, top=top, height=height, arrangement=arrangement, unfolded=unfolded):
            placed.append({"lane": lane, "top": top, "kind": "cut", **_as_json(block, block.key in unfolded)})
            foot = bool(block.foot or block.key in unfolded or (block.more and block.rows))
            n_lines = len(block.rows) + foot
            top += lanes.CUT_HEAD + lanes.CUT_ROW * n_lines + lanes.CUT_GAP
        bottom = max(bottom, top - lanes.CUT_GAP)
    return placed, max(height, bottom + lanes.LANE_FOOT)


def _cut_blocks(
    run: Run, lane: int, *, top: int, height: int, arrangement: Arrangement, unfolded: frozenset[str]
) -> tuple[CutBlock, ...]:
    """As many rows as there is room for; none in a plan drawn in rows, which says the number and opens on request."""
    plan = run.plan
    fitting = 0 if arrangement.in_rows else lanes.fitting_rows(top, height) - 1
    if lane == 1:
        filtered = filter_block(plan, max_rows=None if "where" in unfolded else 1)
        taken = 1 + len(filtered.rows) if filtered else 0
        block = seed_block(plan, max_rows=None if "max_seeds" in unfolded else fitting - taken)
        return tuple(each for each in (filtered, block) if each)
    few = expanded_blocks(plan, max_rows=0 if arrangement.in_rows else max(fitting, 2))
    full = {b.key: b for b in expanded_blocks(plan, max_rows=None)} if unfolded else {}
    return tuple(full[b.key] if b.key in unfolded else b for b in few)


def _as_json(block: CutBlock, unfolded: bool) -> dict[str, Any]:
    return {**asdict(block), "fix": dict(block.fix) if block.fix else None, "unfolded": unfolded}


def _rest(run: Run, arrangement: Arrangement) -> dict[str, Any]:
    """The seeds that are only counted: how many, and where their best chunks stand between 0 and 1."""
    scores = [s for i in arrangement.hidden if (s := best_chunk(run, i)) is not None]
    between = f"{counts.score(min(scores))}–{counts.score(max(scores))}" if scores else counts.UNKNOWN
    return {
        "head": counts.plural(len(arrangement.hidden), "more match", "more matches"),
        "note": "no relationships",
        "scores": [round(s, 3) for s in scores],
        "tail": between,
    }

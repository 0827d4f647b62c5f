"""How plans, contexts and explanations look in a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from docgraph.cli.text.output import count, heading, line, one_line, table
from docgraph.domain.anchors import section_words

if TYPE_CHECKING:  # a plan is shown without the models of what comes after it
    from docgraph.domain.context import AssembledContext, DocumentEvidence, RetrievedContext
    from docgraph.domain.explanation import Explanation
    from docgraph.domain.plan import CutDocument, ExpandedDocument, Reason, RetrievalPlan, SeedDocument
    from docgraph.domain.run import Run

EXCERPT = 220
SHOWN_CUTS = 12
MARGIN = 14
CANDIDATES = {"quantized": "quantized", "hnsw": "approximate (hnsw)"}
"""Vector search of a plan → what its candidates are; an exact one has none."""


NOTHING: Mapping[str, str] = MappingProxyType({})


def show_plan(plan: RetrievalPlan, standings: Mapping[str, str] = NOTHING) -> None:
    """Question, one counted sentence, the documents with every reason, what was left out by which limit.

    ``standings`` = document_id → words for what keeps a document from holding.
    """
    line((plan.query or "(no question; seeds given by id)", "bold"))
    line(plan_sentence(plan))
    line("")
    for seed in plan.seed_documents:
        _show_planned(seed, "●", "", standings)
        line((_seed_reason(seed), "dim"), indent=MARGIN)
    for expanded in plan.expanded_documents:
        _show_planned(expanded, "+", "blue", standings)
        for reason in expanded.reasons:
            line(("← ", "blue"), reason.via, _aside(_from(reason)), indent=MARGIN)
    if plan.cut or plan.cut_totals:
        _show_cuts(plan)
    line("")
    c = plan.constraints
    limits = f"{c.max_documents} documents, {c.max_chunks} chunks, {c.max_chunks_per_document} per document"
    if c.max_tokens is not None:
        limits = f"{c.max_documents} documents, {c.max_tokens:,} tokens of passages"
    line((f"limits  {limits}; one hop, outgoing", "dim"))
    if left := plan.n_unread:
        said = f"{count(left, 'document')} not read: only {c.max_chunks:,} chunks are"
        line(("note    ", "dim"), (f"{said}; raise --max-chunks or lower --max-documents", "bold"))
    if chosen := CANDIDATES.get(c.vector_search):
        said = "scores are exact, but a document found by exact search may be missing"
        line((f"ranking {chosen} candidates: {said}", "bold"))
    line((f"plan    {plan.plan_id[:16]} on {plan.workspace} at revision {plan.corpus_revision[:12]}", "dim"))


def plan_sentence(plan: RetrievalPlan) -> str:
    """``2 seeds → 3 more documents over 4 relationships (explains 2, implements 2). 1 left out.``"""
    seeds, more = len(plan.seed_documents), len(plan.expanded_documents)
    types = Counter(r.via for d in plan.expanded_documents for r in d.reasons)
    cut = f" {len(plan.cut):,} left out." if plan.cut else ""
    if not plan.constraints.use_relationships:
        return f"{count(seeds, 'seed')}; relationships are off.{cut}"
    if not more:
        return f"{count(seeds, 'seed')}; relationships add no document: same result as without relationships.{cut}"
    names = ", ".join(f"{one_line(name)} {n}" for name, n in sorted(types.items(), key=lambda t: (-t[1], t[0])))
    over = count(sum(types.values()), "relationship")
    return f"{count(seeds, 'seed')} → {count(more, 'more document')} over {over} ({names}).{cut}"


def show_run(run: Run) -> None:
    """Print the plan, then its passages, the token counts and the checks."""
    found = (each.document for each in run.context.documents)
    show_plan(run.plan, {each.document_id: each.standing_words for each in found if each.standing is not None})
    show_context(run.context)
    show_tokens(run.assembled)
    kept = sum(check.passed for check in run.contract)
    line(f"checks passed: {kept} of {len(run.contract)}")
    for check in run.contract:
        if not check.passed:
            line((f"  failed: {check.title}: {check.detail}", "bold"))


def show_context(context: RetrievedContext) -> None:
    """Each planned document with its chunks: rank, score, where it stands, and how it begins."""
    heading(
        "Evidence", f"{count(context.n_chunks, 'chunk')} of {context.n_eligible_chunks:,} eligible, {context.index}"
    )
    for place, evidence in enumerate(context.documents, start=1):
        _show_evidence(place, evidence)


def show_tokens(assembled: AssembledContext) -> None:
    """One line: how many tokens of the budget each layer takes."""
    line("")
    line(
        f"context   {assembled.total_tokens:,} of {assembled.token_budget:,} tokens: "
        f"summaries {assembled.conceptual_tokens:,}, evidence {assembled.evidence_tokens:,}, "
        f"frame {assembled.frame_tokens:,}; {count(assembled.n_left_out, 'chunk')} left out"
    )


def show_explanation(why: Explanation) -> None:
    """The sentence, then every reason, or every obstacle with what would lift it."""
    line((why.title, "bold"), (f"  {why.document_id}", "dim"))
    line(why.sentence)
    if why.reasons:
        heading("Reasons")
        sections = [section_words(r.sections) for r in why.reasons]
        reasons = [(r.via, r.from_document_id, s) for r, s in zip(why.reasons, sections, strict=True)]
        if any(sections):
            table(("via", "from", "to"), reasons)
        else:
            table(("via", "from"), [reason[:2] for reason in reasons])
    if why.obstacles:
        from docgraph.cli.request_options import as_options

        heading("Obstacles")
        rows = [(o.text, as_options(o.remedy) or "--") for o in why.obstacles]
        table(("why it is left out", "remedy"), rows, wrap=True)
    if why.rank is not None:
        line("")
        name = "fused score" if why.signal == "hybrid" else "similarity"
        score = "" if why.score is None else f", {name} {why.score:.3f}"
        line((f"rank {why.rank:,} of {why.n_documents:,} by the seed signal{score}", "dim"))


def _show_planned(
    document: SeedDocument | ExpandedDocument, mark: str, style: str, standings: Mapping[str, str]
) -> None:
    title = (one_line(document.title), "bold")
    line(
        (f"{document.place:>3}  ", "dim"),
        (mark, style),
        f"  {document.score:.3f}  ",
        title,
        _aside(document.document_id),
    )
    if standing := standings.get(document.document_id):
        line((one_line(standing), "yellow"), indent=MARGIN)


def _aside(text: str) -> tuple[str, str]:
    return (f"  {text}", "dim")


def _from(reason: Reason) -> str:
    """``from adr-001, to its section Limits``."""
    return f"from {reason.from_document_id}{_to(reason)}"


def _to(reason: Reason) -> str:
    section = section_words(reason.sections)
    return f", to {one_line(section)}" if section else ""


def _seed_reason(seed: SeedDocument) -> str:
    ranked = "seed, given by id" if seed.rank is None else f"seed, rank {seed.rank:,}"
    named = f", named in the question (“{one_line(seed.named)}”)" if seed.named else ""
    linked = f", also linked from other seeds ({_reasons(seed.reasons)})" if seed.reasons else ""
    return f"{ranked}{named}{', expands' if seed.expands else ''}{linked}"


def _reasons(reasons: tuple[Reason, ...]) -> str:
    return ", ".join(f"{r.via} ← {r.from_document_id}{_to(r)}" for r in reasons)


def _show_cuts(plan: RetrievalPlan) -> None:
    heading("Left out")
    totals = [(t.limit, t.value or None, t.kept, t.total) for t in plan.cut_totals]
    table(("limit", "value", "kept", "of"), totals, right=("value", "kept", "of"))
    if (where := plan.constraints.where) is not None:
        whom = f" ({where.whom})" if where.whom else ""
        line(f"filter{whom}: {one_line(where.words)}")
    for total in (t for t in plan.cut_totals if t.relation_type is not None):
        n = count(total.total - total.kept, "document")
        line(f"{total.relation_type} gives reasons only: {n} not added ({total.decided}); --types overrides this")
    line("")
    rows = [(c.limit, c.place, c.score, c.document_id, _cut_title(c)) for c in plan.cut[:SHOWN_CUTS]]
    table(("limit", "place", "score", "document", "title"), rows, right=("place", "score"))
    if len(plan.cut) > SHOWN_CUTS:
        line((f"  {len(plan.cut) - SHOWN_CUTS:,} more: --json lists all", "dim"))


def _cut_title(cut: CutDocument) -> str:
    linked = "" if cut.linked_by is None else f" (linked by {cut.linked_by:,} of {cut.n_documents:,})"
    return f"{cut.title or '(does not exist)'}{linked}"


def _show_evidence(place: int, evidence: DocumentEvidence) -> None:
    from docgraph.views.words.sections import (
        place_words,
    )  # a plan alone has no evidence, and imports no more than it needs

    document = evidence.document
    line("")
    line((f"{place}  ", "dim"), (document.title, "bold"), (f"  {document.document_id}", "dim"))
    if document.standing:
        line((one_line(document.standing_words), "yellow"), indent=3)
    if not evidence.chunks:
        line(("   planned, but no chunk is within the limits", "dim"))
    for chunk in evidence.chunks:
        where = " › ".join(
            (*chunk.heading_path, *filter(None, [place_words(chunk.place)]), f"{chunk.passage_tokens} tokens")
        )
        words = "" if chunk.words is None else f"words {chunk.words:.2f}  "
        if chunk.rerank_score is not None:
            words += f"reranked {chunk.rerank_score:.2f}  "
        line(f"#{chunk.rank:<3} {chunk.score:.3f}  {words}", (one_line(where), "dim"), indent=3)
        text = one_line(chunk.passage)
        line(f"{text[:EXCERPT]}{'…' if len(text) > EXCERPT else ''}", indent=8)

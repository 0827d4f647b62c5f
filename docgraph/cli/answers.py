"""How plans, contexts and explanations look in a terminal."""

from __future__ import annotations

from collections import Counter

from rich.text import Text

from docgraph.cli.output import count, heading, line, one_line, table
from docgraph.domain.context import AssembledContext, DocumentEvidence, RetrievedContext
from docgraph.domain.explanation import Explanation
from docgraph.domain.plan import CutDocument, ExpandedDocument, Reason, RetrievalPlan, SeedDocument
from docgraph.domain.run import Run

EXCERPT = 220
SEED, EXPANDED = "● seed", "+ related"


def show_plan(plan: RetrievalPlan) -> None:
    """Question, one counted sentence, the documents with every reason, what was cut."""
    line((plan.query or "(no question: seeds are named)", "bold"))
    line(plan_sentence(plan))
    line("")
    rows = [_plan_row(document) for document in (*plan.seed_documents, *plan.expanded_documents)]
    table(("#", "role", "score", "document", "title", "why"), rows, right=("#", "score"))
    if plan.cut:
        heading("Left out", "; ".join(f"{t.limit} = {t.value} kept {t.kept} of {t.total}" for t in plan.cut_totals))
        table(
            ("place", "limit", "score", "document", "title", "why"), map(_cut_row, plan.cut), right=("place", "score")
        )
    line("")
    c = plan.constraints
    limits = f"{c.max_documents} documents, {c.max_chunks} chunks, {c.max_chunks_per_document} per document"
    line((f"limits  {limits}; one hop, outgoing", "dim"))
    line((f"plan    {plan.plan_id[:16]}  on {plan.workspace} at revision {plan.corpus_revision[:12]}", "dim"))


def plan_sentence(plan: RetrievalPlan) -> str:
    """``2 seeds → 3 more documents over 4 relationships (explains 2, implements 2). 1 left out.``"""
    seeds, more = len(plan.seed_documents), len(plan.expanded_documents)
    types = Counter(r.via for d in plan.expanded_documents for r in d.reasons)
    cut = f" {len(plan.cut):,} left out." if plan.cut else ""
    if not plan.constraints.use_relationships:
        return f"{count(seeds, 'seed')}; relationships are switched off: the same as plain similarity search.{cut}"
    if not more:
        return f"{count(seeds, 'seed')}; no relationship adds a document: the same as plain similarity search.{cut}"
    names = ", ".join(f"{one_line(name)} {n}" for name, n in sorted(types.items(), key=lambda t: (-t[1], t[0])))
    over = count(sum(types.values()), "relationship")
    return f"{count(seeds, 'seed')} → {count(more, 'more document')} over {over} ({names}).{cut}"


def show_run(run: Run) -> None:
    """The plan, then the evidence under it, the token account and the promises kept."""
    show_plan(run.plan)
    show_context(run.context)
    show_tokens(run.assembled)
    kept = sum(check.passed for check in run.contract)
    line(f"contract  {kept} of {len(run.contract)} kept")
    for check in run.contract:
        if not check.passed:
            line((f"  broken: {check.title}: {check.detail}", "bold"))


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
        table(("via", "from"), [(r.via, r.from_document_id) for r in why.reasons])
    if why.obstacles:
        heading("Obstacles")
        rows = [(o.text, ", ".join(f"{k}={v}" for k, v in sorted(o.remedy.items())) or "--") for o in why.obstacles]
        table(("what keeps it out", "would be lifted by"), rows)
    if why.rank is not None:
        line("")
        score = "" if why.score is None else f", similarity {why.score:.3f}"
        line((f"rank {why.rank:,} of {why.n_documents:,} by the seed signal{score}", "dim"))


def _plan_row(document: SeedDocument | ExpandedDocument) -> tuple[object, ...]:
    seed = isinstance(document, SeedDocument)
    why = _seed_reason(document) if isinstance(document, SeedDocument) else _reasons(document.reasons)
    role = Text(SEED if seed else EXPANDED, style="" if seed else "blue")
    return (document.place, role, document.score, document.document_id, document.title, why)


def _seed_reason(seed: SeedDocument) -> str:
    ranked = "named" if seed.rank is None else f"rank {seed.rank}"
    also = f"; also {_reasons(seed.reasons)}" if seed.reasons else ""
    return f"{ranked}{', expands' if seed.expands else ''}{also}"


def _reasons(reasons: tuple[Reason, ...]) -> str:
    return "; ".join(f"{r.via} ← {r.from_document_id}" for r in reasons)


def _cut_row(cut: CutDocument) -> tuple[object, ...]:
    return (cut.place, cut.limit, cut.score, cut.document_id, cut.title, _reasons(cut.reasons) or "--")


def _show_evidence(place: int, evidence: DocumentEvidence) -> None:
    document = evidence.document
    line("")
    line((f"{place}  ", "dim"), (document.title, "bold"), (f"  {document.document_id}", "dim"))
    if not evidence.chunks:
        line(("   eligible, but no chunk passed the limits", "dim"))
    for chunk in evidence.chunks:
        where = " › ".join(chunk.heading_path)
        line(
            (f"   #{chunk.rank}  {chunk.score:.3f}  ", ""), (where, "italic"), (f"  {chunk.token_count} tokens", "dim")
        )
        text = one_line(chunk.text)
        line(f"      {text[:EXCERPT]}{'…' if len(text) > EXCERPT else ''}")

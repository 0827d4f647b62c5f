"""A run in one counted sentence, with its cuts, its tokens and its contract: what the status block says."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from docgraph.domain.plan import CutTotal, RetrievalPlan
from docgraph.domain.run import ContractCheck, Run
from docgraph.views.plan.cuts import CutBlock, seed_block
from docgraph.views.plan.evidence import full_limit
from docgraph.views.words import counts
from docgraph.views.words.outcome import unread_documents
from docgraph.views.words.searching import plan_search


@dataclass(frozen=True)
class CutLine:
    """One limit that cut something: ``text`` = "3 of 5 related documents left out (limit: 2)"."""

    limit: str
    text: str


@dataclass(frozen=True)
class Summary:
    """The status block in words; ``same_as_ms3`` is filled when relationships changed nothing, and says why.

    ``search`` = label and meaning of a plan whose ranking was not exact, ``unread`` = of one with more documents than
    passages that are read, ``left`` = how many matches are not read.
    """

    sentence: str
    left: str
    types: str
    cuts: tuple[CutLine, ...]
    tokens: str
    contract: tuple[ContractCheck, ...]
    same_as_ms3: str = ""
    search: tuple[str, str] | None = None
    unread: tuple[str, str] | None = None

    @property
    def n_passed(self) -> int:
        """Promises kept."""
        return sum(check.passed for check in self.contract)


def summarize(run: Run) -> Summary:
    """The status block of a run."""
    return Summary(
        sentence=_sentence(run),
        left=_left(run.plan),
        types=_types(run.plan),
        cuts=(*(_cut(total, run.plan) for total in run.plan.cut_totals), *_chunk_cut(run)),
        tokens=f"{run.assembled.total_tokens:,} tokens",
        contract=run.contract,
        same_as_ms3=same_as_ms3(run),
        search=plan_search(run.plan),
        unread=unread_documents(run.plan),
    )


def _sentence(run: Run) -> str:
    """``6 documents will be read: 4 match the question, 2 are related to them``.

    A document of which no passage is read is counted as planned alone.
    """
    plan = run.plan
    matches, related = len(plan.seed_documents), len(plan.expanded_documents)
    n = matches + related
    if not n:
        return "No document found"
    read = sum(bool(found.chunks) for found in run.context.documents)
    said = f"{counts.plural(n, 'document')} will be read"
    if read < n:
        said = f"{read:,} of {counts.plural(n, 'planned document')} will be read"
    if not related:
        who = "it matches" if n == 1 else f"all {n:,} match" if read < n else "all match"
        return f"{said}: {who} the question"
    match = "1 matches" if matches == 1 else f"{matches:,} match"
    are = "is" if related == 1 else "are"
    return f"{said}: {match} the question, {related:,} {are} related to {'it' if matches == 1 else 'them'}"


def _left(plan: RetrievalPlan) -> str:
    """``13 more documents matched and are not read``; empty where all that matched are."""
    total = next((t for t in plan.cut_totals if t.limit == "max_seeds"), None)
    n = total.total - total.kept if total else 0
    return f"{counts.plural(n, 'more document')} matched and {'is' if n == 1 else 'are'} not read" if n else ""


def _types(plan: RetrievalPlan) -> str:
    """``explains 2, implements 1``: relationships to related documents by type, then what runs between matches."""
    by_type = Counter(r.via for d in plan.expanded_documents for r in d.reasons)
    parts = [f"{via} {n}" for via, n in sorted(by_type.items(), key=lambda pair: (-pair[1], pair[0]))]
    between = sum(len(d.reasons) for d in plan.seed_documents)
    if between:
        parts.append(f"{counts.plural(between, 'relationship')} between matches")
    return ", ".join(parts)


def _cut(total: CutTotal, plan: RetrievalPlan) -> CutLine:
    n = total.total - total.kept
    if total.limit == "max_chunks":
        return CutLine(
            total.limit, f"{n:,} of all {total.total:,} passages {counts.left_out(total.limit, total.value, bare=True)}"
        )
    block = seed_block(plan, max_rows=0) if total.limit == "max_seeds" else None
    if block is not None:
        return CutLine(total.limit, _matches(block))
    if total.relation_type is not None:
        n_all = counts.plural(n, "document")
        return CutLine(total.limit, f"{n_all} not added: {total.relation_type} only gives reasons ({total.decided})")
    if total.limit == "where" and plan.constraints.where is not None:
        return CutLine(
            total.limit, f"{n:,} of {total.total:,} documents outside the filter {plan.constraints.where.words}"
        )
    if total.limit == "max_expanding_seeds":
        return CutLine(total.limit, f"{total.kept} of {total.total} matches followed (limit: {total.value:,})")
    return CutLine(total.limit, f"{n:,} of {total.total:,} {_related(total)}")


def _matches(block: CutBlock) -> str:
    """``14 of 18 matches left out (limit: 4)``, and how many of them are in as related documents."""
    head = block.head.replace(" left out", " matches left out", 1)
    return f"{head}; {block.foot}" if block.foot else head


def _related(total: CutTotal) -> str:
    """``related documents left out (limit: 2)``; a limit on anything else names what it counts."""
    if total.limit == "max_expanded":
        return f"related documents {counts.left_out(total.limit, total.value, bare=True)}"
    return counts.left_out(total.limit, total.value)


def _chunk_cut(run: Run) -> tuple[CutLine, ...]:
    """Passages of planned documents that execution left out, and those that did not fit the token budget."""
    context, lines = run.context, []
    named = any(total.limit == "max_chunks" for total in run.plan.cut_totals)
    if context.n_chunks < context.n_eligible_chunks and not named:
        n = context.n_eligible_chunks - context.n_chunks
        by = counts.left_out(*full_limit(context))
        lines.append(CutLine("chunks", f"{n:,} of {context.n_eligible_chunks:,} passages {by}"))
    if run.assembled.n_left_out:
        by = counts.left_out("token_budget", run.assembled.token_budget)
        lines.append(CutLine("token_budget", f"{run.assembled.n_left_out:,} of {context.n_chunks:,} passages {by}"))
    return tuple(lines)


def same_as_ms3(run: Run) -> str:
    """Why relationships changed nothing; empty when they did."""
    plan = run.plan
    if plan.expanded_documents or not plan.seed_documents:
        return ""
    if not plan.constraints.use_relationships:
        flat = plan.constraints.preset == "literal"
        return f"Relationships are switched off{': this is plain vector search' if flat else ''}."
    if plan.constraints.relation_types == ():
        return "Every relationship type is switched off: same result as without relationships."
    if not plan.consulted or plan.constraints.max_expanded == 0:
        return "No match is followed (a limit is 0): same result as without relationships."
    if any(cut.limit == "where" and cut.reasons for cut in plan.cut):
        return "Every related document is outside the filter: same result as without relationships."
    silent = [total.relation_type for total in plan.cut_totals if total.relation_type is not None]
    if silent:
        verb = "gives" if len(silent) == 1 else "give"
        return f"{', '.join(silent)} only {verb} reasons: same result as without relationships."
    return "No match links to another document: same result as without relationships."


def looked_at(run: Run) -> str:
    """The documents whose relationships were followed in vain, by title; empty when something came of it."""
    plan = run.plan
    if plan.expanded_documents or not plan.consulted:
        return ""
    return "Links followed from: " + "; ".join(ref.title or ref.document_id for ref in plan.consulted) + "."

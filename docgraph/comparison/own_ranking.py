"""Compares a ranking that docgraph did not make with one of its runs: documents alone, since scores have two scales."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docgraph.comparison.judged import figures_over, relevant_among, titles_of
from docgraph.comparison.narrative import counted
from docgraph.comparison.overlap import Indexed, document_figures
from docgraph.domain.judgment import Judgment
from docgraph.domain.plan import CutDocument, SeedDocument
from docgraph.domain.ranking_comparison import OwnRanking, RankedDocument, RankingComparison, RankingRow
from docgraph.domain.run import Run
from docgraph.ports import AnyMeasure


def compare_ranking(
    a: OwnRanking, b: Run, measures: Sequence[AnyMeasure], *, judgments: Sequence[Judgment] = ()
) -> RankingComparison:
    """What a ranking and a run have in common; pure, so equal inputs give an equal value.

    A ranking may be as long as it likes, a plan may not: of the ranking as many documents are compared as the plan may
    read. ``judgments`` = those of stored documents.
    """
    k, run = b.plan.constraints.max_documents, b.model_copy(update={"trace": ()})
    said = {each.document_id: each.relevant for each in judgments if each.query == b.plan.query}
    ids = [each.document_id for each in a.documents[:k]]
    made = RankingComparison(a=a, b=run, k=k, rows=_rows(a, run, k, said=said))
    if not a.failure:
        names = {each.document_id: each.title for each in a.documents} | titles_of(run)
        read = run.context.read_document_ids
        overlaps = [m for m in measures if m.kind == "overlap" or m.kind == "correlation"]
        made = made.model_copy(
            update={
                "figures": document_figures(ids, run.plan.document_ids, overlaps),
                "judged": figures_over(ids, read, said, measures=[m for m in measures if m.kind == "judged"]),
                "relevant": relevant_among(ids, read, said, names=names),
            }
        )
    return made.model_copy(update={"sentence": _sentence(made)})


def _rows(a: OwnRanking, b: Run, k: int, *, said: Mapping[str, bool]) -> tuple[RankingRow, ...]:
    """B's in plan order, then those of the ranking's first ``k`` that B has not."""
    ranked, after = {each.document_id: each for each in a.documents}, Indexed(b)
    cut = {each.document_id: each for each in b.plan.cut}
    alone = [each.document_id for each in a.documents[:k] if each.document_id not in after.planned]
    return tuple(
        _row(i, ranked.get(i), after, k=k, cut=cut.get(i), relevant=said.get(i)) for i in (*after.planned, *alone)
    )


def _row(
    document_id: str,
    before: RankedDocument | None,
    after: Indexed,
    *,
    k: int,
    cut: CutDocument | None,
    relevant: bool | None,
) -> RankingRow:
    planned, chunks = after.planned.get(document_id), after.chunks_of(document_id)
    row = RankingRow(
        document_id=document_id,
        title=planned.title if planned else before.title if before else document_id,
        change="left" if planned is None else "kept" if before is not None and before.place <= k else "added",
        place_a=before.place if before else None,
        score_a=before.score if before else None,
        cut=cut,
        relevant=relevant,
    )
    if planned is None:
        return row
    return row.model_copy(
        update={
            "place_b": planned.place,
            "role_b": "seed" if isinstance(planned, SeedDocument) else "expanded",
            "score_b": chunks[0].score if chunks else None,
            "n_chunks_b": len(chunks),
            "reasons": planned.reasons,
        }
    )


def _sentence(made: RankingComparison) -> str:
    """Counts alone: what is relevant first where anybody judged, then what is common, then what only one side reads."""
    a, n = made.a, len(made.b.plan.document_ids)
    if a.failure:
        return f"{a.label} gave no ranking; docgraph reads {counted(n, 'document')}."
    said = []
    if made.relevant:
        before, now = (sum(each) for each in zip(*((r.in_a, r.in_b) for r in made.relevant), strict=True))
        said.append(
            f"{a.label} finds {before}, docgraph reads {now} of {counted(len(made.relevant), 'relevant document')}."
        )
    first = min(made.k, len(a.documents))
    both, alone, only = (len(made.rows_with(change)) for change in ("kept", "added", "left"))
    said.append(
        f"{both} of the {counted(n, 'document')} that docgraph reads {'is' if both == 1 else 'are'} among the first "
        f"{first} of {a.label}; {alone} only docgraph reads, {only} only {a.label} has."
        if first
        else f"{a.label} found no document of this workspace; docgraph reads {counted(n, 'document')}."
    )
    return " ".join(said)

"""How a ranking beside a run looks in a terminal: the counts, both orders, what matched nothing, the figures."""

from __future__ import annotations

from docgraph.cli.text.output import heading, line, one_line, table
from docgraph.domain.ranking_comparison import RankingComparison
from docgraph.views.words.counts import UNKNOWN, score
from docgraph.views.words.sides import SIGNS, figure_words, place_words, score_words, why_words

MAX_UNKNOWN = 20


def show_ranking_comparison(made: RankingComparison) -> None:
    """Everything that is known of both sides; ids and titles are on one line each."""
    line((made.b.plan.query, "bold"))
    line((made.sentence, "bold"))
    if made.a.failure:
        line((f"{made.a.label}: ", "bold"), made.a.failure)
    heading("Documents", f"A {one_line(made.a.label)}, its first {made.k}; B docgraph, plan {made.b.plan.plan_id[:8]}")
    rows = [
        (
            SIGNS[row.change],
            place_words(row.place_a),
            score_words(row.score_a),
            place_words(row.place_b),
            UNKNOWN if row.score_b is None else score(row.score_b),
            one_line(row.title)[:44],
            one_line(why_words(row, made)),
        )
        for row in made.rows
    ]
    head = ("read by", "A", "score of A", "B", "similarity", "document", "why")
    table(head, rows, right=("A", "score of A", "B", "similarity"), wrap=True)
    if made.a.unknown:
        shown = ", ".join(one_line(each)[:60] for each in made.a.unknown[:MAX_UNKNOWN])
        more = len(made.a.unknown) - MAX_UNKNOWN
        line(f"Matched no document: {shown}{f' and {more} more' if more > 0 else ''}")
    if made.figures:
        heading("Figures", "over documents; a score of A and a similarity are on two scales")
        table(("measure", "value", "note"), [(f.title, figure_words(f.value), f.note) for f in made.figures])
    if made.judged:
        heading("Judged figures")
        cells = [(f"{f.title}@{f.k}", figure_words(f.a), figure_words(f.b)) for f in made.judged]
        table(("measure", "A", "B"), cells, right=("A", "B"))

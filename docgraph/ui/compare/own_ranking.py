"""Side A is a ranking of the reader's own, by a retriever that the settings name."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.ranking_comparison import RankingComparison, RankingRow
from docgraph.domain.run import Run
from docgraph.errors import DocgraphError, NotFoundError
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.parts.judgments.state import judgments_stamp
from docgraph.views.words.counts import UNKNOWN, score
from docgraph.views.words.sides import figure_words, place_words, score_words, why_words

OWN_MARK = "own:"
"""What a baseline begins with that is a ranking of one's own; the name of a retriever follows."""

MAX_UNKNOWN = 12


def own_names(workspace: str) -> dict[str, str]:
    """Baseline → name, of the retrievers that the settings name."""
    known = resources.docgraph(workspace).session.adapters.retrievers
    return {f"{OWN_MARK}{name}": f"Your retriever: {name}" for name in known}


def own_comparison(run: Run, baseline: str) -> RankingComparison | None:
    """The ranking beside the run; ``None`` and a card where there is none to ask."""
    try:
        return _made(run, baseline)
    except DocgraphError as problem:
        layout.error(problem)
        return None


def own_body(made: RankingComparison) -> None:
    """Everything under the switch: counts, both orders, figures, and what matched nothing."""
    st.html(f'<section class="cp-own-verdict" role="status"><p>{escape.html(made.sentence)}</p></section>')
    if made.a.failure:
        layout.card("error", f"{escape.plain(made.a.label)} gave no ranking", made.a.failure, sign="finding")
    with st.container(key="cp_own", horizontal=True, gap="small"):
        st.html(_table(made))
        st.html(_aside(made))


def _made(run: Run, baseline: str) -> RankingComparison:
    name = baseline.removeprefix(OWN_MARK)
    if name not in resources.docgraph(run.plan.workspace).session.adapters.retrievers:
        # an address that a link holds is never asked
        raise NotFoundError(f"there is no retriever {name[:60]!r}", hint="choose another baseline")
    revision = f"{run.plan.corpus_revision} {judgments_stamp(run.plan.workspace, run.plan.query)}"
    return _asked(run.plan.workspace, revision, run.plan.plan_id, name, run)


@st.cache_resource(max_entries=64, ttl="10m", show_spinner="Asking the retriever")
def _asked(workspace: str, revision: str, plan_id: str, name: str, _run: Run) -> RankingComparison:
    """Asked once for a plan and its data, so that a click does not ask a service again."""
    del revision, plan_id  # part of the key only
    return resources.docgraph(workspace).runs.compare_with(_run, name)


def _table(made: RankingComparison) -> str:
    head = (
        '<tr><th>Document</th><th class="n" title="position in your ranking">A</th><th class="n">its score</th>'
        '<th class="n" title="position in the plan">B</th><th class="n">similarity</th>'
        "<th>Why docgraph reads it, or does not</th></tr>"
    )
    rows = "".join(_row(row, made) for row in made.rows)
    return (
        f'<div class="cp-own-table" tabindex="0"><h2 class="dg-h2">Documents<span class="dg-note">A '
        f"{escape.html(made.a.label)}, its first {made.k} · B docgraph, in plan order</span></h2>"
        f"<table><thead>{head}</thead><tbody>{rows}</tbody></table></div>"
    )


def _row(row: RankingRow, made: RankingComparison) -> str:
    signs: dict[str, tuple[layout.Glyph, str]] = {
        "kept": ("kept", "both read it"),
        "added": ("added", "docgraph alone"),
        "left": ("left", f"{made.a.label} alone"),
    }
    glyph, said = signs[row.change]
    tag = '<span class="cp-tag cp-tag-relevant">relevant</span>' if row.relevant else ""
    similar = UNKNOWN if row.score_b is None else score(row.score_b)
    return (
        f'<tr class="cp-own-{row.change}"><th><div>{layout.glyph(glyph, escape.plain(said))}<span>'
        f"{escape.html(row.title)}{tag}<small>{escape.html(row.document_id)}</small></span></div></th>"
        f'<td class="n">{place_words(row.place_a)}</td><td class="n">{score_words(row.score_a)}</td>'
        f'<td class="n">{place_words(row.place_b)}</td><td class="n">{similar}</td>'
        f"<td>{escape.html(why_words(row, made))}</td></tr>"
    )


def _aside(made: RankingComparison) -> str:
    figures = "".join(
        f"<div><dt>{escape.html(f.title)}</dt><dd>{figure_words(f.value)}</dd></div>" for f in made.figures
    )
    judged = "".join(
        f"<div><dt>{escape.html(f.title)}@{f.k}</dt><dd>{figure_words(f.a)} → {figure_words(f.b)}</dd></div>"
        for f in made.judged
    )
    unknown = ""
    if made.a.unknown:
        shown = "".join(f"<li><code>{escape.html(each)}</code></li>" for each in made.a.unknown[:MAX_UNKNOWN])
        more = len(made.a.unknown) - MAX_UNKNOWN
        rest = f"<li>and {more:,} more</li>" if more > 0 else ""
        unknown = f"<h3>Matched no document: {len(made.a.unknown):,}</h3><ul>{shown}{rest}</ul>"
    if made.a.failure:
        return '<aside class="cp-own-aside"><p class="dg-note">Nothing to compare until it answers.</p></aside>'
    overlap = f"<h3>Overlap of documents</h3><dl>{figures}</dl>" if figures else ""
    judged = f"<h3>By what is judged, A → B</h3><dl>{judged}</dl>" if judged else ""
    note = "The score is the retriever's own, the similarity docgraph's: two scales, never mixed."
    return f'<aside class="cp-own-aside">{overlap}{judged}{unknown}<p class="dg-note">{escape.html(note)}</p></aside>'

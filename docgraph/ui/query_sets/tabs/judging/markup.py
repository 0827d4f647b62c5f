"""Judging as HTML: the question, passages and grades; beside them coverage, agreement and how passages were chosen."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from docgraph.domain.graph import StoredChunk
from docgraph.domain.judging import Agreement, Coverage, Pile, Pool
from docgraph.ui.frame import escape
from docgraph.ui.query_sets.scope import Scope
from docgraph.ui.query_sets.tabs.judging.hand import SEED, Said
from docgraph.views.words.reading import readable

GRADES = {0: "Not relevant", 1: "Partly", 2: "Relevant", None: "Can't judge"}
SHORT = ("no", "partly", "yes")
MAX_TEXT = 12_000
"""Characters of one passage that are drawn."""


def place_words(document_id: str, chunk: StoredChunk) -> str:
    """``KEP-2377 § Goals``: the passage in a few words, plain text."""
    heading = f" § {chunk.heading_path[-1]}" if chunk.heading_path else f" {chunk.chunk_index + 1}"
    return escape.shorten(f"{document_id}{heading}", 60)


def progress_html(coverage: Coverage) -> str:
    """How far this judge is, as a bar with its numbers."""
    share = 100 * coverage.judged / coverage.shown if coverage.shown else 0
    deciding = f"{coverage.left:,} left, {coverage.deciding:,} of them decide a question"
    return (
        f'<div class="qj-progress"><span>{deciding}</span><i><b style="width:{share:.1f}%"></b></i>'
        f"<span><strong>{coverage.judged:,} of {coverage.shown:,}</strong> passages judged</span></div>"
    )


def question_html(query: str, number: int, n: int) -> str:
    """The question, and which of its passages this is."""
    return (
        '<div class="qj-question"><p><span class="dg-glyph dg-glyph-query" aria-hidden="true"></span> Question'
        f"<span>passage {number:,} of {n:,}, configuration, position and score are hidden</span></p>"
        f"<h2>{escape.html(query)}</h2></div>"
    )


def passage_head_html(title: str, document_id: str, chunk: StoredChunk, n: int) -> str:
    """Id and title of the document, the headings above the passage, and which of its passages it is."""
    path = " › ".join(chunk.heading_path)
    named = f"<strong>{escape.html(escape.shorten(title, 200))}</strong>" if title != document_id else ""
    where = f"{escape.html(escape.shorten(path, 120))}, " if path else ""
    return (
        f'<div class="qj-place"><span class="qj-id">{escape.html(escape.shorten(document_id, 80))}</span>{named}'
        f"<span>{where}passage {chunk.chunk_index + 1:,} of {n:,}</span></div>"
    )


def text_html(chunk: StoredChunk, source: str, *, around: bool = False) -> str:
    """The text of a passage in paragraphs; ``around`` = it stands before or after the one that is judged."""
    lines = readable(chunk.text[:MAX_TEXT], source=source).split("\n")
    body = "".join(f"<p>{escape.html(line)}</p>" for line in lines if line.strip())
    return f'<div class="qj-text{" qj-around" if around else ""}">{body or "<p>This passage has no text.</p>"}</div>'


def grade_html(key: str, grade: int | None, note: str) -> str:
    """What stands on a grade's button: its key, its name and what it means."""
    return (
        f'<div class="qj-grade" aria-hidden="true"><kbd>{key}</kbd><b>{escape.html(GRADES[grade])}</b>'
        f"<span>{escape.html(note)}</span></div>"
    )


def last_html(said: Sequence[Said]) -> str:
    """The last grades of this session, newest first."""
    each = "".join(f"<span>{escape.html(s.place)} <b>{escape.html(GRADES[s.grade])}</b></span>" for s in said)
    return f'<div class="qj-last">Previous: {each}</div>'


def coverage_html(coverage: Coverage, here: tuple[int, int] | None) -> str:
    """Coverage in words; ``here`` = judged and shown of the question on the screen."""
    share = f", {100 * coverage.judged / coverage.shown:.0f} %" if coverage.shown else ""
    rows = [
        ("Passages shown and judged", f"<b>{coverage.judged:,}</b> of {coverage.shown:,}{share}"),
        ("Questions fully judged", f"<b>{coverage.questions_done:,}</b> of {coverage.questions:,}"),
        ("Can't judge", f"{coverage.cannot_judge:,} {'passage' if coverage.cannot_judge == 1 else 'passages'}"),
    ]
    if here is not None:
        rows.append(("This question", f"{here[0]:,} of {here[1]:,}"))
    cells = "".join(f"<dt>{escape.html(name)}</dt><dd>{value}</dd>" for name, value in rows)
    return (
        f'<div class="qj-box"><h2>Coverage</h2><dl>{cells}</dl>'
        f'<p class="qj-order"><b>Order: most decisive first.</b> {escape.html(order_words(coverage))}</p></div>'
    )


def order_words(coverage: Coverage) -> str:
    """How many of what is left can change what a question counts as."""
    if not coverage.left:
        return "Nothing is left."
    if not coverage.deciding:
        return f"None of the {coverage.left:,} left changes a result on its own."
    questions = "question counts" if coverage.deciding_questions == 1 else "questions count"
    rest = coverage.left - coverage.deciding
    other = f". The other {rest:,} change no result on their own." if rest else "."
    return f"{coverage.deciding:,} can change what {coverage.deciding_questions:,} {questions} as{other}"


def agreement_html(found: Agreement) -> str:
    """Cross table and both coefficients; an unknown one is ``--``."""
    if not found.n:
        return '<p class="qj-muted">No passage is graded by both yet.</p>'
    head = "".join(f'<th scope="col">{name}</th>' for name in SHORT)
    rows = "".join(
        f'<tr><th scope="row">{SHORT[i]}</th>'
        + "".join(f'<td class="{"qj-same" if i == j else "qj-off" if n else ""}">{n:,}</td>' for j, n in enumerate(row))
        + "</tr>"
        for i, row in enumerate(found.table)
    )
    figures = "".join(
        f"<dt>{name}</dt><dd>{'--' if value is None else f'{value:.2f}'}</dd>"
        for name, value in (("Cohen κ", found.kappa), ("Krippendorff α", found.alpha))
    )
    return (
        f'<p class="qj-equal"><b>{found.equal:,} of {found.n:,}</b> passages judged twice agree</p>'
        f'<div class="qj-two"><table><caption>{escape.html(escape.shorten(found.b, 40))}</caption>'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table><dl>{figures}</dl></div>"
        f'<p class="qj-muted">Rows: {escape.html(escape.shorten(found.a, 40))}. {found.apart(1):,} differ by one '
        f"grade, {found.apart(2):,} by two. κ unweighted, α ordinal.</p>"
    )


def differing_html(found: Agreement) -> str:
    """The passages on which two judges differ, with both grades."""
    rows = "".join(
        f"<tr><td>{escape.html(escape.shorten(each.passage.query, 120))}</td>"
        f"<td>{escape.html(escape.shorten(each.passage.chunk_id, 60))}</td>"
        f"<td>{GRADES[each.a]}</td><td>{GRADES[each.b]}</td></tr>"
        for each in found.differing
    )
    names = "".join(f"<th>{escape.html(escape.shorten(name, 40))}</th>" for name in (found.a, found.b))
    return f'<table class="qj-differ"><tr><th>Question</th><th>Passage</th>{names}</tr>{rows}</table>'


_OTHER = "qj-other"


def side(scope: Scope, pool: Pool, pile: Pile, here: tuple[int, int] | None) -> None:
    """Draw it; ``here`` = judged and shown of the question on the screen."""
    with st.container(key="qj-side", gap="small"):
        st.html(coverage_html(pile.coverage, here))
        _agreement(scope, pool)
        made = escape.html(_made_words(scope, pool))
        st.html(f'<div class="qj-box qj-made"><b>How these passages were chosen</b><p>{made}</p></div>')


def _agreement(scope: Scope, pool: Pool) -> None:
    """With the one who judged most of the others, or whoever is chosen; nothing before somebody else judged."""
    others = [name for name in scope.docgraph.query_sets.judges(pool) if name != scope.who]
    with st.container(key="qj-agreement", gap=None):
        with st.container(key="qj-agreement-head", horizontal=True, vertical_alignment="center"):
            st.html("<h2>Agreement</h2>")
            if len(others) > 1:
                st.selectbox("Second judge", others, key=_OTHER, label_visibility="collapsed", width=150)
        if not others:
            st.html('<p class="qj-muted">Nobody else has judged this set yet.</p>')
            return
        chosen = st.session_state.get(_OTHER)
        found = scope.docgraph.query_sets.agreement(pool, scope.who, chosen if chosen in others else others[0])
        st.html(agreement_html(found))
        if found.differing:
            with st.popover(f"Show the {len(found.differing):,}", key="qj-differing", type="tertiary", width="content"):
                st.html(differing_html(found))


def _made_words(scope: Scope, pool: Pool) -> str:
    """From which evaluations, in which order, and what is left out."""
    assert scope.chosen is not None
    runs = {each.evaluation_id: each for each in scope.docgraph.query_sets.runs(scope.chosen.name)}
    used = [runs[each] for each in pool.evaluations if each in runs]
    labels = ", ".join(dict.fromkeys(each.label for run in used for each in run.configurations))
    n = len(used)
    words = f"Pooled from {n:,} {'evaluation' if n == 1 else 'evaluations'} ({escape.shorten(labels, 160)}), "
    words += f"shuffled with seed {SEED}. Grades are saved with name and time."
    if pool.n_without_passages:
        words += f" {pool.n_without_passages:,} documents without a passage are left out."
    if pool.n_gone:
        words += f" {pool.n_gone:,} passages that no longer exist are left out."
    return words

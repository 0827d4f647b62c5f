"""A plan or a draft in one sentence: what will be read, where the answer stands, what is not read, and the ways on."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.run import Run
from docgraph.ui.frame import escape, layout, navigation
from docgraph.ui.parts.runs.saving import save_popover
from docgraph.ui.plan.details.inside import unchecked
from docgraph.ui.plan.draft import discard
from docgraph.ui.plan.view import Draft, PlanView
from docgraph.views.plan.draft.changes import DraftPart, chips
from docgraph.views.plan.draft.steps import with_types_named
from docgraph.views.plan.evidence import Answer, answer_of
from docgraph.views.plan.summary import Summary, summarize
from docgraph.views.words import counts
from docgraph.views.words.address import BASELINE, inputs_of, packed
from docgraph.views.words.glossary import definition

_TERMS = escape.html(f"Match: {definition('match')} Related: {definition('related document')}")


def status_block(view: PlanView, proven: Run) -> None:
    """Two lines of fixed height where there is room, so that nothing below moves when words change or a draft begins.

    ``proven`` is the run with its contract; one of other data, or without, is not told as that of the view.
    """
    run = proven if proven.plan == view.run.plan else view.run
    summary = summarize(run)
    with st.container(
        key="plan_draft" if view.draft else "plan_status", horizontal=True, vertical_alignment="center", gap="small"
    ):
        if view.draft is not None:
            _draft(view, view.draft, summary, run)
        else:
            st.html(_sentence(view, summary))
            with _ways_on():
                st.html(_checks(summary, why=unchecked(view, proven)))
                _saved(view, summary, run)


def _ways_on() -> st.delta_generator.DeltaGenerator:
    return st.container(key="plan_ways_on", horizontal=True, vertical_alignment="center", gap="small", width="content")


def _saved(view: PlanView, summary: Summary, run: Run) -> None:
    _cuts(summary)
    if view.frozen is None:
        save_popover(run, key="plan_save", label="Save")
        other = not view.run.request.use_relationships
        label = "Compare with relationships" if other else "Compare without relationships"
        navigation.link("compare", label, query=_inputs(view, with_relationships=True), help="Both plans side by side")


def _draft(view: PlanView, draft: Draft, summary: Summary, run: Run) -> None:
    st.html(_draft_sentence(draft, summary))
    with _ways_on():
        if len(draft.parts) > 2 or any(part.detail for part in draft.parts):
            label = counts.plural(len(draft.parts), "change")
            with st.popover(label, type="tertiary", key="plan_parts", width="content"):
                st.html(f'<ul class="pl-cuts">{"".join(_part(part) for part in draft.parts)}</ul>')
        saved = draft.saved is not None
        where = f"With the saved run {draft.saved.run_id}" if draft.saved else "With the plan as it was built"
        navigation.link(
            "compare",
            "Compare with saved" if saved else "Compare with base",
            query={**_inputs(view), BASELINE: [draft.base_name]},
            help=where,
        )
        save_popover(run, key="plan_save", label="Save")
        st.button(
            "Discard", key="plan_discard", type="tertiary", on_click=discard, args=(view,), help="Discard the draft"
        )


def _inputs(view: PlanView, *, with_relationships: bool = False) -> dict[str, list[str]]:
    request = with_types_named(view.run.request, view.choice.default)
    if with_relationships:
        request = request.model_copy(update={"use_relationships": True})
    return packed(inputs_of(request), view.workspace.name)


def _draft_sentence(draft: Draft, summary: Summary) -> str:
    """``Draft: references off`` over ``4 documents will be read: …`` and ``− 1 document + 1 passage, −137 tokens``."""
    words = ", ".join(part.text for part in draft.parts)
    names = "; ".join(part.detail or part.text for part in draft.parts)
    if not words:
        same = draft.comparison is not None and draft.comparison.identical
        words = "nothing changed yet" if same else "the same inputs on today’s data"
    return (
        '<div class="pl-sentence pl-drafted" role="status">'
        f'<p class="pl-says" title="{escape.html(names)}"><em>Draft:</em> <b>{escape.html(words)}</b></p>'
        f'<p class="pl-more"><span class="pl-chips">{_chips(draft)}</span>{_marks(summary)}'
        f"<span>{escape.html(summary.sentence)}.</span></p></div>"
    )


def _part(part: DraftPart) -> str:
    detail = f': <span class="pl-muted">{escape.html(part.detail)}</span>' if part.detail else ""
    return f"<li><span>{escape.html(part.text)}{detail}</span></li>"


def _chips(draft: Draft) -> str:
    if draft.comparison is None:
        return f'<span class="pl-chip" title="{escape.html(draft.problem)}">not compared with its base</span>'
    if draft.comparison.identical:
        why = escape.html(draft.comparison.why_identical)
        return f'<span class="pl-chip" title="{why}">{layout.glyph("kept")}no difference</span>'
    names = {"left": "removed", "added": "added", "": ""}
    return "".join(
        f'<span class="pl-chip">{layout.glyph(chip.sign, names[chip.sign]) if chip.sign else ""}'
        f"{escape.html(chip.text)}</span>"
        for chip in chips(draft.comparison)
    )


def _sentence(view: PlanView, summary: Summary) -> str:
    """The plan in one sentence; under it the workspace, where the answer is read, and what matched and is not read."""
    told = [f"In <b>{escape.html(view.workspace.title or view.workspace.name)}</b>."]
    told += filter(None, (_answer(answer_of(view.run, view.marked)), escape.html(summary.same_as_ms3)))
    if summary.left:
        told.append(f"{escape.html(summary.left)}.")
    return (
        f'<div class="pl-sentence" role="status"><p class="pl-says" title="{_TERMS}">'
        f"<b>{escape.html(summary.sentence)}.</b></p>"
        f'<p class="pl-more">{_marks(summary)}<span>{" ".join(told)}</span></p></div>'
    )


def _answer(answer: Answer | None) -> str:
    """Where the passage that people marked is read, or that it is not: a loss is said as plainly."""
    if answer is None:
        return ""
    if not answer.in_title:
        return f'<span class="pl-unanswered">{layout.glyph("cross")}The answering passage is not read.</span>'
    more = f" and {answer.more} more" if answer.more else ""
    return f"The answering passage is in <b>{escape.html(answer.in_title)}</b>{more}."


def _marks(summary: Summary) -> str:
    """What is to be known of the plan beside its counts: a ranking that was not exact, documents that nobody reads."""
    return "".join(
        f'<span class="pl-search" tabindex="0" title="{escape.html(meaning)}">{escape.html(label)}</span>'
        for label, meaning in filter(None, (summary.search, summary.unread))
    )


def _checks(summary: Summary, *, why: str) -> str:
    """Whether every promise is kept; which ones stands in the drawer."""
    n = len(summary.contract)
    if not n:
        return f'<span class="pl-checks" title="{escape.html(why)}">Not checked</span>'
    broken = n - summary.n_passed
    if broken:
        return f'<span class="pl-checks pl-broken">{layout.glyph("cross")}{broken} of {n} checks failed</span>'
    title = f"{definition('checks')} Listed under Details."
    return f'<span class="pl-checks pl-kept" title="{title}">{layout.glyph("check")}Checks passed: {n} of {n}</span>'


def _cuts(summary: Summary) -> None:
    if not summary.cuts:
        return
    with st.popover("Left out", type="tertiary", key="plan_cuts", width="content"):
        lines = "".join(f"<li>{layout.glyph('cut')}<span>{escape.html(cut.text)}</span></li>" for cut in summary.cuts)
        st.html(f'<ul class="pl-cuts">{lines}</ul><p class="pl-muted">Listed in the picture and under Table.</p>')

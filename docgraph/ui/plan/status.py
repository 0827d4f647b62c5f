"""The status block of a run or a draft: one counted sentence with what it costs, and the contract strip under it."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.run import ContractCheck, Run
from docgraph.ui.frame import escape, layout, navigation
from docgraph.ui.parts.runs.saving import save_popover
from docgraph.ui.plan.confidence import confidence_chip
from docgraph.ui.plan.draft import discard
from docgraph.ui.plan.view import Draft, PlanView
from docgraph.views.plan.draft.changes import DraftPart, chips
from docgraph.views.plan.draft.steps import with_types_named
from docgraph.views.plan.evidence import Answer, answer_of
from docgraph.views.plan.summary import Summary, summarize
from docgraph.views.words import counts
from docgraph.views.words.address import BASELINE, TAB, inputs_of, packed


def status_block(view: PlanView, proven: Run) -> None:
    """Two rows of fixed height, so that nothing below moves when the words change or a draft begins.

    ``proven`` is the run with its contract; one of other data, or without, is not told as that of the view.
    """
    run = proven if proven.plan == view.run.plan else view.run
    summary = summarize(run)
    with st.container(key="plan_draft" if view.draft else "plan_status", gap=None):
        with st.container(key="plan_sentence", horizontal=True, vertical_alignment="center", gap="small"):
            if view.draft is not None:
                _draft(view, view.draft, summary, run)
            else:
                _saved(view, summary, run)
        st.html(contract_strip(summary.contract, why=_unchecked(view, proven)))


def _unchecked(view: PlanView, proven: Run) -> str:
    """Why there is no contract, where there is none."""
    if view.whole is None:
        return "not checked for an executed plan"
    return "could not be checked" if proven is view.run else "the data have changed since: build anew"


def _saved(view: PlanView, summary: Summary, run: Run) -> None:
    st.html(_sentence(summary, answer_of(view.run, view.marked)))
    _cuts(summary)
    st.button(summary.tokens, key="plan_tokens", type="tertiary", on_click=_show_context, help="Open the context")
    if view.frozen is None:
        confidence_chip(view.run, view.workspace.name)
        save_popover(run, key="plan_save")
        navigation.link("compare", "Compare", query=_inputs(view), help="With what is read without relationships (MS3)")


def _draft(view: PlanView, draft: Draft, summary: Summary, run: Run) -> None:
    st.html(_draft_sentence(draft, summary))
    if len(draft.parts) > 2 or any(part.detail for part in draft.parts):
        with st.popover(counts.plural(len(draft.parts), "change"), type="tertiary", key="plan_parts", width="content"):
            st.html(f'<ul class="pl-cuts">{"".join(_part(part) for part in draft.parts)}</ul>')
    saved = draft.saved is not None
    where = f"With the saved run {draft.saved.run_id}" if draft.saved else "With the plan as it was built"
    navigation.link(
        "compare",
        "Compare with saved" if saved else "Compare with base",
        query={**_inputs(view), BASELINE: [draft.base_name]},
        help=where,
    )
    save_popover(run, key="plan_save")
    st.button("Discard", key="plan_discard", type="tertiary", on_click=discard, args=(view,), help="Back to the base")


def _inputs(view: PlanView) -> dict[str, list[str]]:
    return packed(inputs_of(with_types_named(view.run.request, view.choice.default)), view.workspace.name)


def _draft_sentence(draft: Draft, summary: Summary) -> str:
    """``Draft: references off | 2 seeds → 3 more documents … | − 1 document + 1 chunk | 1,705 tokens, −137``."""
    words = ", ".join(part.text for part in draft.parts)
    names = "; ".join(part.detail or part.text for part in draft.parts)
    if not words:
        same = draft.comparison is not None and draft.comparison.identical
        words = "nothing changed yet" if same else "the same inputs on today’s data"
    cut = counts.plural(len(summary.cuts), "cut") if summary.cuts else "nothing cut"
    return (
        '<div class="pl-sentence pl-drafted" role="status"><span class="pl-said">'
        f'<span class="pl-words" title="{escape.html(names)}">'
        f"<em>Draft:</em> <b>{escape.html(words)}</b></span>"
        f'<span class="pl-outcome"><b>{escape.html(summary.sentence)}</b><i>, {cut}</i></span></span>{_marks(summary)}'
        f'<span class="pl-chips">{_chips(draft)}</span></div>'
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
    names = {"left": "leaves", "added": "enters", "": ""}
    return "".join(
        f'<span class="pl-chip">{layout.glyph(chip.sign, names[chip.sign]) if chip.sign else ""}'
        f"{escape.html(chip.text)}</span>"
        for chip in chips(draft.comparison)
    )


def _sentence(summary: Summary, answer: Answer | None) -> str:
    types = f'<span class="pl-types">{escape.html(summary.types)}</span>' if summary.types else ""
    same = ""
    if summary.same_as_ms3:
        same = f'<span class="pl-same">{layout.glyph("check")}{escape.html(summary.same_as_ms3)}</span>'
    said = f"<b>{escape.html(summary.sentence)}</b>{_marks(summary)}{_answer(answer)}{types}{same}"
    return f'<div class="pl-sentence" role="status">{said}</div>'


def _answer(answer: Answer | None) -> str:
    """Where the passage that people marked is read, or that it is not: a loss is said as plainly."""
    if answer is None:
        return ""
    if not answer.in_title:
        return f'<span class="pl-unanswered">{layout.glyph("cross")}answering passage not read</span>'
    more = f" and {answer.more} more" if answer.more else ""
    title = escape.html(answer.in_title)
    return (
        f'<span class="pl-answered" title="The passage that people marked is read in {title}{more}">'
        f"{layout.glyph('check')}answered in <b>{title}</b>{more}</span>"
    )


def _marks(summary: Summary) -> str:
    """What is to be known of the plan beside its counts: a ranking that was not exact, documents that nobody reads."""
    return "".join(
        f'<span class="pl-search" tabindex="0" title="{escape.html(meaning)}">{escape.html(label)}</span>'
        for label, meaning in filter(None, (summary.search, summary.unread))
    )


def _cuts(summary: Summary) -> None:
    if not summary.cuts:
        st.html('<span class="pl-muted pl-nocut">nothing cut</span>')
        return
    with st.popover(counts.plural(len(summary.cuts), "cut"), type="tertiary", key="plan_cuts", width="content"):
        lines = "".join(f"<li>{layout.glyph('cut')}<span>{escape.html(cut.text)}</span></li>" for cut in summary.cuts)
        st.html(f'<ul class="pl-cuts">{lines}</ul><p class="pl-muted">Who was cut: in the lanes, or under Table.</p>')


def _show_context() -> None:
    st.session_state[TAB] = "Context"


def contract_strip(checks: tuple[ContractCheck, ...], *, why: str) -> str:
    """``Contract 9 of 9`` and every promise with its number: a muted tick, or a red cross.

    Without checks it says ``why`` there are none.
    """
    if not checks:
        return f'<div class="pl-contract"><b>Contract --</b><span>{why}</span></div>'
    passed = sum(check.passed for check in checks)
    items = "".join(_check(check) for check in checks)
    state = "" if passed == len(checks) else " pl-broken"
    return f'<div class="pl-contract{state}"><b>Contract {passed} of {len(checks)}</b>{items}</div>'


_SHORT = {
    "one_hop": "1 hop",
    "outgoing": "outgoing",
    "planned_only": "0 unplanned chunks",
    "limits": "limits kept",
    "read_only": "wrote nothing",
    "same_without": "nothing expanded → identical",
    "score_drift": "drift 0",
    "replay": "replay identical",
}
"""The promises that are kept, where all nine do not fit in full; the full one is the tip then."""


def _check(check: ContractCheck) -> str:
    glyph = layout.glyph("check", "kept") if check.passed else layout.glyph("cross", "broken")
    title, detail = escape.html(check.title), escape.html(check.detail)
    if not check.passed:
        shown = f" <em>({detail})</em>" if check.detail else ""
        return f'<span class="pl-failed" title="{detail}">{glyph}{title}{shown}</span>'
    short = escape.html(_SHORT.get(check.name, check.title))
    words = f'<i class="pl-full">{title}</i><i class="pl-short">{short}</i>'
    return f'<span title="{title}: {detail}">{glyph}{words}</span>'

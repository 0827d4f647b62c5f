"""Which two runs are compared: without relationships, plain vectors or any other baseline; the limits in one line."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.baselines import BASELINES, MS3, PLAIN, TODAY
from docgraph.domain.plan import Constraints
from docgraph.domain.run import Run
from docgraph.domain.saved_run import RunSummary, SavedRun
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError
from docgraph.ui.compare.own_ranking import OWN_MARK, own_names
from docgraph.ui.compare.state import ANYWAY
from docgraph.ui.frame import escape, resources
from docgraph.ui.parts.comparison import BASE_LABEL, STAGES, saved_run, stage_of
from docgraph.views.words import counts
from docgraph.views.words.address import BASELINE, INPUTS_MARK
from docgraph.views.words.glossary import definition
from docgraph.views.words.sides import named

SWITCH, BASELINES_KEY = "docgraph.compare.stop", "docgraph.compare.baseline"
_STOPS = {MS3: "Without relationships", PLAIN: BASELINES[PLAIN][0]}
"""The baselines in sight; the others stand in a list beside them."""


def switch(question: Run | SavedRun, baseline: str, stage: str, *, workspace: Workspace) -> None:
    """Draw the row; a choice is written into the address."""
    run = question.run if isinstance(question, SavedRun) else question
    chosen = stage if stage in STAGES else stage_of(run.request)
    with st.container(key="cp_switchrow", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<span class="dg-note">Compare</span>')
        st.session_state[SWITCH] = baseline if baseline in _STOPS else None
        st.segmented_control(
            "Baseline A",
            list(_STOPS),
            key=SWITCH,
            format_func=_STOPS.__getitem__,
            label_visibility="collapsed",
            wrap=False,
            on_change=_stop_chosen,
        )
        _others(question, baseline, workspace)
        name, tag = named(STAGES[chosen])
        about = definition(name.lower()) if tag else ""
        st.html(f'<p class="cp-b" title="{about}"><b>{escape.html(name)}</b></p>')
        st.html(f'<span class="cp-limits">{escape.html(limits_text(run))}</span>')


def limits_text(run: Run) -> str:
    """The limits of a run in one line."""
    c = run.plan.constraints
    if c.evidence_rule == "similarity" and not c.max_expanded:
        return f"the best {counts.plural(c.max_chunks, 'passage')} of all documents · {run.request.mode}"
    n = len(run.plan.seed_documents)
    related = f" + {c.max_expanded:,} related" if c.use_relationships else ""
    return " · ".join(
        (
            f"{counts.plural(n, 'match', 'matches')}{related}",
            *_reading(c),
            run.request.mode,
        )
    )


def _reading(c: Constraints) -> tuple[str, ...]:
    """What bounds the chunks: the token budget, or numbers of chunks."""
    if c.max_tokens is not None:
        return (f"{c.max_tokens:,} tokens",)
    return f"{counts.plural(c.max_chunks_per_document, 'passage')} per document", f"{c.max_chunks:,} in total"


def _stop_chosen() -> None:
    _use(st.session_state[SWITCH] or MS3)


def _others(question: Run | SavedRun, baseline: str, workspace: Workspace) -> None:
    """The list of every baseline, under the name of the one that is chosen when no stop is."""
    saved = resources.docgraph(workspace.name).runs.list()
    names = _names(saved, frozen=isinstance(question, SavedRun))
    if baseline not in names:
        names[baseline] = own_names(workspace.name).get(baseline) or _name_of(baseline)
    names |= own_names(workspace.name)
    label = "A saved run" if baseline in _STOPS else escape.label(names[baseline], limit=40)
    chosen = "" if baseline in _STOPS else "-on"
    with st.popover(label, key=f"cp_baseline{chosen}", width="content"):
        st.session_state[BASELINES_KEY] = baseline
        st.selectbox(
            "Baseline A",
            list(names),
            key=BASELINES_KEY,
            format_func=lambda name: names.get(name, name),
            on_change=_baseline_chosen,
        )
        based = baseline.startswith(INPUTS_MARK)
        other = "the same question without the draft" if based else "a saved run, as it was when it was saved"
        other = "your own ranking beside docgraph's run" if baseline.startswith(OWN_MARK) else other
        about = BASELINES.get(baseline, ("", other))[1]
        st.html(f'<p class="dg-note">{escape.html(about[:1].upper() + about[1:])}.</p>')


def _name_of(baseline: str) -> str:
    """The name of a baseline that is not in the list: today, a draft's base, or a saved run of another workspace."""
    if baseline.startswith(INPUTS_MARK):
        return f"{BASE_LABEL}: the plan before the draft"
    if baseline in BASELINES:
        return BASELINES[baseline][0]
    if baseline.startswith(OWN_MARK):
        return "Your own ranking"
    try:
        return f"{escape.shorten(escape.plain(saved_run(baseline).name), 80)} · {baseline}"
    except DocgraphError:
        return baseline  # the comparison says that there is no such run


def _names(saved: tuple[RunSummary, ...], *, frozen: bool) -> dict[str, str]:
    """Name → what stands in the list: the stages, today (for a frozen run), then saved runs, pinned first."""
    names = {name: named(label)[0] for name, (label, _) in BASELINES.items() if frozen or name != TODAY}
    for row in saved:
        pin = "pinned: " if row.pinned else ""
        names[row.run_id] = f"{pin}{escape.shorten(escape.plain(row.name), 80)} · {row.run_id}"
    return names


def _baseline_chosen() -> None:
    _use(st.session_state[BASELINES_KEY])


def _use(chosen: str) -> None:
    st.query_params.pop(ANYWAY, None)
    if chosen == MS3:
        st.query_params.pop(BASELINE, None)
    else:
        st.query_params[BASELINE] = chosen

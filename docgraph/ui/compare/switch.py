"""Which two runs are compared: the three stages as one switch, the baseline beside it, the limits in one line."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.baselines import BASELINES, MS3, TODAY
from docgraph.domain.run import Run
from docgraph.domain.saved_run import RunSummary, SavedRun
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError
from docgraph.ui.compare.state import ANYWAY, STAGE_B
from docgraph.ui.frame import escape, resources
from docgraph.ui.parts.comparison import BASE_LABEL, STAGES, saved_run, stage_of
from docgraph.views.words import counts
from docgraph.views.words.address import BASELINE, INPUTS_MARK

SWITCH, BASELINES_KEY = "docgraph.compare.stage", "docgraph.compare.baseline"


def switch(question: Run | SavedRun, baseline: str, stage: str, *, workspace: Workspace) -> None:
    """Draw the row; a choice is written into the address."""
    run = question.run if isinstance(question, SavedRun) else question
    own = stage_of(run.request)
    chosen = stage if stage in STAGES else own
    st.session_state[SWITCH] = chosen
    with st.container(key="cp_switchrow", horizontal=True, vertical_alignment="center", gap="small"):
        st.segmented_control(
            "Run B",
            list(STAGES),
            required=True,
            key=SWITCH,
            format_func=STAGES.__getitem__,
            label_visibility="collapsed",
            wrap=False,
            on_change=_stage_chosen,
            args=(own,),
        )
        st.html(f"<style>{_badges(baseline, chosen)}</style>")
        _baseline(question, baseline, workspace)
        st.html(f'<span class="cp-limits">{escape.html(limits_text(run))}</span>')


def limits_text(run: Run) -> str:
    """The limits of a run in one line."""
    c = run.plan.constraints
    if c.evidence_rule == "similarity" and not c.max_expanded:
        return f"the best {counts.plural(c.max_chunks, 'chunk')} of all documents · {run.request.mode}"
    parts = [
        counts.plural(c.max_seeds, "seed"),
        f"{c.max_expanded} related",
        f"{c.max_chunks_per_document} per document",
        f"{counts.plural(c.max_chunks, 'chunk')} in total",
        run.request.mode,
    ]
    return " · ".join(parts)


def _badges(baseline: str, chosen: str) -> str:
    """CSS that puts A and B onto the stops that are compared."""
    stops = list(STAGES)
    rules = []
    for letter, name in (("A", baseline), ("B", chosen)):
        if name in stops:
            n = stops.index(name) + 1
            pseudo = "::after" if letter == "B" and baseline == chosen else "::before"
            rules.append(f'[class*="compare-stage"] button:nth-of-type({n}){pseudo}{{content:"{letter}"}}')
    return "".join(rules)


def _stage_chosen(own: str) -> None:
    chosen = st.session_state[SWITCH]
    if chosen == own:
        st.query_params.pop(STAGE_B, None)
    else:
        st.query_params[STAGE_B] = chosen


def _baseline(question: Run | SavedRun, baseline: str, workspace: Workspace) -> None:
    """The pinned side A, and the list to choose another one from."""
    saved = resources.docgraph(workspace.name).runs.list()
    names = _names(saved, frozen=isinstance(question, SavedRun))
    if baseline not in names:
        names[baseline] = _name_of(baseline)
    label = names[baseline]
    with st.popover(
        f"Baseline A: {escape.label(label, limit=40)}", key="cp_baseline", width="content", type="tertiary"
    ):
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
        about = BASELINES.get(baseline, ("", other))[1]
        st.html(f'<p class="dg-note">{escape.html(about[:1].upper() + about[1:])}.</p>')


def _name_of(baseline: str) -> str:
    """The name of a baseline that is not in the list: today, a draft's base, or a saved run of another workspace."""
    if baseline.startswith(INPUTS_MARK):
        return f"{BASE_LABEL}: the plan before the draft"
    if baseline in BASELINES:
        return BASELINES[baseline][0]
    try:
        return f"{escape.shorten(escape.plain(saved_run(baseline).name), 80)} · {baseline}"
    except DocgraphError:
        return baseline  # the comparison says that there is no such run


def _names(saved: tuple[RunSummary, ...], *, frozen: bool) -> dict[str, str]:
    """Name → what stands in the list: the stages, today (for a frozen run), then saved runs, pinned first."""
    names = {name: label for name, (label, _) in BASELINES.items() if frozen or name != TODAY}
    for row in saved:
        pin = "pinned: " if row.pinned else ""
        names[row.run_id] = f"{pin}{escape.shorten(escape.plain(row.name), 80)} · {row.run_id}"
    return names


def _baseline_chosen() -> None:
    chosen = st.session_state[BASELINES_KEY]
    st.query_params.pop(ANYWAY, None)
    if chosen == MS3:
        st.query_params.pop(BASELINE, None)
    else:
        st.query_params[BASELINE] = chosen

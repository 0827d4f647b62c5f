"""The section Findings: the queue beside the judging pane, or in words why there is no queue."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from docgraph.domain.finding import CheckReport
from docgraph.ui import frame, navigation
from docgraph.ui import relationships_state as state
from docgraph.ui.relationships_effects import EffectsPlace, fill_effects
from docgraph.ui.relationships_judging import judging
from docgraph.ui.relationships_judging_draft import WORK, hand
from docgraph.ui.relationships_queue import ignored_list, nothing_left, queue
from docgraph.ui.relationships_queue_checks import checks_popover, checks_table
from docgraph.ui.relationships_state_checking import Checking
from docgraph.views.finding_queue import nothing_words

STYLES = tuple(Path(__file__).with_name(f"relationships_{name}.css") for name in ("queue", "judging"))
QUICK, POLL = 0.25, 0.1
"""Seconds: how long a drawing waits for new checks before it uses the last report, and how often it looks again."""


def draw(workspace: str) -> None:
    """Draw the section for what the address asks for."""
    for style in STYLES:
        st.html(f"<style>{style.read_text(encoding='utf-8')}</style>")
    _work(workspace)


def count(workspace: str) -> int | None:
    """Open findings; None while the checks run."""
    checking = state.checking(workspace)
    return len(checking.report.findings) if checking.done and not checking.failed else None


@st.fragment(key=WORK)
def _work(workspace: str) -> None:
    """Queue and pane. A key press runs this alone; after a save the next finding does not wait for the checks."""
    state.speak()
    with frame.guarded(retry=state.refresh, key="docgraph.relationships.again"):
        last = hand().report
        if last is not None and last.workspace == workspace and hand().settled:
            _before_the_checks(workspace, _without_settled(last))
            return
        checking = state.checking(workspace)
        if last is not None and last.workspace == workspace and not checking.wait(QUICK):
            _before_the_checks(workspace, last)
            return
        if not checking.done:
            _wait(checking, st.empty(), "Checking")
        _take(checking.report)
        _fill(_sections(workspace, checking.report))


def _before_the_checks(workspace: str, drawn: CheckReport) -> None:
    """Draw what is known first, then check; only what has become another is drawn again."""
    place = _sections(workspace, drawn)
    checking = state.checking(workspace)  # begun after the drawing: the two would slow each other
    _fill(place)
    _wait(checking, st.empty(), "Checking again")
    _take(checking.report)
    if not _looks_like(drawn, checking.report):
        st.rerun()


def _fill(place: EffectsPlace | None) -> None:
    if place is not None:
        fill_effects(place)


def _take(report: CheckReport) -> None:
    hand().report = report
    hand().settled.clear()


def _looks_like(drawn: CheckReport, now: CheckReport) -> bool:
    """Whether the new report has the queue that is on the screen already."""
    queues = [[(f.finding_id, f.n_questions, f.severity) for f in report.queue] for report in (drawn, now)]
    return queues[0] == queues[1] and len(drawn.ignored) == len(now.ignored)


def _wait(checking: Checking, place: st.delta_generator.DeltaGenerator, doing: str) -> None:
    """Say how long it has been going on. Every drawing lets a click or a key through, so nobody waits for it."""
    while not checking.wait(POLL):
        said = f"{doing} the relationships: {checking.seconds:.0f} s"
        place.html(f'<p class="rl-checking" role="status"><i></i>{said}</p>')
    place.empty()


def _without_settled(report: CheckReport) -> CheckReport:
    """The last report without what was judged since."""
    settled = hand().settled
    results = tuple(
        result.model_copy(update={"findings": tuple(f for f in result.findings if f.finding_id not in settled)})
        for result in report.results
    )
    return report.model_copy(update={"results": results})


def _sections(workspace: str, report: CheckReport) -> EffectsPlace | None:
    """Draw everything but the effect on the saved questions; returns where that goes."""
    if not report.n_relationships and not any(finding.relationships for finding in report.findings):
        _no_relationships()
    elif not report.findings and not report.ignored:
        _nothing_found(workspace, report)
    else:
        return _queue_and_pane(workspace, report)
    return None


def _queue_and_pane(workspace: str, report: CheckReport) -> EffectsPlace | None:
    with st.container(key="rl-work", gap=None):
        with st.container(key="rl-queue", gap=None):
            shown = queue(workspace, report)
        with st.container(key="rl-pane", gap=None):
            if shown.ignored:
                ignored_list(workspace, report)
            elif shown.finding is None:
                nothing_left(report)
            else:
                return judging(workspace, report, shown.finding)
    return None


def _no_relationships() -> None:
    frame.empty(
        "There are no relationships to check yet",
        "They come from what documents say of each other (front matter, links, header fields), from a file that is "
        "imported, or from a person who adds one.",
    )
    with st.container(horizontal=True, gap="small"):
        navigation.link("library", "Import documents")
        navigation.link("relationships", "Add or import relationships", query={"tab": "edges"})


def _nothing_found(workspace: str, report: CheckReport) -> None:
    frame.same(nothing_words(report), "Checks run anew with every change of the data. What each of them looked at:")
    checks_table(report)
    checks_popover(workspace, report)

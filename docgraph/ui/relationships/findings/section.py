"""The section Findings: the queue beside the judging pane, or in words why there is no queue."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from docgraph.domain.finding import CheckReport
from docgraph.ui.frame import assets, escape, layout, navigation, resources
from docgraph.ui.parts.background import draw_anew, follow, waited
from docgraph.ui.parts.curation import checks, state
from docgraph.ui.parts.curation.check_controls import again_button, again_html, running_html, stop_button
from docgraph.ui.parts.curation.checks import Checking
from docgraph.ui.relationships.findings.checks import checks_popover, checks_table
from docgraph.ui.relationships.findings.decision.draft import hand
from docgraph.ui.relationships.findings.decision.panel import judging
from docgraph.ui.relationships.findings.effects import EffectsPlace, fill_effects
from docgraph.ui.relationships.findings.filters import Beside, suggested
from docgraph.ui.relationships.findings.queue import ignored_list, nothing_left, queue
from docgraph.ui.relationships.fragments import WORK
from docgraph.views.relationships.findings.checks import checked_words, stopped_words, unknown_words
from docgraph.views.relationships.findings.queue import nothing_words, open_words
from docgraph.views.words.counts import UNKNOWN

QUICK, POLL, LOOK = 0.25, 0.1, 0.5
"""Seconds: how long a drawing waits for new checks before it uses the last report, and how often it looks again while
they are quick, and later."""


def draw(workspace: str, beside: Beside) -> None:
    """Draw the queue for what the address asks for; ``beside`` = the suggestions, which stand in it too."""
    assets.style(__file__, "queue.css", "relationships/decision.css")
    _work(workspace, beside)


def count(workspace: str) -> int | None:
    """Open decisions; of the last report while the checks run, None before there is one."""
    checking = state.checking(workspace)
    if checking.running:
        last = _last(workspace)
        return len(last.decisions) if last is not None else None
    known = not checking.failed and checking.report.says_something
    return len(checking.report.decisions) if known else None


def _last(workspace: str) -> CheckReport | None:
    """The report that this session drew last, else the last one of anybody: it stands while the checks run again."""
    drawn = hand().report
    return drawn if drawn is not None and drawn.workspace == workspace else checks.last_report(workspace)


@st.fragment(key=WORK)
def _work(workspace: str, beside: Beside) -> None:
    """Queue and pane. A key press runs this alone; after a save the next finding does not wait for the checks."""
    state.speak()
    with layout.guarded(retry=state.refresh, key="docgraph.relationships.again"):
        with st.container(key="rl-status", gap=None):
            status = st.empty()
        last = _last(workspace)
        if last is not None and hand().settled:
            _before_the_checks(workspace, _without_settled(last), status, beside)
            return
        checking = state.checking(workspace)
        if last is not None and not checking.wait(QUICK):
            _before_the_checks(workspace, last, status, beside)
            return
        if checking.running and not _wait(checking, status, _first_words):
            return
        _take(checking.report)
        _say_checked(checking, status)
        _fill(_sections(workspace, checking.report, beside))


def _before_the_checks(workspace: str, drawn: CheckReport, status: DeltaGenerator, beside: Beside) -> None:
    """Draw what is known first, then check; only what has become another is drawn again."""
    place = _sections(workspace, drawn, beside)
    checking = state.checking(workspace)  # begun after the drawing: the two would slow each other
    _fill(place)
    if not _wait(checking, status, again_html):
        return
    _take(checking.report)
    _say_checked(checking, status)
    if not _looks_like(drawn, checking.report):
        st.rerun()


def _say_checked(checking: Checking, status: DeltaGenerator) -> None:
    report, judged = checking.report, checking.judged
    said = escape.html(checked_words(report, checking.checked_at))
    held = [open_words(report)] if report.says_something and report.decisions else []
    n = f"{judged.n:,} of {judged.total:,} relationships" if judged is not None else f"{UNKNOWN} of the relationships"
    right = escape.html(", ".join([*held, f"{n} reviewed"]))
    status.html(f'<p class="rl-checked"><span>{said}.</span><span class="rl-held">{right}</span></p>')


def _fill(place: EffectsPlace | None) -> None:
    if place is not None:
        fill_effects(place)


def _take(report: CheckReport) -> None:
    hand().report = report
    hand().settled.clear()


def _looks_like(drawn: CheckReport, now: CheckReport) -> bool:
    """Whether the new report has the queue that is on the screen already."""
    same = drawn.decisions == now.decisions and len(drawn.ignored) == len(now.ignored)
    return same and drawn.not_run == now.not_run


def _wait(checking: Checking, status: DeltaGenerator, say: Callable[[Checking], str]) -> bool:
    """Wait while the checks are quick; else say how far they are until they end, which draws the page anew.

    True when they have ended.
    """
    ended = waited(checking, lambda: status.html(say(checking)), every=POLL, at_most=checks.WORTH_STOPPING)
    if not ended:
        with status.container(gap=None):
            follow(checking, lambda: _running(checking, say), every=LOOK, ended=lambda: _ended(checking))
    return ended


def _first_words(checking: Checking) -> str:
    return running_html(checking, lead="Checking relationships")


def _running(checking: Checking, say: Callable[[Checking], str]) -> None:
    with st.container(key="rl-waiting", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(say(checking))
        stop_button(checking, key="docgraph.relationships.stop")


def _ended(checking: Checking) -> None:
    with layout.guarded(retry=state.refresh, key="docgraph.relationships.failed"):
        _take(checking.report)
        draw_anew()


def _without_settled(report: CheckReport) -> CheckReport:
    """The last report without what was judged since."""
    return report.without(hand().settled)


def _sections(workspace: str, report: CheckReport, beside: Beside) -> EffectsPlace | None:
    """Draw everything but the effect on the saved questions; returns where that goes."""
    report = report.triaged(resources.docgraph(workspace).triage.list())  # said since the checks ran
    if not report.complete:
        _stopped(report)
    if suggested():
        return _queue_and_pane(workspace, report, beside)
    if not report.says_something:
        checks_table(report)
    elif not report.n_relationships and not any(finding.relationships for finding in report.findings):
        _no_relationships()
    elif not report.findings and not report.ignored:
        _nothing_found(workspace, report)
    else:
        return _queue_and_pane(workspace, report, beside)
    return None


def _stopped(report: CheckReport) -> None:
    """What a run that was stopped leaves open, and the way to the whole of it."""
    with st.container(key="rl-stopped", horizontal=True, vertical_alignment="center", gap="small"):
        words = stopped_words(report)
        said = escape.html(f"{words[:1].upper()}{words[1:]}. {unknown_words(report)}")
        st.html(f'<p class="dg-note" role="status">{said}</p>')
        again_button(key="docgraph.relationships.anew")


def _queue_and_pane(workspace: str, report: CheckReport, beside: Beside) -> EffectsPlace | None:
    with st.container(key="rl-work", gap=None):
        with st.container(key="rl-queue", gap=None):
            shown = queue(workspace, report, beside)
        with st.container(key="rl-pane", gap=None):
            if shown.suggested:
                beside.pane(workspace)
            elif shown.ignored:
                ignored_list(workspace, report)
            elif shown.decision is None:
                nothing_left(workspace, report)
            else:
                return judging(workspace, report, shown.decision)
    if shown.suggested:
        beside.under(workspace)
    return None


def _no_relationships() -> None:
    layout.empty(
        "No relationships to check yet",
        "They come from links, front matter and header fields of the documents, from an imported file, or "
        "from a person who adds one.",
    )
    with st.container(horizontal=True, gap="small"):
        navigation.link("library", "Import documents")
        navigation.link("relationships", "Add or import relationships", query={"tab": "all"})


def _nothing_found(workspace: str, report: CheckReport) -> None:
    layout.same(nothing_words(report), "Checks run again after every change. They looked at:")
    checks_table(report)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        checks_popover(workspace, report)
        navigation.link("relationships", "Show suggestions", query={"tab": "suggestions"})

"""The queue of decisions: one row a decision; what is not shown, and what was ignored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from docgraph.domain.finding import CheckReport, Decision, IgnoredFinding
from docgraph.domain.graph import StoredDocument
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships import fragments
from docgraph.ui.relationships.findings.checks import checks_popover, severity_sign
from docgraph.ui.relationships.findings.decision.actions import undo_foot
from docgraph.ui.relationships.findings.decision.draft import FINDING, hand, look_for, open_decision
from docgraph.ui.relationships.findings.decision.view import documents
from docgraph.ui.relationships.findings.filters import Beside, filters, show_everything, show_suggested
from docgraph.views.relationships.findings.queue import (
    IGNORED,
    NAMED,
    SUGGESTED,
    Row,
    check_title,
    decision_with,
    filtered,
    footer,
    ids_in,
    ignored_together,
    row_of,
    subject_words,
)
from docgraph.views.relationships.findings.triage import today, triage_words
from docgraph.views.relationships.findings.words import dismissal_words
from docgraph.views.words.counts import plural

ROWS, MOST = 10, 200


@dataclass(frozen=True)
class Shown:
    """What the queue has open: a decision, nothing, what was ignored, or a suggestion."""

    decision: Decision | None
    ignored: bool = False
    suggested: bool = False


def queue(workspace: str, report: CheckReport, beside: Beside) -> Shown:
    """Draw the queue; the decision that the address names (by its id or a finding's) is open, else the first."""
    chosen = filters(report, n_suggested=beside.count(workspace))
    if chosen.chip == SUGGESTED:
        hand().order = ()
        beside.queue(workspace)
        return Shown(None, suggested=True)
    if chosen.chip == IGNORED:
        hand().order = ()
        return Shown(None, ignored=True)
    found = filtered(report, chosen.chip, chosen.check_id, whose=chosen.whose, person=state.known_name(), day=today())
    hand().order = tuple(decision.decision_id for decision in found)
    wanted = st.query_params.get(FINDING, "")
    named = decision_with(found, wanted)
    opened = named or (found[0] if found else None)
    if named is not None and wanted != named.decision_id:
        hand().examples[named.decision_id] = named.finding_ids.index(wanted)
    settled = hand().settled | {act.decision_id for act in state.memory().acts}
    if wanted and wanted not in settled and decision_with(report.decisions, wanted) is None:
        look_for(workspace, wanted)
    if opened is not None and wanted != opened.decision_id:
        st.query_params[FINDING] = opened.decision_id
    hand().opened = next(iter(report.findings_of(opened)), None) if opened else None
    _rows(workspace, report, found, opened=opened)
    return Shown(opened)


def _rows(workspace: str, report: CheckReport, found: Sequence[Decision], *, opened: Decision | None) -> None:
    n = min(len(found), MOST if hand().show_all else ROWS)
    place = found.index(opened) if opened is not None else 0
    first = 0 if place < n else min(place - n // 2, len(found) - n)  # a link may name one that stands further down
    shown = {decision: report.findings_of(decision) for decision in found[first : first + n]}
    ids = {document_id for findings in shown.values() for each in findings[:NAMED] for document_id in ids_in(each)}
    titled = _titled(documents(workspace, ids, revision=report.corpus_revision))
    with st.container(key="rl-rows", gap=None):
        for decision, findings in shown.items():
            row = row_of(decision, findings, report, titled=titled)
            _row(row, total=report.n_questions, opened=decision is opened)
    _footer(workspace, report, found, shown=len(shown), first=first)


def _titled(there: Mapping[str, StoredDocument]) -> Callable[[str], str]:
    return lambda document_id: (there[document_id].title if document_id in there else "") or document_id


def _row(row: Row, *, total: int, opened: bool) -> None:
    decision_id = row.decision.decision_id
    with st.container(key=f"rl-row-{decision_id}", gap=None):
        st.html(row_html(row, total=total, opened=opened))
        st.button(
            escape.label(f"{row.title}: {row.line}", limit=160),
            key=f"docgraph.finding.{decision_id}",
            on_click=open_decision,
            args=(decision_id,),
            type="tertiary",
            help=escape.label(f"{row.line}: {row.ids}", limit=600) if row.ids else None,
        )


def row_html(row: Row, *, total: int, opened: bool) -> str:
    """HTML of one row: the effect with its bar, sign, title, what stands aside, and what it is, over the ids."""
    of = f" <small>of {total:,}</small>" if total else ""
    current = ' aria-current="true"' if opened else ""
    ids = f'<code class="dg-id">{escape.html(row.ids)}</code>' if row.ids else ""
    said = triage_words(row.decision.triage, today())
    late = " rl-late" if row.decision.triage.is_due(today()) else ""
    said = f'<span class="rl-triage{late}">{escape.html(said)}</span>' if said else ""
    return (
        f'<div class="rl-row{" rl-row-open" if opened else ""}"{current}>'
        f'<span class="rl-effect"><b>{escape.html(row.effect)}</b>{of}'
        f'<i class="rl-meter"><i style="width:{row.share * 100:.0f}%"></i></i></span>'
        f'<span class="rl-what">{severity_sign(row.decision.severity)}<b>{escape.html(row.title)}</b>'
        f"<em>{escape.html(row.aside)}</em></span>"
        f'<span class="rl-ends">{escape.html(row.line)}</span>{ids}{said}</div>'
    )


def _footer(workspace: str, report: CheckReport, found: Sequence[Decision], *, shown: int, first: int) -> None:
    with st.container(key="rl-queuefoot", horizontal=True, vertical_alignment="center", gap="small"):
        if first:
            said = f"{first + 1:,} to {first + shown:,} of {len(found):,} shown"
        else:
            said = footer(shown, found, n_questions=report.n_questions) if found else ""
        st.html(f'<p class="dg-note">{escape.html(said)}</p>')
        if shown < len(found) and not hand().show_all:
            st.button("Show all", key="docgraph.relationships.all", on_click=_show_all, type="tertiary")
        checks_popover(workspace, report)


def _show_all() -> None:
    hand().show_all = True


# ------------------------------------------------------------ nothing to judge


def nothing_left(workspace: str, report: CheckReport) -> None:
    """Written state: the filter leaves nothing, or everything was judged; the last act can still be taken back."""
    if not report.findings:
        layout.same("Nothing left to review", f"{len(report.ignored):,} were ignored with a reason. See Ignored.")
    else:
        n = len(report.decisions)
        said = f"{plural(n, 'item')} to review {'is' if n == 1 else 'are'} outside this filter."
        layout.same("Nothing matches this filter", said)
        st.button(
            "Show everything to review", key="docgraph.relationships.unfilter", on_click=show_everything, type="primary"
        )
    st.button("Show suggestions", key="docgraph.relationships.suggested", on_click=show_suggested, type="tertiary")
    if not resources.only_reads():
        undo_foot(workspace)


def ignored_list(workspace: str, report: CheckReport) -> None:
    """What was ignored and still holds, by decision: why, by whom, and a button that opens it again."""
    layout.section("Ignored", "until one of its two texts changes")
    groups = ignored_together(report.ignored)
    ids = {document_id for group in groups[:MOST] for document_id in ids_in(group[0].finding)}
    titled = _titled(documents(workspace, ids, revision=report.corpus_revision))
    with st.container(key="rl-ignored", gap=None):
        for group in groups[:MOST]:
            first = group[0]
            key = first.finding.finding_id
            with st.container(key=f"rl-ignored-{key}", horizontal=True, vertical_alignment="center"):
                title = check_title(report, first.finding.check_id)
                alone = len(group) == 1
                subject = subject_words(first.finding, titled=titled) if alone else first.dismissal.decision_label
                st.html(_ignored_html(first, title, subject))
                st.button(
                    "Stop ignoring" if alone else f"Stop ignoring all {len(group):,}",
                    key=f"docgraph.ignored.{key}",
                    on_click=_take_back,
                    args=(workspace, group),
                    disabled=not state.curator(),
                    help=None if state.curator() else "Switch editing on to change it",
                )
    if len(groups) > MOST:
        st.html(f'<p class="dg-note">{MOST:,} of {len(groups):,} shown</p>')


def _ignored_html(each: IgnoredFinding, title: str, subject: str) -> str:
    return (
        f'<div class="rl-ignoredrow"><p>{severity_sign(each.finding.severity)}<b>{escape.html(title)}</b> '
        f"{escape.html(subject)}</p><p class='rl-reason'>“{escape.html(each.dismissal.reason)}”</p>"
        f'<p class="dg-note">{escape.html(dismissal_words(each.dismissal))}</p></div>'
    )


def _take_back(workspace: str, group: Sequence[IgnoredFinding]) -> None:
    first = group[0]
    said = first.finding.sentence if len(group) == 1 else first.dismissal.decision_label
    if state.withdraw(workspace, [each.finding.finding_id for each in group], words=f"To review again: {said}"):
        fragments.redraw()

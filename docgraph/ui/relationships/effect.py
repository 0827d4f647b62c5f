"""What a set of edits would change in the answers to the saved questions, and the way to compare each of them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from docgraph.domain.edit import Edit
from docgraph.domain.frozen import fingerprint
from docgraph.domain.impact import ImpactReport, QuestionImpact
from docgraph.domain.request import parse_request
from docgraph.errors import DocgraphError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import assets, escape, layout, navigation, resources
from docgraph.ui.parts.background import Background, Jobs, follow, of_session, progress_row
from docgraph.ui.parts.judgments import marks
from docgraph.ui.parts.judgments.state import judgments_stamp
from docgraph.ui.parts.samples.corpus import sample_questions
from docgraph.views.relationships.edges.edit_link import EDITS, MAX_EDITS, packed_edits
from docgraph.views.relationships.effects import change_words, judged_note, left_out_words, verdict
from docgraph.views.words.address import inputs_of

LISTED = 12


def questions_popover(workspace: str, report: ImpactReport, *, label: str, key: str) -> None:
    """A button with the number; opened, the questions, each with a link to the comparison of today and the edits."""
    with st.popover(label, key=key, type="tertiary", width="content", on_change="rerun") as opened:
        if not opened.open:
            return
        marks.style()
        st.html('<h3 class="dg-h3">Answers that change</h3>')
        for question in report.questions[:LISTED]:
            _question(workspace, question, report.edits)
        if report.n_changed > LISTED:
            st.html(f'<p class="dg-note">{LISTED:,} of {report.n_changed:,} shown</p>')
        unknown = judged_note([report])
        if unknown:
            st.html(f'<p class="dg-note">{unknown}</p>')


def _question(workspace: str, question: QuestionImpact, edits: tuple[Edit, ...]) -> None:
    with st.container(gap=None):
        name = escape.label(question.name or question.query, limit=90)
        query = _query(workspace, question, edits)
        if query:
            navigation.link("compare", name, query=query, help="Compare today with the edits")
        else:
            st.html(f"<p>{escape.html(question.name or question.query)}</p>")
        st.html(f'<p class="dg-note">{escape.html(change_words(question))}</p>{marks.moves_html(question)}')


def _query(workspace: str, question: QuestionImpact, edits: tuple[Edit, ...]) -> dict[str, list[str]]:
    """The inputs of the saved question with the edits; empty when somebody deleted its run meanwhile."""
    try:
        if question.run_id:
            request = resources.docgraph(workspace).runs.get(question.run_id).run.request
        else:
            request = parse_request({"query": question.query})
    except DocgraphError:
        return {}
    return inputs_of(request, workspace) | {EDITS: [packed_edits(edits)]}


POLL_SECONDS, QUICK_SECONDS = 0.4, 0.35
KEPT = 32


class EffectJob(Background[ImpactReport]):
    """One preview; ``place`` = the draft that asks for it."""

    def __init__(self, docgraph: Docgraph, edits: Sequence[Edit], place: str) -> None:
        self.place = place
        super().__init__(
            lambda progress: docgraph.relationships.impact(edits, progress=progress),
            what="the effect could not be measured",
        )


def compared_effect(workspace: str, edits: Sequence[Edit], *, key: str, ask: bool = False, listed: bool = True) -> None:
    """The same, with the way into Compare for the questions that change."""
    place = f"{key.replace('.', '-')}-compared"
    with st.container(key=place, horizontal=not listed, vertical_alignment="center", gap=None if listed else "small"):
        report = effect(workspace, edits, key=key, ask=ask, listed=listed)
        if report is not None and report.n_changed and len(edits) <= MAX_EDITS:
            label = "See what it gains and loses" if report.n_changed == 1 else "See what they gain and lose"
            questions_popover(workspace, report, label="Compare the answers" if listed else label, key=f"{key}.compare")


def effect(
    workspace: str, edits: Sequence[Edit], *, key: str, ask: bool = False, listed: bool = True
) -> ImpactReport | None:
    """Draw the effect of ``edits`` once it is known, and return it; ``ask`` = only after a press of the button.

    ``key`` is unique on the page; ``listed`` = with the questions that change.
    """
    assets.style(__file__, "effect.css")
    marks.style()
    jobs: Jobs[EffectJob] = of_session("effects", limit=KEPT)
    docgraph = resources.docgraph(workspace)
    saved = [len(docgraph.runs.list(limit=1_000)), *(each.fingerprint for each in docgraph.query_sets.list())]
    name = fingerprint(
        [
            workspace,
            docgraph.workspace.state,
            saved,
            judgments_stamp(workspace),
            [edit.model_dump(mode="json") for edit in edits],
        ]
    )
    jobs.stop_others(name, among=lambda job: job.place == key)
    known = jobs.get(name) is not None
    if not known and ask and not st.button("Show the effect on the saved questions", key=f"{key}.ask"):
        return None
    job = jobs.of(name, lambda: EffectJob(docgraph, edits, key))
    if not job.wait(QUICK_SECONDS):
        follow(job, lambda: _running(job, key), every=POLL_SECONDS)
        return None
    _ended(job, listed=listed)
    if job.result is not None and not job.result.n_questions:
        sample_questions(workspace, key=f"{key}.samples")
    return job.result


def _running(job: EffectJob, key: str) -> None:
    far = job.how_far
    counted = f": {far.counted}" if far.total else ""
    progress_row(job, f"Asking the saved questions again{counted}", place=f"{key}-running", key=f"{key}.stop")


def _ended(job: EffectJob, *, listed: bool) -> None:
    if job.error is not None:
        layout.error(job.error)
    elif job.result is not None:
        st.html(effect_html(job.result, listed=listed))


def effect_html(report: ImpactReport, *, listed: bool = True) -> str:
    """The verdict, one square a question, and the questions that change with what they gain and lose."""
    squares = "".join(
        f'<i class="{"rm-on" if each.changed else ""}" title="{escape.html(escape.shorten(each.name, 120))}"></i>'
        for each in report.asked
    )
    row = f'<span class="rm-squares" aria-hidden="true">{squares}</span>' if squares else ""
    items = "".join(_item(question) for question in report.questions[:LISTED]) if listed else ""
    more = len(report.questions) - LISTED
    rest = f"<li>and {more:,} more</li>" if more > 0 else ""
    left_out = left_out_words(report)
    unknown = judged_note([report]) if listed else ""
    note = "".join(f'<p class="dg-note">{escape.html(said)}</p>' for said in (unknown, left_out) if said)
    return (
        f'<div class="rm-effect" role="status"><p><b>{escape.html(verdict(report))}</b>{row}</p>'
        + (f"<ul>{items}{rest}</ul>" if items else "")
        + f"{note}</div>"
    )


def _item(question: QuestionImpact) -> str:
    said = f"{escape.html(change_words(question))}{marks.moves_html(question)}"
    return f"<li><b>{escape.html(escape.shorten(question.name, 90))}</b> {said}</li>"

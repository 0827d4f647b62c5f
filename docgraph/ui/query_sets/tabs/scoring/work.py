"""Relationships and limits scored from the page: in a thread, followed, stopped with what is finished shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from docgraph.domain.baselines import TODAY
from docgraph.domain.scoreboard import CapPressure, Scoreboard
from docgraph.ports import Progress
from docgraph.ui.frame.state import guarded_click
from docgraph.ui.parts.background import Background, Jobs, draw_anew, follow, of_process, stop_button
from docgraph.ui.query_sets.scope import Scope

POLL_SECONDS = 0.5
MAX_KEPT = 16
"""Sets whose scores are remembered, until the server ends."""

RELATIONSHIPS, LIMITS = "relationships", "limits"


@dataclass(frozen=True)
class Told:
    """Hands on how far a part of the work is, under the part's name."""

    to: Progress
    part: str

    def update(self, done: int, total: int, message: str) -> None:
        """See ``Progress``."""
        del message
        self.to.update(done, total, self.part)

    def cancelled(self) -> bool:
        """See ``Progress``."""
        return self.to.cancelled()


class Scoring(Background[bool]):
    """One set scored: first its relationships, then the limits; each stands here as soon as it is finished.

    ``queries`` = the questions by their ids. ``told`` = its end was noted on a page.
    """

    def __init__(self, scope: Scope) -> None:
        assert scope.chosen is not None
        self.board: Scoreboard | None = None
        self.pressure: CapPressure | None = None
        self.queries: Mapping[str, str] = {}
        self.fields, self.at, self.told = fields_of(scope), scope.docgraph.session.now(), False
        docgraph, name = scope.docgraph, scope.chosen.name

        def work(progress: Progress) -> bool:
            asked = docgraph.query_sets.get(name).query_set
            self.queries = {each.query_id: each.query for each in asked.queries}
            told = Told(progress, RELATIONSHIPS)
            self.board = docgraph.relationships.scoreboard(asked, request=self.fields, progress=told)
            if not progress.cancelled():
                self.pressure = docgraph.query_sets.limits(asked, request=self.fields, progress=Told(progress, LIMITS))
            return True

        super().__init__(work, what=f"the scores of {name}", total=scope.chosen.n)


def fields_of(scope: Scope) -> dict[str, Any]:
    """Fields of the request that is scored: those of the last configuration that is shown, where that is a request.

    One whose relationships are off, or with edits that nobody saved, is none that relationships of today act in.
    """
    made = scope.evaluation.configurations if scope.evaluation is not None else ()
    for each in reversed(made):
        is_on = each.fields.get("use_relationships", True) and not each.fields.get("overrides")
        if each.source == "request" and each.baseline in ("", TODAY) and is_on and not each.edits:
            return dict(each.fields)
    return {}


def _jobs() -> Jobs[Scoring]:
    return of_process("query sets scored", limit=MAX_KEPT)


def _name(scope: Scope) -> str:
    return f"{scope.workspace} {scope.chosen.name if scope.chosen else ''}"


def scoring(scope: Scope) -> Scoring | None:
    """The scores of the chosen set, finished or under way, whoever began them; ``None`` without any."""
    return _jobs().get(_name(scope))


def begin(scope: Scope) -> None:
    """Score the set now; nothing while it is being scored (in a callback)."""
    if not scope.may_write:
        return
    guarded_click(_jobs().of, _name(scope), lambda: Scoring(scope), anew=lambda last: not last.running)


def score_line(scope: Scope, job: Scoring | None) -> None:
    """How far it is, with its way to stop; else the button that scores."""
    if job is not None and (job.running or not job.told):
        had = job.board is not None
        follow(job, lambda: _progress(job, had), every=POLL_SECONDS, ended=lambda: _ended(job))
        return
    if not scope.may_write:
        st.html('<span class="dg-note">Only curators and admins can score relationships.</span>')
        return
    label = "Score again" if job is not None else "Score relationships and limits"
    st.button(label, key="qe-score", type="secondary" if job else "primary", on_click=begin, args=(scope,))


def _progress(job: Scoring, had: bool) -> None:
    """``had`` = the relationships stood when the page was drawn: once they stand it is drawn anew."""
    if not had and job.board is not None:
        draw_anew()
    far = job.how_far
    with st.container(key="qe-progress", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(
            f'<p class="qs-far" role="status"><span>{far.message or RELATIONSHIPS}</span>'
            f'<i><b style="width:{far.share * 100:.1f}%"></b></i><strong>{far.counted}</strong> questions</p>'
        )
        stop_button(job, key="qe-stop", label=f"Stop and save {far.done:,}")


def _ended(job: Scoring) -> None:
    job.told = True
    draw_anew()

"""Evaluations from the page: in a thread, followed, stopped with finished answers saved, and resumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from docgraph.domain.evaluation import Configuration, KeptEvaluation
from docgraph.orchestration.evaluating.configurations import NAMED
from docgraph.ports import Progress
from docgraph.ui.frame import layout
from docgraph.ui.frame.state import guarded_click, session
from docgraph.ui.parts.background import Background, HowFar, Jobs, draw_anew, follow, of_process, stop_button
from docgraph.ui.query_sets.scope import Scope
from docgraph.views.words.counts import plural

POLL_SECONDS = 0.5
MAX_KEPT = 32
"""Sets whose last evaluation from the page is remembered."""

REDRAWN = 0.2
"""Share of the questions after which the page shows what is finished so far."""

DEFAULT: Mapping[str, Any] = {"off": "off", "on": "on"}
_GIVEN = "query_sets.configurations"


class Asking(Background[KeptEvaluation]):
    """One evaluation; ``before`` = questions that were finished when it was begun. ``told`` = its end was noted."""

    def __init__(self, scope: Scope, configurations: Mapping[str, Any], go_on: KeptEvaluation | None) -> None:
        assert scope.chosen is not None
        self.before, self.told = (go_on.n if go_on else 0), False
        sets, name, by = scope.docgraph.query_sets, scope.chosen.name, scope.who

        def work(progress: Progress) -> KeptEvaluation:
            begun = go_on.evaluation_id if go_on else ""
            return sets.run(name, dict(configurations), by=by, progress=progress, go_on=begun)

        super().__init__(work, what=f"the evaluation of {name}", total=scope.chosen.n)


def _jobs() -> Jobs[Asking]:
    return of_process("query sets", limit=MAX_KEPT)


def _name(scope: Scope) -> str:
    return f"{scope.workspace} {scope.chosen.name if scope.chosen else ''}"


def asking(scope: Scope) -> Asking | None:
    """The evaluation of the chosen set that runs now, whoever began it; ``None`` without one."""
    job = _jobs().get(_name(scope))
    return job if job is not None and job.running else None


def configurations_of(scope: Scope) -> dict[str, Any]:
    """Name → configuration of what is asked next: those of the evaluation that is shown, or what was added since."""
    kept: dict[str, dict[str, Any]] = session().page.setdefault(_GIVEN, {})
    if (found := kept.get(_name(scope))) is not None:
        return found
    shown = scope.evaluation
    made = shown.configurations if shown is not None else ()
    again = _again(scope, made) if len(made) > 1 else None
    return dict(DEFAULT) if again is None else again


def own_retrievers(scope: Scope) -> tuple[str, ...]:
    """Names of the retrievers that the settings name, those that can be asked under it; no address is among them."""
    return tuple(name for name in scope.docgraph.session.adapters.retrievers if name not in NAMED)


def _again(scope: Scope, made: Sequence[Configuration]) -> dict[str, Any] | None:
    """Name → what asks as these did: requests as they are, retrievers by the name that the settings give them now.

    ``None`` where one is of another source, or its retriever is not in the settings any more.
    """
    known, found = own_retrievers(scope), dict[str, Any]()
    for each in made:
        name = each.fields.get("retriever") if each.source == "retriever" else None
        if each.source != "request" and name not in known:
            return None
        found[each.name] = each if each.source == "request" else name
    return found


def use_configurations(scope: Scope, configurations: Mapping[str, Any]) -> None:
    """Ask in these next (in a callback)."""
    session().page.setdefault(_GIVEN, {})[_name(scope)] = dict(configurations)


def begin(scope: Scope, go_on: KeptEvaluation | None = None) -> None:
    """Ask the set now, or what is left of an evaluation; nothing while it is being asked (in a callback)."""
    if not scope.may_write:
        return
    given = _again(scope, go_on.configurations) or {} if go_on else configurations_of(scope)
    guarded_click(_jobs().of, _name(scope), lambda: Asking(scope, given, go_on), anew=lambda last: not last.running)
    st.query_params.pop("evaluation", None)


def run_line(scope: Scope) -> None:
    """How far the evaluation is, and its way to stop; else the button that asks, or goes on with what was stopped.

    Drawn from the right to the left: a button of before stays until the page is drawn, and whoever aims at the one that
    came is not to see it jump when the other goes.
    """
    job = _jobs().get(_name(scope))
    if job is not None and (job.running or not job.told):
        drawn = job.how_far.done
        follow(job, lambda: _progress(job, drawn), every=POLL_SECONDS, ended=lambda: _ended(job))
        return
    if not scope.may_write:
        st.html('<span class="dg-note">Only curators and admins can evaluate.</span>')
        return
    newest = scope.newest
    left = newest.n_asked - newest.n if newest is not None and not newest.whole else 0
    if newest is not None and left:
        if _again(scope, newest.configurations) is not None:
            st.button(f"Resume, {left:,} left", key="qs-resume", type="primary", on_click=begin, args=(scope, newest))
        st.button("Start over", key="qs-run", on_click=begin, args=(scope,))
        st.html(f'<span class="dg-note">stopped at {newest.n:,} of {newest.n_asked:,}</span>')
        return
    label = "Evaluate again" if newest is not None else "Evaluate"
    st.button(label, key="qs-run", type="secondary" if newest else "primary", on_click=begin, args=(scope,))


def problem_of(scope: Scope) -> None:
    """What the last evaluation from the page met, said until another is begun."""
    job = _jobs().get(_name(scope))
    if job is not None and job.failed and job.error is not None:
        layout.error(job.error)


def _progress(job: Asking, drawn: int) -> None:
    """``drawn`` = how many were finished when the page was drawn: with a part more it is drawn anew."""
    far = job.how_far
    if far.done - drawn >= max(far.total * REDRAWN, 1):
        draw_anew()
    with st.container(key="qs-progress", horizontal=True, vertical_alignment="center", gap="small"):
        share = f"{far.share * 100:.1f}%"
        st.html(
            f'<p class="qs-far" role="status"><span>{left_words(far, job.before)}</span>'
            f'<i><b style="width:{share}"></b></i>'
            f"<strong>{far.counted}</strong> asked</p>"
        )
        stop_button(job, key="qs-stop", label=f"Stop and save {far.done:,}")


def _ended(job: Asking) -> None:
    job.told = True
    draw_anew()


def left_words(far: HowFar, before: int) -> str:
    """``19 left, about 50 s``; without a time while nothing of this sitting is finished."""
    left = far.total - far.done
    done = far.done - before
    if done <= 0 or far.seconds <= 0 or not left:
        return f"{left:,} left"
    seconds = left / (done / far.seconds)
    if seconds < 90:
        return f"{left:,} left, about {max(round(seconds), 1):,} s"
    return f"{left:,} left, about {plural(round(seconds / 60), 'minute')}"

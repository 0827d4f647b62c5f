"""Relation types tried on questions that the corpus asks of itself: begun, followed, stopped, adopted."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from docgraph.domain.own_questions import Trial
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError
from docgraph.ports import Progress
from docgraph.ui.frame import layout, resources
from docgraph.ui.frame.state import session
from docgraph.ui.parts.background import Background, Jobs, follow, of_process, progress_row
from docgraph.ui.parts.curation import state
from docgraph.views.words.counts import plural
from docgraph.views.words.moments import moment
from docgraph.views.words.type_roles import change_sentences, proposal_sentence, trial_rows

KEY = "docgraph.types.trial"
POLL_SECONDS = 0.5
Job = Background[Trial]


def own_questions(workspace: Workspace) -> None:
    """What it is, the button that begins it, how far it is while it runs, and what the newest one found."""
    layout.section(
        "Generated questions", "Made from your texts, without a language model. They show whether a type helps."
    )
    job = _jobs().get(workspace.name)
    if job is not None and job.running:
        follow(job, lambda: _running(job), every=POLL_SECONDS)
        return
    if job is not None and job.error is not None:
        layout.error(job.error)
    newest = next(iter(resources.docgraph(workspace.name).relationships.trials(limit=1)), None)
    can_adopt = newest is not None and _found(workspace, newest)
    with st.container(horizontal=True, gap="small"):
        if newest is not None and can_adopt:
            _adopt_button(workspace, newest)
        if resources.may("keep_trial"):
            st.button(
                "Test again" if newest else "Test each type",
                key=f"{KEY}.begin",
                on_click=_begin,
                args=(workspace.name,),
                help="Up to 240 questions per type, half about one document, half about two related ones. "
                "Nothing changes until you adopt it.",
            )


def _jobs() -> Jobs[Job]:
    return of_process("type_trials", limit=8)


def _begin(workspace: str) -> None:
    docgraph = resources.docgraph(workspace)

    def work(progress: Progress) -> Trial:
        return docgraph.relationships.try_types(progress=progress)

    _jobs().of(
        workspace, lambda: Background(work, what="the types could not be tested"), anew=lambda last: not last.running
    )


def _running(job: Job) -> None:
    far = job.how_far
    words = f"{far.counted} generated questions asked" if far.total else "Making questions"
    progress_row(job, words, place="dg-trial-running", key=f"{KEY}.stop")


def _found(workspace: Workspace, trial: Trial) -> bool:
    """What a trial found; whether there is something in it to adopt."""
    early = ", stopped early" if trial.stopped else ""
    asked = f"{trial.n_asked:,} of {plural(trial.n_questions, 'question')} asked{early}"
    today = trial.revision == workspace.revision
    when = moment(trial.at) if trial.at else ""
    st.html(f'<p class="dg-note">Trial {trial.trial_id}{f", {when}" if when else ""}: {asked}.</p>')
    st.dataframe(
        pd.DataFrame(trial_rows(trial)),
        hide_index=True,
        height=36 + 34 * len(trial.results),
        row_height=34,
        alt="Relationship types with their test results",
        placeholder="--",
        column_config={
            "Better": st.column_config.NumberColumn(help="Questions that find more with this type"),
            "Worse": st.column_config.NumberColumn(help="Questions that find less with this type"),
        },
    )
    if not today:
        layout.card(
            "note", "Roles, documents or relationships have changed since", "Test again to get current results."
        )
        return False
    if not trial.proposals:
        layout.same("Nothing to change", "The results support the current roles.")
        return False
    for each in trial.proposals:
        layout.card("note", proposal_sentence(each), each.why[:1].upper() + each.why[1:] + ".")
    return resources.may("decide_types")


def _adopt_button(workspace: Workspace, trial: Trial) -> None:
    n = len(trial.proposals)
    st.button(
        "Adopt" if n == 1 else f"Adopt all {n}",
        key=f"{KEY}.adopt",
        type="primary",
        on_click=_adopt,
        args=(workspace.name, trial.trial_id),
        disabled=not state.curator(),
        help=None if state.curator() else "Switch editing on to adopt it",
    )


def _adopt(workspace: str, trial_id: int) -> None:
    try:
        changes = resources.docgraph(workspace).relationships.adopt_trial(trial_id)
    except DocgraphError as problem:
        session().problems.append(problem)
        return
    session().notices += [f"{sentence}." for sentence in change_sentences(changes)]

"""First questions after an import: proposed, reworded, asked both ways, kept as a set, and opened in Compare."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from docgraph.domain.evaluation import KeptEvaluation
from docgraph.domain.own_questions import Proposed
from docgraph.domain.request import MAX_QUERY_LENGTH
from docgraph.domain.workspace import Workspace
from docgraph.ports import Progress
from docgraph.ui.frame import escape, layout, navigation, resources
from docgraph.ui.parts.background import Background, Jobs, follow, of_session, progress_row
from docgraph.ui.parts.runs.saving import person_name
from docgraph.views.query_sets.first_questions import (
    NOTHING_CHANGES,
    SET_NAME,
    WHY_NONE,
    effect_of,
    first_set,
    how_made,
    made_of,
)
from docgraph.views.words.address import QUERY, WORKSPACE
from docgraph.views.words.counts import plural

KEY = "docgraph.library.first"
POLL_SECONDS = 0.4
ASK_ONE = "Ask your first question"


class Asking(Background[KeptEvaluation]):
    """The questions kept as a set and asked both ways; ``told`` = the page went on to the first of them."""

    def __init__(self, workspace: str, found: Proposed, wording: Sequence[str]) -> None:
        self.told, by = False, person_name()
        queries = first_set(found, wording)
        self.first = queries.queries[0].query
        sets = resources.docgraph(workspace).query_sets

        def work(progress: Progress) -> KeptEvaluation:
            sets.keep(queries, name=SET_NAME, note=how_made(found), by=by)
            return sets.run(SET_NAME, by=by, progress=progress)

        super().__init__(work, what="the first questions", total=len(queries.queries))


def first_questions(workspace: Workspace) -> None:
    """Five questions to reword and ask; those that are kept already; or why there are none, and what to do."""
    asking: Asking | None = _asked().get(workspace.name)
    if asking is not None and (asking.running or not asking.told):
        _follow(asking, workspace)
        return
    if asking is not None and asking.error is not None:
        layout.error(asking.error)
    kept = next((each for each in resources.docgraph(workspace.name).query_sets.list() if each.name == SET_NAME), None)
    if kept is not None:
        layout.section("Ask", f"{plural(kept.n, 'first question')} of this workspace are saved")
        _ways(workspace, primary=True)
        return
    if not resources.may("keep_set"):
        layout.section("Ask")
        _ways(workspace, primary=True)
        return
    job = _proposing(workspace)
    if job.running:
        layout.section("First questions", "made from titles and sentences, without a language model")
        follow(
            job, lambda: progress_row(job, "Making questions", place="dg-first-making", key=f"{KEY}.stop"), every=0.3
        )
    elif job.error is not None:
        layout.error(job.error)
        _ways(workspace, primary=True)
    else:
        _offer(job.outcome, workspace)


def _proposing(workspace: Workspace) -> Background[Proposed]:
    docgraph = resources.docgraph(workspace.name)

    def work(progress: Progress) -> Proposed:
        return docgraph.query_sets.propose(progress=progress)

    jobs: Jobs[Background[Proposed]] = of_session("first questions made", limit=4)
    name = f"{workspace.name} {workspace.revision}"
    return jobs.of(name, lambda: Background(work, what="first questions could not be generated"))


def _asked() -> Jobs[Asking]:
    return of_session("first questions asked", limit=4)


def _offer(found: Proposed, workspace: Workspace) -> None:
    """The questions in boxes, how each was made, and the button that asks them."""
    if not found.questions:
        layout.section("Do relationships help here?")
        title, text = WHY_NONE[found.why_none]
        layout.card("note", title, text, sign="finding")
        _ways(workspace, primary=True)
        return
    n = len(found.questions)
    layout.section("Do relationships help here?", f"{plural(n, 'question')} to find out. Reword them as you like.")
    if not any(each.n_added or each.n_left for each in found.questions):
        layout.card("note", *NOTHING_CHANGES, sign="info")
    wording = []
    for at, each in enumerate(found.questions):
        with st.container(key=f"dg-first-{at}", gap=None):
            wording.append(
                st.text_input(
                    f"Question {at + 1}",
                    value=each.query,
                    key=f"{KEY}.{workspace.name}.{workspace.revision[:8]}.{at}",
                    max_chars=MAX_QUERY_LENGTH,
                    label_visibility="collapsed",
                )
            )
            told = f"<b>{escape.html(effect_of(each))}</b> · {escape.html(escape.shorten(made_of(each), 220))}"
            st.html(f'<p class="dg-note dg-made" title="{escape.html(made_of(each))}">{told}</p>')
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            f"Ask {'it' if n == 1 else f'these {n}'} without and with relationships",
            key=f"{KEY}.ask",
            type="primary",
            on_click=_begin,
            args=(workspace.name, found, tuple(wording)),
        )
        _ways(workspace, primary=False)
    st.html(f'<p class="dg-note">{escape.html(how_made(found))} They are saved as “{SET_NAME}” under Questions.</p>')


def _ways(workspace: Workspace, *, primary: bool) -> None:
    """The next act that is always there: a question of one's own."""
    with st.container(key="dg-askone-first" if primary else "dg-askone", width="content"):
        navigation.link("plan", ASK_ONE if primary else "Ask one of your own", query={WORKSPACE: workspace.name})


def _begin(workspace: str, found: Proposed, wording: Sequence[str]) -> None:
    _asked().of(workspace, lambda: Asking(workspace, found, wording), anew=lambda last: not last.running)


def _follow(asking: Asking, workspace: Workspace) -> None:
    if asking.running:
        layout.section("First questions", "asked without and with relationships")
        follow(
            asking,
            lambda: progress_row(asking, f"{asking.how_far.counted} asked", place="dg-first-asking", key=f"{KEY}.halt"),
            every=POLL_SECONDS,
        )
        return
    asking.told = True
    if asking.error is None:
        navigation.go_to("compare", {QUERY: asking.first, WORKSPACE: workspace.name})
    st.rerun()

"""The page Questions: the one list of saved questions with what is open beside it, a set, or the place to judge."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from docgraph.domain.query_set import QuerySetSummary
from docgraph.domain.saved_run import RunSummary, SavedRun
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError, NotFoundError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import assets, escape, layout, navigation, resources
from docgraph.ui.parts.runs.data import rows
from docgraph.ui.query_sets.adding import without_questions
from docgraph.ui.query_sets.listing import saved_rows
from docgraph.ui.query_sets.question import question_detail
from docgraph.ui.query_sets.runs.actions import deleted_list, no_version, saved_version, undo_card
from docgraph.ui.query_sets.scope import scope_of
from docgraph.ui.query_sets.sets import EVALUATION, PAGE, SET, TAB, one_set, sets_row
from docgraph.ui.query_sets.table import everywhere, filters, question_list
from docgraph.ui.query_sets.tabs import edges, judge, questions
from docgraph.views.query_sets.saved import QuestionRow
from docgraph.views.words.address import QUERY, RUN

JUDGE = "judge"
_CHOOSER = "qs-set"
_VIEWS = ("edges", "history")
"""Views that an old address may name without a set."""


def questions_page() -> None:
    """Draw the page.

    ``?tab=judge`` is the second place. ``?set=`` opens a set, with ``?tab=`` one of its views and ``?evaluation=`` one
    of its evaluations (without it the newest that has an outcome); a view without a set is that of the first one.
    ``?query=`` opens a question, ``?run=`` the saved version with its question; ``?find=``, ``?in=``, ``?only=`` and
    ``?everywhere=`` filter the list.
    """
    styles = ("parts/runs/marks.css", "parts/runs/banner.css", "query_sets/runs/style.css", "style.css", "list.css")
    assets.style(__file__, *styles)
    workspace = resources.current_workspace()
    with layout.guarded():
        docgraph = resources.docgraph(workspace.name)
        sets = docgraph.query_sets.list()
        may_write = resources.may("begin_evaluation") and _may_write(docgraph)
        wanted, named = st.query_params.get(TAB, ""), st.query_params.get(SET, "")
        is_judging = wanted == JUDGE
        every = saved_rows(docgraph, sets, everywhere=everywhere())
        _places(len(every), is_judging=is_judging)
        chosen = next((each for each in sets if each.name == named), None)
        if is_judging:
            _judge(docgraph, sets, chosen, may_write=may_write)
        elif sets and (chosen or wanted in _VIEWS):
            one_set(scope_of(docgraph, chosen or sets[0], may_write=may_write), wanted)
        else:
            _all(docgraph, workspace, sets, every, may_write=may_write)


def _may_write(docgraph: Docgraph) -> bool:
    try:
        return docgraph.may_write()
    except NotFoundError:  # a saved version outlives its workspace
        return False


def _places(n: int, *, is_judging: bool) -> None:
    """The title, and the two places of the page."""
    with st.container(key="qn-head", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<h1 class="dg-h1">Questions</h1>')
        with st.container(key="qs-tabs", horizontal=True, vertical_alignment="center", gap="small"):
            first = f"All {n:,}" if n else "All"
            for name, title, shown in (("", first, not is_judging), (JUDGE, "Judge", is_judging)):
                with st.container(key=f"qs-tab-{name or 'questions'}{'-shown' if shown else ''}", width="content"):
                    navigation.link(PAGE, title, query={TAB: name} if name else None)


def _judge(
    docgraph: Docgraph, sets: Sequence[QuerySetSummary], chosen: QuerySetSummary | None, *, may_write: bool
) -> None:
    """Passages of one set, blind; without a set the way to one."""
    if not sets:
        layout.empty("Nothing to judge yet", "You judge passages found by an evaluated set. Add a set first.")
        navigation.link(PAGE, "Show questions")
        return
    names, shown = [each.name for each in sets], chosen or next((each for each in sets if each.n_runs), sets[0])
    if len(names) > 1:
        key = f"{_CHOOSER}-{names.index(shown.name)}"
        st.selectbox(
            "Set to judge",
            names,
            index=names.index(shown.name),
            key=key,
            label_visibility="collapsed",
            format_func=lambda each: escape.shorten(each, 60),
            on_change=_choose,
            args=(key,),
            width=320,
        )
    judge.draw(scope_of(docgraph, shown, may_write=may_write))


def _choose(key: str) -> None:
    """Another set: what the address says of the one before goes."""
    for name in (EVALUATION, *questions.INPUTS, *edges.INPUTS):
        st.query_params.pop(name, None)
    st.query_params[SET] = st.session_state[key]


def _all(
    docgraph: Docgraph,
    workspace: Workspace,
    sets: Sequence[QuerySetSummary],
    every: Sequence[QuestionRow],
    *,
    may_write: bool,
) -> None:
    """The sets, the list, what is open beside it, and what was put away."""
    with st.container(key="rn-page", gap="small"):
        undo_card()
        version = saved_version(st.query_params[RUN]) if st.query_params.get(RUN) else None
        if not every and version is None:
            without_questions(docgraph, workspace, may_write=may_write)
        else:
            sets_row(docgraph, sets, may_write=may_write)
            kept = filters(sets)(every)
            opened = _opened(every, version, here=workspace.name)
            if opened is None and version is None:
                question_list(kept, n=len(every), shown=None)
            else:
                left, right = st.columns([5, 7], gap="medium")
                with left:
                    question_list(kept, n=len(every), shown=opened.query if opened else None)
                with right:
                    _beside(docgraph, opened, sets, version)
        deleted_list(rows(everywhere=everywhere(), deleted=True))


def _opened(
    every: Sequence[QuestionRow], version: SavedRun | RunSummary | DocgraphError | None, *, here: str
) -> QuestionRow | None:
    """The question that the address names, or that of the saved version that it names."""
    if isinstance(version, SavedRun):
        query, workspace = version.run.request.query, version.workspace if version.workspace != here else ""
        found = next((row for row in every if (row.query, row.workspace) == (query, workspace)), None)
        return found or QuestionRow(query, workspace=workspace)
    query = st.query_params.get(QUERY, "") if version is None else ""
    return next((row for row in every if row.query == query and not row.workspace), None) if query else None


def _beside(
    docgraph: Docgraph,
    opened: QuestionRow | None,
    sets: Sequence[QuerySetSummary],
    version: SavedRun | RunSummary | DocgraphError | None,
) -> None:
    if opened is not None:
        question_detail(docgraph, opened, sets, version if isinstance(version, SavedRun) else None)
    elif version is not None and not isinstance(version, SavedRun):
        no_version(version)

"""*Helps* or *does not help* beside each document that relationships add or drop: a judgment like any other."""

from __future__ import annotations

import streamlit as st

from docgraph.boundary.variables import account
from docgraph.domain.comparison import Comparison, DocumentChange
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, layout, resources, visitor
from docgraph.ui.frame.state import session
from docgraph.ui.parts.judgments import marks, state
from docgraph.ui.parts.judgments.state import ANSWERS, DOES_NOT
from docgraph.views.relationships.edges.edit_link import EDITS
from docgraph.views.words.address import RUN
from docgraph.views.words.counts import plural
from docgraph.views.words.judgments import Judged

KEY, NAME = "docgraph.compare.helps", "docgraph.compare.helps.name"
_HERE, _SAID, _FIRST = "compare.helps", "compare.helps_said", "compare.helps_first"
SHOWN = 4
"""Documents that are asked about; of more the rest stands in the fold *Documents*."""
WORDS = {ANSWERS: "Helps", DOES_NOT: "Does not help"}


def helps(comparison: Comparison, workspace: str, judged: Judged | None) -> None:
    """A line for each changed document while one of them is not judged, or somebody judged one here just now."""
    changed = changed_documents(comparison)
    query = comparison.b.run.request.query
    if not changed or judged is None or not _offered(comparison, workspace):
        return
    here = session().page.get(_HERE) == (workspace, query)
    left = [each for each in changed if each.document_id not in judged]
    if not (left or here):
        return
    with st.container(key="cp_helps", gap=None):
        if (problem := state.taken_problem()) is not None:
            layout.error(problem)
        known = state.judge_name() or _local_name()
        more = f"; {plural(len(changed) - SHOWN, 'more')} under Documents" if len(changed) > SHOWN else ""
        said = "all answered" if not left else f"{len(changed) - len(left):,} of {len(changed):,} answered"
        st.html(f'<p class="cp-helpshead"><b>Does it help with this question?</b><span>{said}{more}</span></p>')
        if not known:
            st.text_input(
                "Your name, shown with each judgment",
                key=NAME,
                max_chars=200,
                placeholder="Your name, shown with each judgment",
                label_visibility="collapsed",
                width=320,
            )
            known = " ".join(str(st.session_state.get(NAME) or "").split())
        with st.container(key="cp_helpsrows", gap=None):
            for each in changed[:SHOWN]:
                _row(each, workspace, query, judged, by=known)


def asked_first(comparison: Comparison, workspace: str) -> bool:
    """Whether the lines stand above the picture: nobody had said anything when this question was opened.

    Where something is known the change goes first; what stands above stays there while one says more.
    """
    question = (workspace, comparison.b.run.request.query)
    if not comparison.relevant:
        session().page[_FIRST] = question
    return session().page.get(_FIRST) == question


def changed_documents(comparison: Comparison) -> list[DocumentChange]:
    """What relationships add, then what leaves for it; nothing where the sides differ in anything else."""
    if not comparison.by_relationships:
        return []
    return [each for kind in ("added", "left") for each in comparison.documents if each.change == kind]


def said_now() -> bool:
    """Whether a judgment was kept here since this was asked last: the verdict above tells of it as well."""
    return bool(session().page.pop(_SAID, False))


def _offered(comparison: Comparison, workspace: str) -> bool:
    if EDITS in st.query_params or RUN in st.query_params or not resources.may("judge"):
        return False
    try:
        return resources.docgraph(workspace).may_write()
    except DocgraphError:
        return False


def _row(document: DocumentChange, workspace: str, query: str, judged: Judged, *, by: str) -> None:
    said = judged.get(document.document_id)
    key = f"{KEY}.{document.document_id}"
    st.session_state[key] = None if said is None else (ANSWERS if said.relevant else DOES_NOT)
    with st.container(
        key=f"cp-help-{document.change}-{abs(hash(document.document_id)):x}",
        horizontal=True,
        vertical_alignment="center",
        gap="small",
    ):
        glyph = layout.glyph("added" if document.change == "added" else "left", document.change)
        title = escape.html(escape.shorten(document.title, 90))
        st.html(f'<span class="cp-helptitle" title="{escape.html(document.title)}">{glyph}<span>{title}</span></span>')
        st.segmented_control(
            f"Does {marks.spoken(document.title)} help?",
            (ANSWERS, DOES_NOT),
            key=key,
            format_func=WORDS.__getitem__,
            label_visibility="collapsed",
            wrap=False,
            disabled=not by,
            on_change=_say,
            args=(workspace, query, document.document_id, key, by),
        )


def _say(workspace: str, query: str, document_id: str, key: str, by: str) -> None:
    if not state.judge_name():
        state.switch_on(by)
    state.say(workspace, query, document_id, key=key)
    session().page[_HERE], session().page[_SAID] = (workspace, query), True


def _local_name() -> str:
    """Who sits at this machine signs by the name that the system knows, as on the command line."""
    return account() if visitor.is_local() else ""

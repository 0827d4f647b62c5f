"""The Home page: the corpus in one line, one question box, samples, and the doors to the other pages."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.workspace import Workspace
from docgraph.ui.frame import escape, navigation, resources
from docgraph.ui.frame import layout as frame
from docgraph.ui.home.check import last_check
from docgraph.ui.home.recent import recent_runs
from docgraph.ui.parts.ingestion.job import last_import
from docgraph.ui.parts.ingestion.progress import follow_import
from docgraph.ui.parts.ingestion.source import sample_source, start
from docgraph.ui.parts.samples.corpus import Sample, a_few, samples
from docgraph.ui.presenter.page import presenter_link
from docgraph.views.words.counts import plural

QUESTION_KEY = "docgraph.home.question"
STAGES = ("MS3", "MS5")
"""Without and with relationships, under the names that the design documents use."""


def home() -> None:
    """Draw the page for the current workspace, or its empty state."""
    workspace = resources.current_workspace()
    with st.container(key="dg-narrow"):
        frame.heading("What will be read for this question, and why?")
        if workspace.n_documents == 0:
            _empty(workspace)
            return
        _corpus_line(workspace)
        _question_box(workspace)
        _samples(workspace)
        _doors(workspace)
        recent_runs(workspace)
        st.html('<p class="dg-foot">Offline: no request leaves this machine. Nothing here changes a relationship.</p>')


def _corpus_line(workspace: Workspace) -> None:
    with st.container(key="dg-corpus", horizontal=True, gap=None, vertical_alignment="center"):
        st.html(f'<span class="dg-lead">{escape.html(workspace.title or workspace.name)}:</span>')
        navigation.link("library", plural(workspace.n_documents, "document"), query={"show": "Documents"})
        _relationships_link(plural(workspace.n_relationships, "relationship"))
        chunks = plural(workspace.n_chunks, "chunk")
        navigation.link("library", chunks, query={"show": "Documents"})
        last_check(workspace)
        if workspace.off_relation_types:
            off = escape.html(", ".join(workspace.off_relation_types))
            st.html(f'<span class="dg-lead">Off in plans unless asked for: {off}.</span>')


def _relationships_link(label: str) -> None:
    """To all relationships: on the page that judges them, else in the Library."""
    if navigation.page("relationships") is not None:
        navigation.link("relationships", label, query={"tab": "edges"})
    else:
        navigation.link("library", label, query={"show": "Relationships"})


def _question_box(workspace: Workspace) -> None:
    with (
        st.form("dg-ask", border=False),
        st.container(key="dg-askbox", horizontal=True, vertical_alignment="center", gap="small"),
    ):
        st.html(f'<span class="dg-asksign">{frame.glyph("query")}</span>')
        st.text_input(
            "Question",
            key=QUESTION_KEY,
            max_chars=20_000,
            label_visibility="collapsed",
            autocomplete="off",
            placeholder=f"Ask something the {workspace.title or workspace.name} documents should answer",
        )
        stage = st.segmented_control(
            "Relationships",
            STAGES,
            default=STAGES[-1],
            required=True,
            label_visibility="collapsed",
            wrap=False,
            key="docgraph.home.stage",
        )
        asked = st.form_submit_button("Build plan", type="primary", key="docgraph.home.ask")
    if asked:
        _ask(str(st.session_state[QUESTION_KEY] or ""), stage)


def _ask(question: str, stage: str) -> None:
    if question.strip():
        # A value equal to the page's default is left out of the URL.
        navigation.go_to("plan", {"query": question.strip()} | ({"stage": stage} if stage != STAGES[-1] else {}))
    else:
        st.html('<p class="dg-hint" role="status">Type a question first, or take one of the samples.</p>')


def _samples(workspace: Workspace) -> None:
    everything = samples(workspace.name)
    if not everything or navigation.page("plan") is None:
        return
    few = a_few(everything)
    shows_all = bool(st.session_state.get("docgraph.home.all_samples"))
    shown = everything if shows_all else few
    with st.container(key="dg-samplehead", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<h2 class="dg-h3">Or start from a sample: each shows another effect</h2>')
        count = f"Show {len(few)} of {len(everything)}" if shows_all else f"{len(few)} of {len(everything)}: show all"
        if len(few) < len(everything):
            st.button(count, type="tertiary", key="docgraph.home.toggle", on_click=_toggle_samples)
        presenter_link(None, workspace.name)
    with st.container(key="dg-samples"):
        for sample in shown:
            _sample_card(sample)


def _toggle_samples() -> None:
    shown = bool(st.session_state.get("docgraph.home.all_samples"))
    st.session_state["docgraph.home.all_samples"] = not shown


def _sample_card(sample: Sample) -> None:
    glyph, tone = sample.sign
    with st.container(key=f"dg-sample-{sample.id}"):
        st.html(
            f'<div class="dg-sample"><span class="dg-tile dg-tone-{tone}">{frame.glyph(glyph)}</span>'
            f"<div><p>{escape.html(sample.query)}</p>"
            f"<small><b>{escape.html(sample.title)}</b>{': ' if sample.note else ''}{escape.html(sample.note)}</small>"
            f"</div>{frame.glyph('chevron')}</div>"
        )
        navigation.link("plan", escape.label(sample.query), query={"query": sample.query})


def _doors(workspace: Workspace) -> None:
    with st.container(key="dg-doors"):
        if navigation.page("plan") is not None:
            _door("plan", "Explore a plan", "Seeds, one hop of relationships, every reason and every cut.", to="plan")
        _door_to_changes()
        _door_to_relationships(workspace)


def _door_to_changes() -> None:
    if navigation.page("compare") is not None:
        text = "MS3 against MS5 or any two runs: what came in, what left."
        _door("change", "Show what changed", text, to="compare")
    elif navigation.page("plan") is not None:
        text = "On the Plan page, switch relationships off and on: seeds stay, related documents come and go."
        _door("change", "Show what changed", text, to="plan")


def _door_to_relationships(workspace: Workspace) -> None:
    there = navigation.page("relationships") is not None
    edges = plural(workspace.n_relationships, "relationship")
    text = f"{edges}, with both ends and where each was found; those without a target are marked."
    if there:
        text = "Findings with both texts side by side, and which saved questions an edit changes, before it is saved."
    query = {} if there else {"show": "Relationships"}
    _door("relations", "Check relationships", text, to="relationships" if there else "library", query=query)


def _door(art: str, title: str, text: str, *, to: str, query: dict[str, str] | None = None) -> None:
    layers = "<i></i>" * 5
    target = navigation.page(to)
    with st.container(key=f"dg-door-{art}"):
        st.html(
            f'<div class="dg-door"><div><h2>{escape.html(title)}</h2><p>{escape.html(text)}</p></div>'
            f'<span class="dg-art dg-art-{art}" aria-hidden="true">{layers}</span></div>'
        )
        navigation.link(to, f"Open {target.title if target else title}", query=query)


def _empty(workspace: Workspace) -> None:
    job = last_import()
    if job is not None and (job.running or job.report is not None or job.error is not None):
        follow_import(job, key="home")
        if job.running:
            return
    frame.empty(
        f"{workspace.title or workspace.name} holds no documents yet",
        "docgraph plans which documents are read for a question, and shows why. It needs documents first: "
        "the sample corpus is a small engineering organisation with decisions, designs and runbooks; "
        "it is loaded from this machine in a few seconds.",
    )
    with st.container(horizontal=True, gap="small"):
        source = sample_source()
        if source is not None and st.button("Load the sample corpus", type="primary", key="docgraph.home.sample"):
            start(source, workspace=resources.SAMPLE_WORKSPACE)
            st.rerun()
        if st.button("Import my documents", key="docgraph.home.import"):
            navigation.go_to("library", {"show": "Import"})

"""The plan as JSON: inspect, copy and download the plan, and upload one to execute it."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.plan import RetrievalPlan, parse_plan
from docgraph.domain.run import Run
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.plan.details.executed import executed
from docgraph.ui.plan.state import Upload, plan_state

UPLOAD = "docgraph.plan.upload"


def json_tab(run: Run, workspace: Workspace) -> None:
    """The plan of this run on the left, the upload on the right."""
    text = run.plan.model_dump_json(indent=2)
    with st.container(key="plan_json", horizontal=True, gap="medium"):
        with st.container(key="plan_json_text", gap="xsmall"):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.html(
                    f'<p class="pl-facts">Plan <code>{run.plan.plan_id[:12]}</code>, its id is the SHA-256 of the '
                    f"rest. {len(text):,} characters.</p>"
                )
                st.download_button(
                    "Download",
                    text,
                    file_name=f"plan-{run.plan.plan_id[:8]}.json",
                    mime="application/json",
                    key="plan_json_download",
                    on_click="ignore",
                )
            st.code(text, language="json", height=520)
        with st.container(key="plan_json_upload", gap="xsmall"):
            st.html(
                '<h3 class="pl-h3">Execute a plan</h3><p class="pl-muted">Upload a plan saved here or by the command '
                "line. It is checked first. Only its own documents are read, within its limits.</p>"
            )
            st.file_uploader(
                "Plan file",
                type=["json"],
                key=UPLOAD,
                on_change=_take,
                args=(workspace.name,),
                max_upload_size=2,
                label_visibility="collapsed",
            )
            _result(workspace)


def _take(workspace: str) -> None:
    """Read, check and execute the uploaded plan; whatever is wrong becomes one line."""
    file = st.session_state.get(UPLOAD)
    if file is None:
        plan_state().upload = None
        return
    upload = Upload(name=str(file.name))
    plan_state().upload = upload
    try:
        upload.plan = parse_plan(file.getvalue())
        upload.context = resources.docgraph(workspace).execute(upload.plan)
    except DocgraphError as problem:
        upload.problem = str(problem)


def _result(workspace: Workspace) -> None:
    upload = plan_state().upload
    if upload is None:
        return
    if upload.problem or upload.plan is None or upload.context is None:
        layout.card("error", f"{upload.name} was not executed", upload.problem, sign="finding")
        return
    if _stale(upload.plan, workspace):
        st.html(
            f'<p class="pl-inline pl-cuttext">{layout.glyph("clock")}Made with revision '
            f"<code>{escape.html(upload.plan.corpus_revision[:8])}</code>, the data are now at "
            f"<code>{escape.html(workspace.revision[:8])}</code>.</p>"
        )
    st.html(executed(upload.plan, upload.context))


def _stale(plan: RetrievalPlan, workspace: Workspace) -> bool:
    return plan.corpus_revision != workspace.revision

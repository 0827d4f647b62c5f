"""The plan as JSON: inspect, copy and download it, and upload one to execute it."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.context import RetrievedContext
from docgraph.domain.plan import RetrievalPlan, parse_plan
from docgraph.domain.run import Run
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.frame.download import download
from docgraph.ui.plan.state import Upload, plan_state
from docgraph.views.words import counts


def executed(plan: RetrievalPlan, context: RetrievedContext) -> str:
    """One counted sentence and a table of documents with their chunks."""
    seeds = set(plan.seed_document_ids)
    rows = "".join(
        f"<tr><td>{layout.glyph('seed' if d.document.document_id in seeds else 'added')}"
        f"<span>{escape.html(d.document.title or d.document.document_id)}</span></td>"
        f"<td>{len(d.chunks)} of {d.document.n_chunks:,}</td>"
        f"<td>{counts.score(d.chunks[0].score if d.chunks else None)}</td></tr>"
        for d in context.documents
    )
    return (
        f'<p class="pl-inline" role="status">{layout.glyph("check")}<span>Executed plan '
        f"<code>{plan.plan_id[:12]}</code>: "
        f"{counts.plural(len(context.documents), 'document')}, {context.n_chunks:,} of {context.n_eligible_chunks:,} "
        f"passages.</span></p>"
        f'<p class="pl-facts">Question: {escape.html(plan.query)}</p>'
        f'<table class="pl-shares"><thead><tr><th>Document</th><th>Passages</th><th>Best</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


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
                download("Download", text, f"plan-{run.plan.plan_id[:8]}.json", key="plan_json_download")
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

"""Query sets come in: the sample questions by one button, a file, or the judged questions of a workspace."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from pathlib import PurePosixPath

import streamlit as st

from docgraph.boundary.files.zipped import check_method
from docgraph.boundary.judgments.query_sets import MAX_BYTES, read_query_set
from docgraph.domain.query_set import MAX_SET_NAME, RELEVANT, JudgedQuery, QuerySet, halves
from docgraph.domain.report import Adjusted, Rejected
from docgraph.domain.workspace import Workspace
from docgraph.errors import DocgraphError, UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import escape, layout, navigation, resources
from docgraph.ui.frame.state import session
from docgraph.ui.parts.runs.saving import person_name
from docgraph.ui.parts.samples.corpus import samples
from docgraph.ui.query_sets.desk import Desk
from docgraph.views.words.counts import plural

SAMPLE_SET, JUDGED_SET = "Sample questions", "Judged questions"
_QRELS = ("qrels/test.tsv", "qrels/dev.tsv", "qrels/train.tsv", "qrels.tsv", "qrels.txt")
_FILE, _NAME, _UPLOADS = "qs-file", "qs-name", "query_sets.uploads"
SHOWN, MOST = 10, 500
"""Lines that are shown at once, and at all."""

MAX_MEMBER = MAX_BYTES
"""Bytes that one file of an archive may unfold to."""


def without_sets(docgraph: Docgraph, workspace: Workspace, *, may_write: bool) -> None:
    """The page of a workspace that keeps no set: one button, and the way in for a file."""
    layout.heading("Query sets")
    if not workspace.n_documents:
        layout.no_documents(
            workspace.title or workspace.name,
            "A query set asks many questions of your documents: load the sample corpus or import documents first.",
        )
        navigation.link("library", "Open the Library")
        return
    layout.empty(
        "No query set is kept yet",
        "A query set says on how many of your questions relationships help, where they hurt, and how sure that is.",
    )
    if not may_write:
        why = resources.closed("Query sets are kept by curators and admins.")
        st.html(f'<p class="dg-note">{escape.html(why)}</p>')
        return
    with st.container(key="qs-start", gap="small"):
        with st.container(horizontal=True, gap="small"):
            _ready_made(docgraph, workspace.name)
        st.html('<h2 class="dg-h2">Or bring your own questions</h2>')
        _upload(docgraph)


def add_popover(desk: Desk) -> None:
    """A button that opens the ways to one more set."""
    opened = st.popover("Add", key="qs-add", on_change="rerun", help="Keep another set of questions", width="content")
    if opened.open:
        with opened:
            _ready_made(desk.docgraph, desk.workspace)
            _upload(desk.docgraph)


def _ready_made(docgraph: Docgraph, workspace: str) -> None:
    """The sample questions of the sample corpus; the questions that people judged documents of."""
    sample, kept = samples(workspace), {each.name for each in docgraph.query_sets.list()}
    if sample and SAMPLE_SET not in kept:
        label = f"Keep the {len(sample):,} sample questions"
        st.button(label, key="qs-samples", type="primary", on_click=_keep_samples, args=(docgraph, workspace))
    judged = {each.query for each in docgraph.judgments.list()}
    if judged and JUDGED_SET not in kept:
        label = f"Keep the {plural(len(judged), 'judged question')} of {workspace}"
        st.button(label, key="qs-judged", on_click=_keep_judged, args=(docgraph,))


def _keep_samples(docgraph: Docgraph, workspace: str) -> None:
    made = [
        JudgedQuery(
            query_id=each.id,
            query=each.query,
            kind=each.title,
            grades=dict.fromkeys(each.relevant, RELEVANT),
            evidence=each.evidence,
        )
        for each in samples(workspace)
    ]
    _keep(docgraph, QuerySet(name=SAMPLE_SET, queries=_split(made)), SAMPLE_SET)


def _keep_judged(docgraph: Docgraph) -> None:
    """The questions alone: what people judged counts in every set that asks them."""
    queries = sorted({each.query for each in docgraph.judgments.list()})
    made = [JudgedQuery(query_id=f"q{number}", query=query) for number, query in enumerate(queries, start=1)]
    _keep(docgraph, QuerySet(name=JUDGED_SET, queries=_split(made)), JUDGED_SET)


def _split(queries: list[JudgedQuery]) -> tuple[JudgedQuery, ...]:
    default = halves(tuple(each.query_id for each in queries), tuple(each.kind for each in queries))
    return tuple(each.model_copy(update={"half": half}) for each, half in zip(queries, default, strict=True))


def _upload(docgraph: Docgraph) -> None:
    """A file is read as soon as it is there; what could not be taken is said before anything is kept."""
    turn = int(session().page.get(_UPLOADS, 0))
    file = st.file_uploader(
        "JSON lines, CSV, judgments of Quepid, OpenSearch or ragas, or a zip of a BEIR folder",
        type=["jsonl", "csv", "tsv", "json", "zip"],
        key=f"{_FILE}-{turn}",
    )
    if file is None:
        st.html(
            '<p class="dg-note">One question a line: <code>{"query": "Why is the queue bounded?", "relevant": '
            '["ADR-003"], "kind": "why"}</code></p>'
        )
        return
    try:
        read = read_file(file.getvalue(), name=file.name)
    except DocgraphError as problem:
        layout.error(problem)
        return
    said = f"{plural(len(read.queries), 'question')}, {read.n_judged:,} judged"
    st.html(f'<p class="dg-note" role="status">{escape.html(escape.shorten(said, 400))}</p>')
    _told(f"{plural(len(read.rejected), 'line')} not read", read.rejected)
    _told(f"{plural(len(read.adjusted), 'value')} read otherwise than written", read.adjusted)
    name = st.text_input(
        "Name of the set", value=PurePosixPath(read.name).stem, key=f"{_NAME}-{turn}", max_chars=MAX_SET_NAME
    )
    there = name in {each.name for each in docgraph.query_sets.list()}
    if there:
        st.html('<p class="dg-note">A set has this name: its questions give way, its evaluations stay.</p>')
    st.button(
        "Replace its questions" if there else "Keep the set",
        key="qs-keep",
        type="primary",
        disabled=not name.strip(),
        on_click=_keep,
        args=(docgraph, read, name),
    )


def _told(title: str, told: Sequence[Rejected | Adjusted]) -> None:
    """Every line that is not read, or not as it is written, with its reason; of very many the first ones."""
    if not told:
        return
    with st.expander(title, expanded=len(told) <= SHOWN):
        items = "".join(f"<li>{escape.html(escape.shorten(each.reason, 400))}</li>" for each in told[:MOST])
        st.html(f'<ul class="dg-note" role="status">{items}</ul>')
        if len(told) > MOST:
            st.html(f'<p class="dg-note">{MOST:,} of {len(told):,} are shown</p>')


def read_file(data: bytes, *, name: str) -> QuerySet:
    """The questions of an uploaded file; of an archive those of ``queries.jsonl``, with its qrels. Raises UserError."""
    if not name.lower().endswith(".zip"):
        return read_query_set(data, name=name)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {each.filename: each for each in archive.infolist() if not each.is_dir()}
            found = sorted((path for path in members if PurePosixPath(path).name == "queries.jsonl"), key=len)
            if not found:
                raise UserError(f"{name[:80]!r} holds no queries.jsonl", hint="zip the folder as BEIR has it")
            root = str(PurePosixPath(found[0]).parent)
            paths = (each if root == "." else f"{root}/{each}" for each in _QRELS)
            qrels = next((each for each in paths if each in members), None)
            read = _member(archive, members[found[0]])
            judged = None if qrels is None else _member(archive, members[qrels])
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
        raise UserError(f"{name[:80]!r} cannot be opened: {error}", hint="zip it again") from error
    return read_query_set(read, name=PurePosixPath(name).stem, qrels=judged)


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """One file of an archive; what says it is small and is not is cut off. Raises UserError."""
    try:
        check_method(member)
    except ValueError as error:
        raise UserError(f"{member.filename[:80]!r} cannot be opened: {error}", hint="zip it again") from error
    with archive.open(member) as file:
        data = file.read(MAX_MEMBER + 1)
    if len(data) > MAX_MEMBER:
        raise UserError(f"{member.filename[:80]!r} is larger than {MAX_MEMBER:,} bytes", hint="split the set")
    return data


def _keep(docgraph: Docgraph, queries: QuerySet, name: str) -> None:
    """Keep it and show it (in a callback)."""
    try:
        stored = docgraph.query_sets.keep(queries, name=name, by=person_name())
    except DocgraphError as problem:
        session().problems.append(problem)
        return
    session().page[_UPLOADS] = int(session().page.get(_UPLOADS, 0)) + 1
    session().notices.append(f"Kept: {stored.name}, {plural(len(queries.queries), 'question')}.")
    for each in tuple(st.query_params):
        if each != resources.WORKSPACE_KEY:
            del st.query_params[each]
    st.query_params["set"] = stored.name
